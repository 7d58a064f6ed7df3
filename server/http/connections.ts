/** Connection handling that Node's server lacks: late `100 Continue`, half-closed clients, lingering, draining. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply } from 'fastify'

export type HttpSocket = Socket & { _httpMessage?: ServerResponse | null }

/** Sends `100 Continue` only once a handler reads the body; a refusal is the final status instead. */
export function answerContinueLate(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    // After the response, Node itself resumes the stream to discard the rest of the body.
    request.once('resume', () => {
      if (!response.headersSent) response.writeContinue()
    })
    server.emit('request', request, response)
  })
}

/** The first probe to a disconnected client provokes a reset; the second one fails on it. */
export const PROBE_INTERVAL_MS = 500

/** Sends `102 Processing`, which every HTTP/1.1 client must accept and ignore. */
function probe(socket: HttpSocket): void {
  const response = socket._httpMessage
  if (!response || response.headersSent || !socket.writable || response.req.httpVersionMinor === 0) return
  response.writeProcessing()
}

/** Serves clients that half-close after sending, and detects those that disconnected, which look the same at first. */
export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket: HttpSocket) => {
    socket.once('end', () => {
      const timer = setInterval(probe, PROBE_INTERVAL_MS, socket)
      socket.once('close', () => clearInterval(timer))
      if (socket.destroyed) clearInterval(timer)
    })
  })
}

/** Aborts when the client disconnects before it has received the response. */
export function whileConnected({ raw }: FastifyReply): AbortSignal {
  const disconnected = new AbortController()
  raw.once('close', () => raw.writableFinished || disconnected.abort())
  return disconnected.signal
}

const LINGER_MS = 1_000
/** Node reads and drops the rest of a smaller body, which costs less than a new connection. */
export const DROPPED_BYTES_MAX = 131_072

function isUnread({ complete, headers }: IncomingMessage): boolean {
  return !complete && (headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0')
}

/** The rest of the body is short and on its way. */
export function isDroppable({ headers }: IncomingMessage): boolean {
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  return Number(headers['content-length'] ?? 0) <= DROPPED_BYTES_MAX
}

/** Node's parser of a connection. It calls its own method for every piece of a body. */
type Parser = Record<string, unknown>
type ParsedSocket = Socket & { parser?: Parser | null }

const methods = new WeakMap<Socket, { parser: Parser; name: string; onBody: unknown }>()

/** Call it before every request: the parser may still drop the body of the one before. */
export function parseBody(socket: Socket): void {
  const dropped = methods.get(socket)
  if (dropped) dropped.parser[dropped.name] = dropped.onBody
}

/**
 * Drops the body from now on. By default, Node does so only after the response, and keeps what arrives until then. The
 * parser copies every piece unless it has no method for it; copying took 12 % of the CPU time of a refusal.
 */
export function dropBody(request: IncomingMessage & { _dump?(): void }): void {
  request._dump?.()
  skipBody(request.socket)
}

function skipBody(socket: ParsedSocket): void {
  const { parser } = socket
  if (!parser) return
  let dropped = methods.get(socket)
  if (dropped?.parser !== parser) {
    const [name, onBody] =
      Object.entries(parser).find(([, each]) => (each as { name?: string })?.name === 'parserOnBody') ?? []
    if (name === undefined) return
    dropped = { parser, name, onBody }
    methods.set(socket, dropped)
    // Node uses parsers for further connections.
    socket.once('close', () => parseBody(socket))
  }
  parser[dropped.name] = undefined
}

/** Of each connection, the last request whose headers were complete. */
const lastRequests = new WeakMap<object, IncomingMessage>()

/** A response was sent before the whole body arrived: whatever is wrong with the rest, there is no second one. */
export function isAnsweredEarly(socket: object & { _httpMessage?: ServerResponse | null }): boolean {
  return !socket._httpMessage && lastRequests.get(socket)?.complete === false
}

/** Prepares every request. Call it after all other listeners for requests were added. */
export function followRequests(server: Server): void {
  server.prependListener('request', (request, response) => {
    lastRequests.set(request.socket, request)
    // Node ignores an upgrade, but also all bytes that arrive with it: the client has to send them again.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false
  })
}

/** `onIncoming` is called with every request whose headers are complete, before there is a response to it. */
interface RequestParser extends Parser {
  onIncoming?: ((request: IncomingMessage, shouldKeepAlive: boolean) => number) | null
}

/** Nothing is being sent on it, and Node will close it when it stays idle, which it arranges with the first response. */
const isIdle = (socket: HttpSocket): boolean => !socket._httpMessage && !socket.writableLength && !!socket.timeout

/**
 * Calls `answer` before Node creates a response, for requests to which writing to the socket is all that is needed: the
 * connection is kept, and a short body is dropped. If it returns false, the request is handled as usual. A refusal takes
 * 65 to 92 µs of CPU time so (1 and 100 KB), and 87 to 122 µs otherwise. `onIncoming` is private to Node: a test fails without it.
 */
export function answerEarly(server: Server, answer: (request: IncomingMessage) => boolean): void {
  server.on('connection', (socket: HttpSocket & { parser?: RequestParser | null }) => {
    const { parser } = socket
    const onIncoming = parser?.onIncoming
    if (!parser || !onIncoming) return
    parser.onIncoming = (request, shouldKeepAlive) => {
      const isPlain = shouldKeepAlive && isIdle(socket) && isDroppable(request) && !request.headers.upgrade
      if (!isPlain || !answer(request)) return onIncoming(request, shouldKeepAlive)
      lastRequests.set(socket, request)
      skipBody(socket)
      return 0
    }
  })
}

/**
 * True if the response must close the connection. The close is delayed then, because the client is still sending and a
 * reset would discard the response.
 */
export function closeIfUnread(request: IncomingMessage): boolean {
  if (!isUnread(request)) return false
  const { socket } = request
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.end()
  }
  return true
}

interface DrainLimits {
  /** For connections without a request, and for requests whose headers are incomplete. */
  silentDrainMs: number
  /** For requests in progress. */
  drainTimeoutMs: number
}

/**
 * Graceful shutdown: finishes requests in progress, within limits that no open connection can extend. Node closes idle
 * connections too early, silent ones never, and stops checking timeouts.
 */
export function drainOnClose(server: FastifyInstance, { silentDrainMs, drainTimeoutMs }: DrainLimits): void {
  const open = new Set<HttpSocket>()
  let closing = false

  server.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })

  function closeSilent(): void {
    for (const socket of open) if (!socket._httpMessage) socket.destroy()
  }

  server.addHook('preClose', (done) => {
    closing = true
    // Node would close idle connections at once, even with a request in flight. They get the same grace period as
    // silent connections, and a response with `Connection: close`.
    server.server.closeIdleConnections = () => {}
    setTimeout(closeSilent, silentDrainMs).unref()
    setTimeout(() => server.server.closeAllConnections(), drainTimeoutMs).unref()
    done()
  })

  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
