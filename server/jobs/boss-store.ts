/** Jobs in pg-boss, for PostgreSQL: any number of processes on any number of machines. */
import { sql } from 'kysely'
import type { PgBoss } from 'pg-boss'
import type { Log } from '#base/log.ts'
import type { Database, Trx } from '#storage/database.ts'
import { JOB_SCHEMA, sqlIn, startJobEngine } from '#storage/job-engine.ts'
import { type Fetched, fetchOldest, fetchShare } from './boss-share-store.ts'
import { adoptMoved, updateWaiting } from './boss-upgrade-store.ts'
import {
  type ClaimedJob,
  depthOf,
  type FailedJob,
  type JobKind,
  type JobState,
  type JobStore,
  leaseSeconds,
  PROCESS_ENDED,
} from './job.ts'
import { FAILED_KEPT_MS } from './table-store.ts'

/** pg-boss deletes jobs that wait longer: none may. */
const WAITING_SECONDS_MAX = 10 * 365 * 24 * 60 * 60
/** Its timestamps have microseconds, JavaScript's milliseconds. */
const ROUNDED_MS = 2
/** Shared by all processes: how often one of them looks for jobs whose lease has ended, and for those to delete. */
const BOSS_SECONDS = { monitorIntervalSeconds: 10, maintenanceIntervalSeconds: 600 }
const UNLIMITED = 10_000_000
const NO_JOB = '00000000-0000-0000-0000-000000000000'

const JOBS = sql.table(`${JOB_SCHEMA}.job`)
const QUEUES = sql.table(`${JOB_SCHEMA}.queue`)
const msOf = (column: string) => sql<number>`cast(extract(epoch from ${sql.ref(column)}) * 1000 as bigint)`
const IS_FAILED = sql<boolean>`state in ('failed', 'cancelled')`
const IS_WAITING = sql<boolean>`state in ('created', 'retry')`
const STATE = sql<JobState>`case when state = 'active' then 'running' when ${IS_FAILED} then 'failed' else 'waiting' end`

const optionsOf = (kind: JobKind) => ({
  expireInSeconds: leaseSeconds(kind),
  retryLimit: kind.attemptsMax - 1,
  retryDelay: 0,
  retryBackoff: false,
  retentionSeconds: WAITING_SECONDS_MAX,
  deleteAfterSeconds: FAILED_KEPT_MS / 1_000,
  warningQueueSize: UNLIMITED,
})

/** Of its last attempt, or of the engine. */
const ERROR = sql<string | null>`case when output ? 'value' then ${PROCESS_ENDED} else output ->> 'reason' end`

const hasText = (texts: readonly string[]) =>
  sql<boolean>`exists (select 1 from unnest(${texts.map((text) => JSON.stringify(text))}::text[]) t where position(t in data::text) > 0)`

const heartbeatSeconds = ({ heartbeatMs }: JobKind): number | null =>
  heartbeatMs === undefined ? null : Math.ceil(heartbeatMs / 1_000)

export interface JobStoreOptions {
  database: Database
  /** All that are posted or run. */
  kinds: readonly JobKind[]
  log: Log
  /** Shorter in tests. */
  seconds?: typeof BOSS_SECONDS
}

export async function openBossStore(options: JobStoreOptions): Promise<JobStore> {
  const { database, kinds, log, seconds = BOSS_SECONDS } = options
  const { db } = database
  const names = kinds.map(({ name }) => name)
  const boss: PgBoss = await startJobEngine(db, log, seconds)
  for (const kind of kinds) {
    // "Exclusive": one job with a key waits or runs.
    await boss.createQueue(kind.name, { policy: 'exclusive', ...optionsOf(kind) })
    await boss.updateQueue(kind.name, optionsOf(kind))
    // Its functions cannot remove a heartbeat.
    await sql`update ${QUEUES} set heartbeat_seconds = ${heartbeatSeconds(kind)} where name = ${kind.name}`.execute(db)
    const { expireInSeconds, retryLimit } = optionsOf(kind)
    await updateWaiting(db, kind.name, [expireInSeconds, retryLimit, heartbeatSeconds(kind)])
    // It asks for a queue that it does not know yet on a connection of its own: within a transaction, there may be none left.
    await boss.findJobs(kind.name, { id: NO_JOB })
  }

  const isOfClaim = ({ name }: JobKind, { id, claim, attempts }: ClaimedJob) =>
    sql`name = ${name} and id = ${id} and state = 'active' and retry_count = ${attempts - 1}
      and abs(extract(epoch from started_on) * 1000 - ${Number(claim)}) < ${ROUNDED_MS}`

  /** Locks a job that is still that of this claim: pg-boss itself would settle that of another process too. */
  async function isHeld(trx: Trx, kind: JobKind, job: ClaimedJob): Promise<boolean> {
    const { rows } = await sql`select 1 from ${JOBS} where ${isOfClaim(kind, job)} for update`.execute(trx)
    return rows.length > 0
  }

  const claimed = ({ id, data, createdOn, retryCount, startedOn, groupId }: Fetched): ClaimedJob => ({
    ...{ id, data, createdAt: createdOn.getTime(), attempts: retryCount + 1, claim: String(startedOn.getTime()) },
    group: groupId ?? null,
  })

  /** A job that neither runs nor is gone. */
  async function changed(trx: Trx, id: string, change: ReturnType<typeof sql>) {
    const { rows } = await sql<FailedJob>`${change}
      where j.id::text = ${id} and j.state <> 'active' returning j.name as kind, j.data`.execute(trx)
    return rows[0] ?? null
  }

  const post: JobStore['post'] = async (trx, { name }, jobs) => {
    const posted = jobs.map(({ id, data, key, group, delayMs = 0 }) => ({
      ...{ id, data, singletonKey: key ?? id, startAfter: delayMs / 1_000 },
      ...(group !== undefined && { group: { id: group } }),
    }))
    return (await boss.insert(name, posted, { returnId: true, db: sqlIn(trx) })) ?? []
  }

  await adoptMoved(database, names, post)

  return {
    post,

    async claim(kind, max, lane) {
      const jobs =
        kind.perGroupMax === undefined ? await fetchOldest(db, kind, max) : await fetchShare(db, kind, max, lane)
      const oldestFirst = jobs.sort((one, other) => one.createdOn.getTime() - other.createdOn.getTime())
      return oldestFirst.map(claimed)
    },

    async renew(kind, job) {
      const { numAffectedRows } =
        await sql`update ${JOBS} set heartbeat_on = now() where ${isOfClaim(kind, job)}`.execute(db)
      return (numAffectedRows ?? 0n) > 0n
    },

    async done(trx, kind, job) {
      const { numAffectedRows } = await sql`delete from ${JOBS} where ${isOfClaim(kind, job)}`.execute(trx ?? db)
      return (numAffectedRows ?? 0n) > 0n
    },

    async retry(trx, kind, job, delayMs, reason) {
      // It may have been posted when its kind had fewer attempts, and pg-boss would fail it.
      const { numAffectedRows = 0n } = await sql`update ${JOBS} set retry_limit = ${kind.attemptsMax - 1}
        where ${isOfClaim(kind, job)}`.execute(trx)
      if (numAffectedRows === 0n) return false
      const on = { db: sqlIn(trx) }
      await boss.fail(kind.name, job.id, { reason }, on)
      // Without effect after the last attempt.
      await boss.update(kind.name, undefined, { id: job.id, startAfter: delayMs / 1_000, ...on })
      return true
    },

    async giveUp(trx, kind, job, reason) {
      if (!(await isHeld(trx, kind, job))) return false
      await sql`update ${JOBS} set retry_limit = retry_count where name = ${kind.name} and id = ${job.id}`.execute(trx)
      await boss.fail(kind.name, job.id, { reason }, { db: sqlIn(trx) })
      return true
    },

    async giveBack(trx, kind, job) {
      if (!(await isHeld(trx, kind, job))) return false
      await sql`update ${JOBS} set state = 'created', started_on = null, heartbeat_on = null
        where name = ${kind.name} and id = ${job.id}`.execute(trx)
      return true
    },

    async sweep() {
      await boss.supervise()
    },

    // pg-boss has failed them, with an output of its own.
    async failLost(trx, max) {
      const lost = sql`select id from ${JOBS} where state = 'failed' and output ? 'value' and name = any(${names}::text[])
        limit ${max} for update skip locked`
      const { rows } = await sql<FailedJob & { id: string }>`update ${JOBS}
        set output = jsonb_build_object('reason', ${PROCESS_ENDED}::text) where id in (${lost}) and name = any(${names}::text[])
        returning id, name as kind, data`.execute(trx)
      return rows
    },

    async depth() {
      const { rows } = await sql<Awaited<ReturnType<JobStore['depth']>>[number]>`
        select name as kind,
          count(*) filter (where ${IS_WAITING}) as waiting,
          count(*) filter (where ${IS_WAITING} and start_after <= now()) as due,
          count(*) filter (where state = 'active') as running,
          count(*) filter (where ${IS_FAILED}) as failed,
          coalesce(cast(extract(epoch from now() - min(start_after) filter (where ${IS_WAITING} and start_after <= now())) * 1000
            as bigint), 0) as "oldestMs"
        from ${JOBS} group by name`.execute(db)
      return depthOf(kinds, rows)
    },

    async list({ kind = null, state = null, texts }, max) {
      const { rows } = await sql<Awaited<ReturnType<JobStore['list']>>[number]>`
        select id, name as kind, data, ${STATE} as state, ${msOf('created_on')} as "createdAt",
          retry_count + case when started_on is null then 0 else 1 end as attempts, ${msOf('start_after')} as "dueAt",
          case when ${IS_FAILED} then ${msOf('completed_on')} end as "failedAt", ${ERROR} as "lastError"
        from ${JOBS}
        where (${kind}::text is null or name = ${kind}) and (${state}::text is null or ${STATE} = ${state})
          and ${texts === undefined ? sql`true` : hasText(texts)}
        order by created_on, id limit ${max}`.execute(db)
      return rows
    },

    // Its key is free since it failed, and another job may have it.
    async rerun(trx, id) {
      const again = sql`update ${JOBS} j set state = 'created', start_after = now(), started_on = null, completed_on = null,
          output = null, retry_count = 0, retry_limit = (select q.retry_limit from ${QUEUES} q where q.name = j.name),
          singleton_key = case when j.state = 'failed' then j.id::text else j.singleton_key end`
      return await changed(trx, id, again)
    },

    drop: (trx, id) => changed(trx, id, sql`delete from ${JOBS} j`),

    async erase(trx, { name }, texts) {
      await sql`delete from ${JOBS} where name = ${name} and ${hasText(texts)}`.execute(trx)
    },

    close: () => boss.stop({ graceful: false }),
  }
}
