/** Object storage, wired to jobs and scans. */
import type { Log } from '#base/log.ts'
import type { createOutboundHttp } from '#base/outbound-http.ts'
import type { Jobs } from '#jobs/jobs.ts'
import type { QueuedScans } from '#scan/queued-scans.ts'
import type { Database, Trx } from '#storage/database.ts'
import { createClients } from './clients.ts'
import { type ObjectRequest, objectSource, type Scanning } from './fetch.ts'
import { createIntake, type IntakeOptions } from './intake.ts'
import { MARK_OBJECT, SCAN_OBJECT } from './jobs.ts'
import { createMarkingJob } from './marking-job.ts'
import type { ObjectSource } from './sources.ts'
import type { ObjectStore } from './store.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1_000

interface ObjectsOptions extends Scanning, Pick<IntakeOptions, 'findKey'> {
  sources: readonly ObjectSource[]
  reread: Parameters<typeof createClients>[0]['reread']
  store: ObjectStore
  database: Pick<Database, 'db' | 'relaxedTransaction'>
  queued: QueuedScans
  jobs: Jobs
  http: Pick<ReturnType<typeof createOutboundHttp>, 'open' | 'send'>
  bytesMax: number
  /** How many documents this process can scan at once. */
  workers: number
  /** The id of this process. */
  shard: string
  onMarked: Parameters<typeof createMarkingJob>[0]['onMarked']
  log: Log
}

/** Of this process: another one may have been started with the source before, or be started with it soon. */
const UNKNOWN_SOURCE = 'its source is not in DOCVET_SOURCES_FILE'

export function setUpObjects(options: ObjectsOptions) {
  const { store, database, queued, jobs, log } = options
  const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)
  const clientOf = createClients(options)

  const door = queued.door<ObjectRequest>({
    // One more than are scanned, which is fetched meanwhile.
    kind: { ...SCAN_OBJECT, parallelMax: options.workers + 1 },
    sourceOf(request, { signal, scanId }) {
      const found = clientOf(request.source)
      if (found === undefined) throw options.fetchFailed(UNKNOWN_SOURCE, true)
      return objectSource(request, scanId, { ...options, ...found }, signal)
    },
  })
  const { relaxedTransaction } = database
  jobs.work(MARK_OBJECT, createMarkingJob({ ...options, ...door, clientOf, transaction, relaxedTransaction }))

  let sweeping = Promise.resolve()
  async function sweep(): Promise<void> {
    try {
      while (await store.sweep());
    } catch (error) {
      log.warn({ err: error }, 'Failed to delete old events of objects; will retry')
    }
  }
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, SWEEP_EVERY_MS)
  timer.unref()

  return {
    takeEvents: createIntake({ ...options, ...door, transaction }),
    async close(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}
