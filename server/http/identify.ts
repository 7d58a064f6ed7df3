/** Finds out who is asking, from the headers alone, before any byte of the body is read. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Principal } from '#base/principal.ts'

export type Credential = 'none' | 'key' | 'key or session'

const BEARER = /^Bearer +(.+)$/i

export type FindKey = (secret: string) => Promise<Principal | null>

/** One and the same answer for missing, malformed, unknown and revoked. */
const unauthenticated = (): AppError =>
  new AppError(
    'unauthenticated',
    'Send a valid API key in the header X-API-Key, or as a Bearer token in the header Authorization.',
  )

/** The key that the request presents, if it presents exactly one. */
function presentedKey(headers: FastifyRequest['headers']): string | undefined {
  const direct = headers['x-api-key']
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1]?.trim()
  if (direct !== undefined && bearer !== undefined && direct !== bearer) return undefined
  return typeof direct === 'string' ? direct : bearer
}

export async function identify(request: FastifyRequest, findKey: FindKey): Promise<Principal> {
  const secret = presentedKey(request.headers)
  const principal = secret === undefined ? null : await findKey(secret)
  if (principal === null) throw unauthenticated()
  return principal
}

/** The caller of a route that demands a credential. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route was reached without a credential')
  return request.principal
}
