/** Trace context (W3C): received with a request, shown in its log line, and passed on to the services that it calls. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

interface Trace {
  traceId: string
  flags: string
}

/** Version 00. Later versions may append fields, which are ignored as the standard says. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?$/
const HEADER_LENGTH_MAX = 256
const SPAN_ID_BYTES = 8

const current = new AsyncLocalStorage<Trace>()

/** Null if there is no valid header: a wrong one must not fail the request. */
export function parseTrace(header: string | string[] | undefined): Trace | null {
  if (typeof header !== 'string' || header.length > HEADER_LENGTH_MAX) return null
  const [, traceId, flags] = TRACEPARENT.exec(header) ?? []
  return traceId !== undefined && flags !== undefined ? { traceId, flags } : null
}

/** Requests that `work` sends carry the trace. */
export function withTrace(trace: Trace | null, work: () => void): void {
  if (trace === null) work()
  else current.run(trace, work)
}

/** The header of a request to another service, each as a new span; empty without a trace. */
export function traceHeaders(): Record<string, string> {
  const trace = current.getStore()
  if (trace === undefined) return {}
  return { traceparent: `00-${trace.traceId}-${randomBytes(SPAN_ID_BYTES).toString('hex')}-${trace.flags}` }
}
