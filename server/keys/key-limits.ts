/** What a key may do, for how long and from where: validation, storage, and that no key grants more than it has. */
import { AppError, invalidField } from '#base/errors.ts'
import { networkTest, parseNetwork } from '#base/networks.ts'
import { type KeyLimits, type MemberRole, type Principal, SCOPES, type Scope } from '#base/principal.ts'

const HOUR_MS = 3_600_000
const LIFETIME_MS_MIN = HOUR_MS
/** Two years, one of which is a leap year. */
const LIFETIME_MS_MAX = 731 * 24 * HOUR_MS
export const ADDRESSES_MAX = 20
/** Of an IPv6 network with its prefix. */
export const ADDRESS_LENGTH_MAX = 49

function isWithin(text: string, outer: readonly string[]): boolean {
  const inner = parseNetwork(text)
  if (inner === null) return false
  return outer.some((network) => {
    const { family, bits } = parseNetwork(network) ?? { bits: Number.POSITIVE_INFINITY }
    return family === inner.family && bits <= inner.bits && networkTest([network])(inner.address)
  })
}

/** As a client gives them. */
export interface GivenLimits {
  scopes?: readonly Scope[]
  expiresAt?: string
  allowedAddresses?: readonly string[]
}

function parseExpiry(given: string, nowMs: number): number {
  const expiresAt = Date.parse(given)
  const lifetimeMs = expiresAt - nowMs
  if (lifetimeMs >= LIFETIME_MS_MIN && lifetimeMs <= LIFETIME_MS_MAX) return expiresAt
  throw invalidField('expiresAt', 'must be at least an hour and at most two years from now')
}

function parseAddresses(given: readonly string[]): readonly string[] {
  return given.map((each, index) => {
    const network = parseNetwork(each)
    if (network !== null) return network.text
    throw invalidField(`allowedAddresses.${index}`, 'must be an IP address, or a network such as 192.0.2.0/24')
  })
}

/** All scopes are no limit. */
function parseScopes(given: readonly Scope[]): KeyLimits {
  const scopes = SCOPES.filter((scope) => given.includes(scope))
  return scopes.length === SCOPES.length ? {} : { scopes }
}

export function parseLimits({ scopes, expiresAt, allowedAddresses }: GivenLimits, nowMs = Date.now()): KeyLimits {
  return {
    ...(scopes && parseScopes(scopes)),
    ...(expiresAt !== undefined && { expiresAt: parseExpiry(expiresAt, nowMs) }),
    ...(allowedAddresses && { allowedAddresses: parseAddresses(allowedAddresses) }),
  }
}

const more = (what: string): AppError =>
  new AppError('key_scope', `A key cannot give another key more rights than it has: ${what}. Sign in to do this.`)

/** Those of keys that a person with the role creates: none may do more than the person. */
export const ROLE_SCOPES: Readonly<Record<MemberRole, readonly Scope[]>> = {
  ...{ viewer: [], member: ['scan', 'read'], admin: SCOPES },
}

function limitsOf(principal: Principal | null): KeyLimits {
  if (principal?.kind === 'key') return principal.limits ?? {}
  const role = principal?.member?.role
  return role === undefined || role === 'admin' ? {} : { scopes: ROLE_SCOPES[role] }
}

const beyond = (principal: Principal, scopes: readonly Scope[]): AppError =>
  principal.kind === 'key'
    ? more(`its scopes are ${scopes.join(', ')}`)
    : new AppError(
        'role_forbidden',
        `Your role in this account allows keys with the scopes ${scopes.join(', ')} only. Ask an admin of the account.`,
      )

/** Refuses limits that a key would exceed with them. */
export function refuseMore(principal: Principal, { scopes, expiresAt, allowedAddresses }: KeyLimits): void {
  const own = limitsOf(principal)
  if (own.scopes && !(scopes ?? SCOPES).every((scope) => own.scopes?.includes(scope)))
    throw beyond(principal, own.scopes)
  if (own.expiresAt !== undefined && (expiresAt ?? Number.POSITIVE_INFINITY) > own.expiresAt)
    throw more(`it expires at ${new Date(own.expiresAt).toISOString()}`)
  const bound = own.allowedAddresses
  if (bound && !(allowedAddresses?.every((each) => isWithin(each, bound)) ?? false))
    throw more('it is accepted from some addresses only')
}

/** Of a new key: what is not given is that of the key or member who creates it. */
export function limitsFor(principal: Principal, given: GivenLimits): KeyLimits {
  const limits = { ...limitsOf(principal), ...parseLimits(given) }
  // Given as all scopes, which parses to none.
  if (given.scopes?.length === SCOPES.length) delete limits.scopes
  refuseMore(principal, limits)
  return limits
}

/** Of a new secret: as long as the old one was to last, unless a key that ends earlier asks for it. */
export function renewedExpiry(
  principal: Principal | null,
  key: { createdAt: number; expiresAt?: number },
  nowMs: number,
) {
  if (key.expiresAt === undefined) return undefined
  const renewed = nowMs + key.expiresAt - key.createdAt
  return Math.min(renewed, limitsOf(principal).expiresAt ?? renewed)
}

export interface StoredLimits {
  scopes: string | null
  expiresAt: number | null
  allowedAddresses: string | null
}

export const storedLimits = ({ scopes, expiresAt, allowedAddresses }: KeyLimits): StoredLimits => ({
  scopes: scopes?.join(' ') ?? null,
  expiresAt: expiresAt ?? null,
  allowedAddresses: allowedAddresses?.join(' ') ?? null,
})

export function readLimits({ scopes, expiresAt, allowedAddresses }: StoredLimits): KeyLimits | undefined {
  if (scopes === null && expiresAt === null && allowedAddresses === null) return undefined
  return {
    ...(scopes !== null && { scopes: scopes.split(' ') as Scope[] }),
    ...(expiresAt !== null && { expiresAt }),
    ...(allowedAddresses !== null && { allowedAddresses: allowedAddresses.split(' ') }),
  }
}

/** An address that is not known is none of them. */
export const isAllowedFrom = ({ allowedAddresses }: KeyLimits, address: string | null): boolean =>
  allowedAddresses === undefined || (address !== null && networkTest(allowedAddresses)(address))
