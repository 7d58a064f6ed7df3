/** A failed request, as problem details (RFC 9457). */
import type { ErrorCode, FieldError, Problem } from './schema.ts'

/** `network`: no response arrived. `unknown`: the response has no problem details, as from a proxy. */
type ProblemCode = ErrorCode | 'network' | 'unknown'

interface ApiProblemOptions {
  status: number
  code: ProblemCode
  title: string
  detail: string
  requestId?: string | undefined
  errors?: readonly FieldError[] | undefined
  /** `Retry-After` in seconds. */
  retryAfterS?: number | null
}

export class ApiProblem extends Error {
  readonly status: number
  readonly code: ProblemCode
  readonly title: string
  readonly detail: string
  readonly requestId: string | undefined
  readonly errors: readonly FieldError[]
  readonly retryAfterS: number | null

  constructor({ status, code, title, detail, requestId, errors = [], retryAfterS = null }: ApiProblemOptions) {
    super(detail)
    this.name = 'ApiProblem'
    this.status = status
    this.code = code
    this.title = title
    this.detail = detail
    this.requestId = requestId
    this.errors = errors
    this.retryAfterS = retryAfterS
  }

  /** The mistake in a field, as a sentence. */
  fieldError(field: string): string | undefined {
    const message = this.errors.find((error) => error.field === field)?.message
    return message === undefined ? undefined : `This ${message}.`
  }
}

export const networkProblem = (): ApiProblem =>
  new ApiProblem({
    status: 0,
    code: 'network',
    title: 'No connection to the server',
    detail: 'The server did not respond. Check your connection and try again.',
  })

/** `header` reads a field of the response. */
export function problemFrom(status: number, body: unknown, header: (name: string) => string | null): ApiProblem {
  if (isProblem(body)) return new ApiProblem({ ...body, retryAfterS: Number(header('retry-after')) || null })
  return new ApiProblem({
    status,
    code: 'unknown',
    title: 'Unexpected response',
    detail: `The server responded with the status ${status} and no explanation.`,
    requestId: header('x-request-id') ?? undefined,
  })
}

function isProblem(body: unknown): body is Problem {
  return typeof body === 'object' && body !== null && 'code' in body && 'title' in body && 'detail' in body
}

/** The problem behind whatever a request threw. */
export function toProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error
  return new ApiProblem({
    status: 0,
    code: 'unknown',
    title: 'Unexpected error',
    detail: error instanceof Error ? error.message : 'Something went wrong in this page. Reload it and try again.',
  })
}

/** The session ended or never existed. A wrong password is another code. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof ApiProblem && error.status === 401 && error.code === 'unauthenticated'
