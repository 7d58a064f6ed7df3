/** What follows the end of a scan, in its transaction; and what follows a job that an operator drops, so that nobody waits for it. */
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
import { alertOfScan, announceScan } from '#webhooks/setup.ts'
import { createWebhookStore } from '#webhooks/store.ts'

const DROPPED = { code: 'scan_lost' as const, detail: 'The operator of the service has dropped this scan.' }

interface EndingsOptions {
  database: Database
  jobs: Pick<Jobs, 'post' | 'postMany'>
  usage: Pick<QueuedUsage, 'release'>
  /** Alerts about a scan, beside those by callback. */
  alertOf?: (scan: NewScan) => Procedure<void>
}

export function createEndings({ database, jobs, usage, alertOf }: EndingsOptions) {
  const objects = createObjectStore(database)
  const queued = createQueuedScanStore(database, [SCAN_OBJECT.name])
  const webhooks = createWebhookStore(database, async (trx, accountId, deliveries) => {
    const posted = deliveries.map((data) => ({ data, group: groupOf(accountId, data.endpointId) }))
    await jobs.postMany(trx, CALLBACK, posted)
  })

  function* alert(scan: NewScan): Procedure<void> {
    yield* alertOfScan(webhooks, scan)
    if (alertOf) yield* alertOf(scan)
  }

  function* announce(scan: NewScan, problem: string | null): Procedure<void> {
    yield* announceScan(webhooks, scan, problem)
    if (problem === null) yield* alert(scan)
    const ended = yield* queued.ended(scan)
    if (ended?.unit && scan.verdict === 'refused') yield* usage.release(ended.unit)
    // What becomes of an object is a job of its own.
    if (ended?.kind === SCAN_OBJECT.name)
      yield async (trx: Trx) => {
        await jobs.post(trx, MARK_OBJECT, { scanId: scan.id })
      }
  }
  const openScans = createOpenScanStore(database, announce)

  async function dropMarking(trx: Trx, scanId: string): Promise<void> {
    await queued.remove(trx, scanId)
    await objects.countDropped(trx, scanId)
  }

  const DROPPED_JOBS: Readonly<Record<string, (trx: Trx, data: Record<string, string>) => Promise<void>>> = {
    [SCAN_URL.name]: (trx, { scanId = '' }) => runSteps(trx, openScans.endAs(scanId, DROPPED)),
    [SCAN_OBJECT.name]: (trx, { scanId = '' }) => runSteps(trx, openScans.endAs(scanId, DROPPED)),
    [MARK_OBJECT.name]: (trx, { scanId = '' }) => dropMarking(trx, scanId),
    [CALLBACK.name]: (trx, { deliveryId = '' }) => webhooks.fail(deliveryId, 'dropped by the operator', trx),
  }

  return {
    webhooks,
    /** Of a scan whose client waits for it. */
    alert,
    queued,
    openScans,
    /** In the transaction that deletes a job. */
    async dropped(trx: Trx, { kind, data }: { kind: string; data: object }): Promise<void> {
      await DROPPED_JOBS[kind]?.(trx, data as Record<string, string>)
    },
  }
}
