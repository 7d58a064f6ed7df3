/** Scans whose document the service fetches itself: jobs, which any process runs and repeats until the scan has ended. */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { Seal } from '#base/seal.ts'
import type { Handler, Job, JobKind } from '#jobs/job.ts'
import type { Jobs } from '#jobs/jobs.ts'
import type { Trx } from '#storage/database.ts'
import type { QueuedUsage } from '#usage/queued.ts'
import { isTemporaryFetch } from './fetch-failed.ts'
import type { InFlightBudget } from './in-flight.ts'
import { type OpenScan, type OpenScans, openResponse, type ResumedScan } from './open-scans.ts'
import type { QueuedScanStore, StoredRequest } from './queued-scan-store.ts'
import { type EndedScan, NO_VERDICT, type Scan, type ScanPrincipal } from './scan.ts'
import type { Source } from './source.ts'
import type { Claim, NewScan } from './store.ts'

/** In one statement. */
const QUEUED_MAX = 500
/** Until a scan looks again for a place among those in flight. */
const PLACE_EVERY_MS = 200
/** A quota that is used up for longer than this is no reason to wait. */
const QUOTA_WAIT_SECONDS_MAX = 60

const TEMPORARY: ReadonlySet<ErrorCode> = new Set([
  ...(['busy', 'engine_unavailable', 'internal_error', 'scan_timeout', 'service_unavailable'] as const),
  'storage_unavailable',
])

type QueuedKind = JobKind<{ scanId: string }>

/** The stored request, encrypted. */
interface Sealed<Request> {
  request: Request
  address: string
  requestId: string
  claim: Claim | null
}

interface QueuedScan<Request> {
  principal: Pick<ScanPrincipal, 'keyId' | 'accountId' | 'address'>
  /** JSON with everything that is needed to fetch the document. */
  request: Request
  /** Shown until the document has been fetched. */
  fileName: string | null
  reference: string | null
  requestId: string
  claim?: Claim | null
  /** Scans of one group share `perGroupMax` of the kind. */
  group?: string
}

interface DoorOptions<Request> {
  kind: QueuedKind
  sourceOf: (request: Request, fetch: Fetch) => Source
}

interface Fetch {
  scanId: string
  /** Ends it. */
  signal: AbortSignal
  /** Ends it as one that failed. */
  hurry: AbortSignal
}

/** For its log lines. */
type Attempt = Pick<EndedScan, 'requestId' | 'logFields'>

interface QueuedScansOptions {
  store: QueuedScanStore
  jobs: Jobs
  seal: Seal
  scan: Scan
  openScans: OpenScans
  inFlight: Pick<InFlightBudget, 'refusal'>
  /** Null if it was revoked meanwhile. */
  findKey: (keyId: string) => Promise<Omit<ScanPrincipal, 'address'> | null>
  ticketOf: QueuedUsage['ticketOf']
  onEnded: (ended: EndedScan) => void
  log: Log
}

/** The place of an encrypted value. */
const placeOf = (scanId: string): string => `scan_requests.sealed ${scanId}`

function isTemporary(error: unknown): boolean {
  if (!(error instanceof AppError)) return true
  if (error.code === 'quota_exhausted') return (error.retryAfterSeconds ?? 0) <= QUOTA_WAIT_SECONDS_MAX
  return isTemporaryFetch(error) ?? TEMPORARY.has(error.code)
}

function rowOf<Request>({ principal, fileName, reference }: QueuedScan<Request>): NewScan {
  const now = Date.now()
  return {
    ...{ id: newId(), key_id: principal.keyId, account_id: principal.accountId, verdict: 'refused', obstacle: null },
    ...{ file_name: fileName, content_type: null, threat: null, engine: null, path: null, sha256: '', size: 0 },
    ...{ type: '', engines: '[]', findings: null, started_at: now, finished_at: now, reference },
  }
}

interface ScanQueueOptions {
  store: Pick<QueuedScanStore, 'insert'>
  jobs: Pick<Jobs, 'postMany'>
  seal: Seal
}

/** For those who only queue scans. */
export function createScanQueue({ store, jobs, seal }: ScanQueueOptions) {
  /** Returns the ids of the scans, in the same order. */
  return async <Request>(trx: Trx, kind: QueuedKind, scans: readonly QueuedScan<Request>[]): Promise<string[]> => {
    const requests = scans.map((scan) => {
      const { request, principal, requestId, claim = null, group } = scan
      const row = rowOf(scan)
      const sealed: Sealed<Request> = { request, address: principal.address, requestId, claim }
      const answer = claim && { claim, response: openResponse({ scanId: row.id, reference: row.reference }) }
      return { scan: row, sealed: seal.close(JSON.stringify(sealed), placeOf(row.id)), answer, group }
    })
    for (let start = 0; start < requests.length; start += QUEUED_MAX)
      await store.insert(trx, kind.name, requests.slice(start, start + QUEUED_MAX))
    const posted = requests.map(({ scan: { id: scanId }, group }) => ({
      ...{ data: { scanId }, ...(group !== undefined && { group }) },
    }))
    await jobs.postMany(trx, kind, posted)
    return requests.map(({ scan }) => scan.id)
  }
}

export type QueuedScans = ReturnType<typeof createQueuedScans>

export function createQueuedScans(options: QueuedScansOptions) {
  const { store, jobs, seal, openScans, inFlight, log } = options
  const queue = createScanQueue(options)

  /** Uploads come first. */
  async function untilPlace(principal: ScanPrincipal, signal: AbortSignal): Promise<void> {
    while (inFlight.refusal(principal, null) !== null) await sleep(PLACE_EVERY_MS, undefined, { signal })
  }

  /** Fetches and scans. Rejects if that did not end with a verdict. */
  async function scanOnce<Request>(
    { sourceOf }: DoorOptions<Request>,
    { scan: { id, key_id: keyId }, sealed, unit }: StoredRequest,
    open: OpenScan,
    attempt: Attempt,
    { hurry, waitFor }: Job,
    signal: AbortSignal,
  ): Promise<void> {
    const stored = JSON.parse(seal.open(sealed, placeOf(id))) as Sealed<Request>
    const { request, requestId, claim, address } = stored
    attempt.requestId = requestId
    const key = await options.findKey(keyId)
    if (key === null) throw new AppError('unauthenticated', 'The API key of this scan has been revoked.')
    const principal = { ...key, address }
    await untilPlace(principal, signal)
    const { logFields } = attempt
    const fetched = sourceOf(request, { scanId: id, signal, hurry })
    const source: Source = { ...fetched, receive: (intake) => waitFor(() => fetched.receive(intake)) }
    const ticket = unit && options.ticketOf(unit, principal.plan)
    await options.scan({ source, principal, resumed: { open, claim, ticket }, requestId, gone: signal, logFields })
  }

  /** After an attempt that did not end the scan: ends it as failed, or returns when its job tries again. */
  async function failOrWait(kind: QueuedKind, job: Job<{ scanId: string }>, open: ResumedScan, error: unknown) {
    const isKnown = error instanceof AppError
    if (!isKnown) log.error({ err: error, scanId: open.scanId }, 'Scan failed')
    if (isTemporary(error) && job.attempts < kind.attemptsMax) {
      await store.wait(open.scanId)
      return { retryInMs: kind.delayMs(job.attempts), reason: isKnown ? error.message : 'failed' }
    }
    await open.end(error, job.finish)
    return undefined
  }

  function run<Request>(door: DoorOptions<Request>): Handler<{ scanId: string }> {
    const { kind } = door
    return async (job, signal) => {
      const { scanId } = job.data
      const found = await store.start(scanId, job.attempts < kind.attemptsMax ? null : kind.deadlineMs)
      // It ended in an attempt whose process died before its job ended, or its account was deleted.
      if (found === null) return undefined
      const open = openScans.resume(found.scan)
      const attempt: Attempt = { requestId: job.id, logFields: { ...NO_VERDICT } }
      const startedMs = performance.now()
      const error: unknown = await scanOnce(door, found, open, attempt, job, signal).then(
        () => null,
        (cause) => cause,
      )
      if (!open.hasEnded()) {
        signal.throwIfAborted()
        const ending = await failOrWait(kind, job, open, error)
        // False if it is run elsewhere.
        if (!open.hasEnded()) return ending
      }
      const seconds = (performance.now() - startedMs) / 1_000
      options.onEnded({ ...attempt, scanId, keyId: found.scan.key_id, seconds, error })
      return undefined
    }
  }

  return {
    door<Request>(door: DoorOptions<Request>) {
      const { kind } = door
      jobs.work(kind, run(door))
      return {
        queue: (trx: Trx, scans: readonly QueuedScan<Request>[]) => queue(trx, kind, scans),
        /** After the commit. */
        wake: () => jobs.wake(kind),
        /** Of a kind that keeps it; null if there is none. */
        async requestOf(scanId: string): Promise<Request | null> {
          const sealed = await store.find(scanId, kind.name)
          return sealed === null ? null : (JSON.parse(seal.open(sealed, placeOf(scanId))) as Sealed<Request>).request
        },
        forget: (trx: Trx, scanId: string) => store.remove(trx, scanId),
      }
    },
  }
}
