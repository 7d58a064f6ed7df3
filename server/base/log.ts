/** The log: JSON lines on standard output, without any secret. */
import { type DestinationStream, destination, type Logger, pino } from 'pino'
import { redactSecrets } from './redact.ts'

export type Log = Logger

/** Bytes that pino may hold back before it writes; `FLUSH_EVERY_MS` bounds how long. */
const BUFFER_BYTES = 16_000
const FLUSH_EVERY_MS = 200

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

export interface LogOptions {
  level: string
  stream?: DestinationStream
}

export function createLog({ level, stream }: LogOptions): Log {
  const out = stream ?? destination({ fd: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS })
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactSecrets },
    },
    out,
  )
}
