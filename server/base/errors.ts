/** Errors that clients can see. */
import problems from './problems.json' with { type: 'json' }

export interface ProblemKind {
  status: number
  title: string
  /** Cause and remedy, for the page behind the problem's `type`. The first sentence serves as the example `detail`. */
  help: string
}

export type ErrorCode = keyof typeof problems

/** The closed list of error codes that clients can see. */
export const PROBLEMS: Readonly<Record<ErrorCode, ProblemKind>> = problems

export interface FieldError {
  field: string
  message: string
}

export interface AppErrorOptions {
  errors?: FieldError[]
  /** Whole seconds, at least 1, after which the same request may succeed. */
  retryAfterSeconds?: number
  headers?: Record<string, string>
  cause?: unknown
  /** Not logged as an error, whatever its status. */
  isExpected?: boolean
}

/** An expected failure. Clients see `detail`; only the log sees `cause`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly errors: FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Record<string, string>
  readonly isExpected: boolean

  constructor(code: ErrorCode, detail: string, options: AppErrorOptions = {}) {
    super(detail, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
    this.headers = options.headers ?? {}
    this.isExpected = options.isExpected ?? false
  }
}

/** A 400 for one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('invalid_request', `Invalid request: \`${field}\` ${message}.`, { errors: [{ field, message }] })
}

const STORAGE_RETRY_SECONDS = 2

export function storageUnavailable(cause: unknown): AppError {
  return new AppError('storage_unavailable', 'The service cannot reach its storage at the moment. Try again shortly.', {
    retryAfterSeconds: STORAGE_RETRY_SECONDS,
    cause,
  })
}

export const isStorageUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'storage_unavailable'
