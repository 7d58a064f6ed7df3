/** pg-boss, the engine of jobs on PostgreSQL, on the connections of the service. */
import { CompiledQuery, Kysely, sql } from 'kysely'
import type { ConstructorOptions, PgBoss } from 'pg-boss'
import type { Log } from '#base/log.ts'
import { openPostgresPool } from './postgres.ts'
import type { Tables } from './tables.ts'

/** Of its own, so that another pg-boss in the same database does not disturb it. */
export const JOB_SCHEMA = 'docvet_jobs'

type Connected = Pick<Kysely<Tables>, 'executeQuery'>

/** How pg-boss runs a statement in a transaction of ours. */
export const sqlIn = (trx: Connected) => ({
  executeSql: async (text: string, values: unknown[] = []) => {
    const { rows } = await trx.executeQuery<object>(CompiledQuery.raw(text, values))
    return { rows: [...rows] }
  },
})

/** Outside of one: some of its texts are whole transactions, which must not stay open on a connection when they fail. */
const sqlOn = (db: Kysely<Tables>) => ({
  executeSql: (text: string, values?: unknown[]) =>
    db.connection().execute(async (connection) => {
      const run = sqlIn(connection).executeSql
      try {
        return await run(text, values)
      } catch (error) {
        await run('rollback').catch(() => {})
        throw error
      }
    }),
})

/** It neither supervises nor schedules by itself: the runner of jobs says when. */
export async function startJobEngine(db: Kysely<Tables>, log: Log, options: ConstructorOptions = {}): Promise<PgBoss> {
  // Not needed on SQLite.
  const { PgBoss } = await import('pg-boss')
  const boss = new PgBoss({
    ...{ db: sqlOn(db), schema: JOB_SCHEMA, supervise: false, schedule: false, reindex: false },
    ...options,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'The job engine failed; it will retry'))
  boss.on('warning', ({ message, data }) => log.warn({ data }, message))
  const started = await boss.start()
  await createIndexes(db)
  return started
}

const JOBS = sql.table(`${JOB_SCHEMA}.job`)
/** Those by which groups of jobs that wait, and jobs whose process was lost, are found; pg-boss has one of groups that run. */
const INDEXES = {
  job_waiting_by_group: sql`(name, group_id collate "C", start_after, id) where state < 'active'`,
  job_lost: sql`(name) where state = 'failed' and output ? 'value'`,
}

async function createIndexes(db: Kysely<Tables>): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    const exists = sql<{ found: string | null }>`select to_regclass(${`${JOB_SCHEMA}.${name}`}) as found`
    if ((await exists.execute(db)).rows[0]?.found) continue
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${name}))`.execute(trx)
      await sql`create index if not exists ${sql.ref(name)} on ${JOBS} ${columns}`.execute(trx)
    })
  }
}

/** Creates or migrates its schema, without timeouts. */
export async function installJobEngine(url: string, log: Log): Promise<void> {
  const db = new Kysely<Tables>({ dialect: openPostgresPool({ url, log, patient: true }).dialect })
  try {
    const boss = await startJobEngine(db, log)
    await boss.stop({ graceful: false })
  } finally {
    await db.destroy()
  }
}
