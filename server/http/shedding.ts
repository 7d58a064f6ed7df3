/** Refuses scans at little cost while the service is at capacity. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { addressBlock } from './address.ts'
import { closeIfUnread, isDroppable } from './connections.ts'
import type { StandardHeaders } from './headers.ts'
import { renderProblem } from './problem.ts'
import type { RequestFacts } from './request-log.ts'

/** Time for which an identified caller is known. A revoked key is refused as busy for no longer than that. */
export const KNOWN_MS = 1_000
const KNOWN_MAX = 10_000
const LOG_EVERY_MS = 1_000
const RATE_HEADERS = ['ratelimit', 'ratelimit-policy'] as const

export interface SheddingOptions {
  publicUrl: string
  headersFor: StandardHeaders
  refusalOf: (caller: { accountId: string; address: string }, declaredBytes: number | null) => AppError | null
  onCompleted?: ((facts: RequestFacts) => void) | undefined
  log: Log
  now?: () => number
}

interface Known {
  accountId: string
  address: string
  untilMs: number
  rateHeaders: Record<string, string>
  facts: RequestFacts
}

/** Everything in the request that identifies its caller. */
function callerOf({ headers, socket }: IncomingMessage): string {
  const { 'x-api-key': key, authorization, 'x-forwarded-for': forwarded } = headers
  return `${key}\n${authorization}\n${forwarded}\n${socket.remoteAddress}`
}

/**
 * A request that was refused as busy had passed all earlier checks: key, rate limit and quota. For a second, further
 * requests of the same caller skip these checks if they would be refused as well. Without this, an overloaded service
 * would spend most of its time on refusals.
 */
export function createShedding(server: Server, options: SheddingOptions) {
  const { publicUrl, headersFor, refusalOf, onCompleted, log, now = () => performance.now() } = options
  const known = new Map<string, Known>()
  let shed = 0

  function count(): void {
    shed++
    if (shed > 1) return
    setTimeout(() => {
      log.info({ count: shed }, 'Scans refused at capacity')
      shed = 0
    }, LOG_EVERY_MS).unref()
  }

  function refusalFor(request: IncomingMessage): { refusal: AppError; caller: Known } | null {
    const { method, url, headers } = request
    if (known.size === 0 || method !== 'POST' || url !== '/api/v1/scan' || !server.listening) return null
    const name = callerOf(request)
    const caller = known.get(name)
    if (!caller) return null
    if (caller.untilMs <= now()) {
      known.delete(name)
      return null
    }
    const length = headers['content-length']
    const refusal = refusalOf(caller, length === undefined ? null : Number(length))
    return refusal && { refusal, caller }
  }

  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    const found = refusalFor(request)
    if (!found) return false
    const { refusal, caller } = found
    const id = randomUUID()
    const { status, headers, body } = renderProblem(refusal, id, publicUrl)
    if (!isDroppable(request) && closeIfUnread(request)) headers.connection = 'close'
    const length = String(Buffer.byteLength(body))
    response.writeHead(status, { ...headersFor(id), ...caller.rateHeaders, ...headers, 'content-length': length })
    response.end(body)
    count()
    onCompleted?.(caller.facts)
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
      const logFields = routeOptions.config.logFields ?? null
      known.set(callerOf(request.raw), {
        accountId: principal.accountId,
        address: addressBlock(request.ip, request.socket.remoteAddress),
        untilMs: now() + KNOWN_MS,
        rateHeaders: Object.fromEntries(RATE_HEADERS.map((name) => [name, String(reply.getHeader(name))])),
        facts: { method: 'POST', route: routeOptions.url ?? '', status: 503, seconds: 0, code: 'busy', logFields },
      })
    },
  }
}
