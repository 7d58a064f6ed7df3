/** The scan behind every protocol: identifies the key of the listener, waits where its client could not retry, and scans. */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { ScanPrincipal } from '#scan/scan.ts'
import type { StreamScan, StreamScanResult } from '#scan/stream-scan.ts'
import type { OtherContent } from '#scan/verdict.ts'
import { type Outcome, type OutcomeName, outcomeOfCode } from './outcomes.ts'
import type { Listener } from './specification.ts'

/** Clients of these protocols know no `Retry-After`. Most of them give up after 30 to 60 seconds. */
const WAIT_MS = 15_000
const POLL_MS = 100

type Owner = Pick<ScanPrincipal, 'keyId' | 'meterId' | 'accountId' | 'plan'>

export interface GatewayOptions {
  scan: StreamScan
  /** Null unless the key is active. */
  findKey(keyId: string): Promise<Owner | null>
  /** Takes one scan from the rate of the key. Returns the seconds to wait if there is none left. */
  takeRate(owner: Owner): Promise<number | null>
  /** Whether a scan of this client would be admitted now. */
  hasPlace(principal: ScanPrincipal): boolean
  /** Rejects when the quota is used up. Reserves nothing. */
  checkQuota(owner: Owner): Promise<void>
  /** Why no document can be scanned at the moment; null if nothing prevents it. */
  problem(): Promise<string | null>
  /** An engine that reads any file is configured. */
  readsAnyFile: boolean
  onScanned(facts: ScanFacts): void
  log: Log
  /** For tests. */
  waitMs?: number
}

export interface ScanFacts {
  protocol: Listener['protocol']
  outcome: OutcomeName
  seconds: number
  code: ErrorCode | null
  logFields: StreamScanResult['logFields'] | null
}

/** Facts that a protocol has about a document. */
export interface Incoming {
  /** Its end is the end of the document: destroy it when the client disconnects before. Chunks must own their memory. */
  stream: Readable
  fileName: string
  declaredType?: string | null
  declaredBytes?: number | null
  /** Its first bytes say that it passes by the option `other`, so that nothing is scanned. */
  hasPassed?: boolean
}

/** Of a connection. */
export interface Client {
  listener: Listener
  /** An IPv4 address or IPv6 /64 network; `unix` for a local socket. */
  address: string
  /** Fires when it disconnects. */
  gone: AbortSignal
  /** The address has too many connections: it is answered, but not served. */
  isRefused: boolean
}

export type Gateway = ReturnType<typeof createGateway>

interface Admitted {
  principal: ScanPrincipal
}
const NO_FIELDS = { verdict: null, threat: null, engineMs: null, sizeBytes: null }
type Ended = { kind: 'refused'; code: ErrorCode; retryAfterSeconds?: number | undefined }

function following(signal: AbortSignal) {
  const controller = new AbortController()
  const abort = () => controller.abort(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  return { controller, stop: () => signal.removeEventListener('abort', abort) }
}

export function createGateway(options: GatewayOptions) {
  const { findKey, takeRate, log, waitMs = WAIT_MS } = options

  function otherOf({ other }: Listener): OtherContent {
    const isInspected = other === 'clamd' || (other !== 'error' && options.readsAnyFile)
    return { pass: typeof other === 'object' ? other.pass : [], isInspected }
  }

  /** Waits for the rate of the key. */
  async function admit({ listener, address, gone, isRefused }: Client, until: number): Promise<Admitted | Ended> {
    if (isRefused) return { kind: 'refused', code: 'rate_limited' }
    for (;;) {
      const owner = await findKey(listener.keyId)
      if (owner === null) return { kind: 'refused', code: 'unauthenticated' }
      const seconds = await takeRate(owner)
      const { keyId, meterId, accountId, plan } = owner
      if (seconds === null) return { principal: { keyId, meterId, accountId, plan, address } }
      const isInTime = performance.now() + seconds * 1_000 <= until
      if (!isInTime) return { kind: 'refused', code: 'rate_limited', retryAfterSeconds: seconds }
      await sleep(seconds * 1_000, undefined, { signal: gone })
    }
  }

  async function waitForPlace(principal: ScanPrincipal, until: number, gone: AbortSignal): Promise<void> {
    while (!options.hasPlace(principal) && performance.now() < until) await sleep(POLL_MS, undefined, { signal: gone })
  }

  /** Neither a place nor the rate is needed for it, but an active key. */
  async function pass({ listener, isRefused }: Client): Promise<StreamScanResult | Ended> {
    if (isRefused) return { kind: 'refused', code: 'rate_limited' }
    const owner = await findKey(listener.keyId)
    return owner === null ? { kind: 'refused', code: 'unauthenticated' } : { kind: 'passed', logFields: NO_FIELDS }
  }

  async function run(client: Client, incoming: Incoming, requestId: string): Promise<StreamScanResult | Ended> {
    if (incoming.hasPassed) return pass(client)
    const until = performance.now() + waitMs
    const admitted = await admit(client, until)
    if ('code' in admitted) return admitted
    const { principal } = admitted
    const { gone, listener } = client
    for (;;) {
      await waitForPlace(principal, until, gone)
      const document = { ...incoming, waitMs: Math.max(0, until - performance.now()) }
      const result = await options.scan({ document, principal, other: otherOf(listener), requestId, gone })
      const isBusy = result.kind === 'refused' && result.code === 'busy' && result.isUnread
      if (!isBusy || performance.now() >= until) return result
      await sleep(POLL_MS, undefined, { signal: gone })
    }
  }

  function toOutcome(result: StreamScanResult | Ended): Outcome {
    if (result.kind === 'refused') {
      const { code, retryAfterSeconds } = result
      return { name: outcomeOfCode(code), retryAfterSeconds }
    }
    if (result.kind === 'infected') return { name: 'infected', threat: result.threat }
    return { name: result.kind === 'aborted' ? 'failed' : result.kind }
  }

  async function endingOf(client: Client, incoming: Incoming, requestId: string): Promise<StreamScanResult | Ended> {
    // Of this scan alone: a connection may have thousands of them, whose listeners would stay until its end.
    const gone = following(client.gone)
    try {
      return await run({ ...client, gone: gone.controller.signal }, incoming, requestId)
    } catch (error) {
      if (!client.gone.aborted) log.error({ err: error, requestId }, 'Scan failed')
      return { kind: 'refused', code: 'internal_error' }
    } finally {
      gone.stop()
    }
  }

  return {
    /**
     * Never rejects. The rest of a stream that is refused early is not read: the caller drops it, and then replies. Null when
     * the client has disconnected.
     */
    async scan(client: Client, incoming: Incoming): Promise<Outcome | null> {
      const startedMs = performance.now()
      const requestId = randomUUID()
      const result = await endingOf(client, incoming, requestId)
      if (result.kind === 'aborted' || client.gone.aborted) return null
      const outcome = toOutcome(result)
      const { protocol, url, keyId } = client.listener
      const ms = Math.round((performance.now() - startedMs) * 10) / 10
      const code = result.kind === 'refused' ? result.code : null
      const logFields = 'logFields' in result ? result.logFields : null
      log.info(
        { requestId, listener: url, keyId, ms, outcome: outcome.name, code: code ?? undefined, ...logFields },
        'Scan completed',
      )
      options.onScanned({ protocol, outcome: outcome.name, seconds: ms / 1_000, code, logFields })
      return outcome
    },

    /** Why a scan of this listener would not be accepted now; null if it would. Never rejects. */
    async problem({ keyId }: Pick<Listener, 'keyId'>): Promise<string | null> {
      try {
        const problem = await options.problem()
        if (problem !== null) return problem
        const owner = await findKey(keyId)
        if (owner === null) return 'The API key is unknown, revoked, or of a disabled account.'
        await options.checkQuota(owner)
        return null
      } catch (error) {
        // Public, so that the numbers of the quota stay out.
        const isUsedUp = error instanceof AppError && error.code === 'quota_exhausted'
        return isUsedUp ? 'The quota of the API key is used up.' : 'The API key could not be checked.'
      }
    },
  }
}
