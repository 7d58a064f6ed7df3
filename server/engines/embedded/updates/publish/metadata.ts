/** Metadata of The Update Framework as it is written: keys, signatures and expiry. Services read it by a library of others. */
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export const ROLES = ['root', 'targets', 'snapshot', 'timestamp'] as const
export type Role = (typeof ROLES)[number]
/** For each role. */
export type Of<T> = Record<Role, T>

/** Ed25519, as the metadata describes it. */
interface Described {
  keytype: 'ed25519'
  scheme: 'ed25519'
  keyval: { public: string }
}

export interface PublicKey {
  id: string
  described: Described
}

export interface SigningKey extends PublicKey {
  secret: KeyObject
}

export interface Common {
  _type: Role
  spec_version: string
  version: number
  expires: string
}

export interface Root extends Common {
  consistent_snapshot: true
  keys: Record<string, Described>
  roles: Of<{ keyids: string[]; threshold: number }>
}

export interface Envelope<T extends Common = Common> {
  signatures: { keyid: string; sig: string }[]
  signed: T
}

const DAY_MS = 86_400_000

export const common = (type: Role, version: number, days: number): Common => ({
  ...{ _type: type, spec_version: '1.0.31', version },
  expires: `${new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 19)}Z`,
})

/** The form that is signed: names in order, no spaces, and only quotes and backslashes escaped. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'string') return `"${value.replace(/[\\"]/g, '\\$&')}"`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, each]) => `${canonical(name)}:${canonical(each)}`).join(',')}}`
}

/** Of PEM with a public or a private key. Throws if it is none. */
export function publicKeyOf(pem: string): PublicKey {
  const { kty, crv, x } = createPublicKey(pem).export({ format: 'jwk' })
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) throw new Error('the key is not of Ed25519')
  const hex = Buffer.from(x, 'base64url').toString('hex')
  const described: Described = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: hex } }
  return { id: createHash('sha256').update(canonical(described)).digest('hex'), described }
}

export function signingKeyOf(pem: string): SigningKey {
  const secret = createPrivateKey(pem)
  return { ...publicKeyOf(pem), secret }
}

/** A key that has signed before signs anew. */
export function signed<T extends Common>(
  { signatures, signed }: Envelope<T>,
  keys: readonly SigningKey[],
): Envelope<T> {
  const bytes = Buffer.from(canonical(signed))
  const own = new Map(keys.map(({ id, secret }) => [id, { keyid: id, sig: sign(null, bytes, secret).toString('hex') }]))
  return { signatures: [...signatures.filter(({ keyid }) => !own.has(keyid)), ...own.values()], signed }
}

/** How many keys of the role have signed. */
export function countSigners({ signatures, signed }: Envelope, { keys, roles }: Root, role: Role): number {
  const bytes = Buffer.from(canonical(signed))
  const isGenuine = ({ keyid, sig }: Envelope['signatures'][number]): boolean => {
    const described = roles[role].keyids.includes(keyid) ? keys[keyid] : undefined
    if (described === undefined) return false
    const x = Buffer.from(described.keyval.public, 'hex').toString('base64url')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    return verify(null, bytes, key, Buffer.from(sig, 'hex'))
  }
  return new Set(signatures.filter(isGenuine).map(({ keyid }) => keyid)).size
}

export const encoded = (envelope: Envelope): Buffer => Buffer.from(`${JSON.stringify(envelope, null, 1)}\n`)

/** How a file is named by the metadata above it. */
export const described = (bytes: Buffer) => ({
  length: bytes.length,
  hashes: { sha256: createHash('sha256').update(bytes).digest('hex') },
})
