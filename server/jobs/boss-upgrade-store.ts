/** What an earlier process left in pg-boss, or in the table of SQLite, at the start. In parts, because a statement has a time limit. */
import { sql } from 'kysely'
import type { Database } from '#storage/database.ts'
import { JOB_SCHEMA } from '#storage/job-engine.ts'
import type { JobStore } from './job.ts'

/** In one statement. */
export const UPDATED_MAX = 2_000
/** In one transaction. */
const ADOPTED_MAX = 500
const NO_JOB = '00000000-0000-0000-0000-000000000000'

const JOBS = sql.table(`${JOB_SCHEMA}.job`)

/** Jobs keep what their kind said when they were posted, perhaps in an older version. */
export async function updateWaiting(
  db: Database['db'],
  name: string,
  [lease, retryLimit, heartbeat]: readonly [number, number, number | null],
): Promise<void> {
  for (let after = NO_JOB; ; ) {
    const page = sql`select id from ${JOBS} where name = ${name} and id > ${after}::uuid order by id limit ${UPDATED_MAX}`
    const { rows } = await sql<{ id: string }>`select id from (${page}) page order by id desc limit 1`.execute(db)
    const last = rows[0]?.id
    if (last === undefined) return
    // Other processes may do the same, or take some of them: none waits for another one.
    await sql`update ${JOBS} set expire_seconds = ${lease}, retry_limit = ${retryLimit}, heartbeat_seconds = ${heartbeat}
      where name = ${name} and id = any(array(
        select id from ${JOBS} where name = ${name} and id > ${after}::uuid and id <= ${last}::uuid and state in ('created', 'retry')
          and (expire_seconds, retry_limit, heartbeat_seconds) is distinct from (${lease}::int, ${retryLimit}::int, ${heartbeat}::int)
        for update skip locked))`.execute(db)
    after = last
  }
}

/** Jobs that a move brought from SQLite; as after an upgrade, failed jobs are not kept. */
export async function adoptMoved({ db, clock }: Database, kinds: string[], post: JobStore['post']): Promise<void> {
  const adoptSome = (): Promise<number> =>
    db.transaction().execute(async (trx) => {
      const some = trx
        .selectFrom('jobs')
        .select('id')
        .where(sql<boolean>`kind = any(${kinds}::text[])`)
        .limit(ADOPTED_MAX)
      const moved = await trx
        .deleteFrom('jobs')
        .where('id', 'in', some.forUpdate().skipLocked())
        .returning(['id', 'kind as name', 'data', 'job_key', 'job_group', 'failed_at'])
        .returning((eb) => eb('due_at', '-', clock.nowMs).as('delayMs'))
        .execute()
      for (const { id, name, data, job_key: key, job_group: group, failed_at: failedAt, delayMs } of moved) {
        if (failedAt !== null) continue
        const options = { ...(key !== null && { key }), ...(group !== null && { group }) }
        await post(trx, { name }, [{ id, data: JSON.parse(data), ...options, delayMs: Math.max(0, delayMs) }])
      }
      return moved.length
    })
  while ((await adoptSome()) === ADOPTED_MAX);
}
