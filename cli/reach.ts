/** Asks whether the service of `--server` is there, before any document is sent. */
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from './usage.ts'

const ATTEMPTS = 4
const PAUSE_MS = 500
const ANSWER_MS = 5_000

/** Below the path of the URL, as the scan. */
export const urlOf = (url: string, place: string): URL => new URL(place, url.endsWith('/') ? url : `${url}/`)

/** Throws `UsageError`. Every other answer than these may be one about a single scan. */
export async function requireService({ url, key, signal }: { url: string; key: string; signal: AbortSignal }) {
  for (let left = ATTEMPTS - 1; !signal.aborted; left--) {
    const answer = await ask(url, key, signal)
    if (signal.aborted || answer === null) return
    if (answer.isFinal || left === 0) throw new UsageError(`--server: ${url}: ${answer.problem}`)
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {})
  }
}

async function ask(url: string, key: string, signal: AbortSignal) {
  const place = urlOf(url, 'api/v1/usage')
  try {
    const response = await fetch(place, {
      headers: { 'x-api-key': key },
      // The key is for this service only.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]),
    })
    await response.body?.cancel()
    const target = URL.parse(response.headers.get('location') ?? '', place.href)
    if (response.status >= 300 && response.status < 400)
      return {
        problem: `Redirects to ${target?.origin ?? 'another place'}. Name the URL of the service.`,
        isFinal: true,
      }
    return response.status === 401 ? { problem: 'The service does not accept the API key.', isFinal: true } : null
  } catch (error) {
    const { cause } = error as Error
    const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : ''
    return { problem: `The service cannot be reached${why}.`, isFinal: false }
  }
}
