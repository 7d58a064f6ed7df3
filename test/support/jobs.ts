/** Jobs on a real database, for suites that run on both. */

import { after, afterEach, before, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Log } from '#base/log.ts'
import type { JobKind } from '#jobs/job.ts'
import { createJobs, JOB_TIMES, type Jobs } from '#jobs/jobs.ts'
import { openJobStore } from '#jobs/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import { JOB_SCHEMA } from '#storage/job-engine.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import type { DatabasePlace } from '#test/support/suite.ts'

/** The engine counts leases in seconds. */
const TEST_TIMES = { ...JOB_TIMES, pollEveryMs: 20, recordEveryMs: 20, sweepEveryMs: 200 }

export const openTestStore = (database: Database, kinds: readonly JobKind[]) =>
  openJobStore({
    database,
    kinds,
    log: quietLog,
    seconds: { monitorIntervalSeconds: 1, maintenanceIntervalSeconds: 1 },
  })

/** Also those that run. */
export async function deleteJobs({ db, kind }: Database): Promise<void> {
  await sql`delete from ${sql.table(kind === 'postgres' ? `${JOB_SCHEMA}.job` : 'jobs')}`.execute(db)
}

/** As if it had failed that long ago. */
export async function setFailed({ db, kind }: Database, id: string, agoMs: number): Promise<void> {
  if (kind === 'sqlite')
    await db
      .updateTable('jobs')
      .set({ failed_at: Date.now() - agoMs })
      .where('id', '=', id)
      .execute()
  else
    await sql`update ${sql.table(`${JOB_SCHEMA}.job`)} set completed_on = now() - ${agoMs} * interval '1 millisecond'
      where id = ${id}`.execute(db)
}

/** As if the processes of all that run had not been heard of for an hour. */
export async function expireLease({ db, kind }: Database): Promise<void> {
  const HOUR_MS = 60 * 60 * 1_000
  if (kind === 'sqlite')
    await db
      .updateTable('jobs')
      .set({ claimed_until: Date.now() - HOUR_MS })
      .where('claimed_until', 'is not', null)
      .execute()
  else
    await sql`update ${sql.table(`${JOB_SCHEMA}.job`)} set heartbeat_on = heartbeat_on - interval '1 hour'`.execute(db)
}

interface TestJobsOptions {
  database: Database
  kinds: readonly JobKind[]
  times?: Partial<typeof JOB_TIMES>
  log?: Log
  isBusy?: () => boolean
  isBusyHere?: () => boolean
}

export async function openTestJobs(options: TestJobsOptions): Promise<Jobs> {
  const { database, kinds, times, log = quietLog, isBusy = () => false, isBusyHere = isBusy } = options
  const store = await openTestStore(database, kinds)
  const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)
  return createJobs({ store, transaction, log, isBusy, isBusyHere, times: { ...TEST_TIMES, ...times } })
}

export async function until(what: string, holds: () => Promise<boolean> | boolean, timeoutMs = 15_000): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await sleep(10)
  }
}

/** Gives each suite a database, and each test jobs that are closed afterwards. */
export function useJobs(openUrl: () => Promise<DatabasePlace>, kinds: readonly JobKind[]) {
  // Filled by the hooks before the first test runs.
  const rig = {} as { place: DatabasePlace; database: Database; store: Awaited<ReturnType<typeof openTestStore>> }
  let opened: Jobs[] = []
  before(async () => {
    rig.place = await openUrl()
    rig.database = await openPlace(rig.place)
    rig.store = await openTestStore(rig.database, kinds)
  })
  beforeEach(() => deleteJobs(rig.database))
  afterEach(async () => {
    await Promise.all(opened.map((jobs) => jobs.close()))
    opened = []
  })
  after(async () => {
    await rig.store.close()
    await rig.database.close()
    await rig.place.release()
  })
  const change = <T>(work: (trx: Trx) => Promise<T>): Promise<T> => rig.database.db.transaction().execute(work)
  return Object.assign(rig, {
    change,
    async open(
      times?: Partial<typeof JOB_TIMES>,
      database = rig.database,
      busy: Pick<TestJobsOptions, 'isBusy' | 'isBusyHere'> = {},
    ): Promise<Jobs> {
      const jobs = await openTestJobs({ database, kinds, ...(times && { times }), ...busy })
      opened.push(jobs)
      return jobs
    },
    states: async () => (await rig.store.list({}, 1_000)).map(({ state }) => state),
    isEmpty: async () => (await rig.store.list({}, 1)).length === 0,
  })
}
