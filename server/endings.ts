/** What follows the end of a scan, in its transaction; and what follows a job that fails or is dropped, so that nobody waits for it. */
import type { FailedJob } from '#jobs/job.ts'
import type { Jobs } from '#jobs/jobs.ts'
import { MARK_OBJECT, SCAN_OBJECT } from '#objects/jobs.ts'
import { createObjectStore } from '#objects/store.ts'
import { SCAN_URL } from '#scan/by-url/queue.ts'
import { createOpenScanStore } from '#scan/open-scan-store.ts'
import { createQueuedScanStore } from '#scan/queued-scan-store.ts'
import type { NewScan } from '#scan/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import { type Procedure, runSteps } from '#storage/prepared.ts'
import type { QueuedUsage } from '#usage/queued.ts'
import { CALLBACK, groupOf } from '#webhooks/delivery.ts'
import { alertEvent, scanEvent } from '#webhooks/events.ts'
import { type AnnouncedEvent, createWebhookStore } from '#webhooks/store.ts'

const LOST = { code: 'scan_lost' as const, detail: null }
const DROPPED = { ...LOST, detail: 'The operator of the service has dropped this scan.' }

type JobEndings = Readonly<Record<string, (trx: Trx, data: Record<string, string>) => Promise<unknown>>>

interface EndingsOptions {
  database: Database
  jobs: Pick<Jobs, 'postMany'>
  usage: Pick<QueuedUsage, 'release'>
  /** Alerts about a scan, beside those by callback. */
  alertOf?: (scan: NewScan) => Procedure<void>
}

export function createEndings({ database, jobs, usage, alertOf }: EndingsOptions) {
  const objects = createObjectStore(database)
  const queued = createQueuedScanStore(database, [SCAN_OBJECT.name])
  const webhooks = createWebhookStore(database, async (trx, deliveries) => {
    const posted = deliveries.map(({ accountId, deliveryId, endpointId }) => ({
      ...{ data: { deliveryId, endpointId }, group: groupOf(accountId, endpointId) },
    }))
    await jobs.postMany(trx, CALLBACK, posted)
  })

  function* alert(scans: readonly NewScan[], events: readonly AnnouncedEvent[] = []): Procedure<void> {
    const infected = scans.filter(({ verdict }) => verdict === 'infected')
    yield* webhooks.announce([...events, ...infected.map(alertEvent)])
    if (alertOf) for (const scan of infected) yield* alertOf(scan)
  }

  function* announce(scans: readonly NewScan[], problem: string | null): Procedure<void> {
    if (scans.length === 0) return
    yield* alert(
      problem === null ? scans : [],
      scans.map((scan) => scanEvent(scan, problem)),
    )
    const ended = yield* queued.ended(scans)
    const refused = new Set(scans.filter(({ verdict }) => verdict === 'refused').map(({ id }) => id))
    for (const { scanId, unit } of ended) if (unit && refused.has(scanId)) yield* usage.release(unit)
    // What becomes of an object is a job of its own.
    const objectScans = ended.filter(({ kind }) => kind === SCAN_OBJECT.name)
    if (objectScans.length === 0) return
    yield (trx: Trx) =>
      jobs.postMany(
        trx,
        MARK_OBJECT,
        objectScans.map(({ scanId }) => ({ data: { scanId } })),
      )
  }
  const openScans = createOpenScanStore(database, announce)

  async function dropMarking(trx: Trx, scanId: string): Promise<void> {
    await queued.remove(trx, scanId)
    await objects.countUnmarked(trx, scanId)
  }

  const DROPPED_JOBS: JobEndings = {
    [SCAN_URL.name]: (trx, { scanId = '' }) => runSteps(trx, openScans.endAs(scanId, DROPPED)),
    [SCAN_OBJECT.name]: (trx, { scanId = '' }) => runSteps(trx, openScans.endAs(scanId, DROPPED)),
    [MARK_OBJECT.name]: (trx, { scanId = '' }) => dropMarking(trx, scanId),
    [CALLBACK.name]: (trx, { deliveryId = '' }) => webhooks.fail(deliveryId, 'dropped by the operator', trx),
  }

  /** Without effect where the last attempt has ended it. An object keeps its request, for an operator who repeats the job. */
  const FAILED_JOBS: JobEndings = {
    [SCAN_URL.name]: (trx, { scanId = '' }) => runSteps(trx, openScans.endAs(scanId, LOST)),
    [SCAN_OBJECT.name]: (trx, { scanId = '' }) => runSteps(trx, openScans.endAs(scanId, LOST)),
    [MARK_OBJECT.name]: (trx, { scanId = '' }) => objects.countUnmarked(trx, scanId),
    [CALLBACK.name]: (trx, { deliveryId = '' }) => webhooks.fail(deliveryId, 'the last attempt was not completed', trx),
  }

  const REPEATED_JOBS: JobEndings = {
    [CALLBACK.name]: (trx, { deliveryId = '' }) => webhooks.reopen(trx, deliveryId),
  }

  const runIn =
    (endings: JobEndings) =>
    async (trx: Trx, { kind, data }: FailedJob) =>
      void (await endings[kind]?.(trx, data as Record<string, string>))

  return {
    webhooks,
    /** Of scans whose clients wait for them. */
    alert,
    queued,
    openScans,
    /** In the transaction that deletes a job, fails it, or makes one due again that may have failed. */
    dropped: runIn(DROPPED_JOBS),
    failed: runIn(FAILED_JOBS),
    repeated: runIn(REPEATED_JOBS),
  }
}
