/** Claims of jobs in pg-boss: the oldest, or of kinds with limits those that the order of shares chooses. */
import { type RawBuilder, sql } from 'kysely'
import type { JobWithMetadata } from 'pg-boss'
import type { Database } from '#storage/database.ts'
import { JOB_SCHEMA } from '#storage/job-engine.ts'
import { fairShare } from './fair-share-store.ts'
import type { JobKind, Lane } from './job.ts'

const JOBS = sql.table(`${JOB_SCHEMA}.job`)
/** Each time, another process has got a job. */
const FETCHES_MAX = 5

const ENGINE = {
  ...{
    table: JOBS,
    kind: sql.ref('name'),
    group: sql`group_id collate "C"`,
    dueAt: sql.ref('start_after'),
    now: sql`now()`,
  },
  ...{ isWaiting: sql<boolean>`state < 'active'`, isRunning: sql<boolean>`state = 'active' and group_id is not null` },
  ownerOf: (group: RawBuilder<unknown>) => sql<string>`split_part(${group}, '/', 1)`,
  listed: (groups: readonly string[]) => sql`select unnest(${groups}::text[]) collate "C"`,
  counted: (counts: Lane['used'] = {}) =>
    sql`select key, value::float8 from json_each_text(${JSON.stringify(counts)}::json)`,
  joined: (found: RawBuilder<unknown>) => sql`cross join lateral (${found}) found`,
}

export type Fetched = Pick<JobWithMetadata<object>, 'id' | 'data' | 'createdOn' | 'retryCount' | 'startedOn'> & {
  groupId?: string | null
}

/** The commit does not wait for the disk: after a crash of the server nobody holds a claim that it has lost. */
const RELAXED = sql`set_config('synchronous_commit', 'off', true) as relaxed`

/** `ids` is a table with the ids of jobs that are locked. */
const take = ({ name }: JobKind, ids: RawBuilder<unknown>) => sql`
  update ${JOBS} j set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = case when started_on is null then retry_count else retry_count + 1 end
  where name = ${name} and id = any (array(select id from ${ids}))
  returning id, data, created_on as "createdOn", retry_count as "retryCount", started_on as "startedOn", group_id as "groupId"`

/** As `fetch` of pg-boss, whose commit would wait for the disk. */
export async function fetchOldest(db: Database['db'], kind: JobKind, max: number): Promise<Fetched[]> {
  const { rows } = await sql<Fetched>`with
    oldest as (
      select id from ${JOBS} where name = ${kind.name} and ${ENGINE.isWaiting} and not blocked and start_after <= now()
      order by priority desc, created_on limit ${max} for update skip locked
    ),
    taken as (${take(kind, sql`oldest`)})
    select taken.*, ${RELAXED} from taken`.execute(db)
  return rows
}

/**
 * As `fetch` of pg-boss, which would serve the oldest jobs first. Processes that do it at once choose the same jobs, so that one of
 * them gets each job and no limit is passed; one that got none tries again.
 */
export async function fetchShare(db: Database['db'], kind: JobKind, max: number, lane?: Lane): Promise<Fetched[]> {
  for (let tries = 0; tries < FETCHES_MAX; tries++) {
    const { rows } = await sql<Fetched & { chosen: number }>`with recursive ${fairShare(ENGINE, kind, max, lane)},
      free as (
        select id from ${JOBS} where name = ${kind.name} and id = any (array(select id from chosen)) and ${ENGINE.isWaiting}
        for update skip locked
      ),
      taken as (${take(kind, sql`free`)})
      select taken.*, (select count(*) from chosen) as chosen, ${RELAXED} from (select 1) one left join taken on true`.execute(
      db,
    )
    const taken = rows.filter(({ id }) => id !== null)
    if (taken.length > 0 || Number(rows[0]?.chosen) === 0) return taken
  }
  return []
}
