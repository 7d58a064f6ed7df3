/** Texts that a script contains as numbers, Base64 or hexadecimal digits, also with a short key or compressed. */

import { view } from '#inspect/core/bytes.ts'
import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { findCommand } from '#inspect/judge/commands.ts'

const NUMBER = String.raw`(?:0x[\da-f]{1,2}|\d{1,3})`
const LISTS = new RegExp(`(?:${NUMBER},\\s{0,4}){15,}${NUMBER}|(?:\\d{2,3}[ ;|_.-]){15,}\\d{2,3}`, 'gi')
const DIGITS = /={0,2}[A-Za-z0-9+/]{24,}={0,2}/g
const HEXADECIMAL = /^(?:[\da-f]{2})+$/i
/** Operators by which a key is applied. */
const KEYED = /-bxor\b|\bxor\b|\^|-\s{0,2}(?:0x)?\d|\+\s{0,2}(?:0x)?\d/i
const KEY = new RegExp(String.raw`(?<![\w.,])${NUMBER}(?![\w.,])|["']([^"'\r\n]{3,32})["']`, 'gi')
export const KEYS_MAX = 24
/** Texts of a script to which keys are applied, and bytes of each. */
export const KEYED_MAX = 64
export const KEYED_BYTES_MAX = 65_536
const CHARACTER_WORK = 20
const INFLATED_MAX = 1_000_000

/** Code that fetches, starts or runs something. Nobody encodes it for a good reason. */
const CODE =
  /downloadstring|downloaddata|downloadfile|net\.webclient|\biex\b|invoke-expression|virtualalloc|amsiutils|assembly\]::load|\/dev\/tcp\/|wscript\.shell|xmlhttp|\bexec\(|os\.system|subprocess|socket\.socket|getasynckeystate/i

/** The first coded text with a command or code. */
export function findCoded(source: string): string | null {
  charge(source.length * CHARACTER_WORK)
  let index = 0
  let keys: Buffer[] | null = null
  for (const bytes of codedIn(source)) {
    keys ??= KEYED.test(source) ? keysIn(source) : []
    const texts = index++ < KEYED_MAX ? textsOf(bytes, keys) : plainTexts(bytes)
    for (const text of texts) if (isCode(text)) return text
  }
  return null
}

function isCode(text: string): boolean {
  if (CODE.test(text)) return true
  const command = findCommand(text)
  return command !== null && (command.isRemote || command.isEncoded)
}

function* codedIn(source: string): Generator<Buffer> {
  for (const [list] of source.matchAll(LISTS)) {
    keep(list.length)
    yield Buffer.from((list.match(/0x[\da-f]+|\d+/gi) ?? []).map(Number))
  }
  for (const [digits] of source.matchAll(DIGITS)) {
    keep(digits.length)
    const encoding = HEXADECIMAL.test(digits) ? 'hex' : 'base64'
    yield Buffer.from(digits, encoding)
    yield Buffer.from(Buffer.from(digits, 'latin1').reverse().toString('latin1'), encoding)
  }
}

function keysIn(source: string): Buffer[] {
  const keys = new Map<string, Buffer>()
  for (const [found, text] of source.matchAll(KEY)) {
    if (keys.size >= KEYS_MAX) break
    const number = Number(found)
    if (text !== undefined) keys.set(found, Buffer.from(text, 'latin1'))
    else if (number > 0 && number < 256) keys.set(String(number), Buffer.from([number]))
  }
  return [...keys.values()]
}

/** Long lists of data have very many: only those that may name a server or are code are compared with commands. */
function* plainTexts(bytes: Buffer): Generator<string> {
  for (const text of readable(bytes)) if (CODE.test(text) || TELLING.test(text)) yield text
  if (headerBytes(bytes) > 0) yield* inflatedTexts(bytes)
}

const TELLING = /:\/\/|\\\\|base64|-e/i

function* inflatedTexts(bytes: Buffer): Generator<string> {
  const inflated = inflate(bytes.subarray(headerBytes(bytes)), INFLATED_MAX, bytes.length * 4)
  if ('bytes' in inflated && inflated.bytes.length > 0) yield* readable(inflated.bytes)
}

function* textsOf(bytes: Buffer, keys: readonly Buffer[]): Generator<string> {
  yield* readable(bytes)
  yield* inflatedTexts(bytes)
  const start = bytes.subarray(0, KEYED_BYTES_MAX)
  for (const key of keys) {
    charge(start.length * CHARACTER_WORK)
    const at = (i: number): number => key[i % key.length] as number
    yield* readable(start.map((byte, i) => byte ^ at(i)))
    if (key.length > 1) continue
    yield* readable(start.map((byte, i) => byte - at(i)))
    yield* readable(start.map((byte, i) => byte + at(i)))
  }
}

const GZIP_HEADER_BYTES = 10

function headerBytes(bytes: Buffer): number {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return GZIP_HEADER_BYTES
  return hasZlibHeader(bytes) ? ZLIB_HEADER_BYTES : 0
}

/** As Latin-1 or UTF-16, unless it is no text. */
function* readable(bytes: Uint8Array): Generator<string> {
  charge(bytes.length * CHARACTER_WORK)
  const encoding = bytes[1] === 0 ? 'utf16le' : 'latin1'
  const text = view(bytes)
  if (/^[\x20-\x7e\s]{12}/.test(text.toString(encoding, 0, 24))) yield text.toString(encoding)
}
