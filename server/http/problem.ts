/** Converts every error into RFC 9457 problem details that expose nothing internal. */
import type { FastifyError } from 'fastify'
import { AppError, type ErrorCode, PROBLEMS } from '#base/errors.ts'
import { fieldErrors, invalidFields } from './field-errors.ts'

export type Problem = ReturnType<typeof renderProblem>

/** Errors that Fastify throws itself, by status. Any other is unexpected. */
const FRAMEWORK: Record<number, [ErrorCode, string]> = {
  400: ['invalid_request', 'The request cannot be parsed. Check its URL, headers and body.'],
  404: ['not_found', 'No resource exists at this URL.'],
  408: ['request_timeout', 'The request did not arrive in time.'],
  413: ['body_too_large', 'The request body exceeds the limit of this endpoint.'],
  415: ['unsupported_content_type', 'This endpoint accepts JSON. Send `Content-Type: application/json`.'],
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && 'code' in error
}

/** An unexpected error becomes `internal_error`, with the original as its cause for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isFastifyError(error)) {
    if (error.validation) {
      const errors = fieldErrors(error.validation, error.validationContext)
      return new AppError('invalid_request', `Invalid request: ${invalidFields(errors)}.`, { errors, cause: error })
    }
    const known = FRAMEWORK[error.statusCode ?? 0]
    if (known) return new AppError(...known, { cause: error })
  }
  return new AppError('internal_error', 'The service failed to process this request. The error was logged.', {
    cause: error,
  })
}

export function renderProblem(error: AppError, requestId: string, publicUrl: string) {
  const { status, title } = PROBLEMS[error.code]
  const headers: Record<string, string> = { ...error.headers, 'content-type': 'application/problem+json' }
  if (error.retryAfterSeconds !== undefined) headers['retry-after'] = String(error.retryAfterSeconds)
  if (status === 401) headers['www-authenticate'] = 'Bearer realm="docvet"'
  const body = JSON.stringify({
    type: `${publicUrl}/problems/${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    errors: error.errors,
  })
  return { status, headers, body }
}
