/** `docvet verify`: whether a receipt is genuine, and about which document. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { escapeControls } from '#base/escape-controls.ts'
import { messageOf } from '#base/message-of.ts'
import { VERIFY } from './commands.ts'
import { Invalid, openReceipt, parseKeys, type Statement, UnknownKey, type VerifyingKey } from './receipt.ts'
import { helpOf, parse, UsageError } from './usage.ts'

const EXIT_INVALID = 1
const EXIT_UNKNOWN = 2
const FETCH_MS = 10_000
/** Of a receipt, and of a set of keys. */
const BYTES_MAX = 1_048_576

class TooLarge extends Error {
  override readonly message = `It is larger than ${BYTES_MAX.toLocaleString('en-US')} bytes.`
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > BYTES_MAX) throw new TooLarge()
    read.push(chunk)
  }
  return Buffer.concat(read).toString()
}

async function fetched(url: string): Promise<string> {
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(FETCH_MS) })
  if (!response.ok || response.body === null) throw new Error(`The status is ${response.status}`)
  return await textOf(response.body)
}

async function readKeys(from: string): Promise<VerifyingKey[]> {
  let keys: VerifyingKey[]
  try {
    keys = parseKeys(await (/^https:\/\//.test(from) ? fetched(from) : textOf(createReadStream(from))))
  } catch (error) {
    throw new UsageError(`--keys: ${from} cannot be used: ${messageOf(error)}`)
  }
  if (keys.length === 0) throw new UsageError(`--keys: ${from} has no Ed25519 key.`)
  return keys
}

async function readReceipt(file: string): Promise<string> {
  try {
    return await textOf(createReadStream(file))
  } catch (error) {
    throw error instanceof TooLarge ? new Invalid(error.message) : new UsageError(messageOf(error))
  }
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
  const opened = openReceipt(await readReceipt(receipt), keys)
  const [{ digest }] = opened.statement.subject
  if (document !== undefined && digest.sha256 !== (await sha256Of(document)))
    throw new Invalid('It is about another document.')
  return opened
}

function describe({ predicate, subject: [{ digest }] }: Statement): string {
  const { verdict, threat, obstacle, scannedAt, allowed, notFullyScanned } = predicate
  const result = verdict === null ? `no verdict (${obstacle})` : `${verdict}${threat ? ` (${threat})` : ''}`
  const how = [allowed && 'by the allow list', notFullyScanned && 'not all of it was scanned'].filter(Boolean)
  return `Genuine. ${result}${how.length > 0 ? `, ${how.join(', ')}` : ''}, scanned at ${scannedAt}, SHA-256 ${digest.sha256}`
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
  const isJson = given.is('json')
  const warn = (text: string) => process.stderr.write(`${escapeControls(text)}\n`)
  const keys = await readKeys(from)
  try {
    const { statement, warnings } = await verify(receipt, document, keys)
    for (const warning of warnings) warn(`Warning: ${warning}`)
    // Last, because the statement has fields of others.
    const text = isJson
      ? JSON.stringify({ ...statement, isGenuine: true, warnings })
      : escapeControls(describe(statement))
    process.stdout.write(`${text}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    if (isJson) process.stdout.write(`${JSON.stringify({ isGenuine: false, reason: error.message })}\n`)
    else warn(`Not valid. ${error.message}`)
    return error instanceof UnknownKey ? EXIT_UNKNOWN : EXIT_INVALID
  }
}
