/** One call of an endpoint, and what its answer means. */
import type { createOutboundHttp } from '#base/outbound-http.ts'
import { failureWord } from '#base/outbound-words.ts'
import { VERSION } from '#base/version.ts'
import { type SigningKeys, signedHeaders } from './signature.ts'

/** For the whole answer. */
const ANSWER_MS = 15_000
/** The rest of an answer is not read. */
const ANSWER_BYTES_MAX = 16_384
export const RETRY_AFTER_MS_MAX = 60 * 60 * 1_000
const GONE = 410
const SLOW_DOWN: ReadonlySet<number> = new Set([429, 502, 503, 504])

export interface Callback {
  id: string
  url: string
  body: string
  keys: readonly SigningKeys[]
}

export interface Answer {
  kind: 'delivered' | 'gone' | 'failed'
  status: number | null
  durationMs: number
  /** Null if delivered. Never a text of the receiver. */
  error: string | null
  /** The receiver asked for it. */
  retryAfterMs: number | null
}

/** In seconds or as a date. */
function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? ''
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, ms), RETRY_AFTER_MS_MAX)
}

const isDelivered = (status: number): boolean => status >= 200 && status < 300

function errorOf(status: number): string {
  if (status >= 300 && status < 400) return 'redirects are not followed'
  return `status ${status}`
}

type Http = Pick<ReturnType<typeof createOutboundHttp>, 'open'>

/** Reads a bounded part of the answer, so that receivers which write a few words before they close are not reset. */
async function drain(stream: AsyncIterable<Buffer> & { destroy(): void }): Promise<void> {
  let size = 0
  try {
    for await (const chunk of stream) {
      size += chunk.length
      if (size > ANSWER_BYTES_MAX) break
    }
  } catch {
    // The status has been received: how the answer ends does not matter.
  } finally {
    stream.destroy()
  }
}

export function createCall(http: Http, answerMs = ANSWER_MS) {
  return async ({ id, url, body, keys }: Callback, stop: AbortSignal): Promise<Answer> => {
    const startedMs = Date.now()
    const timeout = AbortSignal.timeout(answerMs)
    const opened = await http.open({
      ...{ method: 'POST', url, body, deadline: AbortSignal.any([stop, timeout]) },
      headers: {
        'content-type': 'application/json',
        'user-agent': `Docvet/${VERSION}`,
        ...signedHeaders(id, startedMs, body, keys),
      },
    })
    const failed = (error: string): Answer => ({
      ...{ kind: 'failed', status: null, durationMs: Date.now() - startedMs, error, retryAfterMs: null },
    })
    if (opened.kind !== 'opened') return failed(failureWord(opened))
    const { status, headers, stream } = opened
    await drain(stream)
    const durationMs = Date.now() - startedMs
    if (isDelivered(status)) return { kind: 'delivered', status, durationMs, error: null, retryAfterMs: null }
    return {
      ...{ kind: status === GONE ? 'gone' : 'failed', status, durationMs, error: errorOf(status) },
      retryAfterMs: SLOW_DOWN.has(status) ? retryAfterMs(headers['retry-after'], Date.now()) : null,
    }
  }
}
