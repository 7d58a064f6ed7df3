/** The end of a request: one log line without secrets, and facts for metrics. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { parseTrace } from '#base/trace.ts'
import { HEADER_BYTES_MAX } from './headers.ts'

const PATH_LOGGED_MAX = 200
/** Keys, tokens, and recovery codes as people type them; an id has 36 characters in groups of up to 12. */
const SECRETS = /[0-9A-Za-z_-]{40,}|[0-9A-Za-z_]{20,}|(?:[0-9A-Za-z]{5}[- ]){3}[0-9A-Za-z]{5}/g

/** Of a completed request, for metrics. */
export interface RequestFacts {
  method: string
  /** The pattern of the route; empty for a URL without one. */
  route: string
  status: number
  seconds: number
  /** The problem code of an error response. */
  code: string | null
  logFields: object | null
}

/** Without the query, which may contain anything, and without keys or tokens. */
function pathOf(url = '/'): string {
  const query = url.indexOf('?')
  const path = url.slice(0, query === -1 ? HEADER_BYTES_MAX : Math.min(query, HEADER_BYTES_MAX))
  const plain = path.includes('%')
    ? path.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : path
  return plain.replace(SECRETS, '[redacted]').slice(0, PATH_LOGGED_MAX)
}

export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, raw, principal } = request
  // Probes come every few seconds and would hide the other lines. What makes them fail has lines of its own.
  const level = request.routeOptions.config?.probe ? 'debug' : 'info'
  log[level](
    {
      requestId: id,
      method,
      path: pathOf(raw.url),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      keyId: principal?.kind === 'key' ? principal.keyId : undefined,
      accountId: principal?.kind === 'session' ? principal.accountId : undefined,
      memberId: principal?.kind === 'session' ? principal.member?.id : undefined,
      traceId: (request.trace ?? parseTrace(raw.headers.traceparent))?.traceId,
      code: request.problemCode ?? undefined,
      ...(request.logFields ?? request.routeOptions.config?.logFields),
    },
    'Request completed',
  )
}

export function logFailure(log: Log, requestId: string, { code, cause, message }: AppError): void {
  // Without a cause the refusal was deliberate, and its stack says nothing to an operator.
  if (cause === undefined) log.warn({ requestId, code }, message)
  else log.error({ requestId, err: cause }, message)
}
