/** A client of clamd's protocol: one connection per request; the reply is everything until clamd closes it. */
import net from 'node:net'
import type { ClamdEndpoint } from './endpoint.ts'

const CONNECT_TIMEOUT_MS = 1_000
const REPLY_BYTES_MAX = 4_096
const READ_BYTES = 1_024
/** clamd closes right after its reply. If it does not, another reply may follow. */
const CLOSE_TIMEOUT_MS = 1_000
/** Chunks that have arrived are sent together, up to about this much in one frame. */
const FRAME_BYTES = 128 * 1024
const END_OF_STREAM = Buffer.alloc(4)
const INSTREAM = Buffer.from('zINSTREAM\0')

export type Document = AsyncIterable<Buffer> | Iterable<Buffer>

export type Exchange =
  /** `complete`: the reply came after the whole document, and the connection was closed in order. */
  | { kind: 'answered'; reply: Buffer; complete: boolean }
  /** No reply, through clamd's fault. `connected`: it had accepted the connection, and perhaps the document. */
  | { kind: 'unanswered'; connected: boolean; detail: string }
  /** The signal fired. `waiting`: for clamd, and not for more of the document. */
  | { kind: 'aborted'; waiting: boolean }
  /** The document itself was aborted; clamd is not at fault. */
  | { kind: 'withdrawn'; reason: unknown }

/** Sends the document while it arrives. Never rejects. */
export function sendDocument(endpoint: ClamdEndpoint, document: Document, signal: AbortSignal): Promise<Exchange> {
  return exchange(endpoint, signal, (output) => sendFrames(document, output))
}

/** Sends a command without a document. Never rejects. */
export function ask(endpoint: ClamdEndpoint, command: 'PING' | 'VERSION', signal: AbortSignal): Promise<Exchange> {
  return exchange(endpoint, signal, async (output) => output.finish(Buffer.from(`z${command}\0`)))
}

/** Without control, format and lone surrogate characters, because the text goes into logs, records and responses. */
export function printable(text: string, lengthMax: number): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, lengthMax)
}

function exchange(endpoint: ClamdEndpoint, signal: AbortSignal, send: (output: Output) => Promise<void>) {
  if (signal.aborted) return Promise.resolve<Exchange>({ kind: 'aborted', waiting: false })
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  let reply = Buffer.alloc(0)
  let connected = false
  // A reply before the end of the document is not about the document.
  let isAfterAll = false

  // One small buffer for all reads: by default each takes 64 KB, for a reply of eleven bytes.
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  const callback = (count: number) => {
    receive(buffer.subarray(0, count))
    return true
  }
  const socket = net.connect({ ...endpoint.target, onread: { buffer, callback }, noDelay: true })
  readBeforeDestroyed(socket)
  const output = createOutput(socket)
  let timer = setTimeout(() => unanswered('did not accept the connection in time'), CONNECT_TIMEOUT_MS)

  function settle(result: Exchange): void {
    if (output.isOver()) return
    output.stop()
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    socket.destroy()
    resolve(result)
  }
  function unanswered(detail: string): void {
    settle({ kind: 'unanswered', connected, detail })
  }
  function abort(): void {
    settle({ kind: 'aborted', waiting: output.isFinished() || output.isBlocked() || !connected })
  }
  function receive(bytes: Buffer): void {
    if (reply.length === 0) isAfterAll = output.isFinished()
    reply = Buffer.concat([reply, bytes])
    if (reply.length > REPLY_BYTES_MAX) unanswered(`answered more than ${REPLY_BYTES_MAX} bytes`)
    if (output.isOver()) return
    clearTimeout(timer)
    const onTimeout = () => unanswered(`answered "${printable(reply.toString('utf8'), 100)}" and did not close`)
    timer = setTimeout(onTimeout, CLOSE_TIMEOUT_MS)
  }
  function closed(detail: string, isOrderly: boolean): void {
    if (reply.length === 0) unanswered(detail)
    else settle({ kind: 'answered', reply, complete: isAfterAll && isOrderly })
  }

  signal.addEventListener('abort', abort, { once: true })
  socket.once('connect', () => {
    connected = true
    clearTimeout(timer)
  })
  socket.once('end', () => closed('closed the connection without an answer', true))
  // clamd may have sent a reply before it closed, as it does past its size limit.
  socket.on('error', (error: NodeJS.ErrnoException) =>
    closed(`connection failed: ${error.code ?? error.message}`, false),
  )
  send(output).catch((reason: unknown) => settle({ kind: 'withdrawn', reason }))
  return promise
}

type Output = ReturnType<typeof createOutput>

function createOutput(socket: net.Socket) {
  let over = false
  let finished = false
  let blocked: PromiseWithResolvers<void> | null = null
  socket.on('drain', () => {
    blocked?.resolve()
    blocked = null
  })

  /** In one system call and without copying. */
  function write(parts: readonly Buffer[], onWritten?: (error?: Error | null) => void): void {
    if (over) return
    socket.cork()
    for (const part of parts.slice(0, -1)) socket.write(part)
    const last = parts.at(-1)
    if (last) socket.write(last, onWritten)
    socket.uncork()
  }

  return {
    write: (...parts: Buffer[]) => write(parts),
    /** The last write; only after it a reply counts. */
    finish(...parts: Buffer[]): void {
      write(parts, (error) => {
        finished = !error
      })
    },
    /** Null: clamd takes more. Otherwise resolves when it does, or when the exchange is over. */
    drained(): Promise<void> | null {
      if (over || !socket.writableNeedDrain) return null
      blocked ??= Promise.withResolvers()
      return blocked.promise
    },
    stop(): void {
      over = true
      blocked?.resolve()
    },
    isOver: () => over,
    isFinished: () => finished,
    isBlocked: () => blocked !== null,
  }
}

/**
 * Past its size limit clamd says so and closes while we write. Node would destroy the socket because of the failed
 * write, and lose the reply that waits to be read; reading it takes one more turn of the event loop.
 */
function readBeforeDestroyed(socket: net.Socket): void {
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    if (!error || socket.connecting) return destroy(error)
    setImmediate(() => setImmediate(destroy, error))
    return socket
  }
}

/** A frame is a length of four bytes and that many bytes; a length of zero ends the document. */
async function sendFrames(document: Document, output: Output): Promise<void> {
  let pending: Buffer[] = [INSTREAM]
  let bytes = 0
  let scheduled: NodeJS.Immediate | null = null

  function frame(): Buffer[] {
    if (scheduled) clearImmediate(scheduled)
    scheduled = null
    const parts = pending
    if (bytes > 0) {
      const length = Buffer.allocUnsafe(4)
      length.writeUInt32BE(bytes)
      parts.splice(parts[0] === INSTREAM ? 1 : 0, 0, length)
    }
    pending = []
    bytes = 0
    return parts
  }
  const flush = () => output.write(...frame())

  try {
    for await (const chunk of document) {
      if (output.isOver()) return
      if (chunk.length === 0) continue
      pending.push(chunk)
      bytes += chunk.length
      // Chunks of one turn of the event loop go together; none waits for those of the next.
      if (bytes < FRAME_BYTES) scheduled ??= setImmediate(flush)
      else flush()
      const drained = output.drained()
      if (drained) await drained
    }
    output.finish(...frame(), END_OF_STREAM)
  } finally {
    if (scheduled) clearImmediate(scheduled)
  }
}
