/** The closed list of error codes that clients can see, with status, title and help text. */

export interface ProblemKind {
  status: number
  title: string
  /** Cause and remedy, for the page behind the problem's `type`. The first sentence serves as the example `detail`. */
  help: string
}

export const PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    help: 'Part of the request is missing, malformed or not recognised. If `errors` is present, it lists each invalid field. Correct the request and send it again.',
  },
  missing_file: {
    status: 400,
    title: 'Missing document',
    help: 'The request contains no document. Send exactly one, in a multipart field named `file`: `curl -F file=@invoice.pdf …`.',
  },
  empty_file: {
    status: 400,
    title: 'Empty document',
    help: 'The multipart field `file` contains no bytes. Check that your client reads the file before it sends the request.',
  },
  too_many_files: {
    status: 400,
    title: 'More than one document',
    help: 'A request scans exactly one document. Send one request per document, or put the documents into one ZIP archive.',
  },
  malformed_multipart: {
    status: 400,
    title: 'Malformed multipart form',
    help: 'The body is not a well-formed multipart/form-data form. Let your HTTP library build the form, and do not set `Content-Type` yourself: the boundary would be missing.',
  },
  invalid_token: {
    status: 400,
    title: 'Invalid reset link',
    help: 'The reset link is invalid, expired or already used. A link works once, for 10 minutes, and only until a newer one is sent. Request a new link.',
  },
  unauthenticated: {
    status: 401,
    title: 'Authentication required',
    help: 'The request has no valid credential. Send your API key as `X-API-Key: dv_live_…` or `Authorization: Bearer dv_live_…`, or sign in where a session is accepted. The response is the same for a missing, malformed, unknown, revoked or expired credential.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Incorrect e-mail address or password',
    help: 'The e-mail address or the password is incorrect. The response is the same for an unknown address and a wrong password. An account created without a password can set one with a reset link.',
  },
  quota_exhausted: {
    status: 402,
    title: 'Monthly quota exhausted',
    help: 'This API key has used all scans of its plan for the current UTC month. `Retry-After` gives the seconds until the next month. A larger plan has a larger quota.',
  },
  cross_site: {
    status: 403,
    title: 'Cross-site request',
    help: 'The request was made by a page of another site. Requests that change data with a session must come from the pages of this service, identified by `Sec-Fetch-Site` or `Origin`. Programs should use an API key.',
  },
  subscription_suspended: {
    status: 403,
    title: 'Suspended subscription',
    help: 'The marketplace has suspended the subscription, usually because a payment is overdue. Resolve it in the marketplace; the plan is then restored automatically.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    help: 'The resource does not exist or belongs to another account. Check the URL and the id.',
  },
  no_live_subscription: {
    status: 404,
    title: 'No live subscription',
    help: 'The account has no pending, active or suspended marketplace subscription, or not the one named in the request. Open the purchase in the marketplace and follow its link to this service.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    help: 'The URL exists, but does not support this method. The header `Allow` lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timeout',
    help: 'The request did not arrive in time. Headers must arrive within 10 seconds and the whole request within 120 seconds. After the first 10 seconds a document must arrive at an average of at least 16,384 bytes per second; the largest document (25 MB) needs about 220 KB per second to meet the 120-second limit. Retry over a faster connection.',
  },
  email_taken: {
    status: 409,
    title: 'E-mail address already in use',
    help: 'An account with this e-mail address already exists. Use one of its API keys, or sign up with another address.',
  },
  key_limit_reached: {
    status: 409,
    title: 'API key limit reached',
    help: 'The account has created all API keys that its plan allows in this UTC month. Revoked keys count until the month ends. Use an existing key, wait for the next month, or choose a larger plan.',
  },
  subscription_conflict: {
    status: 409,
    title: 'Subscription conflict',
    help: 'The subscription belongs to another account, is cancelled, has a plan that this service does not sell, or the account already has another subscription. `detail` names the reason and the remedy.',
  },
  request_in_progress: {
    status: 409,
    title: 'Request in progress',
    help: 'Another request with this `Idempotency-Key` is still in progress. Retry after the interval in `Retry-After` to get its result. If the service crashed during the request, the key becomes available again after about a minute.',
  },
  body_too_large: {
    status: 413,
    title: 'Request body too large',
    help: 'The request body exceeds the limit of this endpoint: 65,536 bytes for JSON, 262,144 bytes for marketplace webhooks.',
  },
  file_too_large: {
    status: 413,
    title: 'Document too large',
    help: 'The document exceeds the limit of 26,214,400 bytes (25 MB).',
  },
  unsupported_content_type: {
    status: 415,
    title: 'Unsupported content type',
    help: 'The content type is not supported. Send JSON in UTF-8 with `Content-Type: application/json`, or a document as multipart/form-data, without `Content-Encoding`. A document must be PDF, Office, text or ZIP by its content, and must not be declared as an image, audio, video, font, model or program.',
  },
  expectation_failed: {
    status: 417,
    title: 'Unsupported expectation',
    help: 'The only supported value of the header `Expect` is `100-continue`.',
  },
  encrypted_document: {
    status: 422,
    title: 'Encrypted document',
    help: 'The document is encrypted and cannot be inspected, so no verdict is given and nothing is charged. Remove the password and scan it again.',
  },
  document_too_complex: {
    status: 422,
    title: 'Document too complex',
    help: 'The document is nested too deeply, has too many entries, expands too far, or contains an archive format that is not unpacked, so no verdict is given and nothing is charged. Scan its parts separately.',
  },
  damaged_document: {
    status: 422,
    title: 'Damaged document',
    help: 'The structure of the document cannot be read, so no verdict is given and nothing is charged. Save or export the document again and rescan it.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency key reused',
    help: 'This `Idempotency-Key` was used for a different document within the last 24 hours. Use a new key for each document.',
  },
  rate_limited: {
    status: 429,
    title: 'Rate limit exceeded',
    help: 'Too many requests. Retry after the interval in `Retry-After`. `RateLimit-Policy` describes the limit, `RateLimit` the remaining requests.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers too large',
    help: 'The URL and headers exceed 16 KiB in total, or the request has more than 100 headers.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    help: 'The service failed to process this request. The error was logged. Report the `requestId` to the operator of the service.',
  },
  upstream_error: {
    status: 502,
    title: 'Invalid upstream response',
    help: 'A service that this one depends on, such as the marketplace or the language model of the assistant, rejected the request or sent an invalid response. Nothing is billed, and scanning is not affected. Retry later; if the error persists, report the `requestId` to the operator.',
  },
  storage_unavailable: {
    status: 503,
    title: 'Storage unavailable',
    help: 'The service cannot reach its database. Nothing is charged. Retry after the interval in `Retry-After`; if the request changes data, first check whether the change took effect.',
  },
  engine_unavailable: {
    status: 503,
    title: 'Scan engine unavailable',
    help: 'A required scan engine is unavailable, so no verdict is given and nothing is charged. Retry after the interval in `Retry-After`.',
  },
  scan_timeout: {
    status: 503,
    title: 'Scan timeout',
    help: 'The scan did not finish within its time limit, so no verdict is given and nothing is charged. Retry; if the error persists, report the `requestId` to the operator.',
  },
  marketplace_unavailable: {
    status: 503,
    title: 'Marketplace unavailable',
    help: 'The marketplace does not respond, or none is configured. Nothing is billed twice. Retry after the interval in `Retry-After`.',
  },
  busy: {
    status: 503,
    title: 'Service at capacity',
    help: 'The service is at capacity, or the account has reached its limit of concurrent scans. Nothing is charged. Retry after the interval in `Retry-After`.',
  },
  invalid_conversation: {
    status: 400,
    title: 'Invalid conversation',
    help: 'The conversation is empty or malformed. Send 1 to 40 messages of 1 to 4,000 visible characters each, at most 65,536 bytes in total, with the role `user` or `assistant`; the last message must be from `user`. If `errors` is present, it lists each invalid field.',
  },
  chat_unavailable: {
    status: 503,
    title: 'Assistant unavailable',
    help: 'The assistant is not configured, is disabled, has reached its daily limit, or cannot reach its language model. The suggested questions and scanning are not affected.',
  },
} as const satisfies Record<string, ProblemKind>
