/** One scan: reserve, receive, inspect, decide, record and charge. The caller has been identified and throttled. */
import type { AllowList } from '#allowed/allowed.ts'
import { following } from '#base/abort.ts'
import { workFactor } from '#base/document-limit.ts'
import { AppError, PROBLEMS } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { isoTime } from '#base/iso-time.ts'
import type { Log } from '#base/log.ts'
import { traced } from '#base/trace.ts'
import type { DocumentText, Outcome } from '#engines/engine.ts'
import type { EngineReport, Panel } from '#engines/panel.ts'
import type { SampleWriter, Whole } from '#engines/sample.ts'
import type { EffectKind } from '#usage/store.ts'
import type { Ticket } from '#usage/usage.ts'
import type { Received } from './collector.ts'
import { checkDeclaredType, detectType, type Sniff, UnsupportedDocument } from './document-type.ts'
import type { Findings } from './findings.ts'
import { acceptedRequest, checkIdempotencyKey, type Idempotency, type IdempotentRequest } from './idempotency.ts'
import { ACCOUNT_AT_LIMIT, type InFlightBudget, type InFlightLease } from './in-flight.ts'
import type { OpenScan, OpenScans } from './open-scans.ts'
import type { SignReceipt } from './receipt.ts'
import type { ScanResult } from './schema.ts'
import type { IntakeOptions, Source } from './source.ts'
import type { Claim, NewScan, ScanStore, SignedReceipt } from './store.ts'
import { newSeen, type Seen, scanIdOf, unscannedRow } from './unscanned.ts'
import { UploadAborted } from './upload.ts'
import {
  countedOther,
  decide,
  type OtherContent,
  requireDeliverable,
  type UnscannablePolicy,
  withoutOwnKind,
} from './verdict.ts'

export interface ScanOptions {
  reserve: (keyId: string, plan: string, meterId?: string) => Promise<Ticket>
  inFlight: InFlightBudget
  createSample: () => SampleWriter
  panel: Pick<Panel, 'inspect' | 'versions'>
  sniff: Sniff
  store: ScanStore
  openScans: OpenScans
  findings: Pick<Findings, 'encode'>
  /** May override a threat in a document that the account trusts. */
  reviewThreat: AllowList['review']
  idempotency: Idempotency
  signReceipt: SignReceipt
  /** Counts documents without a charge toward the rate of the account. */
  noteRefused: (accountId: string, plan: string, count: number) => Promise<void>
  deadlineMs: number
  unscannable: UnscannablePolicy
  /** Work for which somebody waits. */
  during: <T>(run: () => Promise<T>) => Promise<T>
  log: Log
}

/** Fields of the scan's log line, filled in as it proceeds. Never the name or content of the document. */
export interface ScanLogFields {
  /** Null when no verdict was delivered. */
  verdict: ScanResult['status'] | null
  threat: string | null
  /** From the last byte of the document to the last report. */
  engineMs: number | null
  sizeBytes: number | null
}

export const NO_VERDICT: ScanLogFields = { verdict: null, threat: null, engineMs: null, sizeBytes: null }

/** On whose behalf a document is scanned. */
export interface ScanPrincipal {
  keyId: string
  /** The key on which the scan is counted; its own by default. */
  meterId?: string | undefined
  accountId: string
  plan: string
  /** Of the client: an IPv4 address or IPv6 /64 network. */
  address: string
}

export interface ScanRequest {
  source: Source
  principal: ScanPrincipal
  idempotencyKey?: string | string[] | undefined
  /**
   * Given if the client may be answered before the verdict: called when the document has arrived. From then on the scan goes
   * on without the client.
   */
  onAccepted?: ((accepted: Accepted) => void) | undefined
  /** A scan that was accepted before, and is run now: with a ticket if its unit was reserved then. */
  resumed?: { open: OpenScan; claim: Claim | null; ticket: Ticket | null } | undefined
  /** Given if the text of the document is wanted: called before the scan is charged. An error refuses the document. */
  onText?: ((text: DocumentText, status: ScanResult['status']) => void) | undefined
  /** Undefined: content that is no document, or is declared as none, is refused. */
  other?: OtherContent | undefined
  requestId: string
  /** Fires when the client disconnects. */
  gone: AbortSignal
  logFields: ScanLogFields
}

export interface Accepted {
  scanId: string
  reference: string | null
}

/** A scan whose client was answered before its verdict. */
export interface EndedScan {
  requestId: string
  scanId: string
  keyId: string
  logFields: ScanLogFields
  seconds: number
  /** Null with a verdict. */
  error: unknown
}

export type Scan = (request: ScanRequest) => Promise<ScanResult>

/**
 * A document that ended a worker counts as so many refused ones: it takes seconds where others take milliseconds. A single
 * one does not use up the smallest plan's burst, because its sender may not know.
 */
export const ENDING_COST = 5

/**
 * Nobody waits for an open scan, and its lease is renewed meanwhile: a lock of a process that does not respond, or a short
 * outage, is no reason to lose the verdict. Shorter than a shutdown may take.
 */
const CHARGE_PATIENCE_MS = 20_000

interface Examined {
  result: ScanResult
  row: NewScan
  receipt: SignedReceipt | null
}

const REFUSED = { verdict: 'refused', threat: null, engine: null, path: null } as const

/** Not a failure of ours. A client that disconnects has used the engines as well. */
function isClientFault(error: unknown): boolean {
  return error instanceof UploadAborted || (error instanceof AppError && PROBLEMS[error.code].status < 500)
}

export function createScan(options: ScanOptions): Scan {
  const { inFlight, panel, store, log } = options
  const recorded: EffectKind = { write: store.record, undo: store.unrecord }

  async function scan(request: ScanRequest): Promise<ScanResult> {
    const { keyId, plan, accountId, meterId } = request.principal
    const { resumed, source } = request
    await using idempotent = resumed
      ? acceptedRequest(resumed.claim)
      : await options.idempotency.begin(keyId, request.idempotencyKey, source.identity)
    if (idempotent.replay) return await replay(request, idempotent.replay)
    await using ticket =
      resumed?.ticket ?? (await traced('database reserve', {}, () => options.reserve(keyId, plan, meterId)))
    const seen = newSeen(source, resumed?.open)
    try {
      const { result, row, receipt } = await examine(request, seen, ticket, idempotent)
      const response = JSON.stringify(result)
      const verdict = { scan: row, claim: idempotent.claim, response, receipt }
      const effect = seen.open?.effectOf(verdict) ?? { kind: recorded, of: verdict }
      const later = seen.open && { accountId, patienceMs: CHARGE_PATIENCE_MS }
      await traced('database charge', {}, () => ticket.charge(result.scanId, effect, later))
      seen.open?.charged()
      idempotent.keep()
      return result
    } catch (error) {
      await seen.open?.fail(error)
      throw error
    }
  }

  /** Its place is free before the charge, but not before the end of a refused document is stored: a flood of them waits here. */
  async function examine(
    request: ScanRequest,
    seen: Seen,
    ticket: Ticket,
    idempotent: IdempotentRequest,
  ): Promise<Examined> {
    using place = new DisposableStack()
    try {
      return await inspect(request, place.use(enter(request)), seen, ticket, idempotent)
    } catch (error) {
      const { accountId, plan } = request.principal
      if (isClientFault(error)) await options.noteRefused(accountId, plan, 1)
      await recordUnscanned(request, seen, error)
      await seen.open?.fail(error)
      throw error
    }
  }

  /** Receive, inspect, decide. */
  async function inspect(
    request: ScanRequest,
    lease: InFlightLease,
    seen: Seen,
    ticket: Ticket,
    idempotent: IdempotentRequest,
  ): Promise<Examined> {
    const { startedAt } = seen
    const { principal } = request
    const { document, type, isAccepted, isAllowed, reports } = await receiveAndInspect(
      request,
      lease,
      seen,
      ticket,
      idempotent,
    )
    using _document = document
    logFailures(reports, request.requestId)
    await noteEnding(reports, principal)
    if (request.gone.aborted) throw new UploadAborted()
    const engines = enginesOf(reports)
    const required = engines.map(({ name }) => name)
    const decided = decide(reports, required, options.unscannable)
    // A program under the name of a document is only refused if no engine reports it.
    if (!isAccepted && decided.kind !== 'infected') throw new UnsupportedDocument(type)
    const { fileName, size, sha256, declaredType, reference } = document
    const scanId = scanIdOf(seen)
    const finishedAt = Date.now()
    const infected = decided.kind === 'infected' ? decided : null
    const known = {
      ...{ id: scanId, key_id: principal.keyId, account_id: principal.accountId, sha256, size, type },
      ...{ file_name: fileName, content_type: declaredType, engines: JSON.stringify(engines) },
      findings: options.findings.encode(reports, infected),
      ...{ started_at: startedAt, finished_at: finishedAt, reference },
    }
    if (decided.kind === 'unscannable') await recordRefused({ ...known, ...REFUSED, obstacle: decided.obstacle }, seen)
    const verdict = requireDeliverable(decided, Boolean(document.whole.password))
    // An engine that reported anything else may still be reading.
    if (reports.every(({ outcome }) => outcome.kind === 'clean')) document.free()
    const [status, threat] = [verdict.kind, infected?.threat ?? null]
    handOver(request, reports, status)
    const row: NewScan = {
      ...known,
      ...{ verdict: status, obstacle: null, threat, engine: infected?.engine ?? null },
      path: infected && JSON.stringify(infected.path),
    }
    return {
      result: {
        scanId,
        status,
        threat,
        fileName,
        fileSize: size,
        contentType: declaredType,
        scannedAt: isoTime(finishedAt),
        ...(reference !== null && { reference }),
      },
      row,
      receipt: signVerdict(row, reports, isAllowed),
    }
  }

  function handOver({ onText }: ScanRequest, reports: readonly EngineReport[], status: ScanResult['status']): void {
    const text = reports.find(({ outcome }) => outcome.text)?.outcome.text
    if (text !== undefined) onText?.(text, status)
  }

  /** A reader of `clean` must see what it is based on. */
  function signVerdict(row: NewScan, reports: readonly EngineReport[], isAllowed: boolean): SignedReceipt | null {
    const isClean = row.verdict === 'clean'
    const isIncomplete = isClean && reports.some(({ outcome }) => outcome.kind === 'unscannable')
    return options.signReceipt({ row, isAllowed: isClean && isAllowed, isIncomplete })
  }

  /** With the time that each took; null if it was stopped. */
  function enginesOf(reports: readonly EngineReport[]) {
    return panel.versions().map(({ name, version, signatures }) => {
      const ms = reports.find(({ engine }) => engine === name)?.ms ?? null
      return { name, version, signatures, ms }
    })
  }

  /** Whatever becomes of the document: it has cost others a worker. */
  async function noteEnding(reports: readonly EngineReport[], { accountId, plan }: ScanPrincipal): Promise<void> {
    const isEnding = reports.some(({ outcome }) => outcome.kind === 'unscannable' && outcome.endedWorker)
    if (isEnding) await options.noteRefused(accountId, plan, ENDING_COST - 1)
  }

  /** The refusal is delivered even if its report cannot be stored. */
  async function recordRefused(row: NewScan, { open }: Seen): Promise<void> {
    const receipt = options.signReceipt({ row, isAllowed: false, isIncomplete: false })
    if (open) return await open.refuse(row, receipt)
    await store
      .recordRefused(row, receipt)
      .catch((error) => log.warn({ err: error }, 'Failed to store the report of a refusal'))
  }

  async function recordUnscanned(request: ScanRequest, seen: Seen, error: unknown): Promise<void> {
    const row = unscannedRow(request.principal, seen, error)
    if (row === null) return
    if (seen.open) return await seen.open.refuse(row)
    await store
      .recordUnscanned(row)
      .catch((cause) => log.warn({ err: cause }, 'Failed to store the report of a refusal'))
  }

  function enter({ source, principal, idempotencyKey, onAccepted }: ScanRequest): InFlightLease {
    source.check()
    checkIdempotencyKey(idempotencyKey)
    if (onAccepted && options.openScans.isFull(principal.accountId)) throw ACCOUNT_AT_LIMIT
    return inFlight.enter(principal, source.declaredBytes, source.place)
  }

  /** Engines and their deadline start with the last byte. */
  async function receiveAndInspect(
    request: ScanRequest,
    lease: InFlightLease,
    seen: Seen,
    ticket: Ticket,
    idempotent: IdempotentRequest,
  ) {
    const { other } = request
    const arriving = ticket.setAside?.()
    const received = receive(request, lease, (file) => {
      seen.file = file
      if (other === undefined) checkDeclaredType(file.declaredType)
    })
    const document = await received.finally(() => arriving?.[Symbol.dispose]())
    seen.received = document
    await accept(request, seen, document, idempotent).catch((error) => {
      document[Symbol.dispose]()
      throw error
    })
    const inspecting = () => inspectReceived(request, document)
    // While a document arrives, perhaps slowly, nobody waits for the processor.
    return await (request.resumed ? inspecting() : options.during(inspecting))
  }

  async function inspectReceived(request: ScanRequest, document: Received) {
    const { other, principal } = request
    const { whole } = document
    const stop = following(request.gone)
    const found = { isOther: false, isAllowed: false }
    const inspecting = panel.inspect(
      request.onText === undefined ? whole : { ...whole, wantsText: true },
      stop,
      // Those that nobody waits for have their own turn, so that an upload does not queue behind them.
      request.resumed ? `${principal.accountId} queued` : principal.accountId,
      principal.address,
      reviewOf(request, whole, found),
    )
    try {
      const { kind, type, isOther } = detectType(options.sniff, whole.chunks, document, other)
      found.isOther = isOther
      const completeMs = performance.now()
      // Engines count a TimeoutError as their failure, a disconnect not.
      const onDeadline = () => stop.abort(new DOMException('The scan deadline has passed', 'TimeoutError'))
      const deadline = setTimeout(onDeadline, options.deadlineMs * workFactor(document.size))
      const reports = isOther ? countedOther(await inspecting) : await inspecting
      clearTimeout(deadline)
      request.logFields.engineMs = Math.round((performance.now() - completeMs) * 10) / 10
      return { document, type, isAccepted: kind !== null || isOther, isAllowed: found.isAllowed, reports }
    } catch (error) {
      stop.abort()
      await inspecting.catch(() => {})
      document[Symbol.dispose]()
      throw error
    }
  }

  /** The client is answered now, if it wants to be. */
  async function accept(
    { principal, onAccepted }: ScanRequest,
    seen: Seen,
    document: Received,
    idempotent: IdempotentRequest,
  ): Promise<void> {
    if (onAccepted === undefined) return
    const { size, sha256, fileName, declaredType, reference } = document
    const scanId = newId()
    const row: NewScan = {
      ...{ id: scanId, key_id: principal.keyId, account_id: principal.accountId, ...REFUSED, obstacle: null },
      ...{ file_name: fileName, content_type: declaredType, sha256, size, type: '', engines: '[]', findings: null },
      ...{ started_at: seen.startedAt, finished_at: Date.now(), reference },
    }
    seen.open = await options.openScans.open(row, idempotent.claim)
    idempotent.accepted({ scanId, reference })
    onAccepted({ scanId, reference })
  }

  function reviewOf(
    { principal, requestId }: ScanRequest,
    { sha256 }: Whole,
    found: { isOther: boolean; isAllowed: boolean },
  ) {
    const { accountId, keyId } = principal
    return async (outcome: Outcome, engine: string) => {
      const counted = found.isOther ? withoutOwnKind(outcome) : outcome
      const reviewed = await options.reviewThreat(counted, engine, { accountId, keyId, requestId, sha256 })
      if (reviewed !== counted) found.isAllowed = true
      return outcome.text === undefined ? reviewed : { ...reviewed, text: outcome.text }
    }
  }

  async function receive(
    { source, logFields }: ScanRequest,
    lease: InFlightLease,
    onFileStart: IntakeOptions['onFileStart'],
  ): Promise<Received> {
    const { createSample } = options
    const document = await source.receive({ createSample, onFileStart, onGrowth: lease.growTo })
    lease.shrinkTo(document.size)
    logFields.sizeBytes = document.size
    return document
  }

  /** A repeated request is not inspected: its document is only compared with the one that was answered. */
  async function replay(
    request: ScanRequest,
    answerFor: NonNullable<IdempotentRequest['replay']>,
  ): Promise<ScanResult> {
    const { identity } = request.source
    if (identity !== undefined) return answerFor(identity)
    using lease = enter(request)
    using document = await receive(request, lease, () => {})
    return answerFor(document.sha256)
  }

  function logFailures(reports: readonly EngineReport[], requestId: string): void {
    // After a detection, the other engines were stopped and did not fail.
    if (reports.some(({ outcome }) => outcome.kind === 'detected')) return
    for (const { engine, outcome } of reports) {
      if (outcome.kind === 'failed')
        log.warn({ requestId, engine, late: outcome.late, detail: outcome.detail }, 'Engine failed')
    }
  }

  return async (request) => {
    const { requestId, logFields } = request
    const { keyId } = request.principal
    try {
      const result = await scan(request)
      Object.assign(logFields, { verdict: result.status, threat: result.threat })
      return result
    } catch (error) {
      // Without a response, the request has no log line of its own.
      if (error instanceof UploadAborted && !request.resumed)
        log.info({ requestId, keyId, ...logFields }, 'Client disconnected during scan')
      throw error
    }
  }
}
