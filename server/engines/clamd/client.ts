/** A client of clamd's protocol: one connection per request; the reply is everything until clamd closes it. */
import net from 'node:net'
import type { ClamdEndpoint } from './endpoint.ts'

/** clamd accepts a connection and closes it after its reply within this time. If it does not close, another reply may follow. */
const STEP_TIMEOUT_MS = 1_000
const REPLY_BYTES_MAX = 4_096
const INSTREAM = Buffer.from('zINSTREAM\0')
const END_OF_STREAM = Buffer.alloc(4)
/** For all reads of all connections, because each is copied at once: by default a connection takes 64 KB for a reply of eleven bytes. */
const READ_BUFFER = Buffer.alloc(1_024)

export type Chunks = readonly Buffer[]

export type Exchange =
  /** `complete`: the reply came after the whole document, and the connection was closed in order. */
  | { kind: 'answered'; reply: Buffer; complete: boolean }
  /** No reply, through clamd's fault. `connected`: it had accepted the connection, and perhaps the document. */
  | { kind: 'unanswered'; connected: boolean; detail: string }
  /** The signal fired. `waiting`: for clamd. */
  | { kind: 'aborted'; waiting: boolean }
  /** The document was disposed before it was sent; clamd is not at fault. */
  | { kind: 'withdrawn' }

/** Never rejects. */
export function sendDocument(endpoint: ClamdEndpoint, chunks: Chunks, signal: AbortSignal): Promise<Exchange> {
  return exchange(endpoint, () => framed(chunks), signal)
}

/** Sends a command without a document. Never rejects. */
export function ask(endpoint: ClamdEndpoint, command: 'PING' | 'VERSION', signal: AbortSignal): Promise<Exchange> {
  return exchange(endpoint, () => [Buffer.from(`z${command}\0`)], signal)
}

/** Without control, format and lone surrogate characters, because the text goes into logs, records and responses. */
export function printable(text: string, lengthMax: number): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
}

/** In one frame, which is a length of four bytes and that many bytes; a length of zero ends the document. */
function framed(chunks: Chunks): Buffer[] | null {
  const size = chunks.reduce((sum, { length }) => sum + length, 0)
  // Disposed. clamd would answer OK.
  if (size === 0) return null
  const head = Buffer.allocUnsafe(INSTREAM.length + 4)
  head.set(INSTREAM)
  head.writeUInt32BE(size, INSTREAM.length)
  return [head, ...chunks, END_OF_STREAM]
}

/** `parts` is called when they can be sent. */
function exchange(endpoint: ClamdEndpoint, parts: () => Buffer[] | null, signal: AbortSignal): Promise<Exchange> {
  if (signal.aborted) return Promise.resolve<Exchange>({ kind: 'aborted', waiting: false })
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  let reply = Buffer.alloc(0)
  let connected = false
  let isWritten = false
  // A reply before the end of the document is not about the document.
  let isAfterAll = false
  let over = false

  function settle(result: Exchange): void {
    if (over) return
    over = true
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    socket.destroy()
    resolve(result)
  }
  function unanswered(detail: string): void {
    settle({ kind: 'unanswered', connected, detail })
  }
  function abort(): void {
    settle({ kind: 'aborted', waiting: true })
  }
  function timeout(): void {
    const hadReply = reply.length > 0
    // Our own process may be late: what clamd did meanwhile is noticed before this is decided.
    setImmediate(() => {
      if (!connected) unanswered('did not accept the connection in time')
      if (hadReply) unanswered(`answered "${printable(reply.toString('utf8'), 100)}" and did not close`)
    })
  }
  function receive(count: number): boolean {
    if (reply.length === 0) isAfterAll = isWritten
    reply = Buffer.concat([reply, READ_BUFFER.subarray(0, count)])
    if (reply.length > REPLY_BYTES_MAX) unanswered(`answered more than ${REPLY_BYTES_MAX} bytes`)
    else if (!over) timer.refresh()
    return true
  }
  function closed(detail: string, isOrderly: boolean): void {
    if (reply.length === 0) unanswered(detail)
    else settle({ kind: 'answered', reply, complete: isAfterAll && isOrderly })
  }

  const timer = setTimeout(timeout, STEP_TIMEOUT_MS)
  signal.addEventListener('abort', abort, { once: true })
  const onread = { buffer: READ_BUFFER, callback: receive }
  // Half open: otherwise Node shuts its side down, in one more system call, before it says that clamd closed.
  const socket = new Socket({ allowHalfOpen: true, noDelay: true, onread })
  socket.once('connect', () => {
    connected = true
    const rest = parts() ?? []
    const last = rest.pop()
    if (!last) return settle({ kind: 'withdrawn' })
    // In one system call and without copying.
    socket.cork()
    for (const part of rest) socket.write(part)
    socket.write(last, (error) => {
      isWritten = !error
    })
    socket.uncork()
  })
  socket.once('end', () => closed('closed the connection without an answer', true))
  // clamd may have sent a reply before it closed, as it does past its size limit.
  socket.on('error', (error: NodeJS.ErrnoException) =>
    closed(`connection failed: ${error.code ?? error.message}`, false),
  )
  socket.connect(endpoint.target)
  return promise
}

/**
 * Past its size limit clamd says so and closes while we write. Node would destroy the socket because of the failed
 * write, and lose the reply that waits to be read; reading it takes one more turn of the event loop.
 */
class Socket extends net.Socket {
  override destroy(error?: Error): this {
    if (!error || this.connecting) return super.destroy(error)
    setImmediate(() => setImmediate(() => super.destroy(error)))
    return this
  }
}
