/** Scans by URL whose client does not wait for the document: 202 before the fetch, which is a job. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type ErrorCode, PROBLEMS } from '#base/errors.ts'
import type { OutboundRules } from '#base/outbound-rules.ts'
import type { JobKind } from '#jobs/job.ts'
import { displayFileName } from '#scan/file-name.ts'
import { checkIdempotencyKey, type Idempotency } from '#scan/idempotency.ts'
import type { Preference } from '#scan/preference.ts'
import type { QueuedScanStore } from '#scan/queued-scan-store.ts'
import type { QueuedScans } from '#scan/queued-scans.ts'
import { isFinal, type Report, type Reports } from '#scan/reports.ts'
import { type Answered, acceptedBefore } from '#scan/respond-async.ts'
import type { AskedScan } from '#scan/routes.ts'
import type { ScanOptions } from '#scan/scan.ts'
import type { Trx } from '#storage/database.ts'
import type { QueuedUsage } from '#usage/queued.ts'
import { fileNameOf } from './file-name.ts'
import { type FetchedDocument, type Http, identityOf, refusedUrl, urlSource } from './source.ts'

/** After each attempt but the last one: a client may be polling. */
const PAUSES_MS = [1_000, 10_000, 60_000]

export const SCAN_URL: JobKind<{ scanId: string }> = {
  name: 'scan-url',
  // Longer than a fetch of the largest document, a wait for memory and a scan together.
  deadlineMs: 1_800_000,
  heartbeatMs: 15_000,
  attemptsMax: PAUSES_MS.length + 1,
  delayMs: (attempts) => PAUSES_MS[attempts - 1] ?? 0,
  // A part of the places in flight, so that uploads have the rest, and of these a part for one account, whose servers may be slow:
  // those of other accounts do not wait for them.
  parallelMax: 16,
  patience: { promptMs: 5_000, lateMax: 16 },
  yields: 1,
  perGroupMax: 4,
}

/** How long a document waits for memory as it arrives. */
const MEMORY_WAIT_MS = 60_000
const LOOK_EVERY_MS = 200

interface UrlQueueOptions {
  queued: QueuedScans
  http: Http
  rules: Pick<OutboundRules, 'check'>
  idempotency: Idempotency
  reserve: ScanOptions['reserve']
  reserveQueued: QueuedUsage['reserve']
  store: Pick<QueuedScanStore, 'noteUnit'>
  /** Larger than uploads if the operator wants it: nobody waits for these documents on a connection. */
  bytesMax: number
  reports: Pick<Reports, 'find'>
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
}

export type UrlQueue = ReturnType<typeof createUrlQueue>

/** The answer to a client that waited. */
function answerOf(report: Report): Answered {
  const { scanId, status, threat, fileName, fileSize, contentType, scannedAt, reference, problem } = report
  if (status === null) {
    const { code, detail, title } = problem ?? { ...PROBLEMS.internal_error, code: 'internal_error', detail: null }
    throw new AppError(code as ErrorCode, detail ?? `${title}.`)
  }
  const result = { scanId, status, threat, fileName: String(fileName), fileSize, contentType, scannedAt }
  return { kind: 'result', result: { ...result, ...(reference !== null && { reference }) } }
}

export function createUrlQueue(options: UrlQueueOptions) {
  const { queued, http, rules, idempotency, reports, bytesMax } = options
  const door = queued.door<FetchedDocument>({
    kind: SCAN_URL,
    sourceOf: (document, { signal, hurry }) =>
      urlSource(document, http, signal, { waitMs: MEMORY_WAIT_MS, bytesMax, hurry }),
  })

  /** Null if it has not ended by then. */
  async function ended(accountId: string, scanId: string, waitMs: number, connected: AbortSignal) {
    const untilMs = performance.now() + waitMs
    while (performance.now() < untilMs && !connected.aborted) {
      await sleep(LOOK_EVERY_MS)
      const report = await reports.find(accountId, scanId)
      if (isFinal(report)) return report
    }
    return null
  }

  async function accept(document: FetchedDocument, asked: AskedScan): Promise<Answered> {
    const { principal, idempotencyKey, requestId } = asked
    const { url, fileName, reference = null } = document
    const identity = identityOf(url)
    await using idempotent = await idempotency.begin(principal.keyId, idempotencyKey, identity)
    if (idempotent.replay) return { kind: 'result', result: idempotent.replay(identity) }
    await (await options.reserve(principal.keyId, principal.plan, principal.meterId))[Symbol.asyncDispose]()
    checkIdempotencyKey(idempotencyKey)
    const refused = await rules.check(url)
    if (refused) throw refusedUrl(refused)
    const scan = {
      ...{ principal, request: document, reference, requestId, claim: idempotent.claim, group: principal.accountId },
      fileName: fileName === undefined ? fileNameOf(url, undefined) : displayFileName(fileName),
    }
    const scanId = await options.transaction(async (trx) => {
      const [id = ''] = await door.queue(trx, [scan])
      // Last, because others wait for the counter.
      const unit = await options.reserveQueued(trx, principal.meterId ?? principal.keyId, principal.plan)
      await options.store.noteUnit(trx, id, unit)
      return id
    })
    idempotent.accepted({ scanId, reference })
    idempotent.keep()
    door.wake()
    return { kind: 'accepted', accepted: { scanId, reference }, ended: null }
  }

  return async (
    document: FetchedDocument,
    asked: AskedScan,
    { waitMs }: Preference,
    connected: AbortSignal,
  ): Promise<Answered> => {
    const answered = await accept(document, asked).catch((error: unknown) => acceptedBefore(error, true))
    if (answered.kind === 'result') return answered
    const report = await ended(asked.principal.accountId, answered.accepted.scanId, waitMs, connected)
    return report === null ? answered : answerOf(report)
  }
}
