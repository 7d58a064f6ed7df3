/** Identifies the caller from the headers alone, before the body is read. */
import type { FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { isAtLeast, type Principal, type Role, type Scope } from '#base/principal.ts'
import { plainAddress } from './address.ts'
import { refuseCrossSite } from './same-origin.ts'
import type { SessionCookie } from './session-cookie.ts'

export type Credential = 'none' | 'key' | 'session' | 'key or session' | 'key or push token'

/** As other APIs want it: `Token`, `ApiKey`. A key alone is longer and has other characters. */
const OTHER_SCHEME = /^(?!Bearer\b)([a-z][a-z-]{1,14}) +\S/i
const BEARER = /^Bearer +([^ ].*)$/i

type Find = (secret: string) => Promise<Principal | null>

export interface Finders {
  /** `address` is that of the caller, null if it is not known. */
  findKey: (secret: string, address: string | null) => Promise<Principal | null>
  findSession: Find
  /** By the token that signs a call, of a sender that cannot send a key. */
  findPushSender?: Find
  cookie: SessionCookie
  publicUrl: string
}

/** A signed token, which no key looks like. */
const TOKEN = /^ey[\w-]+\.[\w-]+\.[\w-]+$/

const HOW = 'in the header `X-API-Key`, or as `Authorization: Bearer` with the key.'
const SEND = `Send it ${HOW}`
const ENDED = 'The session has ended or is not known. Sign in again'

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
  if (credential.startsWith('key') && (credential !== 'key or session' || hasKey)) {
    const secret = presentedKey(headers)
    const isToken = credential === 'key or push token' && secret !== undefined && TOKEN.test(secret)
    if (isToken) return (await finders.findPushSender?.(secret)) ?? null
    return secret === undefined ? null : await finders.findKey(secret, plainAddress(request.ip))
  }
  const token = finders.cookie.read(headers.cookie)
  return token === null ? null : await finders.findSession(token)
}

/** Parameters that carry a key in other services. */
const KEY_PARAMETER = /[?&](?:x-)?(?:api[_-]?key|key|access[_-]?token|token|authorization)=/i
const hasKeyInUrl = (url: string): boolean => /dv_(?:live|test)_/.test(url) || KEY_PARAMETER.test(url)

function unsupportedScheme(authorization = ''): string | null {
  if (/^Basic(?: |$)/i.test(authorization)) return 'Basic authentication'
  const [, scheme] = OTHER_SCHEME.exec(authorization) ?? []
  return scheme === undefined ? null : `\`Authorization: ${scheme}\``
}

/** Depends on the form of the request only: malformed, unknown, revoked and expired credentials have the same detail. */
function refusalOf({ raw, headers }: FastifyRequest, credential: Credential, cookie: SessionCookie): string {
  const { 'x-api-key': direct, authorization } = headers
  const hasCookie = cookie.read(headers.cookie) !== null
  if (credential === 'session') {
    if (hasCookie) return `${ENDED}.`
    if (direct || authorization) return 'This endpoint accepts no API key, only the cookie of a session. Sign in first.'
    return 'No session cookie was sent. Sign in first: this endpoint requires a session.'
  }
  const scheme = unsupportedScheme(authorization)
  if (scheme !== null) return `${scheme} is not supported. Send the API key ${HOW}`
  if (direct || (authorization && !/^Bearer *$/i.test(authorization)))
    return `This API key is not accepted. Check that it is complete and was not revoked. ${SEND}`
  if (hasKeyInUrl(raw.url ?? ''))
    return `An API key in the URL is not accepted, because URLs are logged. Revoke the key if it is real. ${SEND}`
  return hasCookie ? `${ENDED}, or send an API key.` : `No API key was sent. ${SEND}`
}

export async function identify(
  request: FastifyRequest,
  credential: Exclude<Credential, 'none'>,
  finders: Finders,
): Promise<Principal> {
  const principal = await findPrincipal(request, credential, finders)
  if (principal === null) throw new AppError('unauthenticated', refusalOf(request, credential, finders.cookie))
  if (principal.kind === 'session') refuseCrossSite(request.raw, finders.publicUrl, true)
  return principal
}

/** One of `scopes` is enough. */
export function refuseScope(principal: Principal, scopes: readonly Scope[]): void {
  const own = principal.kind === 'key' ? principal.limits?.scopes : undefined
  if (!own || scopes.some((scope) => own.includes(scope))) return
  const needed = scopes.map((scope) => `\`${scope}\``).join(' or ')
  throw new AppError(
    'key_scope',
    `This API key may not do that: it lacks the scope ${needed}. Create a key with it, or sign in.`,
  )
}

/** The account of another, if the session works in one. */
export function enterAccount(principal: Principal): Principal {
  if (principal.kind !== 'session' || !principal.acting) return principal
  const { acting, accountId: id, ...session } = principal
  return { ...session, accountId: acting.accountId, member: { id, role: acting.role } }
}

export function refuseRole(principal: Principal, needed: Role): void {
  if (principal.kind !== 'session' || !principal.member || isAtLeast(principal.member.role, needed)) return
  throw new AppError(
    'role_forbidden',
    needed === 'owner'
      ? 'Only the owner of this account may do that. For your own account, switch to it first.'
      : `You are ${principal.member.role} of this account; this needs the role ${needed}. Ask an admin of the account.`,
  )
}

export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error('This route requires a credential')
  return request.principal
}
