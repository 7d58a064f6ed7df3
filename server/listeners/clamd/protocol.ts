/** The clamd protocol: commands, streams and sessions of one connection. */
import type { Gateway } from '#listeners/gateway.ts'
import type { Connection, Protocol } from '#listeners/listen.ts'
import { resetSocket } from '#listeners/reset.ts'
import { createStream, type DocumentStream } from '#listeners/stream.ts'
import { type Command, createDecoder, type Item } from './decoder.ts'
import { createLine, type Reply } from './line.ts'
import * as replies from './replies.ts'

/** Without a command. */
const IDLE_MS = 30_000
/** Without a byte of a stream. */
const STREAM_IDLE_MS = 120_000
/** Of the report, because the protocol has no names. */
const FILE_NAME = 'stream'

export interface ClamdOptions {
  gateway: Pick<Gateway, 'scan' | 'problem'>
  version(): string
  /** Scans of the process: how many wait, and how many can run. */
  load(): { queued: number; max: number }
  /** For tests. */
  idleMs?: number
}

const PATH_COMMAND = /^(?:SCAN|CONTSCAN|MULTISCAN|ALLMATCHSCAN) (.*)$/s
const OLD_STYLE = ['PING', 'VERSION', 'RELOAD', 'SHUTDOWN', 'QUIT']
const IN_SESSION = ['PING', 'VERSION', 'VERSIONCOMMANDS', 'STATS', 'INSTREAM', 'FILDES', 'END']

function isAllowedInSession({ text, isOldStyle }: Command): boolean {
  return !isOldStyle && (IN_SESSION.includes(text) || text.startsWith('SCAN '))
}

export function createClamdProtocol({ gateway, version, load, idleMs = IDLE_MS }: ClamdOptions): Protocol {
  const running = new Set<DocumentStream>()

  function stats(): string {
    const nowMs = performance.now()
    return replies.statsText({ ...load(), running: [...running].map(({ startedMs }) => (nowMs - startedMs) / 1_000) })
  }

  /** Replies that need neither the document nor the engines. */
  const SIMPLE: Record<string, () => string> = {
    VERSION: version,
    VERSIONCOMMANDS: () => `${version()}| COMMANDS: ${replies.COMMANDS}`,
    STATS: stats,
    RELOAD: () => replies.RELOADING,
    SHUTDOWN: () => replies.COMMAND_UNAVAILABLE,
    QUIT: () => replies.COMMAND_UNAVAILABLE,
  }

  function simpleReply({ text, isOldStyle }: Command): string {
    const [, path] = PATH_COMMAND.exec(text) ?? []
    if (path !== undefined) return replies.pathRefused(path)
    const isKnown = Object.hasOwn(SIMPLE, text) && (!isOldStyle || OLD_STYLE.includes(text))
    return (isKnown && SIMPLE[text]?.()) || replies.UNKNOWN
  }

  return (connection) => serve(connection, { gateway, running, simpleReply, idleMs })
}

interface Shared extends Pick<ClamdOptions, 'gateway'> {
  running: Set<DocumentStream>
  simpleReply(command: Command): string
  idleMs: number
}

function serve(connection: Connection, { gateway, running, simpleReply, idleMs }: Shared): void {
  const { socket, listener } = connection
  const decoder = createDecoder()
  const line = createLine(connection)
  let current: { stream: DocumentStream; reply: Reply } | null = null
  let isFlowing = false
  /** Short commands are answered in their order, so that those after PING wait. */
  let isPinging = false
  let timer: NodeJS.Timeout | undefined
  /** For a command. */
  let isWaiting = false

  /** Nothing more is read outside of a session when a command was received. */
  const isListening = () => !line.isFinished && (current !== null || line.isOpen)
  const isBlocked = () => (current === null ? isPinging || line.isBlocked : current.stream.isFull)

  function flow(): void {
    // The scan may read while bytes are passed to it.
    if (isFlowing) return
    isFlowing = true
    while (isListening() && !isBlocked()) {
      const item = decoder.next()
      if (item === null) break
      isWaiting = false
      handle(item)
    }
    isFlowing = false
    if (isBlocked() && isListening()) socket.pause()
    else socket.resume()
    watch()
  }

  function watch(): void {
    if (socket.destroyed) return
    if (isListening() && current === null && line.isIdle) {
      if (decoder.isEmpty) connection.setIdle()
      // Bytes of a command that is not complete do not extend the time for it.
      if (isWaiting) return
      isWaiting = true
      clearTimeout(timer)
      timer = setTimeout(onIdle, idleMs)
      return
    }
    isWaiting = false
    clearTimeout(timer)
    if (current !== null) timer = setTimeout(resetSocket, STREAM_IDLE_MS, socket)
  }

  function onIdle(): void {
    line.write(replies.TIMED_OUT)
    line.finish()
  }

  function startStream(reply: Reply): void {
    const scan = (stream: Parameters<typeof gateway.scan>[1]['stream']) =>
      gateway.scan(connection, { stream, fileName: FILE_NAME })
    const stream = createStream(scan, flow)
    current = { stream, reply }
    running.add(stream)
    decoder.startStream()
  }

  async function endStream({ stream, reply }: NonNullable<typeof current>): Promise<void> {
    current = null
    const outcome = await stream.end()
    running.delete(stream)
    const text = outcome === null ? null : replies.streamReply(outcome, listener)
    if (text === null) resetSocket(socket)
    else reply(text)
    flow()
  }

  async function ping(reply: Reply): Promise<void> {
    isPinging = true
    const problem = connection.isRefused ? '' : await gateway.problem(listener)
    isPinging = false
    reply(problem === null ? replies.PONG : replies.UNAVAILABLE)
    flow()
  }

  function refuse(terminator: Command['terminator'], text: string): void {
    line.open({ terminator })(text)
    line.finish()
  }

  function run(command: Command): void {
    const { text, terminator, isOldStyle } = command
    if (line.isSession && !isAllowedInSession(command)) refuse(terminator, replies.NOT_IN_SESSION)
    // A byte that belongs to the descriptor follows, so that nothing after it can be read.
    else if (text === 'FILDES' && !isOldStyle) refuse(terminator, replies.NO_DESCRIPTOR)
    else runAllowed(command, command.isOldStyle ? '' : command.text)
  }

  /** `prefixed` is the command if it has a prefix. */
  function runAllowed(command: Command, prefixed: string): void {
    if (prefixed === 'END' && line.isSession) {
      line.finish()
      return
    }
    if (prefixed === 'IDSESSION') {
      line.startSession()
      return
    }
    const reply = line.open(command)
    if (prefixed === 'INSTREAM') startStream(reply)
    else if (command.text === 'PING') void ping(reply)
    else reply(simpleReply(command))
  }

  function handle(item: Item): void {
    if (item.kind === 'command') run(item)
    else if (item.kind === 'invalid') refuse('\n', replies.UNKNOWN)
    else if (current === null) throw new Error('A stream without INSTREAM')
    else if (item.kind === 'end of stream') void endStream(current)
    else if (!current.stream.add(item.bytes)) resetSocket(socket)
  }

  socket.on('data', (chunk: Buffer) => {
    if (!isListening()) return
    connection.setBusy()
    decoder.add(chunk)
    flow()
  })
  socket.once('end', () => {
    // A stream that is not complete gets no reply.
    if (current !== null) socket.destroy()
    else line.finish()
  })
  socket.once('close', () => {
    clearTimeout(timer)
    if (current === null) return
    running.delete(current.stream)
    current.stream.abort()
  })
  socket.on('drain', flow)
  watch()
}
