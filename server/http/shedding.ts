/** Refuses scans at little cost while the service is at capacity. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { addressBlock } from './address.ts'
import { closeIfUnread, dropBody, isDroppable } from './connections.ts'
import type { StandardHeaders } from './headers.ts'
import { renderProblem } from './problem.ts'
import type { RequestFacts } from './request-log.ts'

/** Time for which an identified caller is known. A revoked key is refused as busy for no longer than that. */
export const KNOWN_MS = 1_000
/** Then one request is checked in full while others are still refused, so that they do not all wait for the check. */
export const CHECK_AFTER_MS = 800
const KNOWN_MAX = 10_000
const REPORT_EVERY_MS = 1_000
const RATE_HEADERS = ['ratelimit', 'ratelimit-policy'] as const

export interface SheddingOptions {
  publicUrl: string
  headersFor: StandardHeaders
  places: {
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
  untilMs: number
  checkAtMs: number
  rateHeaders: Record<string, string>
  responses: Map<AppError, Rendered>
}

/** A response in which only the request id is missing. */
interface Rendered {
  status: number
  /** Names and values in turn. The id is the last one. */
  headers: string[]
  body: readonly [beforeId: string, afterId: string]
}

/** As long as a real one, for the content length. */
const NO_ID = '00000000-0000-0000-0000-000000000000'

const credentialOf = ({ headers }: IncomingMessage): string => `${headers['x-api-key']}\n${headers.authorization}`

/** The addresses from which the client's is derived. */
const originOf = ({ headers, socket }: IncomingMessage): string =>
  `${headers['x-forwarded-for']}\n${socket.remoteAddress}`

/**
 * A request that was refused as busy had passed all earlier checks: key, rate limit and quota. For a second, further
 * requests of the same caller skip these checks if they would be refused as well. Without this, an overloaded service
 * would spend most of its time on refusals.
 */
export function createShedding(server: Server, options: SheddingOptions) {
  const { publicUrl, headersFor, places, onCompleted, log, now = () => performance.now() } = options
  /** By credential. */
  const known = new Map<string, Known>()
  /** Addresses of clients behind proxies, by origin. */
  const forwarded = new Map<string, string>()
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

  function addressOf(request: IncomingMessage): string | undefined {
    if (request.headers['x-forwarded-for'] === undefined) return addressBlock(request.socket.remoteAddress)
    return forwarded.get(originOf(request))
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
    caller.checkAtMs = caller.untilMs
    return null
  }

  /** Null if the request may be handled. Then it has a place, unless its address is not known. */
  function refusalFor(request: IncomingMessage, response: ServerResponse, { accountId }: Known): AppError | null {
    const address = addressOf(request)
    if (address === undefined) return null
    const length = request.headers['content-length']
    const refusal = places.hold(request, { accountId, address }, length === undefined ? null : Number(length))
    if (!refusal) response.once('close', () => places.leave(request))
    return refusal
  }

  function render(refusal: AppError, caller: Known): Rendered {
    const { status, headers, body } = renderProblem(refusal, NO_ID, publicUrl)
    const [beforeId = '', afterId = ''] = body.split(NO_ID)
    const { 'x-request-id': id = '', ...standard } = headersFor(NO_ID)
    const length = String(Buffer.byteLength(body))
    const all = { ...standard, ...caller.rateHeaders, ...headers, 'content-length': length, 'x-request-id': id }
    return { status, headers: Object.entries(all).flat(), body: [beforeId, afterId] }
  }

  function responseTo(refusal: AppError, caller: Known): Rendered {
    const known = caller.responses.get(refusal)
    if (known) return known
    const rendered = render(refusal, caller)
    caller.responses.set(refusal, rendered)
    return rendered
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const caller = callerOf(request)
    const refusal = caller && refusalFor(request, response, caller)
    if (!refusal) return false
    const { status, headers, body } = responseTo(refusal, caller)
    if (isDroppable(request)) dropBody(request)
    else if (closeIfUnread(request)) response.setHeader('connection', 'close')
    const id = randomUUID()
    // Node reads them at once.
    headers[headers.length - 1] = id
    response.writeHead(status, headers)
    response.end(body[0] + id + body[1])
    count()
    return true
  }

  const handlers = server.listeners('request') as ((...given: [IncomingMessage, ServerResponse]) => void)[]
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!answer(request, response)) for (const handle of handlers) handle.call(server, request, response)
  })

  return {
    /** Call it for a request that is refused as busy. */
    note(request: FastifyRequest, reply: FastifyReply): void {
      const { principal, routeOptions } = request
      // Requests with a session have further checks, and few come at once.
      if (principal?.kind !== 'key' || routeOptions.config.rate !== 'scan') return
      if (known.size >= KNOWN_MAX) known.clear()
      if (forwarded.size >= KNOWN_MAX) forwarded.clear()
      const { url: route = '', config } = routeOptions
      facts = { method: 'POST', route, status: 503, seconds: 0, code: 'busy', logFields: config.logFields ?? null }
      forwarded.set(originOf(request.raw), addressBlock(request.ip, request.socket.remoteAddress))
      known.set(credentialOf(request.raw), {
        accountId: principal.accountId,
        untilMs: now() + KNOWN_MS,
        checkAtMs: now() + CHECK_AFTER_MS,
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
