/** Identifies the caller from the headers alone, before the body is read. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Principal } from '#base/principal.ts'
import { refuseCrossSite } from './same-origin.ts'
import type { SessionCookie } from './session-cookie.ts'

export type Credential = 'none' | 'key' | 'session' | 'key or session'

const BEARER = /^Bearer +([^ ].*)$/i

type Find = (secret: string) => Promise<Principal | null>

export interface Finders {
  findKey: Find
  findSession: Find
  cookie: SessionCookie
  publicUrl: string
}

const NEEDED = {
  key: 'Send a valid API key in the header `X-API-Key` or as a Bearer token in `Authorization`.',
  session: 'Sign in first. This endpoint requires the cookie of an active session.',
  'key or session':
    'Send a valid API key in the header `X-API-Key` or as a Bearer token in `Authorization`, or sign in.',
}

/** Undefined when the two headers carry different keys. */
export function presentedKey(headers: FastifyRequest['headers']): string | undefined {
  const direct = headers['x-api-key']
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]?.trim()
  if (direct !== undefined && bearer !== undefined && direct !== bearer) return undefined
  return typeof direct === 'string' ? direct : bearer
}

/** Null without a valid credential. */
export async function findPrincipal(request: FastifyRequest, credential: Credential, finders: Finders) {
  const { headers } = request
  const hasKey = headers['x-api-key'] !== undefined || headers.authorization !== undefined
  // A key takes precedence because browsers send cookies automatically.
  if (credential === 'key' || (credential === 'key or session' && hasKey)) {
    const secret = presentedKey(headers)
    return secret === undefined ? null : await finders.findKey(secret)
  }
  const token = finders.cookie.read(headers.cookie)
  return token === null ? null : await finders.findSession(token)
}

/** Throws the same error for a missing, malformed, unknown, revoked and expired credential. */
export async function identify(
  request: FastifyRequest,
  credential: Exclude<Credential, 'none'>,
  finders: Finders,
): Promise<Principal> {
  const principal = await findPrincipal(request, credential, finders)
  if (principal === null) throw new AppError('unauthenticated', NEEDED[credential])
  if (principal.kind === 'session') refuseCrossSite(request.raw, finders.publicUrl, true)
  return principal
}

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route requires a credential')
  return request.principal
}
