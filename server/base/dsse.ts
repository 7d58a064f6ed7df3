/** Signed envelopes: DSSE 1.0.2 with Ed25519. */
import { createPublicKey, hash, type KeyObject, sign, verify } from 'node:crypto'

export interface PublicJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  x: string
}

/** What is signed: the lengths are those of bytes, so that no two pairs of type and body have the same text. */
export function preAuthenticationEncoding(type: string, body: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `
  return Buffer.concat([Buffer.from(head), body])
}

export const signBody = (type: string, body: Buffer, key: KeyObject): string =>
  sign(null, preAuthenticationEncoding(type, body), key).toString('base64')

/** Of a private key too. */
export function publicJwkOf(key: KeyObject): PublicJwk {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  return { kty: 'OKP', crv: 'Ed25519', x: x as string }
}

/** RFC 7638: of the required members, in the order of their names. */
export const thumbprintOf = ({ crv, kty, x }: PublicJwk): string =>
  hash('sha256', JSON.stringify({ crv, kty, x }), 'base64url')

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** Standard or URL-safe. Null for anything else: the decoder would skip other characters. */
function decoded(text: unknown): Buffer | null {
  return typeof text === 'string' && BASE64.test(text) ? Buffer.from(text, 'base64') : null
}

/** More than anyone needs, because each is compared with every key. */
const SIGNATURES_MAX = 16

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

interface Opened {
  type: string
  /** The bytes that the signatures are compared with: whatever is read from the envelope is read from these. */
  body: Buffer
  signatures: readonly Buffer[]
  /** Hints only, because they are not signed. */
  keyIds: readonly string[]
}

/** Ignores fields that are not known. Null if it is no envelope. */
export function openEnvelope(value: unknown): Opened | null {
  if (!isObject(value) || typeof value.payloadType !== 'string' || !Array.isArray(value.signatures)) return null
  if (value.signatures.length > SIGNATURES_MAX) return null
  const body = decoded(value.payload)
  const signatures = value.signatures.map((each: unknown) => (isObject(each) ? decoded(each.sig) : null))
  if (body === null || signatures.length === 0 || signatures.includes(null)) return null
  const keyIds = value.signatures.flatMap(({ keyid }: { keyid?: unknown }) =>
    typeof keyid === 'string' ? [keyid] : [],
  )
  return { type: value.payloadType, body, signatures: signatures as Buffer[], keyIds }
}

/** The `keyid` of an envelope is not signed, so that it decides nothing: every key is tried. */
export function signerOf<Key extends { key: KeyObject }>(opened: Opened, keys: readonly Key[]): Key | undefined {
  const { type, body, signatures } = opened
  const signed = preAuthenticationEncoding(type, body)
  return keys.find(({ key }) => signatures.some((signature) => verify(null, signed, key, signature)))
}
