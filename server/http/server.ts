/** The Fastify server: checks and admits every request before its handler runs. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { Type } from 'typebox'
import { memberActor, withActor } from '#base/actor.ts'
import { parseTrace, recordTrace, type Span, type Trace, traceClock, withTrace } from '#base/trace.ts'
import { type AdmissionOptions, createAdmission } from './admission.ts'
import { type ConnectionOptions, limitConnections } from './connection-limits.ts'
import { answerContinueLate, answerHalfClosed, closeIfUnread, drainOnClose, isDroppable } from './connections.ts'
import { FORM } from './field-errors.ts'
import { checkRequestHead, HEADER_BYTES_MAX, standardHeaders } from './headers.ts'
import { acceptJson, JSON_BODY_BYTES_MAX } from './json-body.ts'
import { compileLate } from './late-schemas.ts'
import { renderProblem, toAppError } from './problem.ts'
import { logFailure, logRequest, type RequestFacts } from './request-log.ts'
import './route-config.ts'
import { collectRoutes, type RouteEntry } from './route-list.ts'
import { createShedding, type SheddingOptions } from './shedding.ts'
import { socketErrors } from './socket-errors.ts'

export type Server = FastifyInstance<
  NodeServer,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** Tests override these with lower values. */
export const SERVER_LIMITS = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  checkTimeoutsEveryMs: 2_000,
  keepAliveTimeoutMs: 72_000,
  silentDrainMs: 1_000,
  drainTimeoutMs: 40_000,
}

interface ServerOptions extends AdmissionOptions, ConnectionOptions {
  publicUrl: string
  /** The public URL is HTTPS. */
  secure: boolean
  limits?: typeof SERVER_LIMITS
  /** Compare every schema with the schema of schemas, which takes a tenth of a second: for tests. */
  checksSchemas?: boolean
  /** `count` equal requests, by default one. */
  onCompleted?: (facts: RequestFacts, count?: number) => void
  scanPlaces?: SheddingOptions['places']
  /** Exports spans; `share` is that of requests without a trace of their own. */
  spans?: { add: (span: Span) => void; share: number } | undefined
}

/** For endpoints that take no query: one is rejected instead of ignored. */
const NO_QUERY = Type.Object({}, { additionalProperties: false })

interface Format {
  validate(text: string): boolean
}
/** The part of ajv, Fastify's validator, that is used here. */
interface Validator {
  formats: Record<'date' | 'date-time', Format>
  addFormat(name: string, format: Format): void
}

/** A date is accepted as a time: the beginning of its day in UTC. */
function acceptDates(ajv: Validator): void {
  const { date, 'date-time': time } = ajv.formats
  ajv.addFormat('date-time', { validate: (text: string) => date.validate(text) || time.validate(text) })
}

const asIs = (payload: unknown): string => payload as string

/** Someone opens a URL outside the API in a browser, and gets a page even if there is nothing. */
const isPageLoad = ({ method, url = '/', headers }: IncomingMessage): boolean =>
  method === 'GET' && headers['sec-fetch-mode'] === 'navigate' && !url.startsWith('/api/')
/** The span of the request itself, if it is recorded. */
function recordRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { method, trace, routeOptions, problemCode } = request
  if (!trace?.recording) return
  const { traceId, parentId, recording } = trace
  const [endMs, route] = [traceClock(), request.is404 ? '' : (routeOptions.url ?? '')]
  recording.add({
    ...{ name: `${method} ${route}`.trim(), kind: 'server', traceId, spanId: recording.spanId, parentId },
    ...{ startMs: endMs - reply.elapsedTime, endMs, isError: reply.statusCode >= 500 },
    attributes: {
      'http.request.method': method,
      ...(route && { 'http.route': route }),
      'http.response.status_code': reply.statusCode,
      ...(problemCode && { 'error.type': problemCode }),
      'docvet.request_id': request.id,
    },
  })
}

export function createServer(options: ServerOptions) {
  const { publicUrl, log, limits = SERVER_LIMITS, spans } = options
  const headersFor = standardHeaders(options.secure)
  const sockets = socketErrors({ publicUrl, headers: headersFor, limits, log })
  const admit = createAdmission(options)

  function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const refusal = toAppError(error)
    request.problemCode = refusal.code
    const { status, headers, body } = renderProblem(refusal, request.id, publicUrl)
    if (status >= 500 && !refusal.isExpected) logFailure(log, request.id, refusal)
    const isBusy = refusal.code === 'busy'
    if (!(isBusy && isDroppable(request.raw)) && closeIfUnread(request.raw)) reply.header('connection', 'close')
    if (isBusy) shedding?.note(request, reply)
    else if (refusal.code === 'unauthenticated') shedding?.forget(request)
    return reply.code(status).headers(headersFor(request.id)).headers(headers).serializer(asIs).send(body)
  }

  function traceOf(request: FastifyRequest): Trace | null {
    const given = parseTrace(request.raw.headers.traceparent)
    return spans && !request.routeOptions.config.unlimited ? recordTrace(given, spans.add, spans.share) : given
  }

  function completed(request: FastifyRequest, reply: FastifyReply): void {
    logRequest(log, request, reply)
    recordRequest(request, reply)
    options.onCompleted?.({
      method: request.method,
      route: request.is404 ? '' : (request.routeOptions.url ?? ''),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
      code: request.problemCode,
      logFields: request.logFields,
    })
  }

  const server: Server = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    bodyLimit: JSON_BODY_BYTES_MAX,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    return503OnClosing: false,
    // Path parameters of any length reach the schema of their route, after the credential check.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX, ignoreTrailingSlash: true },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.checkTimeoutsEveryMs,
      maxHeaderSize: HEADER_BYTES_MAX,
      // The parser would reject a missing `Host` without problem details.
      requireHostHeader: false,
    },
    ajv: {
      customOptions: {
        coerceTypes: false,
        removeAdditional: false,
        useDefaults: false,
        allErrors: true,
        verbose: true,
        keywords: [FORM],
        validateSchema: options.checksSchemas ?? false,
      },
      onCreate: (ajv) => acceptDates(ajv as unknown as Validator),
    },
    // Hooks do not run for these errors.
    frameworkErrors(error, request, reply) {
      sendProblem(error, request, reply)
      completed(request, reply)
    },
    clientErrorHandler: sockets.onClientError,
  }).withTypeProvider<TypeBoxTypeProvider>()

  const { scanPlaces: places, findKey, onCompleted } = options
  const shedding = places && createShedding(server.server, { publicUrl, headersFor, places, findKey, onCompleted, log })
  const connections = limitConnections(server.server, options)
  sockets.listen(server.server)
  const plain = server as unknown as FastifyInstance
  const routes = collectRoutes(plain, publicUrl)
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/')) route.schema = { querystring: NO_QUERY, ...route.schema }
  })
  const schemas = compileLate(plain)
  acceptJson(plain)
  answerContinueLate(server.server)
  drainOnClose(plain, limits)
  answerHalfClosed(server.server)
  server.decorateRequest('principal', null)
  server.decorateRequest('logFields', null)
  server.decorateRequest('problemCode', null)
  server.decorateRequest('trace', null)
  server.setErrorHandler(sendProblem)

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request.id))
    request.trace = traceOf(request)
    try {
      checkRequestHead(request.raw)
      if (!request.routeOptions.config.unlimited) connections.check(request.raw.socket)
      if (request.is404) {
        const refusal = routes.refuse(request.method, request.raw.url ?? '/')
        if (refusal.code !== 'not_found' || !isPageLoad(request.raw)) throw refusal
        request.problemCode = refusal.code
        done()
        return
      }
    } catch (error) {
      done(error as Error)
      return
    }
    withTrace(request.trace, () => void admit(request, reply).then(() => done(), done))
  })

  // Not earlier: events of the body that is read before have another context.
  server.addHook('preHandler', ({ principal }, _reply, done) => {
    const member = principal?.kind === 'session' ? principal.member : undefined
    if (member) withActor(memberActor(member.id), done)
    else done()
  })

  server.addHook('onResponse', (request, reply, done) => {
    completed(request, reply)
    done()
  })

  return { server, schemas, routes: routes.entries as readonly RouteEntry[], connections }
}
