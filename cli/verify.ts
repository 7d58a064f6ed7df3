/** `docvet verify`: whether a receipt is genuine, and about which document. */
import { createHash, createPublicKey, type KeyObject } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { openEnvelope, publicJwkOf, signerOf, thumbprintOf } from '#base/dsse.ts'
import { escapeControls } from '#base/escape-controls.ts'
import { messageOf } from '#base/message-of.ts'
import { PAYLOAD_TYPE, PREDICATE_PATH, STATEMENT_TYPE } from '#base/receipt.ts'
import { VERIFY } from './commands.ts'
import { helpOf, parse, UsageError } from './usage.ts'

const EXIT_INVALID = 1
const EXIT_UNKNOWN = 2
const FETCH_MS = 10_000
/** Processes notice a new key within a second, and clocks differ. */
const SKEW_MS = 60_000

interface VerifyingKey {
  key: KeyObject
  since?: string
  until?: string
  revoked_at?: string
}

interface Statement {
  _type: string
  subject: { digest: { sha256?: string } }[]
  predicateType: string
  predicate: Record<string, unknown> & { scannedAt: string; verdict: string | null }
}

/** Why a receipt is not valid: the exit status is 1. */
class Invalid extends Error {
  override readonly name = 'Invalid'
}

/** The same, because the key is not at hand: the exit status is 2. */
class UnknownKey extends Invalid {}

function parseKeys(text: string): VerifyingKey[] {
  if (text.includes('-----BEGIN')) return [{ key: createPublicKey(text) }]
  const { keys } = JSON.parse(text) as { keys: (Omit<VerifyingKey, 'key'> & { kty: string; crv: string; x: string })[] }
  return keys
    .filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519')
    .map(({ kty, crv, x, since, until, revoked_at }) => ({
      key: createPublicKey({ key: { kty, crv, x }, format: 'jwk' }),
      ...{ ...(since && { since }), ...(until && { until }), ...(revoked_at && { revoked_at }) },
    }))
}

async function readKeys(from: string): Promise<VerifyingKey[]> {
  try {
    if (!/^https:\/\//.test(from)) return parseKeys(readFileSync(from, 'utf8'))
    const response = await fetch(from, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) })
    if (!response.ok) throw new Error(`the status is ${response.status}`)
    return parseKeys(await response.text())
  } catch (error) {
    throw new UsageError(`--keys: ${from} cannot be used: ${messageOf(error)}`)
  }
}

function parseReceipt(file: string): unknown {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new Invalid('It is not JSON.')
  }
}

/** Of the bytes whose signature was verified. */
function statementOf(body: Buffer): Statement {
  let found: Statement
  try {
    found = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Statement
  } catch {
    throw new Invalid('It is signed, but is not JSON.')
  }
  const isReceipt =
    found?._type === STATEMENT_TYPE &&
    typeof found.predicateType === 'string' &&
    found.predicateType.endsWith(PREDICATE_PATH) &&
    Array.isArray(found.subject) &&
    Number.isFinite(Date.parse(found.predicate?.scannedAt))
  if (!isReceipt) throw new Invalid('It is signed, but is no receipt of a scan.')
  return found
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

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk)
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
  return hash.digest('hex')
}

async function verify(receipt: string, document: string | undefined, keys: readonly VerifyingKey[]) {
  const opened = openEnvelope(parseReceipt(receipt))
  if (opened === null || opened.type !== PAYLOAD_TYPE) throw new Invalid('It is no receipt: the envelope is malformed.')
  const signer = signerOf(opened, keys)
  if (signer === undefined) {
    const known = keys.map(({ key }) => thumbprintOf(publicJwkOf(key)))
    const isForeign = opened.keyIds.length > 0 && !opened.keyIds.some((id) => known.includes(id))
    if (isForeign) throw new UnknownKey(`It names the key ${opened.keyIds.join(', ')}, which is none of these.`)
    throw new Invalid('No signature of it is that of one of these keys.')
  }
  const statement = statementOf(opened.body)
  const warnings = checkTimes(signer, statement.predicate.scannedAt)
  const digests = statement.subject.map(({ digest }) => digest?.sha256)
  const sha256 = document === undefined ? null : await sha256Of(document)
  if (sha256 !== null && !digests.includes(sha256)) throw new Invalid('It is about another document.')
  return { statement, warnings, digest: digests[0] ?? '' }
}

function describe({ predicate }: Statement, digest: string): string {
  const { verdict, threat, obstacle, scannedAt, allowed, notFullyScanned } = predicate
  const result = verdict === null ? `no verdict (${obstacle})` : `${verdict}${threat ? ` (${threat})` : ''}`
  const how = [allowed && 'by the allow list', notFullyScanned && 'not all of it was scanned'].filter(Boolean)
  return escapeControls(
    `Genuine. ${result}${how.length > 0 ? `, ${how.join(', ')}` : ''}, scanned at ${scannedAt}, SHA-256 ${digest}`,
  )
}

export async function runVerify(args: readonly string[]): Promise<number> {
  const given = parse(VERIFY, args)
  if (given.is('help')) {
    process.stdout.write(helpOf(VERIFY))
    return 0
  }
  const from = given.text('keys')
  const [receipt, document, ...more] = given.positionals
  if (from === undefined || receipt === undefined || more.length > 0)
    throw new UsageError('Name the receipt, the document, and the public keys with --keys.')
  const keys = await readKeys(from)
  if (keys.length === 0) {
    process.stderr.write(`--keys: ${from} has no Ed25519 key.\n`)
    return EXIT_UNKNOWN
  }
  try {
    const { statement, warnings, digest } = await verify(receipt, document, keys)
    for (const warning of warnings) process.stderr.write(`Warning: ${warning}\n`)
    const text = given.is('json')
      ? JSON.stringify({ isGenuine: true, warnings, ...statement })
      : describe(statement, digest)
    process.stdout.write(`${text}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    if (given.is('json')) process.stdout.write(`${JSON.stringify({ isGenuine: false, reason: error.message })}\n`)
    else process.stderr.write(`Not valid. ${error.message}\n`)
    return error instanceof UnknownKey ? EXIT_UNKNOWN : EXIT_INVALID
  }
}
