/** The front door: a Fastify server on which every request is checked and admitted before its handler sees it. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server as NodeServer, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { ErrorCode } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Principal } from '#base/principal.ts'
import { type AdmissionOptions, createAdmission } from './admission.ts'
import { answerContinueLate } from './continue.ts'
import { drainOnClose } from './drain.ts'
import { answerHalfClosed } from './half-close.ts'
import { checkRequestHead, HEADER_BYTES_MAX, standardHeaders } from './headers.ts'
import type { Credential } from './identify.ts'
import { acceptJson, JSON_BODY_BYTES_MAX } from './json-body.ts'
import { lingerAtTheEnd } from './linger.ts'
import { renderProblem, toAppError } from './problem.ts'
import { collectRoutes, type RouteEntry } from './route-list.ts'
import { socketErrors } from './socket-errors.ts'

export type Server = FastifyInstance<
  NodeServer,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a caller must present. Every route says so, or the server does not start. */
    credential?: Credential
    /** Probes of an orchestrator are not limited. */
    unlimited?: boolean
    /**
     * Scans are limited by the plan of their key; everything else with a credential has one common limit, but for what
     * calls others with our own credentials. Of what needs none, signing in, resetting a password and the assistant have lower limits than the rest, and calls of the
     * marketplace a higher one.
     */
    rate?: 'scan' | 'sign-in' | 'reset' | 'chat' | 'webhook' | 'resolve'
    /** Needs no credential, but concerns sessions: browsers may use it only from our own pages. */
    ownSite?: boolean
    /** Needs no credential, but is only for those who know us by our own name. */
    ownHost?: boolean
    /** Judges the token in `Authorization` itself. Without one, the body is not worth reading. */
    ownToken?: boolean
    /** Needs no credential, but is only for those who do not come through a proxy. */
    direct?: boolean
    /** The answer sets the cookie of a session; for the description. */
    startsSession?: boolean
    /** The handler reads the body itself, as it arrives. The schema is for the description only. */
    streamed?: TSchema
    /** Headers that the handler reads and judges itself, in its own order. The schema is for the description only. */
    describedHeaders?: TSchema
    /** The request body may be left out altogether. */
    bodyOptional?: boolean
    /** The code for a body that is JSON but no object, where it is not `invalid_request`. */
    invalidBody?: ErrorCode
    /** Refusals of this route beyond those that every route of its kind has; for the description. */
    problems?: ErrorCode[]
  }
  interface FastifyRequest {
    principal: Principal | null
  }
}

/** Named and given from outside, so that a test can set them low. */
export const SERVER_LIMITS = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 120_000,
  checkTimeoutsEveryMs: 2_000,
  keepAliveTimeoutMs: 72_000,
  connectionsMax: 8_000,
  silentDrainMs: 1_000,
  drainTimeoutMs: 40_000,
}

export interface ServerOptions extends AdmissionOptions {
  publicUrl: string
  /** The public address is https. */
  secure: boolean
  trustedProxies: readonly string[]
  log: Log
  limits?: typeof SERVER_LIMITS
}

/** The path without its query, which may hold anything, and without a key or token that somebody put into it. */
const PATH_LOGGED_MAX = 200
/** Keys and tokens; an id has 36 characters. */
const LONG_WORD = /[0-9A-Za-z_]{30,}|[0-9A-Za-z_-]{40,}/g
function pathOf(url = '/'): string {
  const path = (url.split('?', 1)[0] as string).slice(0, HEADER_BYTES_MAX)
  const plain = path.includes('%')
    ? path.replace(/%([0-9A-Fa-f]{2})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : path
  return plain.replace(LONG_WORD, '[redacted]').slice(0, PATH_LOGGED_MAX)
}

/** No endpoint of the interface takes a query; one that is sent would be a misunderstanding, so it is refused. */
const NO_QUERY = Type.Object({}, { additionalProperties: false })

const asIs = (payload: unknown): string => payload as string

const bodyUnread = ({ complete, headers }: IncomingMessage): boolean =>
  !complete && (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')

export function createServer(options: ServerOptions): { server: Server; routes: readonly RouteEntry[] } {
  const { publicUrl, log, limits = SERVER_LIMITS } = options
  const headersFor = standardHeaders(options.secure)
  const sockets = socketErrors({ publicUrl, headers: headersFor, limits, log })
  const admit = createAdmission(options)

  function sendProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const refusal = toAppError(error)
    const { status, headers, body } = renderProblem(refusal, request.id, publicUrl)
    if (status >= 500 && !refusal.isExpected) {
      const { code, cause, message } = refusal
      // A refusal without a cause was meant: where in the code it was said tells an operator nothing.
      if (cause === undefined) log.warn({ requestId: request.id, code }, message)
      else log.error({ requestId: request.id, err: cause }, message)
    }
    // A body that nobody will read ends with its connection.
    if (bodyUnread(request.raw)) {
      reply.header('connection', 'close')
      lingerAtTheEnd(request.raw.socket)
    }
    return reply.code(status).headers(headersFor(request.id)).headers(headers).serializer(asIs).send(body)
  }

  function logRequest(request: FastifyRequest, reply: FastifyReply): void {
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path: pathOf(request.raw.url),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        keyId: request.principal?.kind === 'key' ? request.principal.keyId : undefined,
        accountId: request.principal?.kind === 'session' ? request.principal.accountId : undefined,
      },
      'request',
    )
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
    // Whatever fits into an address is judged by the schema of its route, after the credential.
    routerOptions: { maxParamLength: HEADER_BYTES_MAX },
    http: {
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: limits.checkTimeoutsEveryMs,
      maxHeaderSize: HEADER_BYTES_MAX,
      // A missing Host is ours to refuse: the parser would do it without a body.
      requireHostHeader: false,
    },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true } },
    // The hooks do not run for these, so the line for the log is written here.
    frameworkErrors(error, request, reply) {
      sendProblem(error, request, reply)
      logRequest(request, reply)
    },
    clientErrorHandler: sockets.onClientError,
  }).withTypeProvider<TypeBoxTypeProvider>()

  server.server.maxConnections = limits.connectionsMax
  sockets.listen(server.server)
  const plain = server as unknown as FastifyInstance
  const routes = collectRoutes(plain)
  server.addHook('onRoute', (route) => {
    if (route.url.startsWith('/api/')) route.schema = { querystring: NO_QUERY, ...route.schema }
  })
  acceptJson(plain)
  answerContinueLate(plain)
  drainOnClose(plain, limits)
  answerHalfClosed(server.server)
  server.decorateRequest('principal', null)
  server.setErrorHandler(sendProblem)

  server.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request.id))
    try {
      checkRequestHead(request.raw)
      if (request.is404) throw routes.refuse(request.raw.url ?? '/')
    } catch (error) {
      done(error as Error)
      return
    }
    admit(request, reply).then(() => done(), done)
  })

  server.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })

  return { server, routes: routes.entries }
}
