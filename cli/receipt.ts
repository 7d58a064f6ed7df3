/** Whether bytes are a receipt of Docvet that one of these keys may have signed. */
import { createPublicKey, type KeyObject } from 'node:crypto'
import { openEnvelope, publicJwkOf, signerOf, thumbprintOf } from '#base/dsse.ts'
import { PAYLOAD_TYPE, PREDICATE_PATH, STATEMENT_TYPE } from '#base/receipt.ts'

/** Processes notice a new key within a second, and clocks differ. */
const SKEW_MS = 60_000
const SHA256 = /^[\da-f]{64}$/
const VERDICTS = ['clean', 'infected', null]

const TIMES = ['since', 'until', 'revoked_at'] as const

export type VerifyingKey = { key: KeyObject } & Partial<Record<(typeof TIMES)[number], string>>

export interface Statement {
  _type: string
  subject: [{ digest: { sha256: string } }]
  predicateType: string
  predicate: Record<string, unknown> & { scannedAt: string; verdict: string | null }
}

/** Why a receipt is not valid: the exit status is 1. */
export class Invalid extends Error {
  override readonly name = 'Invalid'
}

/** The same, because the key is not at hand: the exit status is 2. */
export class UnknownKey extends Invalid {}

type Json = Record<string, unknown> | null | undefined

const isTime = (value: unknown): value is string => typeof value === 'string' && Number.isFinite(Date.parse(value))
const isText = (value: unknown, shape = /./): boolean => typeof value === 'string' && shape.test(value)

function parseKey(jwk: Json): VerifyingKey[] {
  if (jwk?.kty !== 'OKP' || jwk.crv !== 'Ed25519') return []
  const { kty, crv, x } = jwk as { kty: string; crv: string; x: string }
  const found: VerifyingKey = { key: createPublicKey({ key: { kty, crv, x }, format: 'jwk' }) }
  for (const name of TIMES) {
    const given = jwk[name]
    if (given === undefined) continue
    // A key that was revoked at an unknown time must not count as good.
    if (!isTime(given)) throw new Error(`The field ${name} of a key is not a time`)
    found[name] = new Date(given).toISOString()
  }
  return [found]
}

/** Of a JWK set or a PEM. Throws if it is neither; keys of other kinds are left out. */
export function parseKeys(text: string): VerifyingKey[] {
  if (text.includes('-----BEGIN')) {
    const key = createPublicKey(text)
    return key.asymmetricKeyType === 'ed25519' ? [{ key }] : []
  }
  const keys = (JSON.parse(text) as Json)?.keys
  if (!Array.isArray(keys)) throw new Error('It is not a JSON Web Key Set')
  return keys.flatMap(parseKey)
}

const parsed = (text: string | Buffer): unknown => {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder('utf-8', { fatal: true }).decode(text))
  } catch {
    return undefined
  }
}

/** Of the bytes whose signature was verified. Fields that are not known are ignored, as in-toto demands. */
function statementOf(body: Buffer): Statement {
  const found = parsed(body) as Json
  const predicate = found?.predicate as Json
  const subjects = found?.subject
  const isReceipt =
    found?._type === STATEMENT_TYPE &&
    typeof found.predicateType === 'string' &&
    found.predicateType.endsWith(PREDICATE_PATH) &&
    Array.isArray(subjects) &&
    subjects.length === 1 &&
    isText(subjects[0]?.digest?.sha256, SHA256) &&
    VERDICTS.includes(predicate?.verdict as string | null) &&
    (predicate?.verdict !== null || isText(predicate?.obstacle)) &&
    isText(predicate?.scanId) &&
    isTime(predicate?.scannedAt)
  if (!isReceipt) throw new Invalid('It is signed, but is not a receipt of Docvet.')
  return found as unknown as Statement
}

/** Throws if the key must not have signed it; returns warnings. */
function checkTimes({ since, until, revoked_at: revokedAt }: VerifyingKey, scannedAt: string): string[] {
  const at = Date.parse(scannedAt)
  if (revokedAt !== undefined && at >= Date.parse(revokedAt))
    throw new Invalid(`It is signed by a key revoked from ${revokedAt}.`)
  if (until !== undefined && at > Date.parse(until) + SKEW_MS)
    throw new Invalid(`It is signed by a key that was replaced at ${until}, before the scan.`)
  return [
    ...(revokedAt === undefined
      ? []
      : [`It is signed by a key revoked from ${revokedAt}. Anyone with the key could have written an earlier time.`]),
    ...(since !== undefined && at < Date.parse(since) - SKEW_MS
      ? [`The time of the scan is before the first use of the key at ${since}: a clock may have been wrong.`]
      : []),
  ]
}

/** Throws `Invalid`. */
export function openReceipt(text: string, keys: readonly VerifyingKey[]) {
  const opened = openEnvelope(parsed(text))
  if (opened === null || opened.type !== PAYLOAD_TYPE)
    throw new Invalid('It is not a receipt: the envelope is malformed.')
  const signer = signerOf(opened, keys)
  if (signer === undefined) {
    const known = keys.map(({ key }) => thumbprintOf(publicJwkOf(key)))
    const isForeign = opened.keyIds.length > 0 && !opened.keyIds.some((id) => known.includes(id))
    if (isForeign) throw new UnknownKey(`It names the key ${opened.keyIds.join(', ')}, which is none of these.`)
    throw new Invalid('No signature of it is that of one of these keys.')
  }
  const statement = statementOf(opened.body)
  return { statement, warnings: checkTimes(signer, statement.predicate.scannedAt) }
}
