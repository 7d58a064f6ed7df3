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
const KEYS_MAX = 24
/** Texts of a script that are decoded, and characters of each. */
const CODED_MAX = 64
const CODED_BYTES_MAX = 65_536
const CHARACTER_WORK = 20
/** For each character that is searched. */
const SEARCH_WORK = 8
const INFLATED_MAX = 1_000_000

/** Code that fetches, starts or runs something. Nobody encodes it for a good reason. */
const CODE = anyCase`${FETCHING_METHODS}|net\.webclient|\b${RUNNING}\b|virtualalloc|amsiutils|assembly\]::load|/dev/tcp/|${SHELL_CLASSES}|xmlhttp|\bexec\(|os\.system|subprocess|socket\.socket|getasynckeystate`

export function isAttackCode(text: string): boolean {
  return CODE.test(text)
}

/** The first coded text with a command or code. */
export function findCoded(source: string): string | null {
  charge(source.length * SEARCH_WORK)
  const coded = [...listsIn(source), ...digitsIn(source)].slice(0, CODED_MAX)
  if (coded.length === 0) return null
  const keys = KEYED.test(source) ? keysIn(source) : []
  for (const bytes of coded)
    for (const text of textsOf(bytes, keys)) {
      const command = CODE.test(text) ? null : findCommand(text)
      if (CODE.test(text) || (command !== null && (command.isRemote || command.isEncoded))) return text
    }
  return null
}

function listsIn(source: string): Buffer[] {
  return [...source.matchAll(LISTS)].slice(0, CODED_MAX).map(([list]) => {
    keep(list.length)
    return Buffer.from((list.match(/0x[\da-f]+|\d+/gi) ?? []).slice(0, CODED_BYTES_MAX).map(Number))
  })
}

function digitsIn(source: string): Buffer[] {
  return runsIn(source).flatMap((found) => {
    const digits = found.slice(0, CODED_BYTES_MAX)
    keep(digits.length * 2)
    const reversed = [...digits].reverse().join('')
    const encoding = HEXADECIMAL.test(digits) ? 'hex' : 'base64'
    return [digits, reversed].map((each) => Buffer.from(each, encoding))
  })
}

/** The first long sequences of digits with their padding, which belongs to the one before it. */
function runsIn(source: string): string[] {
  const runs: string[] = []
  let start = 0
  let free = 0
  for (let at = 0; at <= source.length && runs.length < CODED_MAX; at++) {
    if (IS_DIGIT[source.charCodeAt(at)] === 1) continue
    if (at - start >= DIGITS_MIN) {
      let from = start
      while (from > free && start - from < PADDING_MAX && source[from - 1] === '=') from -= 1
      free = at
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
    if (keys.size >= KEYS_MAX) break
    const number = Number(found)
    if (text !== undefined) keys.set(found, Buffer.from(text, 'latin1'))
    else if (number > 0 && number < 256) keys.set(String(number), Buffer.from([number]))
  }
  return [...keys.values()]
}

function* textsOf(bytes: Buffer, keys: readonly Buffer[]): Generator<string> {
  yield* readable(bytes)
  const inflated = inflate(bytes.subarray(headerBytes(bytes)), INFLATED_MAX, bytes.length * 4)
  if ('bytes' in inflated && inflated.bytes.length > 0) yield* readable(inflated.bytes)
  for (const key of keys) {
    charge(bytes.length * CHARACTER_WORK)
    const at = (i: number): number => key[i % key.length] as number
    yield* readable(bytes.map((byte, i) => byte ^ at(i)))
    if (key.length > 1) continue
    yield* readable(bytes.map((byte, i) => byte - at(i)))
    yield* readable(bytes.map((byte, i) => byte + at(i)))
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
  const text = Buffer.from(bytes).toString(bytes[1] === 0 ? 'utf16le' : 'latin1')
  if (/^[\x20-\x7e\s]{12}/.test(text)) yield text
}
