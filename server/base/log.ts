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

export function createLog({ level, stream }: LogOptions): Log {
  const out =
    stream ??
    destination({
      fd: 1,
      sync: false,
      minLength: BUFFER_BYTES,
      periodicFlush: FLUSH_EVERY_MS,
      maxLength: BACKLOG_BYTES_MAX,
    })
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: redactSecrets },
    },
    out,
  )
}
