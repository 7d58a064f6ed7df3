/** Finds out who is asking, from the headers alone, before any byte of the body is read. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Principal } from '#base/principal.ts'
import { refuseCrossSite } from './same-origin.ts'
import type { SessionCookie } from './session-cookie.ts'

export type Credential = 'none' | 'key' | 'session' | 'key or session'

const BEARER = /^Bearer +(.+)$/i

export type Find = (secret: string) => Promise<Principal | null>

export interface Finders {
  findKey: Find
  findSession: Find
  cookie: SessionCookie
  publicUrl: string
}

const NEEDED = {
  key: 'Send a valid API key in the header X-API-Key, or as a Bearer token in the header Authorization.',
  session: 'Sign in first: this needs the cookie of a session that has not ended.',
  'key or session':
    'Send a valid API key in the header X-API-Key, or as a Bearer token in the header Authorization, or sign in.',
}

/** The key that the request presents, if it presents exactly one. */
function presentedKey(headers: FastifyRequest['headers']): string | undefined {
  const direct = headers['x-api-key']
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]?.trim()
  if (direct !== undefined && bearer !== undefined && direct !== bearer) return undefined
  return typeof direct === 'string' ? direct : bearer
}

/** Null for whoever shows no valid credential. */
export async function findPrincipal(request: FastifyRequest, credential: Credential, finders: Finders) {
  const { headers } = request
  const showsKey = headers['x-api-key'] !== undefined || headers.authorization !== undefined
  // Whoever shows a key means the key; a cookie comes along by itself.
  if (credential === 'key' || (credential === 'key or session' && showsKey)) {
    const secret = presentedKey(headers)
    return secret === undefined ? null : await finders.findKey(secret)
  }
  const token = finders.cookie.read(headers.cookie)
  return token === null ? null : await finders.findSession(token)
}

/** One and the same refusal for what is missing, malformed, unknown, revoked and ended. */
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

/** The caller of a route that demands a credential. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route was reached without a credential')
  return request.principal
}
