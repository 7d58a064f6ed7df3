/** Speaks clamd's protocol: one connection for each question, answered by what comes until clamd closes it. */
import net from 'node:net'
import type { ClamdAddress } from './address.ts'
import { printable } from './reply.ts'

const CONNECT_TIMEOUT_MS = 1_000
const REPLY_BYTES_MAX = 4_096
const READ_BYTES = 1_024
/** After its answer clamd closes at once. Whoever does not may be about to say something else. */
const CLOSE_TIMEOUT_MS = 1_000
/** Chunks that are here already go out together, up to about this much in one frame. */
const FRAME_BYTES = 128 * 1024
const END_OF_STREAM = Buffer.alloc(4)
const INSTREAM = Buffer.from('zINSTREAM\0')

export type Document = AsyncIterable<Buffer> | Iterable<Buffer>

export type Exchange =
  /** All that clamd said. `complete`: after it had the whole document, and with an orderly end of the connection. */
  | { kind: 'answered'; reply: Buffer; complete: boolean }
  /** No answer through clamd's fault. `connected`: it had taken the connection, and perhaps the document. */
  | { kind: 'unanswered'; connected: boolean; detail: string }
  /** The signal fired. `waiting`: clamd had everything that there was to send. */
  | { kind: 'aborted'; waiting: boolean }
  /** The document itself broke off; nothing is said about clamd. */
  | { kind: 'withdrawn'; reason: unknown }

/** Sends the document while it arrives. Never rejects. */
export function sendDocument(address: ClamdAddress, document: Document, signal: AbortSignal): Promise<Exchange> {
  return converse(address, signal, (line) => pump(document, line))
}

/** A question without a document. Never rejects. */
export function ask(address: ClamdAddress, command: 'PING' | 'VERSION', signal: AbortSignal): Promise<Exchange> {
  return converse(address, signal, async (line) => line.finish(Buffer.from(`z${command}\0`)))
}

interface Line {
  /** In one system call and without copying. */
  write(...parts: Buffer[]): void
  /** Writes what is last; only then may an answer come. */
  finish(...parts: Buffer[]): void
  /** Null: clamd takes more. Otherwise resolves when it does, or when the conversation is over. */
  room(): Promise<void> | null
  readonly over: boolean
}

function converse(address: ClamdAddress, signal: AbortSignal, speak: (line: Line) => Promise<void>): Promise<Exchange> {
  if (signal.aborted) return Promise.resolve({ kind: 'aborted', waiting: false })
  const { promise, resolve } = Promise.withResolvers<Exchange>()
  let reply = Buffer.alloc(0)
  let connected = false
  let finished = false
  // What is said before the end of the document is not about the document.
  let spokeAfterAll = false
  let over = false
  let roomy: PromiseWithResolvers<void> | null = null

  // One small buffer for all reads: otherwise each takes 64 KB, for an answer of eleven bytes.
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  const callback = (count: number) => {
    hear(buffer.subarray(0, count))
    return true
  }
  const socket = net.connect({ ...address.target, onread: { buffer, callback }, noDelay: true })
  readBeforeDestroyed(socket)
  let timer = setTimeout(() => unanswered('did not accept the connection in time'), CONNECT_TIMEOUT_MS)

  function settle(exchange: Exchange): void {
    if (over) return
    over = true
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    socket.destroy()
    roomy?.resolve()
    resolve(exchange)
  }
  function unanswered(detail: string): void {
    settle({ kind: 'unanswered', connected, detail })
  }
  function abort(): void {
    settle({ kind: 'aborted', waiting: finished || roomy !== null || !connected })
  }
  function hear(bytes: Buffer): void {
    if (reply.length === 0) spokeAfterAll = finished
    reply = Buffer.concat([reply, bytes])
    if (reply.length > REPLY_BYTES_MAX) unanswered(`answered more than ${REPLY_BYTES_MAX} bytes`)
    if (over) return
    clearTimeout(timer)
    const said = printable(reply.toString('utf8'), 100)
    timer = setTimeout(() => unanswered(`answered "${said}" and did not close`), CLOSE_TIMEOUT_MS)
  }
  function hangUp(detail: string, orderly: boolean): void {
    if (reply.length === 0) unanswered(detail)
    else settle({ kind: 'answered', reply, complete: spokeAfterAll && orderly })
  }

  signal.addEventListener('abort', abort, { once: true })
  socket.once('connect', () => {
    connected = true
    clearTimeout(timer)
  })
  socket.on('drain', () => {
    roomy?.resolve()
    roomy = null
  })
  socket.once('end', () => hangUp('closed the connection without an answer', true))
  // It may have said why before it closed on us, as it does past its size limit.
  socket.on('error', (error: NodeJS.ErrnoException) => hangUp(`broke off: ${error.code ?? error.message}`, false))

  const line: Line = {
    write(...parts) {
      if (over) return
      socket.cork()
      for (const part of parts) socket.write(part)
      socket.uncork()
    },
    finish(...parts) {
      if (over) return
      socket.cork()
      for (const part of parts.slice(0, -1)) socket.write(part)
      socket.write(parts.at(-1) ?? END_OF_STREAM, (error) => {
        finished = !error
      })
      socket.uncork()
    },
    room() {
      if (over || !socket.writableNeedDrain) return null
      roomy ??= Promise.withResolvers()
      return roomy.promise
    },
    get over() {
      return over
    },
  }
  speak(line).catch((reason: unknown) => settle({ kind: 'withdrawn', reason }))
  return promise
}

/**
 * Past its size limit clamd says so and hangs up while we write. The failed write would make Node throw the connection
 * away at once, and with it what clamd said, which waits to be read: that takes one more turn of the event loop.
 */
function readBeforeDestroyed(socket: net.Socket): void {
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    if (!error || socket.connecting) return destroy(error)
    setImmediate(() => setImmediate(destroy, error))
    return socket
  }
}

/** Frames of the document: a length of four bytes and that many bytes; a length of zero ends it. */
async function pump(document: Document, line: Line): Promise<void> {
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
  const flush = () => line.write(...frame())

  try {
    for await (const chunk of document) {
      if (line.over) return
      if (chunk.length === 0) continue
      pending.push(chunk)
      bytes += chunk.length
      // What has arrived in this turn of the event loop goes together; nothing waits for what is still to come.
      if (bytes < FRAME_BYTES) scheduled ??= setImmediate(flush)
      else flush()
      const room = line.room()
      if (room) await room
    }
    line.finish(...frame(), END_OF_STREAM)
  } finally {
    if (scheduled) clearImmediate(scheduled)
  }
}
