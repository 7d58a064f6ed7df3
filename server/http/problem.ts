/** Every failure, from anywhere, leaves the house here: as RFC 9457 problem details that show nothing internal. */
import type { FastifyError } from 'fastify'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { fieldErrors } from './field-errors.ts'

export interface ProblemKind {
  status: number
  title: string
  /** What happened and what to do about it, for the page behind the problem's `type`. */
  help: string
}

export const PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'The request is not valid',
    help: 'Something in the request is missing, malformed or unknown. `errors`, when present, names each field at fault. Correct it and send it again.',
  },
  missing_file: {
    status: 400,
    title: 'No document was sent',
    help: 'Send exactly one document, as the part `file` of a multipart/form-data request: `curl -F file=@invoice.pdf …`.',
  },
  empty_file: {
    status: 400,
    title: 'The document is empty',
    help: 'The part `file` had no bytes. Check that the file was read before it was sent.',
  },
  too_many_files: {
    status: 400,
    title: 'More than one document was sent',
    help: 'One request scans one document. Send each in a request of its own, or put them into one ZIP.',
  },
  malformed_multipart: {
    status: 400,
    title: 'The form could not be read',
    help: 'The body is not a well-formed multipart/form-data form. Let your HTTP library build it, and do not set its `Content-Type` by hand: the boundary would be missing.',
  },
  invalid_token: {
    status: 400,
    title: 'The link is not valid',
    help: 'A reset link works once, for 10 minutes, and only until a newer one is sent. Ask for a new one.',
  },
  unauthenticated: {
    status: 401,
    title: 'A valid credential is required',
    help: 'Send your key as `X-API-Key: dv_live_…` or `Authorization: Bearer dv_live_…`, or sign in where a session is enough. The answer is the same for a missing, malformed, unknown, revoked and ended one.',
  },
  invalid_credentials: {
    status: 401,
    title: 'The e-mail address or the password is wrong',
    help: 'The answer is the same for an unknown address and for a wrong password. An account that was made without a password gets one through the reset link.',
  },
  quota_exhausted: {
    status: 402,
    title: 'The monthly quota is used up',
    help: 'This key has used all scans of its plan for this UTC month. `Retry-After` tells when the next month begins. A larger plan has a larger quota.',
  },
  cross_site: {
    status: 403,
    title: 'The request came from another site',
    help: 'With a session, nothing is changed on behalf of another web site. Pages of the service are recognised by `Sec-Fetch-Site` or `Origin`; programs use an API key.',
  },
  subscription_suspended: {
    status: 403,
    title: 'The subscription is suspended',
    help: 'The marketplace has suspended it, as a rule because a payment is missing. Settle it there; the plan then comes back by itself.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'There is nothing at this address, or it is not yours.',
  },
  no_live_subscription: {
    status: 404,
    title: 'There is no live subscription',
    help: 'The account has no marketplace subscription that waits, runs or is suspended, or not the one that was named. Open the purchase in the marketplace and come back through its link.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    help: 'The address exists, but not for this method. The header `Allow` lists the methods that do work.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    help: 'The headers of a request have 10 seconds to arrive, and the whole of it 120. A document has to come at 16,384 bytes a second on average, counted after the first 10 seconds, and within the 120 all the same: the largest, of 25 MB, needs about 220 KB a second. Send the request again over a faster connection.',
  },
  email_taken: {
    status: 409,
    title: 'The e-mail address is taken',
    help: 'There is already an account with this address. Use one of its keys, or sign up with another address.',
  },
  key_limit_reached: {
    status: 409,
    title: 'The limit of keys is reached',
    help: 'A plan allows a number of keys in one UTC month, and revoked keys count until the month ends. Use an existing key, wait, or move to a larger plan.',
  },
  subscription_conflict: {
    status: 409,
    title: 'The subscription cannot be used here',
    help: 'It belongs to another account, the account has another one already, it was cancelled, or its plan is not one that this service sells. `detail` tells which, and what to do.',
  },
  request_in_progress: {
    status: 409,
    title: 'The same request is still under way',
    help: 'Another request with this `Idempotency-Key` has not been answered yet. Wait for the seconds that `Retry-After` gives, then send it again to get its answer. When the service broke down in the middle, the key is free again after a minute or so.',
  },
  body_too_large: {
    status: 413,
    title: 'The request body is too large',
    help: 'A JSON body may have up to 65,536 bytes; a call of the marketplace up to 262,144.',
  },
  file_too_large: {
    status: 413,
    title: 'The document is too large',
    help: 'A document may have up to 26,214,400 bytes (25 MB).',
  },
  unsupported_content_type: {
    status: 415,
    title: 'The content type is not supported',
    help: 'Send JSON in UTF-8 with `Content-Type: application/json`, or a document as multipart/form-data, and neither with a `Content-Encoding`. A document must be PDF, Office, text or ZIP by its content, and must not be declared as an image, audio, video, font, model or program.',
  },
  expectation_failed: {
    status: 417,
    title: 'The expectation cannot be met',
    help: 'The only value of the header `Expect` that is understood is `100-continue`.',
  },
  encrypted_document: {
    status: 422,
    title: 'The document is encrypted',
    help: 'A password is needed that we do not have, so there is no verdict, and nothing is charged. Remove the password and scan it again.',
  },
  document_too_complex: {
    status: 422,
    title: 'The document is too complex',
    help: 'It is nested too deep, has too many entries, unpacks to too much, or holds something that is not unpacked, so there is no verdict, and nothing is charged. Scan its parts on their own.',
  },
  damaged_document: {
    status: 422,
    title: 'The document is damaged',
    help: 'Its structure cannot be read, so there is no verdict, and nothing is charged. Save or export it anew and scan it again.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key belongs to another document',
    help: 'This `Idempotency-Key` was used for another document within the last 24 hours. Use a new one for each document.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for the seconds that `Retry-After` gives, then try again. `RateLimit-Policy` and `RateLimit` tell the limit and what is left of it.',
  },
  headers_too_large: {
    status: 431,
    title: 'The request headers are too large',
    help: 'The address and all headers together may have up to 16 KiB, in at most 100 headers.',
  },
  internal_error: {
    status: 500,
    title: 'Something went wrong on our side',
    help: 'This is a fault of the service. Tell its operator the `requestId`; the log has the rest.',
  },
  upstream_error: {
    status: 502,
    title: 'Another service gave an answer that cannot be used',
    help: 'A service that this one depends on, such as the marketplace or the language model behind the assistant, refused or answered nonsense. Nothing is billed, and scanning is not affected. Try again later; if it stays so, tell the operator the `requestId`.',
  },
  storage_unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    help: 'The service cannot reach its database. Nothing is charged. Try again after the seconds that `Retry-After` gives; if the request was to change something, look first whether it did.',
  },
  engine_unavailable: {
    status: 503,
    title: 'Documents cannot be scanned at the moment',
    help: 'An engine that every `clean` needs is not available, so there is no verdict, and nothing is charged. Try again after the seconds that `Retry-After` gives.',
  },
  scan_timeout: {
    status: 503,
    title: 'The scan took too long',
    help: 'The document could not be looked at within the time that a scan may take, so there is no verdict, and nothing is charged. Try again; if it stays so, tell the operator the `requestId`.',
  },
  marketplace_unavailable: {
    status: 503,
    title: 'The marketplace is not available',
    help: 'The marketplace does not answer, or none is connected. Nothing is half done and nothing is billed twice: try again after the seconds that `Retry-After` gives.',
  },
  busy: {
    status: 503,
    title: 'Too much at once',
    help: 'The service has as many documents, or sign-ins, in hand as it can hold, or one account more than its share of them. Nothing is charged. Try again after the seconds that `Retry-After` gives.',
  },
  invalid_conversation: {
    status: 400,
    title: 'The conversation is not valid',
    help: 'A conversation has 1 to 40 messages of 1 to 4,000 characters each, and 65,536 bytes in all, from `user` or `assistant`, and the last one is from `user`. Invisible characters do not count. `errors`, when present, names what is at fault.',
  },
  chat_unavailable: {
    status: 503,
    title: 'The assistant is not available',
    help: 'The assistant is not set up, switched off, has answered as much as it may today, or its language model cannot be reached. The suggested questions have answers all the same, and scanning is not affected.',
  },
} as const satisfies Record<ErrorCode, ProblemKind>

export interface Problem {
  status: number
  headers: Record<string, string>
  body: string
}

/** What the framework throws by itself, by status; anything else is a surprise. */
const FRAMEWORK: Record<number, [ErrorCode, string]> = {
  400: ['invalid_request', 'The request could not be read. Check its address, headers and body.'],
  404: ['not_found', 'There is nothing at this address.'],
  408: ['request_timeout', 'The request did not arrive in time.'],
  413: ['body_too_large', 'The request body is larger than this endpoint allows.'],
  415: ['unsupported_content_type', 'This endpoint takes JSON: send Content-Type: application/json.'],
}

function isFastifyError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && 'code' in error
}

/** Whatever was thrown, as a refusal. A surprise becomes `internal_error`, with itself as the cause for the log. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isFastifyError(error)) {
    if (error.validation) {
      const errors = fieldErrors(error.validation, error.validationContext)
      const detail = errors.map(({ field, message }) => `${field} ${message}`).join('; ')
      return new AppError('invalid_request', `Not as it should be: ${detail}.`, { errors, cause: error })
    }
    const known = FRAMEWORK[error.statusCode ?? 0]
    if (known) return new AppError(...known, { cause: error })
  }
  return new AppError('internal_error', 'The service failed to answer this request. The fault is ours and is logged.', {
    cause: error,
  })
}

export function renderProblem(error: AppError, requestId: string, publicUrl: string): Problem {
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
