/** Who signed in, by the verified claims of a provider. Pure. */
import { CONSUMERS, GUID, MICROSOFT, type Provider } from './providers.ts'
import { SignInRefused } from './refusal.ts'

const SUBJECT_LENGTH_MAX = 255

export type Claims = Readonly<Record<string, unknown>>

export interface Person {
  issuer: string
  /** Never reused for somebody else, unlike an address. */
  subject: string
  email: string | null
  /** The provider says that the address belongs to the person. */
  isVerified: boolean
  /** The tenant, the Workspace domain, or the domain of a verified address; null if none of these is certain. */
  organisation: string | null
  /** When the person entered the password there, in seconds; null if it is not said. */
  authTime: number | null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** Providers send it as a boolean, a number or text. */
const isTrue = (value: unknown): boolean => [true, 'true', 1, '1'].some((each) => each === value)

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : []

const lower = (text: string): string => text.toLowerCase()

const domainOf = (email: string | null): string | null =>
  email === null ? null : (lower(email).split('@').at(-1) ?? null)

const GROUPS: Readonly<Record<string, (tid: string) => boolean>> = {
  common: () => true,
  organizations: (tid) => tid !== CONSUMERS,
  consumers: (tid) => tid === CONSUMERS,
}

/** The library accepts whatever tenant the token names as its issuer, so everything about it is checked here. */
function tenantOf({ tenant, allowTenants }: Provider, { tid, iss }: Claims): string {
  if (typeof tid !== 'string' || !GUID.test(tid) || iss !== `${MICROSOFT}/${tid}/v2.0`)
    throw new SignInRefused('failed')
  const isOfGroup = GROUPS[tenant ?? ''] ?? ((each: string) => each === tenant)
  if (!isOfGroup(tid) || allowTenants?.includes(tid) === false) throw new SignInRefused('not_allowed')
  return tid
}

/** A tenant can give its users any address, so only claims that Microsoft has checked count, or the operator's own tenant. */
function microsoft(provider: Provider, claims: Claims): Omit<Person, 'authTime'> {
  const tid = tenantOf(provider, claims)
  const { oid } = claims
  if (typeof oid !== 'string' || !GUID.test(oid)) throw new SignInRefused('failed')
  const proven = [...listOf(claims.verified_primary_email), ...listOf(claims.verified_secondary_email)]
  const email = textOf(claims.email) ?? proven[0] ?? null
  const isProven = email !== null && proven.map(lower).includes(lower(email))
  const isVerified = isProven || isTrue(claims.xms_edov) || provider.tenant === tid
  return { issuer: `${MICROSOFT}/${tid}/v2.0`, subject: oid, email, isVerified, organisation: tid }
}

function standard(provider: Provider, claims: Claims): Omit<Person, 'authTime'> {
  const { iss, sub } = claims
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub.length > SUBJECT_LENGTH_MAX || sub === '')
    throw new SignInRefused('failed')
  if (provider.hd !== null && claims.hd !== provider.hd) throw new SignInRefused('not_allowed')
  const isVerified = provider.trustEmail || isTrue(claims.email_verified)
  const email = textOf(claims.email)
  // Outsiders can have Google accounts with addresses of a company.
  const organisation = provider.kind === 'google' ? textOf(claims.hd) : isVerified ? domainOf(email) : null
  return { issuer: iss, subject: sub, email, isVerified, organisation }
}

export function personOf(provider: Provider, claims: Claims): Person {
  const person = provider.kind === 'microsoft' ? microsoft(provider, claims) : standard(provider, claims)
  const { allowDomains } = provider
  if (allowDomains !== null) {
    const domain = domainOf(person.email) ?? ''
    // An address that nobody has verified says nothing about a domain.
    if (!person.isVerified || !allowDomains.includes(domain)) throw new SignInRefused('not_allowed')
  }
  const { auth_time: authTime } = claims
  return { ...person, authTime: typeof authTime === 'number' ? authTime : null }
}
