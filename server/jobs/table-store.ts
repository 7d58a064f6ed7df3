/** Jobs in one table, for SQLite: its processes share a machine, and it has one writer at a time. */
import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import { newId } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'
import { fairShare } from './fair-share-store.ts'
import {
  type ClaimedJob,
  depthOf,
  type JobKind,
  type JobState,
  type JobStore,
  type Lane,
  leaseSeconds,
  PROCESS_ENDED,
} from './job.ts'

/** Failed jobs are kept this long for inspection. */
export const FAILED_KEPT_MS = 7 * 24 * 60 * 60 * 1_000

const FREE = { claimed_by: null, claimed_until: null }

const parsed = <Row extends { data: string }>(row: Row) => ({ ...row, data: JSON.parse(row.data) as object })

const hasText = (text: string) => sql<boolean>`instr(data, ${JSON.stringify(text)}) > 0`

export function createTableStore({ db, clock, relaxedTransaction }: Database, kinds: readonly JobKind[]): JobStore {
  const { nowMs } = clock
  const isRunning = sql<boolean>`(claimed_until is not null and claimed_until > ${nowMs})`

  const isDue = sql<boolean>`(failed_at is null and not ${isRunning} and due_at <= ${nowMs})`

  const leaseEnd = (kind: JobKind) => sql<number>`${nowMs} + ${kind.heartbeatMs ?? leaseSeconds(kind) * 1_000}`

  async function update(
    trx: Pick<Trx, 'updateTable'>,
    { id, claim }: ClaimedJob,
    columns: UpdateObject<Tables, 'jobs'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await trx
      .updateTable('jobs')
      .set({ ...FREE, ...columns })
      .where('id', '=', id)
      .where('claimed_by', '=', claim)
      .where('failed_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  const giveUp: JobStore['giveUp'] = (trx, _kind, job, reason) =>
    update(trx, job, { job_key: null, failed_at: nowMs, last_error: reason })

  const engine = {
    ...{
      table: sql.table('jobs'),
      kind: sql.ref('kind'),
      group: sql.ref('job_group'),
      dueAt: sql.ref('due_at'),
      now: nowMs,
    },
    isRunning: sql<boolean>`(${isRunning} and job_group is not null)`,
    ownerOf: (group: RawBuilder<unknown>) => sql<string>`substr(${group}, 1, instr(${group} || '/', '/') - 1)`,
    listed: (groups: readonly string[]) => sql`select value from json_each(${JSON.stringify(groups)})`,
    counted: (counts: Lane['used'] = {}) => sql`select key, value from json_each(${JSON.stringify(counts)})`,
    joined: (found: RawBuilder<unknown>) =>
      sql`join (select id, due_at as due from jobs) found on found.id in (select id from (${found}))`,
  }

  /** The ids of jobs that are due. */
  function dueOf(kind: JobKind, max: number, lane?: Lane) {
    const isWaiting = sql<boolean>`(failed_at is null and attempts < ${kind.attemptsMax} and not ${isRunning})`
    if (kind.perGroupMax !== undefined)
      return sql<string>`(with recursive ${fairShare({ ...engine, isWaiting }, kind, max, lane)} select id from chosen)`
    return sql<string>`(select id from jobs where kind = ${kind.name} and ${isWaiting} and due_at <= ${nowMs}
      order by due_at, id limit ${max})`
  }

  return {
    async post(trx, { name }, jobs) {
      const posted = await trx
        .insertInto('jobs')
        .values(
          jobs.map(({ id, data, key, group, delayMs = 0 }) => ({
            ...{ id, kind: name, data: JSON.stringify(data), job_key: key ?? null, job_group: group ?? null },
            ...{ created_at: nowMs, due_at: sql<number>`${nowMs} + ${delayMs}`, attempts: 0 },
            ...{ ...FREE, failed_at: null, last_error: null },
          })),
        )
        .onConflict((conflict) => conflict.columns(['kind', 'job_key']).where('job_key', 'is not', null).doNothing())
        .returning('id')
        .execute()
      return posted.map(({ id }) => id)
    },

    async claim(kind, max, lane) {
      const claim = newId()
      const due = db
        .updateTable('jobs')
        .set((eb) => ({
          claimed_by: claim,
          claimed_until: leaseEnd(kind),
          attempts: eb('attempts', '+', 1),
        }))
        .where('id', 'in', dueOf(kind, max, lane))
        .returning(['id', 'data', 'created_at as createdAt', 'attempts', 'due_at', 'job_group'])
        .compile()
      // After a power failure nobody holds the claim that it has lost.
      const { rows } = await relaxedTransaction((trx) => trx.executeQuery(due))
      const oldestFirst = rows.sort((one, other) => one.due_at - other.due_at)
      return oldestFirst.map(({ due_at: _due, job_group: group, data, ...row }) => ({
        ...{ ...row, data: JSON.parse(data), group, claim },
      }))
    },

    renew: (kind, job) => update(db, job, { claimed_by: job.claim, claimed_until: leaseEnd(kind) }),

    async done(trx, _kind, { id, claim }) {
      const { numDeletedRows } = await (trx ?? db)
        .deleteFrom('jobs')
        .where('id', '=', id)
        .where('claimed_by', '=', claim)
        .where('failed_at', 'is', null)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    retry: (trx, kind, job, delayMs, reason) =>
      job.attempts < kind.attemptsMax
        ? update(trx, job, { due_at: sql<number>`${nowMs} + ${Math.round(delayMs)}`, last_error: reason })
        : giveUp(trx, kind, job, reason),

    giveUp,

    giveBack: (trx, _kind, job) => update(trx, job, { attempts: sql<number>`attempts - 1` }),

    // Jobs whose lease has ended are claimed again as they are.
    async sweep() {
      await db
        .deleteFrom('jobs')
        .where('failed_at', '<=', (eb) => eb(nowMs, '-', FAILED_KEPT_MS))
        .execute()
    },

    async failLost(trx, max) {
      const lost = trx
        .selectFrom('jobs')
        .select('id')
        .where('claimed_until', '<=', nowMs)
        .where('failed_at', 'is', null)
        .where((eb) =>
          eb.or(kinds.map(({ name, attemptsMax }) => eb('kind', '=', name).and('attempts', '>=', attemptsMax))),
        )
        .limit(max)
      const failed = await trx
        .updateTable('jobs')
        .set({ ...FREE, job_key: null, failed_at: nowMs, last_error: PROCESS_ENDED })
        .where('id', 'in', lost)
        .returning(['id', 'kind', 'data'])
        .execute()
      return failed.map(parsed)
    },

    async depth() {
      const rows = await db
        .selectFrom('jobs')
        .select([
          'kind',
          (eb) => eb.fn.countAll<number>().as('all'),
          (eb) => eb.fn.count<number>('failed_at').as('failed'),
        ])
        .select(sql<number>`sum(case when failed_at is null and ${isRunning} then 1 else 0 end)`.as('running'))
        .select(sql<number>`sum(case when ${isDue} then 1 else 0 end)`.as('due'))
        .select(sql<number | null>`${nowMs} - min(case when ${isDue} then due_at end)`.as('oldestMs'))
        .groupBy('kind')
        .execute()
      const found = rows.map(({ kind, all, failed, running, due, oldestMs }) => ({
        ...{ kind, waiting: all - failed - running, due, running, failed, oldestMs: oldestMs ?? 0 },
      }))
      return depthOf(kinds, found)
    },

    async list({ kind, state, texts }, max) {
      const stateOf = sql<JobState>`case when failed_at is not null then 'failed' when ${isRunning} then 'running' else 'waiting' end`
      const rows = await db
        .selectFrom('jobs')
        .select(['id', 'kind', 'data', stateOf.as('state'), 'created_at as createdAt', 'attempts', 'due_at as dueAt'])
        .select(['failed_at as failedAt', 'last_error as lastError'])
        .$if(kind !== undefined, (query) => query.where('kind', '=', kind as string))
        .$if(state !== undefined, (query) => query.where(stateOf, '=', state as JobState))
        .$if(texts !== undefined, (query) => query.where((eb) => eb.or((texts ?? []).map(hasText))))
        .orderBy('created_at')
        .orderBy('id')
        .limit(max)
        .execute()
      return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
    },

    async rerun(trx, id) {
      const queued = await trx
        .updateTable('jobs')
        .set({ ...FREE, due_at: nowMs, attempts: 0, failed_at: null, last_error: null })
        .where('id', '=', id)
        .where(sql<boolean>`not ${isRunning}`)
        .returning(['kind', 'data'])
        .executeTakeFirst()
      return queued ? parsed(queued) : null
    },

    async drop(trx, id) {
      const dropped = await trx
        .deleteFrom('jobs')
        .where('id', '=', id)
        .where(sql<boolean>`not ${isRunning}`)
        .returning(['kind', 'data'])
        .executeTakeFirst()
      return dropped ? parsed(dropped) : null
    },

    async erase(trx, { name }, texts) {
      await trx
        .deleteFrom('jobs')
        .where('kind', '=', name)
        .where((eb) => eb.or(texts.map(hasText)))
        .execute()
    },

    close: async () => {},
  }
}
