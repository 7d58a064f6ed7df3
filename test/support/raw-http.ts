/** HTTP/1.1 over a raw socket, for requests that no HTTP library would send. */

import http from 'node:http'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const HOST = '127.0.0.1'
/** Silence after the last expected response before the exchange counts as complete. */
const QUIET_MS = 100

export interface Answer {
  status: number
  /** Lower-case names; repeated fields are joined by `, ` (see `rawHeaders`). */
  headers: Record<string, string>
  rawHeaders: [string, string][]
  body: string
  json(): unknown
}

export interface RawResponse extends Answer {
  reason: string
  /** False if the connection ended within this response. */
  complete: boolean
}

export interface Exchange {
  /** In order of arrival, interim (1xx) responses included. */
  responses: RawResponse[]
  /** Remaining bytes that are not a response. */
  rest: string
  /** The server closed or reset the connection. */
  closed: boolean
  reset: boolean
  /** Until the last byte, the close or the timeout. */
  elapsedMs: number
}

export interface SendOptions {
  timeoutMs?: number
  /** Wait for the server to close instead of for a number of responses. */
  keepOpen?: boolean
  pauseMsBetweenChunks?: number
  /** For HEAD requests: responses have no body. */
  head?: boolean
  /** Number of final responses to wait for. */
  expect?: number
}

export async function send(
  port: number,
  bytes: string | Buffer | Buffer[],
  options: SendOptions = {},
): Promise<Exchange> {
  const { timeoutMs = 5_000, keepOpen = false, pauseMsBetweenChunks = 0, head = false, expect = 1 } = options
  const { promise, resolve, reject } = Promise.withResolvers<Exchange>()
  const started = performance.now()
  const responses: RawResponse[] = []
  let pending: Buffer = Buffer.alloc(0)
  let connected = false
  let answeredAt: number | null = null
  let quiet: NodeJS.Timeout | undefined

  const socket = net.connect({ port, host: HOST, noDelay: true })
  const take = (state: StreamState) => {
    for (let next = parse(pending, head, state); next; next = parse(pending, head, state)) {
      responses.push(next.response)
      pending = pending.subarray(next.used)
    }
  }
  const finish = (state: StreamState, how: { closed: boolean; reset: boolean }) => {
    socket.removeAllListeners().on('error', () => {})
    socket.destroy()
    clearTimeout(quiet)
    clearTimeout(limit)
    if (how.closed) answeredAt = performance.now()
    const elapsedMs = (answeredAt ?? performance.now()) - started
    try {
      take(state)
      resolve({ responses, rest: pending.toString('latin1'), ...how, elapsedMs })
    } catch (error) {
      reject(error)
    }
  }
  const enough = () => finish('cut', { closed: false, reset: false })
  const limit = setTimeout(enough, timeoutMs)
  const active = () => {
    clearTimeout(quiet)
    const final = responses.filter((response) => response.status >= 200)
    // Wait for an announced close, so that `closed` does not depend on load.
    if (keepOpen || final.length < expect || final.at(-1)?.headers.connection === 'close') return
    quiet = setTimeout(enough, QUIET_MS + pauseMsBetweenChunks)
  }
  socket.on('data', (chunk) => {
    answeredAt = performance.now()
    pending = Buffer.concat([pending, chunk])
    try {
      take('open')
      active()
    } catch {
      enough()
    }
  })
  socket.on('end', () => finish('closed', { closed: true, reset: false }))
  socket.on('error', (error) => {
    if (!connected) reject(error)
    finish('cut', { closed: true, reset: true })
  })
  socket.on('connect', async () => {
    connected = true
    for (const [index, chunk] of (Array.isArray(bytes) ? bytes : [bytes]).entries()) {
      if (index > 0 && pauseMsBetweenChunks > 0) await sleep(pauseMsBetweenChunks)
      if (socket.destroyed) return
      await new Promise((written) => socket.write(chunk, written))
      if (!socket.destroyed) active()
    }
  })
  return promise
}

/** State of the server's side: still open, cut off (by a reset or our timeout), or ended. */
type StreamState = 'open' | 'cut' | 'closed'

interface Parsed {
  response: RawResponse
  used: number
}

interface Body {
  content: Buffer
  used: number
  complete: boolean
}

/** Parses one response; null while it is incomplete and more may arrive. */
function parse(bytes: Buffer, head: boolean, state: StreamState): Parsed | null {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd < 0) return null
  const [first = '', ...fields] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const [, code, reason] = /^HTTP\/1\.[01] (\d{3})(?: (.*))?$/.exec(first) ?? []
  if (!code) throw new Error(`not a status line of HTTP/1: ${JSON.stringify(first.slice(0, 200))}`)
  const rawHeaders = fields.map((field): [string, string] => {
    const colon = field.indexOf(':')
    return [field.slice(0, colon), field.slice(colon + 1).trim()]
  })
  const headers = joined(rawHeaders)
  const status = Number(code)
  const rest = bytes.subarray(headEnd + 4)
  const bodyless = head || status < 200 || status === 204 || status === 304
  const part = bodyless ? sized(rest, 0) : bodyOf(rest, headers, state)
  if (!part.complete && state === 'open') return null
  const body = part.content.toString('utf8')
  return {
    response: {
      status,
      reason: reason ?? '',
      headers,
      rawHeaders,
      body,
      complete: part.complete,
      json: () => JSON.parse(body),
    },
    used: headEnd + 4 + part.used,
  }
}

function bodyOf(bytes: Buffer, headers: Record<string, string>, state: StreamState): Body {
  if (headers['transfer-encoding']?.toLowerCase().endsWith('chunked')) return chunked(bytes)
  if (headers['content-length'] !== undefined) return sized(bytes, Number(headers['content-length']))
  return { content: bytes, used: bytes.length, complete: state === 'closed' }
}

function sized(bytes: Buffer, length: number): Body {
  const content = bytes.subarray(0, length)
  return { content, used: content.length, complete: content.length === length }
}

function chunked(bytes: Buffer): Body {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const start = lineEnd + 2
    if (Number.isNaN(size) || bytes.length < start + size + 2) {
      return { content: Buffer.concat(chunks), used: bytes.length, complete: false }
    }
    if (size === 0) {
      // Trailers, if any, end with an empty line like the header does.
      const end = bytes.indexOf('\r\n\r\n', lineEnd)
      return { content: Buffer.concat(chunks), used: end < 0 ? bytes.length : end + 4, complete: end >= 0 }
    }
    chunks.push(bytes.subarray(start, start + size))
    at = start + size + 2
  }
}

function joined(rawHeaders: [string, string][]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase()
    headers[key] = headers[key] === undefined ? value : `${headers[key]}, ${value}`
  }
  return headers
}

export interface RequestOptions {
  headers?: Record<string, string>
  /** Bytes or text are sent unchanged, anything else as JSON. */
  body?: unknown
  timeoutMs?: number
  /** The address of the client, for limits per address. */
  localAddress?: string
}

/** Long: others use the cores, too. */
const REQUEST_TIMEOUT_MS = 90_000

/** One well-formed request on its own connection. */
export function request(port: number, method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const { bytes, type } = encoded(options.body)
  // Node would send the body of a DELETE request without its length.
  const length = bytes !== undefined && method === 'DELETE' ? { 'content-length': `${Buffer.byteLength(bytes)}` } : {}
  const headers = { ...type, ...length, ...options.headers }
  const outgoing = http.request({
    host: HOST,
    localAddress: options.localAddress,
    port,
    method,
    path,
    headers,
    agent: false,
  })
  outgoing.setTimeout(options.timeoutMs ?? REQUEST_TIMEOUT_MS, () =>
    outgoing.destroy(new Error(`${method} ${path} timed out`)),
  )
  let answered = false
  // A server may respond and close before it has read the body; the response counts, not the broken upload.
  outgoing.on('error', (error) => answered || reject(error))
  outgoing.on('response', async (incoming) => {
    answered = true
    const chunks: Buffer[] = []
    try {
      for await (const chunk of incoming) chunks.push(chunk)
    } catch (error) {
      return reject(error)
    }
    const names = incoming.rawHeaders.filter((_, index) => index % 2 === 0)
    const rawHeaders = names.map((name, index): [string, string] => [name, incoming.rawHeaders[index * 2 + 1] ?? ''])
    const body = Buffer.concat(chunks).toString('utf8')
    const status = incoming.statusCode ?? 0
    resolve({ status, headers: joined(rawHeaders), rawHeaders, body, json: () => JSON.parse(body) })
  })
  outgoing.end(bytes)
  return promise
}

function encoded(body: unknown): { bytes?: string | Uint8Array; type?: Record<string, string> } {
  if (body === undefined) return {}
  if (typeof body === 'string' || body instanceof Uint8Array) return { bytes: body }
  return { bytes: JSON.stringify(body), type: { 'content-type': 'application/json' } }
}
