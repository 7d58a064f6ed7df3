/** Texts that a script contains as numbers, Base64 or hexadecimal digits, also with a short key or compressed. */

import { MAGIC, readHeader } from '#inspect/codecs/gzip-header.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { SHELL_CLASSES } from '#inspect/windows/classes.ts'
import { FETCHING_METHODS, RUNNING } from '#inspect/windows/powershell.ts'
import { IS_TEXT, type Keys, keyed, keysIn, NUMBER, numbersIn } from './coded-keys.ts'

const LISTS = new RegExp(
  String.raw`(?:${NUMBER}\s*,\s*){15,}${NUMBER}|(?:\d{2,3}(?:\s*[;|_.-]\s*|\s+)){15,}\d{2,3}`,
  'gi',
)
/** A table, because a pattern takes ten times as long for every letter of a text. */
const IS_DIGIT = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9+/]/.test(String.fromCharCode(code)) ? 1 : 0,
)
const DIGITS_MIN = 24
/** On either side: reversed digits begin with it. */
const PADDING_MAX = 2
const HEXADECIMAL = /^(?:[\da-f]{2})+$/i
/** For each text, and for each of its characters. */
const RUN_WORK = 500
const DIGIT_WORK = 5
const CHARACTER_WORK = 20
/** For each character that is searched. */
const SEARCH_WORK = 8
/** For each text that a key makes readable. */
const KEYED_WORK = 4_000
const INFLATED_MAX = 1_000_000
const NO_KEYS: Keys = { bytes: new Uint32Array(256 / 32), plain: [], others: [] }

/** Code that fetches, starts or runs something. Nobody encodes it for a good reason. Between backslashes, its name is that of a folder. */
const CODE = anyCase`${FETCHING_METHODS}|net\.webclient|(?<!\\)\b${RUNNING}\b|\b${RUNNING}\b(?!\\)|virtualalloc|amsiutils|assembly\]::load|/dev/tcp/|${SHELL_CLASSES}|xmlhttp|\bexec\(|os\.system|subprocess|socket\.socket|getasynckeystate`

export function isAttackCode(text: string): boolean {
  return CODE.test(text)
}

/** A coded text with a command or code. */
export function findCoded(source: string): string | null {
  charge(source.length * SEARCH_WORK)
  const coded = [...listsIn(source), ...digitsIn(source)].sort((a, b) => b.length - a.length)
  if (coded.length === 0) return null
  const keys = keysIn(source)
  const texts = coded.values().flatMap((bytes) => textsOf(bytes, keys))
  return texts.find(isThreat) ?? null
}

/** All texts that it contains as digits. */
export function* codedTexts(source: string): Generator<string> {
  charge(source.length * SEARCH_WORK)
  for (const bytes of digitsIn(source)) yield* textsOf(bytes, NO_KEYS)
}

function isThreat(text: string): boolean {
  if (CODE.test(text)) return true
  const command = findCommand(text)
  return command !== null && (command.isRemote || command.isEncoded)
}

function listsIn(source: string): Buffer[] {
  return [...source.matchAll(LISTS)].map(([list]) => {
    keep(list.length)
    return numbersIn(list)
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

function* textsOf(bytes: Buffer, keys: Keys): Generator<string> {
  yield* readable(bytes)
  const packed = bytes.subarray(headerBytes(bytes))
  if (mayBeDeflated(packed)) {
    const inflated = inflate(packed, INFLATED_MAX, bytes.length * 4)
    if ('bytes' in inflated && inflated.bytes.length > 0) yield* readable(inflated.bytes)
  }
  for (const text of keyed(bytes, keys)) {
    charge(KEYED_WORK + bytes.length * CHARACTER_WORK)
    yield* readable(text)
  }
}

/** Whether deflate data with a text can begin like this. Nine in ten of other texts cannot. */
function mayBeDeflated(bytes: Buffer): boolean {
  const bits = (at: number, count: number): number =>
    (((bytes[at >> 3] ?? 0) | ((bytes[(at >> 3) + 1] ?? 0) << 8)) >> (at & 7)) & ((1 << count) - 1)
  const type = bits(1, 2)
  if (type === 0) return (bits(8, 8) ^ bits(24, 8)) === 0xff && (bits(16, 8) ^ bits(32, 8)) === 0xff
  // The first character, whose bits are in the opposite order.
  if (type === 1) return IS_TEXT[[...Array(8).keys()].reduce((code, i) => code * 2 + bits(3 + i, 1), 0) - 0x30] === 1
  // The lengths of the codes have to fill the tree.
  const lengths = Array.from({ length: bits(13, 4) + 4 }, (_, i) => bits(17 + 3 * i, 3))
  return type === 2 && lengths.reduce((sum, length) => sum + (length === 0 ? 0 : 128 >> length), 0) === 128
}

/** Twelve characters, as Latin-1 or UTF-16. */
const HEAD_BYTES = 24

function isText(head: Uint8Array): boolean {
  return /^[\x20-\x7e\s]{12}/.test(decoded(head))
}

const decoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString(bytes[1] === 0 ? 'utf16le' : 'latin1')

function headerBytes(bytes: Buffer): number {
  if (MAGIC.equals(bytes.subarray(0, MAGIC.length))) return readHeader(bytes, 0)?.dataAt ?? 0
  return hasZlibHeader(bytes) ? ZLIB_HEADER_BYTES : 0
}

/** As Latin-1 or UTF-16, unless it is no text. */
function* readable(bytes: Uint8Array): Generator<string> {
  charge(RUN_WORK)
  if (!isText(bytes.subarray(0, HEAD_BYTES))) return
  charge(bytes.length * CHARACTER_WORK)
  yield decoded(bytes)
}
