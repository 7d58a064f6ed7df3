/** Response headers of the OpenAPI document. */

const text = (description: string, example: string) => ({ description, schema: { type: 'string' }, example })

export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request in the log of the service. Include it when you report an error.',
    schema: { type: 'string', format: 'uuid' },
    example: '5f0c2b1e-3d7a-4c58-9e46-8b1f0a2d3c4e',
  },
  'Retry-After': {
    description: 'Seconds after which the request may succeed.',
    schema: { type: 'integer', minimum: 1 },
    example: 5,
  },
  'RateLimit-Policy': text(
    'The rate limit, if one applied: `q` requests in `w` seconds (IETF draft RateLimit header fields).',
    '"scan";q=10;w=10',
  ),
  RateLimit: text(
    'The state of the rate limit, if one applied: `r` requests left; `t` seconds until all are available again, or until retry after a 429.',
    '"scan";r=9;t=1',
  ),
  'WWW-Authenticate': text('The authentication scheme.', 'Bearer realm="docvet"'),
  'Set-Cookie': text(
    'Sets or clears the session cookie. The name is `__Host-docvet_session` over HTTPS.',
    'docvet_session=…; Path=/; HttpOnly; SameSite=Lax',
  ),
  'Clear-Site-Data': text('Tells the browser to delete data of the ended session.', '"cache", "storage"'),
} as const

export type HeaderName = keyof typeof HEADERS

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
