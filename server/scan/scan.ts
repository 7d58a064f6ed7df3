/** The story of one scan, top to bottom: reserve, receive, inspect, decide, record and charge, answer. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { following } from '#base/abort.ts'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Log } from '#base/log.ts'
import type { Budget, Lease } from './budget.ts'
import type { Answer, Claims } from './claims.ts'
import { checkDeclaredType, detectType, type Sniff } from './document-type.ts'
import { type Form, receive, refuseByHeaders, type SampleWriter } from './intake.ts'
import { UploadAborted } from './pump.ts'
import type { ScanResult } from './schema.ts'
import type { ScanRecord, ScanStore } from './store.ts'
import { decide, type EngineReport, type UnscannablePolicy, type Verdict } from './verdict.ts'

/** After a failure of an engine: it is usually replaced within seconds. */
const RETRY_SECONDS = 5

type Along = { write: (trx: Parameters<ScanStore['record']>[0]) => Promise<void>; undo: Along['write'] }

interface Ticket extends AsyncDisposable {
  charge(scanId: string, along: Along): Promise<void>
}

/** What this room needs to know of a sample: that its bytes can be had when they are all there. */
interface SampleLike {
  whole(): Promise<{ chunks: readonly Buffer[] }>
}

export interface ScanOptions<S extends SampleLike> {
  reserve(keyId: string, plan: string): Promise<Ticket>
  budget: Budget
  createSample(): SampleWriter<S>
  panel: {
    inspect(sample: S, signal: AbortSignal): Promise<readonly EngineReport[]>
    health(): { name: string; version: string | null; signatures: string | null }[]
  }
  sniff: Sniff
  store: ScanStore
  claims: Claims
  deadlineMs: number
  unscannable: UnscannablePolicy
  log: Log
}

export interface ScanRequest {
  headers: IncomingHttpHeaders
  stream: Readable
  /** What else is wrong with the request: a 400, so others come before it. */
  invalid?: Error | undefined
  keyId: string
  /** Who shares the budget with others. */
  accountId: string
  plan: string
  requestId: string
  /** Fires when the client is gone. */
  gone: AbortSignal
}

export type Scan = (request: ScanRequest) => Promise<ScanResult>

const CODE_OF = {
  encrypted: 'encrypted_document',
  too_complex: 'document_too_complex',
  damaged: 'damaged_document',
} as const

/** A verdict that can be given, or the refusal that stands in its place. */
function delivered(verdict: Verdict): Extract<Verdict, { kind: 'clean' | 'infected' }> {
  switch (verdict.kind) {
    case 'clean':
    case 'infected':
      return verdict
    case 'unscannable':
      throw new AppError(CODE_OF[verdict.obstacle], `${verdict.detail} There is no verdict, and nothing was charged.`)
    case 'failed':
      throw verdict.late
        ? new AppError('scan_timeout', 'The scan could not be completed in time. There is no verdict.', {
            retryAfterSeconds: RETRY_SECONDS,
          })
        : new AppError(
            'engine_unavailable',
            'An engine that every verdict needs is not available. Try again shortly.',
            {
              retryAfterSeconds: RETRY_SECONDS,
            },
          )
  }
}

export function createScan<S extends SampleLike>(options: ScanOptions<S>): Scan {
  const { budget, panel, store, claims, log } = options

  function checkHead({ headers, invalid }: ScanRequest) {
    const head = refuseByHeaders(headers)
    if (invalid) throw invalid
    claims.check(headers['idempotency-key'])
    return head
  }

  /** Engines start with the first byte; their clock starts when the last one is in. */
  async function inspectWhileReceiving(form: Form, gone: AbortSignal, place: Lease) {
    const stop = following(gone)
    let inspecting: Promise<readonly EngineReport[]> | undefined
    try {
      const received = await receive(form, {
        createSample: options.createSample,
        onGrowth: place.growTo,
        onFileStart(info, sample) {
          checkDeclaredType(info.declaredType)
          inspecting = panel.inspect(sample, stop.signal)
        },
      })
      try {
        place.shrinkTo(received.size)
        const { chunks } = await received.sample.whole()
        const type = detectType(options.sniff, chunks)
        // By this name an engine tells a deadline from a client that hung up: only the one speaks against it.
        const late = () => stop.abort(new DOMException('The deadline of the scan has passed', 'TimeoutError'))
        const clock = setTimeout(late, options.deadlineMs)
        const reports = (await inspecting) ?? []
        clearTimeout(clock)
        return { received, type, reports }
      } catch (error) {
        received[Symbol.dispose]()
        throw error
      }
    } catch (error) {
      stop.abort()
      await inspecting
      throw error
    }
  }

  function note(reports: readonly EngineReport[], requestId: string): void {
    // Whoever was not waited for has not failed.
    if (reports.some(({ outcome }) => outcome.kind === 'detected')) return
    for (const { engine, outcome } of reports) {
      if (outcome.kind === 'failed')
        log.warn({ requestId, engine, late: outcome.late, detail: outcome.detail }, 'Engine failed')
    }
  }

  async function verdictOf(request: ScanRequest): Promise<{ result: ScanResult; record: Omit<ScanRecord, 'keyId'> }> {
    const startedAt = Date.now()
    const { stream, gone } = request
    const { boundary, declaredBytes } = checkHead(request)
    using place = budget.enter(request.accountId, declaredBytes)
    const { received, type, reports } = await inspectWhileReceiving({ boundary, stream }, gone, place)
    using _document = received
    note(reports, request.requestId)
    if (gone.aborted) throw new UploadAborted()
    const engines = panel.health().map(({ name, version, signatures }) => ({ name, version, signatures }))
    const verdict = delivered(
      decide(
        reports,
        engines.map(({ name }) => name),
        options.unscannable,
      ),
    )
    const infected = verdict.kind === 'infected' ? verdict : null
    // Who says clean has had it all. Any other end may come while an engine is still being sent the rest.
    if (reports.every(({ outcome }) => outcome.kind === 'clean')) received.free()
    const finishedAt = Date.now()
    const result: ScanResult = {
      scanId: newId(),
      status: verdict.kind,
      threat: infected?.threat ?? null,
      fileName: received.fileName,
      fileSize: received.size,
      contentType: received.declaredType,
      scannedAt: new Date(finishedAt).toISOString(),
    }
    const record = {
      id: result.scanId,
      verdict: verdict.kind,
      threat: result.threat,
      engine: infected?.engine ?? null,
      path: infected?.path ?? null,
      sha256: received.sha256,
      size: received.size,
      type: type.type,
      engines,
      startedAt,
      finishedAt,
    }
    return { result, record }
  }

  /** The same request again: nothing is inspected, only compared with what was answered. */
  async function again(request: ScanRequest, answer: Answer): Promise<ScanResult> {
    const { boundary, declaredBytes } = checkHead(request)
    using place = budget.enter(request.accountId, declaredBytes)
    using received = await receive(
      { boundary, stream: request.stream },
      { createSample: options.createSample, onFileStart() {}, onGrowth: place.growTo },
    )
    return answer.for(received.sha256)
  }

  async function scan(request: ScanRequest): Promise<ScanResult> {
    const { keyId, plan } = request
    await using claim = await claims.begin(keyId, request.headers['idempotency-key'])
    if (claim.answer) return await again(request, claim.answer)
    await using ticket = await options.reserve(keyId, plan)
    const { result, record } = await verdictOf(request)
    await ticket.charge(result.scanId, {
      write: (trx) => store.record(trx, { ...record, keyId }, claim.ours, JSON.stringify(result)),
      undo: (trx) => store.unrecord(trx, result.scanId, claim.ours),
    })
    claim.keep()
    return result
  }

  return async (request) => {
    try {
      return await scan(request)
    } catch (error) {
      // A request that is never answered has no line in the log but this one.
      if (error instanceof UploadAborted) {
        log.info({ requestId: request.requestId, keyId: request.keyId }, 'The client left before its scan was done')
      }
      throw error
    }
  }
}
