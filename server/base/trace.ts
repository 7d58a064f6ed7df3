/** Trace context (W3C): received with a request, shown in its log line, and passed on to the services that it calls. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

export interface Trace {
  traceId: string
  flags: string
  /** The caller's span; absent if this service began the trace. */
  parentId?: string
  /** Set if the spans of this request are exported. */
  recording?: Recording
}

interface Recording {
  /** The span of the request, parent of all others. */
  spanId: string
  add: (span: Span) => void
}

type Attributes = Readonly<Record<string, string | number>>

export interface Span {
  name: string
  kind: 'internal' | 'server' | 'client'
  traceId: string
  spanId: string
  parentId?: string | undefined
  startMs: number
  endMs: number
  attributes: Attributes
  isError: boolean
}

/** Version 00. Later versions may append fields, which are ignored as the standard says. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/
const HEADER_LENGTH_MAX = 256
const TRACE_ID_BYTES = 16
const SPAN_ID_BYTES = 8
const SAMPLED = 1

const current = new AsyncLocalStorage<Trace>()

const newSpanId = (): string => randomBytes(SPAN_ID_BYTES).toString('hex')
/** Milliseconds since 1970, with fractions. */
export const traceClock = (): number => performance.timeOrigin + performance.now()

/** Null if there is no valid header: a wrong one must not fail the request. */
export function parseTrace(header: string | string[] | undefined): Trace | null {
  if (typeof header !== 'string' || header.length > HEADER_LENGTH_MAX) return null
  const [, traceId, parentId, flags] = TRACEPARENT.exec(header) ?? []
  return traceId && parentId && flags ? { traceId, parentId, flags } : null
}

/** The caller decides whether its trace is recorded; of traces that begin here, `share` (0 to 1) are. */
export function recordTrace(given: Trace | null, add: Recording['add'], share: number): Trace | null {
  const isSampled = given ? (Number.parseInt(given.flags, 16) & SAMPLED) === SAMPLED : Math.random() < share
  if (!isSampled) return given
  const begun = { traceId: randomBytes(TRACE_ID_BYTES).toString('hex'), flags: '01' }
  return { ...(given ?? begun), recording: { spanId: newSpanId(), add } }
}

/** Requests that `work` sends carry the trace. */
export function withTrace(trace: Trace | null, work: () => void): void {
  if (trace === null) work()
  else current.run(trace, work)
}

/** Work that is not a part of the request in progress. */
export const withoutTrace = <T>(work: () => T): T => current.exit(work)

/** Records how long `work` takes as a part of the request in progress, if that is traced. */
export function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const trace = current.getStore()
  return trace?.recording ? record(trace, trace.recording, name, attributes, work) : work()
}

async function record<T>(
  { traceId }: Trace,
  recording: Recording,
  name: string,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const startMs = traceClock()
  const end = (isError: boolean) => {
    const span = { name, kind: 'client' as const, traceId, spanId: newSpanId(), parentId: recording.spanId }
    recording.add({ ...span, startMs, endMs: traceClock(), attributes, isError })
  }
  try {
    const result = await work()
    end(false)
    return result
  } catch (error) {
    end(true)
    throw error
  }
}

/** The header of a request to another service; empty without a trace. Without a recording, each is a new span. */
export function traceHeaders(): Record<string, string> {
  const trace = current.getStore()
  if (trace === undefined) return {}
  return { traceparent: `00-${trace.traceId}-${trace.recording?.spanId ?? newSpanId()}-${trace.flags}` }
}
