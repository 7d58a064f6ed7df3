/** Object storage, wired to jobs and scans. */
import type { Log } from '#base/log.ts'
import type { createOutboundHttp } from '#base/outbound-http.ts'
import type { Jobs } from '#jobs/jobs.ts'
import type { QueuedScans } from '#scan/queued-scans.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { Procedure } from '#storage/prepared.ts'
import { createStoreClient, type StoreClient } from './client.ts'
import { type ObjectRequest, objectSource, type Scanning } from './fetch.ts'
import { createIntake, type IntakeOptions } from './intake.ts'
import { MARK_OBJECT, SCAN_OBJECT } from './jobs.ts'
import { createMarkingJob } from './marking-job.ts'
import type { ObjectSource } from './sources.ts'
import type { ObjectStore } from './store.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1_000

interface ObjectsOptions extends Scanning, Pick<IntakeOptions, 'findKey'> {
  sources: readonly ObjectSource[]
  store: ObjectStore
  database: Pick<Database, 'db'>
  queued: QueuedScans
  jobs: Jobs
  http: Pick<ReturnType<typeof createOutboundHttp>, 'open' | 'send'>
  bytesMax: number
  /** The id of this process. */
  shard: string
  onMarked: Parameters<typeof createMarkingJob>[0]['onMarked']
  log: Log
}

/** In the transaction that ends a scan: what follows for an object is a job of its own. */
export const announceObject = (store: ObjectStore, jobs: Pick<Jobs, 'post'>) =>
  function* (scan: { id: string }): Procedure<void> {
    if (!(yield* store.isObject(scan.id))) return
    yield async (trx: Trx) => {
      await jobs.post(trx, MARK_OBJECT, { scanId: scan.id })
    }
  }

export function setUpObjects(options: ObjectsOptions) {
  const { sources, store, database, queued, jobs, http, log } = options
  const transaction = <T>(work: (trx: Trx) => Promise<T>) => database.db.transaction().execute(work)
  const clients = new Map<string, { source: ObjectSource; client: StoreClient }>(
    sources.map((source) => [source.name, { source, client: createStoreClient(source, http) }]),
  )
  const clientOf = (name: string) => clients.get(name)

  const door = queued.door<ObjectRequest>({
    kind: SCAN_OBJECT,
    sourceOf(request, signal, scanId) {
      const found = clientOf(request.source)
      if (found === undefined) throw options.fetchFailed('its source is not in DOCVET_SOURCES_FILE', false)
      return objectSource(request, scanId, { ...options, client: found.client }, signal)
    },
  })
  jobs.work(
    MARK_OBJECT,
    createMarkingJob({ ...options, clientOf, requestOf: door.requestOf, forget: door.forget, transaction }),
  )

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
    takeEvents: createIntake({ ...options, queue: door.queue, wake: door.wake, transaction }),
    async close(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}
