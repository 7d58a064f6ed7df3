/** Jobs of two processes with 100,000 waiting, against the same with only those that are run. */
import { newId } from '#base/ids.ts'
import type { JobKind, JobStore } from '#jobs/job.ts'
import type { Database } from '#storage/database.ts'
import type { Measurement } from '#test/perf/report.ts'
import { openTestStore } from '#test/support/jobs.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { openPlace } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'

const WAITING = 100_000
const ROUNDS = 5
const JOBS_PER_ROUND = 1_000
const POSTED_AT_ONCE = 1_000
const CLAIMED_AT_ONCE = 16

const KINDS: JobKind[] = [undefined, 10].map((perGroupMax, index) => ({
  ...{ name: `bench-${index}`, deadlineMs: 60_000, attemptsMax: 5, delayMs: () => 0, parallelMax: CLAIMED_AT_ONCE },
  ...(perGroupMax !== undefined && { perGroupMax }),
}))

interface Process {
  database: Database
  store: JobStore
}

async function post({ database, store }: Process, kind: JobKind, count: number): Promise<void> {
  for (let posted = 0; posted < count; posted += POSTED_AT_ONCE)
    await database.db.transaction().execute((trx) => {
      const jobs = Array.from({ length: POSTED_AT_ONCE }, (_, n) => ({ id: newId(), data: { n }, group: `${n % 100}` }))
      return store.post(trx, kind, jobs)
    })
}

/** Jobs per second of all processes together. */
async function run(processes: readonly Process[], kind: JobKind): Promise<number> {
  let left = JOBS_PER_ROUND
  const startedAt = performance.now()
  await Promise.all(
    processes.map(async ({ database, store }) => {
      while (left > 0) {
        const jobs = await store.claim(kind, Math.min(CLAIMED_AT_ONCE, left))
        left -= jobs.length
        await Promise.all(jobs.map((job) => database.db.transaction().execute((trx) => store.done(trx, kind, job))))
      }
    }),
  )
  return (JOBS_PER_ROUND * 1_000) / (performance.now() - startedAt)
}

async function* measure(name: string, urls: readonly (string | null)[]): AsyncGenerator<Measurement> {
  const open = async (url: string | null, dataDir = temporaryFolder('data')): Promise<Process[]> => {
    const databases = [await openPlace({ url, dataDir }), await openPlace({ url, dataDir })]
    return await Promise.all(
      databases.map(async (database) => ({ database, store: await openTestStore(database, KINDS) })),
    )
  }
  const [full, small] = await Promise.all(urls.map((url) => open(url)))
  if (!full || !small) throw new Error('Two databases are needed')
  for (const kind of KINDS) {
    await post(full[0] as Process, kind, WAITING)
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      await post(small[0] as Process, kind, JOBS_PER_ROUND)
      rounds.push({ base: await run(small, kind), ours: await run(full, kind) })
    }
    const limit = kind.perGroupMax === undefined ? '' : ', with a limit per group'
    yield {
      what: `Jobs of two processes with ${WAITING.toLocaleString('en')} waiting${limit}, ${name}`,
      unit: 'jobs/s',
      baseline: `only ${JOBS_PER_ROUND.toLocaleString('en')} waiting`,
      rounds,
      target: { atLeast: 0.8 },
    }
  }
  for (const { database, store } of [...full, ...small]) {
    await store.close()
    await database.close()
  }
}

export async function* measureJobs(): AsyncGenerator<Measurement> {
  yield* measure('SQLite', [null, null])
  if (SERVERS.postgres.available()) {
    await using server = await startPostgres({ durable: true })
    yield* measure('PostgreSQL', [await server.createDatabase(), await server.createDatabase()])
  } else console.log('Skipped jobs on PostgreSQL: not installed (apt-get install postgresql)\n')
}
