/** Why there is no clean verdict. Every error of this package is one of these. */
import type { ProblemCode } from './api.ts'

/** What the service refuses a document for: it was read, and cannot be vouched for. */
export const REFUSALS = [
  'encrypted_document',
  'document_too_complex',
  'damaged_document',
  'unsupported_content_type',
  'file_too_large',
  'empty_file',
] as const satisfies readonly ProblemCode[]

export type Refusal = (typeof REFUSALS)[number]

/** `timeout` and `unreachable` are this client's own; all others are the service's. */
export type FailureCode = ProblemCode | 'timeout' | 'unreachable' | 'unexpected_response'

/** No verdict, for a reason that is not in the document: the service, the key, the quota, the network. */
export class DocvetError extends Error {
  override name = 'DocvetError'
  readonly code: FailureCode | (string & {})
  /** Of the response; null where there was none. */
  readonly status: number | null

  constructor(code: DocvetError['code'], message: string, status: number | null = null, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
  }
}

/** Thrown by `assertClean`. */
export class InfectedError extends Error {
  override name = 'InfectedError'
  readonly threat: string
  readonly scanId: string

  constructor(threat: string, scanId: string) {
    super(`The document is infected: ${threat}`)
    this.threat = threat
    this.scanId = scanId
  }
}

/** Thrown by `assertClean`: encrypted, damaged, too complex, too large, empty, or no document. */
export class UnscannableError extends Error {
  override name = 'UnscannableError'
  readonly reason: Refusal

  constructor(reason: Refusal, detail: string) {
    super(detail)
    this.reason = reason
  }
}
