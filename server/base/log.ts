/** The log: JSON lines on standard output, without any secret. */
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'
import { redactSecrets } from './redact.ts'

export type Log = Logger

/** Bytes that pino may hold back before it writes; `FLUSH_EVERY_MS` bounds how long. */
const BUFFER_BYTES = 16_000
const FLUSH_EVERY_MS = 200
/** If nobody reads our output, lines past this are dropped: a full log must not fill the memory. */
const BACKLOG_BYTES_MAX = 8 * 1024 * 1024

/** Writing a date out costs more than the rest of a line, and many lines share a millisecond. */
let stampedMs = 0
let stamp = ''
function timestamp(): string {
  const nowMs = Date.now()
  if (nowMs !== stampedMs) {
    stampedMs = nowMs
    stamp = `,"time":"${new Date(nowMs).toISOString()}"`
  }
  return stamp
}

/** What happened and where. Drivers hang more onto their errors: whole commands, with the password among their arguments. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = stdSerializers.err(error)
  return { type, message, stack, code }
}

export interface LogOptions {
  level: string
  stream?: DestinationStream
}

/** Of each log that writes to standard output, what writes. */
const destinations = new WeakMap<Log, ReturnType<typeof destination>>()

export function createLog({ level, stream }: LogOptions): Log {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
    hooks: { streamWrite: redactSecrets },
  }
  if (stream) return pino(options, stream)
  const out = destination({
    fd: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
    maxLength: BACKLOG_BYTES_MAX,
  })
  // A full disk or a closed pipe costs lines, not the service. What is held back is tried again with the next flush.
  out.on('error', () => {})
  const log = pino(options, out)
  destinations.set(log, out)
  return log
}

/** How long the last lines may take. */
const END_MS = 1_000

/** Writes out what is held back, if that can be done soon, and lets go: at exit a stuck log would hold the process. */
export function endLog(log: Log, done: () => void): void {
  const out = destinations.get(log)
  const timer = setTimeout(finish, END_MS)
  function finish(): void {
    clearTimeout(timer)
    out?.destroy()
    done()
  }
  log.flush(finish)
}
