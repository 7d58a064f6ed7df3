/** The log on standard output: JSON lines, or readable lines on a terminal, without secrets. */
import { isatty } from 'node:tty'
import { type DestinationStream, destination, type Logger, pino, stdSerializers } from 'pino'
import { isoTime } from './iso-time.ts'
import { formatLine } from './log-format.ts'
import { redactSecrets } from './redact.ts'

export type Log = Logger

/** pino writes when it has buffered this much, or after `FLUSH_EVERY_MS`. */
const BUFFER_BYTES = 16_000
const FLUSH_EVERY_MS = 200
/** If standard output blocks, lines past this are dropped so that the log cannot exhaust memory. */
const BACKLOG_BYTES_MAX = 8 * 1024 * 1024
const END_MS = 1_000

const timestamp = (): string => `,"time":"${isoTime(Date.now())}"`

/** Drops other fields of an error: drivers attach whole commands, including passwords. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { type, message, stack, code } = stdSerializers.err(error)
  return { type, message, stack, code }
}

interface LogOptions {
  level: string
  /** Replaces standard output. */
  stream?: DestinationStream
  readable?: boolean
}

const openOutputs = new WeakMap<Log, ReturnType<typeof destination>>()

/** A terminal gets every line at once, in order with what is printed to standard error. */
function openOutput(isTerminal: boolean): ReturnType<typeof destination> {
  const buffered = { minLength: BUFFER_BYTES, periodicFlush: FLUSH_EVERY_MS, maxLength: BACKLOG_BYTES_MAX }
  const output = destination({ fd: 1, ...(isTerminal ? { sync: true } : { sync: false, ...buffered }) })
  // A full disk or a closed pipe loses lines but does not stop the service. The next flush tries again.
  output.on('error', () => {})
  return output
}

export function createLog({ level, stream, readable = !stream && isatty(1) }: LogOptions): Log {
  const output = stream ? null : openOutput(readable)
  const target = stream ?? (output as DestinationStream)
  const log = pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      formatters: { level: (label: string) => ({ level: label }) },
      serializers: { err: describeError },
      hooks: { streamWrite: redactSecrets },
    },
    readable ? { write: (line: string) => target.write(formatLine(line)) } : target,
  )
  if (output) openOutputs.set(log, output)
  return log
}

/** Flushes and closes the log within a time limit, because a blocked log would keep the process from exiting. */
export function endLog(log: Log, done: () => void): void {
  const output = openOutputs.get(log)
  const timer = setTimeout(finish, END_MS)
  function finish(): void {
    clearTimeout(timer)
    output?.destroy()
    done()
  }
  log.flush(finish)
}
