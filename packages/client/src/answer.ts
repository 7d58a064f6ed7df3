/** Reads what the service answers. Only here a document is called clean. */
import type { ProblemCode } from './api.ts'
import { DocvetError, REFUSALS, type Refusal } from './errors.ts'

export type ScanResult =
  /** Every engine has inspected the whole document and found nothing. */
  | { status: 'clean'; threat: null; reason: null; detail: null; scanId: string }
  | { status: 'infected'; threat: string; reason: null; detail: null; scanId: string }
  /** It cannot be vouched for: treat it like an infected one. */
  | { status: 'refused'; threat: null; reason: Refusal; detail: string; scanId: null }

/** Where the service does not say when to come back. */
export const PAUSE_MS = 500
const REPEATED = [429, 503]
/** A verdict has a few hundred. */
const ANSWER_BYTES_MAX = 1_000_000

/** `pauseMs` null: it would fail again. */
export type Outcome = { result: ScanResult } | { error: DocvetError; pauseMs: number | null }

/** Counted after it was decompressed. */
export async function textOf({ body, status }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let [text, bytes] = ['', 0]
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX)
      throw new DocvetError('unexpected_response', `Status ${status} with more than ${ANSWER_BYTES_MAX} bytes`, status)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

export function read({ status, headers }: Response, text: string, documentBytes: number | null): Outcome {
  const body = parsed(text)
  const isVerdict = status === 200 && /^application\/json\b/i.test(headers.get('Content-Type') ?? '')
  const verdict = isVerdict ? verdictOf(body, documentBytes) : null
  if (verdict !== null) return { result: verdict }
  const pauseMs = REPEATED.includes(status) ? pauseOf(headers) : null
  const { code } = body
  if (status < 400 || typeof code !== 'string') {
    const message = `Status ${status} without a verdict on this document: is the URL right?`
    return { error: new DocvetError('unexpected_response', message, status), pauseMs }
  }
  const detail = typeof body.detail === 'string' ? body.detail : code
  const reason = REFUSALS.find((each) => each === code)
  if (reason !== undefined) return { result: { status: 'refused', threat: null, reason, detail, scanId: null } }
  return { error: new DocvetError(code as ProblemCode, detail, status), pauseMs }
}

function verdictOf(
  { status, threat, scanId, fileSize }: Record<string, unknown>,
  documentBytes: number | null,
): ScanResult | null {
  if (typeof scanId !== 'string') return null
  if (status === 'clean')
    // Of another document, or of a part of this one, it says nothing.
    return fileSize === documentBytes && (threat ?? null) === null
      ? { status, threat: null, reason: null, detail: null, scanId }
      : null
  if (status !== 'infected') return null
  return { status, threat: typeof threat === 'string' ? threat : 'unknown', reason: null, detail: null, scanId }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function pauseOf(headers: Headers): number {
  const seconds = Number(headers.get('Retry-After') ?? '')
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : PAUSE_MS
}
