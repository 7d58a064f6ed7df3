/** Sends spans to an OpenTelemetry collector (OTLP over HTTP with JSON). Never delays a request: spans are dropped instead. */
import type { Log } from './log.ts'
import { createConfiguredHttp } from './outbound-http.ts'
import { type Span, withoutTrace } from './trace.ts'

export const QUEUE_MAX = 2_048
export const BATCH_MAX = 512
const SEND_EVERY_MS = 2_000
const SEND_MS_MAX = 5_000
/** A shutdown does not wait longer for a slow collector. */
const CLOSE_MS_MAX = 2_000
const RESPONSE_BYTES_MAX = 65_536
const KINDS = { internal: 1, server: 2, client: 3 }
const STATUS_ERROR = 2

interface ExporterOptions {
  /** Of the collector, without `/v1/traces`. */
  url: string
  version: string
  /** Tells replicas apart. */
  instanceId: string
  log: Log
  sendEveryMs?: number
  sendMsMax?: number
}

export type SpanExporter = ReturnType<typeof createSpanExporter>

const attribute = ([key, value]: [string, string | number]) => ({
  key,
  value: typeof value === 'string' ? { stringValue: value } : { doubleValue: value },
})
const nanoseconds = (ms: number): string => `${Math.round(ms * 1_000)}000`

function encode(span: Span) {
  const { name, kind, traceId, spanId, parentId, startMs, endMs, attributes, isError } = span
  return {
    ...{ traceId, spanId, ...(parentId && { parentSpanId: parentId }), name, kind: KINDS[kind] },
    ...{ startTimeUnixNano: nanoseconds(startMs), endTimeUnixNano: nanoseconds(endMs) },
    attributes: Object.entries(attributes).map(attribute),
    ...(isError && { status: { code: STATUS_ERROR } }),
  }
}

export function createSpanExporter({ url, version, instanceId, log, ...times }: ExporterOptions) {
  const { sendEveryMs = SEND_EVERY_MS, sendMsMax = SEND_MS_MAX } = times
  const http = createConfiguredHttp(url)
  const queue: Span[] = []
  const counts = { exported: 0, dropped: 0 }
  let sending: Promise<void> | null = null
  let timer: NodeJS.Timeout | undefined
  let isLost = false
  const resource = Object.entries({
    ...{ 'service.name': 'docvet', 'service.version': version, 'service.instance.id': instanceId },
  }).map(attribute)

  async function post(spans: readonly Span[]): Promise<string | null> {
    const scopeSpans = [{ scope: { name: 'docvet', version }, spans: spans.map(encode) }]
    const outcome = await http.send({
      ...{ method: 'POST', url: `${url}/v1/traces`, headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ resourceSpans: [{ resource: { attributes: resource }, scopeSpans }] }),
      ...{ responseBytesMax: RESPONSE_BYTES_MAX, deadline: AbortSignal.timeout(sendMsMax) },
    })
    if (outcome.kind !== 'answered') return outcome.kind
    return outcome.status < 300 ? null : `status ${outcome.status}`
  }

  /** A batch that cannot be sent is dropped: the next ones matter more. */
  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH_MAX)
      const problem = await post(batch)
      if (problem === null) counts.exported += batch.length
      else counts.dropped += batch.length
      if (problem !== null && !isLost) log.warn({ problem }, 'Spans cannot be exported; they are dropped')
      if (problem === null && isLost) log.info('Spans are exported again')
      isLost = problem !== null
    }
  }

  function send(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    sending ??= withoutTrace(sendAll).finally(() => {
      sending = null
    })
    return sending
  }

  return {
    add(span: Span): void {
      if (queue.length >= QUEUE_MAX) {
        counts.dropped++
        return
      }
      queue.push(span)
      if (queue.length >= BATCH_MAX) void send()
      else timer ??= setTimeout(send, sendEveryMs).unref()
    },
    counts: (): Readonly<typeof counts> => ({ ...counts }),
    /** Sends what is queued, if that is fast. */
    async close(): Promise<void> {
      await Promise.race([send(), new Promise((resolve) => setTimeout(resolve, CLOSE_MS_MAX).unref())])
      http.close()
    },
  }
}
