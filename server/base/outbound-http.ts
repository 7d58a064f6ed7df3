/** One HTTP client for every call: bounded in time and size, to allowed addresses only, no decompression, no proxy of the environment. */
import { type IncomingHttpHeaders, type IncomingMessage, Agent as PlainAgent, request as requestPlain } from 'node:http'
import { request as requestSecure, Agent as SecureAgent } from 'node:https'
import { connectThrough } from './outbound-proxy.ts'
import {
  createOutboundRules,
  type OutboundRules,
  type Refused,
  RefusedAddress,
  redirectOf,
  type Target,
  targetOf,
} from './outbound-rules.ts'
import { traceHeaders } from './trace.ts'

interface OutboundOpening {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  headers: Record<string, string>
  body?: string
  deadline: AbortSignal
  /** How many are followed; if not given, a redirect is the response. The headers are not sent to where they lead. */
  redirectsMax?: number
}

export interface OutboundRequest extends OutboundOpening {
  responseBytesMax: number
}

export interface OutboundResponse {
  kind: 'answered'
  status: number
  headers: IncomingHttpHeaders
  body: string
}

export type Failed =
  | Refused
  /**
   * The connection failed or ended before the response was complete. `why` is an error code, never the peer's text.
   * Once a byte of the response has arrived, the peer did the work, and a retry may be billed again.
   */
  | { kind: 'broken'; why: string; responseBegan: boolean }
  | { kind: 'late'; responseBegan: boolean }
  | { kind: 'invalid'; why: 'too large' | 'not UTF-8' | 'compressed' | 'not HTTP' }

export type Outcome = OutboundResponse | Failed

/** Destroy the stream if it is not read to its end. The deadline destroys it as well. */
type Opened =
  | { kind: 'opened'; status: number; headers: IncomingHttpHeaders; stream: IncomingMessage; url: URL }
  | Failed

/** Before the response itself: a peer could send them without end, and each takes as long to read as a response. */
export const INFORMATIONAL_MAX = 100

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Although the request has asked for none of it. */
export const isCompressed = (headers: IncomingHttpHeaders): boolean =>
  (headers['content-encoding']?.trim().toLowerCase() || 'identity') !== 'identity'

function compressed(stream: IncomingMessage): Outcome {
  stream.destroy()
  return { kind: 'invalid', why: 'compressed' }
}

async function readText(response: IncomingMessage, bytesMax: number): Promise<Outcome> {
  const { headers, statusCode: status = 0 } = response
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > bytesMax) return { kind: 'invalid', why: 'too large' }
    chunks.push(chunk)
  }
  try {
    return { kind: 'answered', status, headers, body: utf8.decode(Buffer.concat(chunks)) }
  } catch {
    return { kind: 'invalid', why: 'not UTF-8' }
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'connection closed'

/** The parser's codes for a response that is not HTTP or whose headers are too large. */
const isParseError = (code: string): boolean => code.startsWith('HPE_')

/** A call and, if it is redirected, those that follow. */
interface Attempt {
  deadline: AbortSignal
  responseBegan: boolean
}

function failureOf(error: unknown, { deadline, responseBegan }: Attempt): Failed {
  if (error instanceof RefusedAddress) return error.refused
  if (deadline.aborted) return { kind: 'late', responseBegan }
  const why = codeOf(error)
  return isParseError(why) ? { kind: 'invalid', why: 'not HTTP' } : { kind: 'broken', why, responseBegan }
}

/** The client has not written the URL that was refused. */
const redirected = ({ kind, why }: Refused): Refused => ({
  kind,
  isForm: false,
  why: why.startsWith('redirects') ? why : `redirects to a URL that ${why}`,
})

/** For the URLs of settings: the operator has named their hosts. */
export const createConfiguredHttp = (...urls: readonly string[]) => createProxiedHttp(urls, null)

export const createProxiedHttp = (urls: readonly string[], proxy: string | null) =>
  createOutboundHttp({ rules: createOutboundRules(urls.map(targetOf)), isTrusted: true, proxy, isProxyForOwn: true })

interface ClientOptions {
  rules: Pick<OutboundRules, 'target'>
  /** Connections are kept, and calls carry the trace of the request. */
  isTrusted?: boolean
  /** Connections are kept: their address was checked when they were opened. */
  keepsConnections?: boolean
  /** The URL of a proxy, for all but the operator's own targets. */
  proxy?: string | null
  /** The proxy is also for the operator's own targets, and resolves their names. */
  isProxyForOwn?: boolean
}

export function createOutboundHttp(client: ClientOptions) {
  const { rules, isTrusted = false, keepsConnections = isTrusted, proxy = null, isProxyForOwn = false } = client
  const plain = new PlainAgent({ keepAlive: keepsConnections })
  const secure = new SecureAgent({ keepAlive: keepsConnections })

  /** Resolves to null if the peer switches to another protocol, or never comes to its response. */
  async function start(
    { method, headers, body, deadline: signal }: OutboundOpening,
    target: Target,
    attempt: Attempt,
  ): Promise<IncomingMessage | null> {
    const { url, lookup } = target
    const tunnel = proxy === null ? null : await connectThrough(proxy, target, { signal, isForOwn: isProxyForOwn })
    const trace = isTrusted ? traceHeaders() : {}
    const options = {
      method,
      headers: { ...headers, ...trace, 'accept-encoding': 'identity' },
      signal,
      ...(lookup && { lookup }),
    }
    return await new Promise((resolve, reject) => {
      const onTunnel = tunnel && { createConnection: () => tunnel }
      const sent =
        url.protocol === 'https:'
          ? requestSecure(url, { ...options, ...(onTunnel ?? { agent: secure }) })
          : requestPlain(url, { ...options, ...(onTunnel ?? { agent: plain }) })
      sent.on('response', resolve)
      let informational = 0
      sent.on('information', () => {
        if (++informational <= INFORMATIONAL_MAX) return
        resolve(null)
        sent.destroy()
      })
      sent.on('upgrade', (_response, socket) => {
        socket.destroy()
        resolve(null)
      })
      sent.on('error', reject)
      // Settles the promise in every case: no caller waits for a request that has ended.
      sent.on('close', () => reject(new Error('The connection closed without a response')))
      sent.on('socket', (socket) =>
        socket.once('data', () => {
          attempt.responseBegan = true
        }),
      )
      sent.end(body)
    })
  }

  async function call(request: OutboundOpening, attempt: Attempt): Promise<Opened> {
    const target = rules.target(request.url)
    if (target.kind === 'refused') return target
    const response = await start(request, target, attempt)
    if (response === null) return { kind: 'invalid', why: 'not HTTP' }
    const { statusCode: status = 0, headers } = response
    return { kind: 'opened', status, headers, stream: response, url: target.url }
  }

  async function follow(request: OutboundOpening, redirectsMax: number, attempt: Attempt): Promise<Opened> {
    const opened = await call(request, attempt)
    if (opened.kind !== 'opened' || !REDIRECTS.has(opened.status)) return opened
    const { location } = opened.headers
    if (location === undefined) return opened
    opened.stream.destroy()
    if (redirectsMax === 0) return { kind: 'refused', isForm: false, why: 'redirects too often' }
    const next = redirectOf(opened.url, location)
    if (typeof next !== 'string') return redirected(next)
    const followed = await follow({ ...request, url: next, headers: {} }, redirectsMax - 1, attempt)
    return followed.kind === 'refused' ? redirected(followed) : followed
  }

  async function open(request: OutboundOpening, attempt: Attempt): Promise<Opened> {
    try {
      const { redirectsMax } = request
      return await (redirectsMax === undefined ? call(request, attempt) : follow(request, redirectsMax, attempt))
    } catch (error) {
      return failureOf(error, attempt)
    }
  }

  return {
    /** Resolves when the headers of the response have arrived. */
    open: (request: OutboundOpening): Promise<Opened> =>
      open(request, { deadline: request.deadline, responseBegan: false }),

    async send(request: OutboundRequest): Promise<Outcome> {
      const attempt = { deadline: request.deadline, responseBegan: false }
      const opened = await open(request, attempt)
      if (opened.kind !== 'opened') return opened
      // The response to HEAD describes a body that is not sent.
      if (request.method !== 'HEAD' && isCompressed(opened.headers)) return compressed(opened.stream)
      return await readText(opened.stream, request.responseBytesMax).catch((error) => failureOf(error, attempt))
    },

    close(): void {
      plain.destroy()
      secure.destroy()
    },
  }
}
