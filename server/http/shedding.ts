/** Refuses scans at little cost while the service is at capacity. */
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { addressBlock } from './address.ts'
import { answerEarly, parseBody } from './connections.ts'
import { checkRequestHead } from './headers.ts'
import { type Finders, presentedKey } from './identify.ts'
import { createRefusalResponse, type RefusalOptions, type RefusalResponse } from './refusal-response.ts'
import type { RequestFacts } from './request-log.ts'

/** Time for which a key is known to be valid. A revoked one is refused as busy for no longer than that. */
export const KNOWN_MS = 1_000
/** Then the key is looked up again, while its requests are still refused. */
export const CHECK_AFTER_MS = 800
/** Then one request is checked in full instead, for the rate limit and the quota. */
export const FULL_CHECK_AFTER_MS = 3_000
const KNOWN_MAX = 10_000
const REPORT_EVERY_MS = 1_000
const RATE_HEADERS = ['ratelimit', 'ratelimit-policy'] as const

export interface SheddingOptions extends RefusalOptions, Pick<Finders, 'findKey'> {
  places: {
    /** False if the headers alone are a reason to refuse the request, which has precedence over a lack of places. */
    isAcceptable(headers: IncomingHttpHeaders): boolean
    /** The error if there is no place. */
    refusal(caller: { accountId: string; address: string }, declaredBytes: number | null): AppError | null
    /** Takes a place for a request that is not checked yet. Returns the error if there is none. */
    hold(request: object, caller: { accountId: string; address: string }, declaredBytes: number | null): AppError | null
    /** Gives it back, unless the scan has entered it. */
    leave(request: object): void
  }
  onCompleted?: ((facts: RequestFacts, count: number) => void) | undefined
  log: Log
  now?: () => number
}

interface Known {
  accountId: string
  secret: string
  untilMs: number
  checkAtMs: number
  fullCheckAtMs: number
  rateHeaders: Record<string, string>
  responses: Map<AppError, RefusalResponse>
}

const credentialOf = ({ headers }: IncomingMessage): string => `${headers['x-api-key']}\n${headers.authorization}`

/** Otherwise the error is 400, which has precedence. */
function isWellFormed(request: IncomingMessage): boolean {
  try {
    checkRequestHead(request)
    return true
  } catch {
    return false
  }
}

/** The addresses from which the client's is derived. */
const originOf = ({ headers, socket }: IncomingMessage): string =>
  `${headers['x-forwarded-for']}\n${socket.remoteAddress}`

/**
 * A request that was refused as busy had passed all earlier checks: key, rate limit and quota. For some time, further
 * requests of the same caller skip these checks if they would be refused as well. Without this, an overloaded service
 * would spend most of its time on refusals.
 */
export function createShedding(server: Server, options: SheddingOptions) {
  const { places, findKey, onCompleted, log, now = () => performance.now() } = options
  /** By credential. */
  const known = new Map<string, Known>()
  /** Addresses of clients, by origin. */
  const addresses = new Map<string, string>()
  let shed = 0
  /** Of every refusal: none has a body that was read or an engine that was asked. */
  let facts: RequestFacts

  function report(): void {
    log.info({ count: shed }, 'Scans refused at capacity')
    onCompleted?.(facts, shed)
    shed = 0
  }

  function count(): void {
    if (shed === 0) setTimeout(report, REPORT_EVERY_MS).unref()
    shed++
  }

  function noteAddress(origin: string, address: string): string {
    if (addresses.size >= KNOWN_MAX) addresses.clear()
    addresses.set(origin, address)
    return address
  }

  /** Undefined for a client behind a proxy that is not known. */
  function addressOf(request: IncomingMessage): string | undefined {
    const origin = originOf(request)
    const address = addresses.get(origin)
    if (address !== undefined || request.headers['x-forwarded-for'] !== undefined) return address
    return noteAddress(origin, addressBlock(request.socket.remoteAddress))
  }

  async function lookUpAgain(credential: string, caller: Known): Promise<void> {
    const startedMs = now()
    caller.checkAtMs = caller.untilMs
    // If it fails, the caller is soon not known any more.
    const principal = await findKey(caller.secret, null).catch(() => undefined)
    if (principal === null && known.get(credential) === caller) known.delete(credential)
    if (principal?.accountId !== caller.accountId) return
    Object.assign(caller, { untilMs: startedMs + KNOWN_MS, checkAtMs: startedMs + CHECK_AFTER_MS })
  }

  function callerOf(request: IncomingMessage): Known | null {
    const { method, url } = request
    if (known.size === 0 || method !== 'POST' || url !== '/api/v1/scan' || !server.listening) return null
    const credential = credentialOf(request)
    const caller = known.get(credential)
    if (!caller) return null
    const nowMs = now()
    if (nowMs >= caller.untilMs) known.delete(credential)
    else if (nowMs < caller.checkAtMs) return caller
    else if (nowMs < caller.fullCheckAtMs) {
      void lookUpAgain(credential, caller)
      return caller
    }
    caller.checkAtMs = caller.untilMs
    return null
  }

  /** Null if the request is to be handled. With a response, it has a place then, unless it needs none. */
  function refusalFor(request: IncomingMessage, { accountId }: Known, response?: ServerResponse): AppError | null {
    const { headers } = request
    const address = addressOf(request)
    if (address === undefined || !isWellFormed(request) || !places.isAcceptable(headers)) return null
    const length = headers['content-length'] === undefined ? null : Number(headers['content-length'])
    if (!response) return places.refusal({ accountId, address }, length)
    const refusal = places.hold(request, { accountId, address }, length)
    if (!refusal) response.once('close', () => places.leave(request))
    return refusal
  }

  function responseTo(refusal: AppError, { rateHeaders, responses }: Known): RefusalResponse {
    const found = responses.get(refusal)
    if (found) return found
    const created = createRefusalResponse(refusal, rateHeaders, options)
    responses.set(refusal, created)
    return created
  }

  /** Of the request that is being looked at, because finding it may start a check. */
  let found: { request: IncomingMessage; caller: Known | null } | null = null

  answerEarly(server, (request) => {
    const caller = callerOf(request)
    found = { request, caller }
    const refusal = caller && refusalFor(request, caller)
    const response = refusal && responseTo(refusal, caller)
    const text = response?.text()
    if (!text) return false
    request.socket.write(text, response?.encoding)
    count()
    return true
  })

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const caller = found?.request === request ? found.caller : callerOf(request)
    const refusal = caller && refusalFor(request, caller, response)
    if (!refusal) return false
    responseTo(refusal, caller).send(request, response)
    count()
    return true
  }

  const handlers = server.listeners('request') as ((...given: [IncomingMessage, ServerResponse]) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    parseBody(request.socket)
    if (!answer(request, response)) for (const handle of handlers) handle.call(server, request, response)
  })

  return {
    /** Call it for a request that is refused as busy. */
    note(request: FastifyRequest, reply: FastifyReply): void {
      const { principal, routeOptions } = request
      const secret = presentedKey(request.headers)
      // Requests with a session have further checks, and few come at once.
      if (principal?.kind !== 'key' || secret === undefined || routeOptions.config.rate !== 'scan') return
      // Here, the address of the next request would not be compared with those of the key.
      if (principal.limits?.allowedAddresses) return
      if (known.size >= KNOWN_MAX) known.clear()
      const { url: route = '', config } = routeOptions
      facts = { method: 'POST', route, status: 503, seconds: 0, code: 'busy', logFields: config.logFields ?? null }
      noteAddress(originOf(request.raw), addressBlock(request.ip, request.socket.remoteAddress))
      known.set(credentialOf(request.raw), {
        accountId: principal.accountId,
        secret,
        untilMs: now() + KNOWN_MS,
        checkAtMs: now() + CHECK_AFTER_MS,
        fullCheckAtMs: now() + FULL_CHECK_AFTER_MS,
        rateHeaders: Object.fromEntries(RATE_HEADERS.map((name) => [name, String(reply.getHeader(name))])),
        responses: new Map(),
      })
    },
    /** Call it for a request without a valid credential. */
    forget(request: FastifyRequest): void {
      known.delete(credentialOf(request.raw))
    },
  }
}
