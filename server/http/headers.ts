/** Standard response headers, and checks of the request headers that Node's parser does not make. */
import type { IncomingMessage } from 'node:http'
import { AppError } from '#base/errors.ts'

export const HEADER_BYTES_MAX = 16_384
const HEADERS_MAX = 100

const HSTS = 'max-age=63072000; includeSubDomains'

/** Pages override the policy and the caching. */
const STANDARD = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Allows only files of this service: no inline code, no other hosts, and no text that becomes code. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export type StandardHeaders = (requestId: string) => Record<string, string>

export function standardHeaders(secure: boolean): StandardHeaders {
  const fixed = secure ? { ...STANDARD, 'strict-transport-security': HSTS } : STANDARD
  return (requestId) => ({ ...fixed, 'x-request-id': requestId })
}

/** A proxy could use another of two values than this service does. */
const SINGLE = new Set(['host', 'authorization', 'x-api-key', 'content-type', 'cookie'])
const SINGLE_LENGTHS = new Set([...SINGLE].map((name) => name.length))

function refuseDuplicates(rawHeaders: readonly string[]): void {
  let seen: Set<string> | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const raw = rawHeaders[i] as string
    if (!SINGLE_LENGTHS.has(raw.length)) continue
    const name = raw.toLowerCase()
    if (!SINGLE.has(name)) continue
    seen ??= new Set()
    if (seen.has(name)) throw new AppError('invalid_request', `The header \`${name}\` must not be repeated.`)
    seen.add(name)
  }
}

export function checkRequestHead(request: IncomingMessage): void {
  if (request.rawHeaders.length > HEADERS_MAX * 2) {
    throw new AppError('headers_too_large', `The request has more than ${HEADERS_MAX} headers.`)
  }
  refuseDuplicates(request.rawHeaders)
  if (request.headers.host === undefined && request.httpVersion !== '1.0') {
    throw new AppError('invalid_request', 'The header `Host` is required.')
  }
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && coding.trim().toLowerCase() !== 'chunked') {
    throw new AppError('invalid_request', 'The only supported `Transfer-Encoding` is `chunked`.')
  }
  // The absolute form lets the client name any host.
  if (!request.url?.startsWith('/')) {
    throw new AppError('invalid_request', 'The request target must begin with `/`.')
  }
}
