/** Texts that a script contains as numbers, Base64 or hexadecimal digits, also with a short key or compressed. */

import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { findCommand } from '#inspect/judge/command/find.ts'
import { SHELL_CLASSES } from '#inspect/windows/classes.ts'
import { FETCHING_METHODS, RUNNING } from '#inspect/windows/powershell.ts'

const NUMBER = String.raw`(?:0x[\da-f]{1,2}|\d{1,3})`
const LISTS = new RegExp(`(?:${NUMBER},\\s{0,4}){15,}${NUMBER}|(?:\\d{2,3}[ ;|_.-]){15,}\\d{2,3}`, 'gi')
/** A table, because a pattern takes ten times as long for every letter of a text. */
const IS_DIGIT = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const DIGITS_MIN = 24
/** On either side: reversed digits begin with it. */
const PADDING_MAX = 2
const HEXADECIMAL = /^(?:[\da-f]{2})+$/i
/** Operators by which a key is applied. */
const KEYED = /-bxor\b|\bxor\b|\^|-\s{0,2}(?:0x)?\d|\+\s{0,2}(?:0x)?\d/i
const KEY = new RegExp(String.raw`(?<![\w.,])${NUMBER}(?![\w.,])|["']([^"'\r\n]{3,32})["']`, 'gi')
/** Texts of a script that are also decoded with keys and unpacked, the longest first. */
export const CODED_MAX = 64
/** For each text, and for each of its characters. */
const RUN_WORK = 500
const DIGIT_WORK = 5
const CHARACTER_WORK = 20
/** For each character that is searched. */
const SEARCH_WORK = 8
const INFLATED_MAX = 1_000_000
const KEY_BYTES = 150

/** Code that fetches, starts or runs something. Nobody encodes it for a good reason. */
const CODE = anyCase`${FETCHING_METHODS}|net\.webclient|\b${RUNNING}\b|virtualalloc|amsiutils|assembly\]::load|/dev/tcp/|${SHELL_CLASSES}|xmlhttp|\bexec\(|os\.system|subprocess|socket\.socket|getasynckeystate`

export function isAttackCode(text: string): boolean {
  return CODE.test(text)
}

/** A coded text with a command or code. */
export function findCoded(source: string): string | null {
  charge(source.length * SEARCH_WORK)
  const coded = [...listsIn(source), ...digitsIn(source)].sort((a, b) => b.length - a.length)
  if (coded.length === 0) return null
  const keys = KEYED.test(source) ? keysIn(source) : []
  const texts = coded.values().flatMap((bytes, i) => (i < CODED_MAX ? textsOf(bytes, keys) : readable(bytes)))
  return texts.find(isThreat) ?? null
}

function isThreat(text: string): boolean {
  if (CODE.test(text)) return true
  const command = findCommand(text)
  return command !== null && (command.isRemote || command.isEncoded)
}

function listsIn(source: string): Buffer[] {
  return [...source.matchAll(LISTS)].map(([list]) => {
    keep(list.length)
    return Buffer.from((list.match(/0x[\da-f]+|\d+/gi) ?? []).map(Number))
  })
}

function digitsIn(source: string): Buffer[] {
  return runsIn(source).flatMap((digits) => {
    charge(digits.length * DIGIT_WORK)
    keep(digits.length * 2)
    const reversed = Buffer.from(digits, 'latin1').reverse().toString('latin1')
    const encoding = HEXADECIMAL.test(digits) ? 'hex' : 'base64'
    return [digits, reversed].map((each) => Buffer.from(each, encoding))
  })
}

/** Long sequences of digits with their padding, which belongs to the one before it. */
function runsIn(source: string): string[] {
  const runs: string[] = []
  let start = 0
  let free = 0
  for (let at = 0; at <= source.length; at++) {
    if (IS_DIGIT[source.charCodeAt(at)] === 1) continue
    if (at - start >= DIGITS_MIN) {
      let from = start
      while (from > free && start - from < PADDING_MAX && source[from - 1] === '=') from -= 1
      free = at
      charge(RUN_WORK)
      while (free - at < PADDING_MAX && source[free] === '=') free += 1
      runs.push(source.slice(from, free))
    }
    start = at + 1
  }
  return runs
}

function keysIn(source: string): Buffer[] {
  const keys = new Map<string, Buffer>()
  for (const [found, text] of source.matchAll(KEY)) {
    charge(RUN_WORK)
    const number = Number(found)
    if (text === undefined && !(number > 0 && number < 256)) continue
    keep(KEY_BYTES)
    keys.set(
      text === undefined ? String(number) : found,
      text === undefined ? Buffer.from([number]) : Buffer.from(text, 'latin1'),
    )
  }
  return [...keys.values()]
}

function* textsOf(bytes: Buffer, keys: readonly Buffer[]): Generator<string> {
  yield* readable(bytes)
  const inflated = inflate(bytes.subarray(headerBytes(bytes)), INFLATED_MAX, bytes.length * 4)
  if ('bytes' in inflated && inflated.bytes.length > 0) yield* readable(inflated.bytes)
  for (const key of keys)
    for (const apply of key.length > 1 ? WAYS.slice(0, 1) : WAYS) {
      const applied = (part: Uint8Array): Uint8Array =>
        part.map((byte, i) => apply(byte, key[i % key.length] as number))
      charge(RUN_WORK)
      if (!isText(applied(bytes.subarray(0, HEAD_BYTES)))) continue
      charge(bytes.length * CHARACTER_WORK)
      yield* readable(applied(bytes))
    }
}

/** How a key is applied. Only a key of one byte is subtracted or added. */
const WAYS: readonly ((byte: number, key: number) => number)[] = [
  (byte, key) => byte ^ key,
  (byte, key) => byte - key,
  (byte, key) => byte + key,
]
/** Twelve characters, as Latin-1 or UTF-16. */
const HEAD_BYTES = 24

function isText(head: Uint8Array): boolean {
  return /^[\x20-\x7e\s]{12}/.test(decoded(head))
}

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString(bytes[1] === 0 ? 'utf16le' : 'latin1')

const GZIP_HEADER_BYTES = 10

function headerBytes(bytes: Buffer): number {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return GZIP_HEADER_BYTES
  return hasZlibHeader(bytes) ? ZLIB_HEADER_BYTES : 0
}

/** As Latin-1 or UTF-16, unless it is no text. */
function* readable(bytes: Uint8Array): Generator<string> {
  charge(RUN_WORK)
  if (!isText(bytes.subarray(0, HEAD_BYTES))) return
  charge(bytes.length * CHARACTER_WORK)
  yield decoded(bytes)
}
