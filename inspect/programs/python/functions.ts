/** Functions and methods of Python that make values of others. */

import { split as splitText } from '#inspect/core/search.ts'
import { inflatedBytes } from '../inflated.ts'
import { spend, store } from '../javascript/budget.ts'
import { expressionFor, patternOf } from '../javascript/patterns.ts'
import { DECODERS, translated, withoutEscapes } from './decoders.ts'
import { fromBytes, hexOf, packed, toNumber } from './numbers.ts'
import { GAP } from './tokens.ts'
import {
  anyOf,
  asText,
  BUILT,
  CUT,
  combined,
  contentsOf,
  DECODED,
  known,
  NONE,
  number,
  originOf,
  originsOf,
  rowsOf,
  TEXT_MAX,
  type TextValue,
  textWith,
  UNKNOWN,
  unknown,
  type Value,
} from './values.ts'

const CHARACTER_WORK = 20
const DECODED_WORK = 10
const ITEM_BYTES = 40
/** Items of a list that a function makes. */
export const ITEMS_MAX = 50_000

/** null: not known. */
type Compute = (given: readonly Value[]) => Value | null

/** A text without gaps. */
function plainText(value: Value | undefined): string | null {
  return value?.kind === 'text' && !value.text.includes(GAP) ? value.text : null
}

const numberIn = (value: Value | undefined): number | null => (value?.kind === 'number' ? value.number : null)

function listOf(items: readonly Value[]): Value {
  store(items.length * ITEM_BYTES)
  return { kind: 'items', items }
}

/** Characters, numbers of bytes, or items. */
export function itemsIn(value: Value | undefined): readonly Value[] | null {
  if (value?.kind === 'items') return value.items
  if (value?.kind === 'entries') return [...value.entries.keys()].map((key) => known(key))
  if (value?.kind !== 'text' || value.text.includes(GAP) || value.text.length > ITEMS_MAX) return null
  spend(value.text.length * CHARACTER_WORK)
  store(value.text.length * ITEM_BYTES)
  const { isBytes, origin } = value
  return [...value.text].map((letter) => (isBytes ? number(letter.codePointAt(0) ?? 0) : known(letter, false, origin)))
}

/** Of numbers. */
function charactersOf(items: readonly Value[], isBytes: boolean): Value | null {
  const codes = items.slice(0, ITEMS_MAX).map((item) => numberIn(item) ?? Number.NaN)
  if (!codes.every((code) => code >= 0 && code <= 0x10ffff)) return null
  return known(codes.map((code) => String.fromCodePoint(Math.trunc(code))).join(''), isBytes, originsOf(items) | BUILT)
}

const decodes =
  (decode: (text: string) => Buffer | null): Compute =>
  ([value]) => {
    const text = plainText(value)
    const bytes = text === null ? null : decode(text)
    // Values read from elsewhere are unknown before and after.
    const origin = originOf(value ?? UNKNOWN)
    const coded = value?.kind === 'text' || origin !== 0 ? DECODED : 0
    return bytes === null ? unknown(origin | coded) : decodedBytes(bytes)
  }

/** UTF-8, or bytes that are no text. */
function decodedBytes(bytes: Buffer): Value {
  spend(bytes.length * DECODED_WORK)
  const text = bytes.toString('utf8')
  return known(text.includes('\ufffd') ? bytes.toString('latin1') : text, true, DECODED)
}

const fromBase64 = decodes((text) => Buffer.from(text, 'base64'))
const fromHex = decodes((text) => Buffer.from(text.replace(/\s/g, ''), 'hex'))
const inflated = decodes(inflatedBytes)
const concealed: Compute = (given) => {
  const origin = originsOf(given)
  return unknown(origin | (origin !== 0 || given.some(({ kind }) => kind === 'text') ? DECODED : 0))
}

const toText: Compute = ([first, second]) => {
  if (first === undefined) return known('')
  if (first.kind === 'text') return { ...first, isBytes: false }
  if (first.kind === 'items') return second === undefined ? null : charactersOf(first.items, false)
  return first.kind === 'number' ? known(String(first.number)) : null
}
const toBytes: Compute = ([first]) => {
  if (first?.kind === 'text') return { ...first, isBytes: true }
  if (first?.kind !== 'items') return null
  return charactersOf(first.items, true) ?? unknown(originsOf(first.items) | BUILT)
}
const toList: Compute = ([first]) => {
  const items = first === undefined ? [] : itemsIn(first)
  return items === null ? null : listOf(items)
}

const range: Compute = (given) => {
  const [first = null, second = null, third = null] = given.map(numberIn)
  if (first === null || given.some((each) => each.kind !== 'number')) return null
  const [from, to, step] = second === null ? [0, first, 1] : [first, second, third ?? 1]
  const count = step === 0 ? 0 : Math.max(0, Math.ceil((to - from) / step))
  if (count > ITEMS_MAX) return unknown(CUT)
  spend(count * CHARACTER_WORK)
  return listOf(Array.from({ length: count }, (_, at) => number(from + at * step)))
}

const zip: Compute = (given) => {
  const lists = given.map(itemsIn)
  if (lists.length === 0 || lists.includes(null)) return null
  const length = Math.min(...lists.map((list) => list?.length ?? 0))
  spend(length * lists.length * CHARACTER_WORK)
  return listOf(Array.from({ length }, (_, at) => listOf(lists.map((list) => list?.[at] ?? UNKNOWN))))
}

const FUNCTIONS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ['chr', (given) => charactersOf(given, false) ?? unknown(originsOf(given) | BUILT)],
  ['ord', ([first]) => (plainText(first) ? number(plainText(first)?.codePointAt(0) ?? 0) : null)],
  ['str', toText],
  ['int', toNumber],
  ['bytes', toBytes],
  ['bytearray', toBytes],
  ['list', toList],
  ['tuple', toList],
  ['iter', ([first]) => first ?? null],
  ['set', toList],
  ['len', ([first]) => (itemsIn(first) === null ? null : number(itemsIn(first)?.length ?? 0))],
  ['range', range],
  ['xrange', range],
  ['zip', zip],
  ['enumerate', ([first]) => zip([range([number(itemsIn(first)?.length ?? 0)]) ?? UNKNOWN, first ?? UNKNOWN])],
  [
    'reversed',
    ([first]) =>
      first?.kind === 'text' ? reversedText(first) : itemsIn(first) && listOf([...(itemsIn(first) ?? [])].reverse()),
  ],
  ['hex', ([first]) => (first?.kind === 'number' ? known(`0x${hexOf(first)}`) : null)],
  ['base64.b64decode', fromBase64],
  ['base64.standard_b64decode', fromBase64],
  ['base64.decodebytes', fromBase64],
  ['base64.decodestring', fromBase64],
  ['base64.urlsafe_b64decode', fromBase64],
  ['binascii.a2b_base64', fromBase64],
  ['base64.b16decode', fromHex],
  ['bytes.fromhex', fromHex],
  ['int.from_bytes', fromBytes],
  ['struct.pack', packed],
  ['bytearray.fromhex', fromHex],
  ['binascii.unhexlify', fromHex],
  ['binascii.a2b_hex', fromHex],
  ['zlib.decompress', inflated],
  ['gzip.decompress', inflated],
  ['re.sub', ([pattern, replacement, text]) => substituted(plainText(pattern), plainText(replacement), text)],
  ['codecs.decode', ([first, second]) => decodedAs(first, plainText(second) ?? '')],
])
/** Functions whose result hides what it was. */
const CONCEALING = /^(?:(?:bz2|lzma)\.decompress|marshal\.loads)$|(?:^|\.)decrypt$/

function decodedAs(value: Value | undefined, encoding: string): Value | null {
  const text = plainText(value)
  if (value?.kind !== 'text' || text === null) return null
  if (/^rot_?13$/i.test(encoding)) return known(text.replace(/[a-z]/gi, turned), false, DECODED)
  if (/^hex/i.test(encoding)) return fromHex([value])
  if (/^base_?64/i.test(encoding)) return fromBase64([value])
  if (/^(?:unicode|string)_escape/i.test(encoding)) return known(withoutEscapes(text), false, DECODED)
  return /^(?:zlib|zip|bz2)/i.test(encoding) ? inflated([value]) : { ...value, isBytes: false }
}

function turned(letter: string): string {
  const base = letter <= 'Z' ? 65 : 97
  return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
}

export function reversedText(value: TextValue): Value {
  spend(value.text.length * CHARACTER_WORK)
  store(value.text.length)
  return textWith([...value.text].reverse().join(''), value.isBytes, value.origin | BUILT)
}

type Method = (self: TextValue, given: readonly Value[]) => Value | null

const onText =
  (compute: (text: string) => string): Method =>
  (self) =>
    textWith(compute(self.text), self.isBytes, self.origin)

const stripped =
  (pattern: RegExp, isStart: boolean, isEnd: boolean): Method =>
  (self, [set]) => {
    const given = plainText(set)
    if (given === null) return textWith(self.text.replace(pattern, ''), self.isBytes, self.origin)
    const letters = new Set(given)
    let [from, to] = [0, self.text.length]
    while (isStart && from < to && letters.has(self.text[from] as string)) from++
    while (isEnd && to > from && letters.has(self.text[to - 1] as string)) to--
    return textWith(self.text.slice(from, to), self.isBytes, self.origin)
  }

const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['join', joinedBy],
  ['lower', onText((text) => text.toLowerCase())],
  ['casefold', onText((text) => text.toLowerCase())],
  ['upper', onText((text) => text.toUpperCase())],
  ['swapcase', onText((text) => text.replace(/[a-z]/gi, swapped))],
  ['title', onText((text) => text)],
  ['capitalize', onText((text) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase())],
  ['expandtabs', onText((text) => text.replaceAll('\t', ' '))],
  ...['ljust', 'rjust', 'center', 'zfill'].map((name) => [name, onText((text: string) => text)] as const),
  ['removeprefix', (self, [part]) => withoutEnd(self, plainText(part), true)],
  ['removesuffix', (self, [part]) => withoutEnd(self, plainText(part), false)],
  ['partition', (self, [part]) => parted(self, plainText(part), false)],
  ['rpartition', (self, [part]) => parted(self, plainText(part), true)],
  ['rsplit', splitBy],
  ['splitlines', (self) => listOf(self.text.split(/\r\n|\r|\n/).map((line) => known(line, self.isBytes, self.origin)))],
  ['strip', stripped(/^\s+|(?<!\s)\s+$/g, true, true)],
  ['lstrip', stripped(/^\s+/, true, false)],
  ['rstrip', stripped(/(?<!\s)\s+$/, false, true)],
  ['decode', (self, [encoding]) => decodedAs(self, plainText(encoding) ?? '')],
  [
    'encode',
    (self, [encoding]) =>
      /^rot/.test(plainText(encoding) ?? '') ? decodedAs(self, 'rot13') : { ...self, isBytes: true },
  ],
  ['format', (self, given) => formatted(self, given)],
  ['replace', replacedIn],
  [
    'translate',
    (self, [table]) => {
      const text = self.text.includes(GAP) ? null : translated(self.text, table)
      const origin = self.origin | DECODED
      return text === null ? unknown(origin) : textWith(text, self.isBytes, origin)
    },
  ],
  [
    '__getitem__',
    (self, [at]) => (at?.kind === 'number' ? known(self.text.at(at.number) ?? '', false, self.origin) : null),
  ],
  ['split', splitBy],
])

function swapped(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
}

function withoutEnd(self: TextValue, part: string | null, isStart: boolean): Value | null {
  if (part === null) return null
  const has = isStart ? self.text.startsWith(part) : self.text.endsWith(part)
  const text = isStart ? self.text.slice(part.length) : self.text.slice(0, self.text.length - part.length)
  return has ? textWith(text, self.isBytes, self.origin) : self
}

/** The text before the part, the part, and the text after it. */
function parted(self: TextValue, part: string | null, isLast: boolean): Value | null {
  if (part === null || part === '') return null
  const pieces = splitText(self.text, part)
  if (pieces.length < 2) return listOf((isLast ? ['', '', self.text] : [self.text, '', '']).map((each) => known(each)))
  const first = pieces.slice(0, isLast ? -1 : 1).join(part)
  const rest = self.text.slice(first.length + part.length)
  return listOf([first, part, rest].map((each) => known(each, self.isBytes, self.origin)))
}

function replacedIn(self: TextValue, [first, second]: readonly Value[]): Value | null {
  const [from, to] = [plainText(first), second?.kind === 'text' ? second.text : null]
  if (from === null || to === null || from === '') return null
  store(self.text.length / from.length)
  const pieces = splitText(self.text, from)
  if (self.text.length + pieces.length * to.length > TEXT_MAX) return unknown(self.origin | CUT)
  return textWith(pieces.join(to), self.isBytes, self.origin | originOf(second ?? UNKNOWN))
}

function splitBy(self: TextValue, [first]: readonly Value[]): Value | null {
  const by = plainText(first)
  if (self.text.includes(GAP) || by === '') return null
  store(self.text.length * 2)
  const pieces = by === null ? self.text.split(/\s+/).filter((piece) => piece !== '') : splitText(self.text, by)
  return pieces.length > ITEMS_MAX
    ? unknown(CUT)
    : listOf(pieces.map((piece) => known(piece, self.isBytes, self.origin)))
}

function joinedBy(self: TextValue, [first]: readonly Value[]): Value | null {
  const items = itemsIn(first)
  if (items === null) return null
  spend(items.length * CHARACTER_WORK)
  const words = items.map(asText)
  const length = words.reduce((sum, word) => sum + word.length + self.text.length, 0)
  const origin = originsOf(items)
  if (length > TEXT_MAX) return unknown(origin | CUT)
  return words.every((word) => word === GAP) && words.length > 0
    ? unknown(origin)
    : textWith(words.join(self.text), self.isBytes, origin)
}

const PLACE = /\{(\w{0,100})[^{}]{0,200}\}/g

/** `'{1}{0}'.format(a, b)`. Named places are unknown. */
function formatted(self: TextValue, given: readonly Value[]): Value | null {
  spend(self.text.length * CHARACTER_WORK)
  let next = 0
  let length = 0
  const text = self.text.replace(PLACE, (_, place: string) => {
    const value = asText(given[/^\d+$/.test(place) ? Number(place) : place === '' ? next++ : -1])
    length += value.length
    return length > TEXT_MAX ? '' : value
  })
  return length > TEXT_MAX ? unknown(CUT) : textWith(text, false, self.origin | originsOf(given))
}

/** References to groups, and what another replacement than that of JavaScript means. */
const GROUP = /\\(?:g<(\d)>|(\d))|\$/g

function substituted(pattern: string | null, replacement: string | null, text: Value | undefined): Value | null {
  if (pattern === null || replacement === null || text?.kind !== 'text') return null
  const expression = expressionFor(patternOf({ source: pattern.replaceAll('(?P<', '(?<'), flags: 'g' }), text.text)
  if (expression === null) return null
  const by = replacement.replace(GROUP, (whole, named, plain) => (whole === '$' ? '$$' : `$${named ?? plain}`))
  store(text.text.length * (by.length + 1))
  const made = text.text.replace(expression, by)
  return made.length > TEXT_MAX ? unknown(CUT) : textWith(made, text.isBytes, text.origin)
}

const SIZED = /%(?:\(\w+\))?[-+ #0-9.*]*[srdixXcfgeua%]/g

/** `'%s%s' % (a, b)`. */
export function inserted(self: TextValue, value: Value): Value {
  spend(self.text.length * CHARACTER_WORK)
  const given = value.kind === 'items' ? value.items : [value]
  let [next, length] = [0, 0]
  const text = self.text.replace(SIZED, (place) => {
    if (place === '%%') return '%'
    const each = given[next++]
    const part =
      place.endsWith('c') && each?.kind === 'number' ? String.fromCodePoint(each.number & 0xffff) : asText(each)
    length += part.length
    return length > TEXT_MAX ? '' : part
  })
  return length > TEXT_MAX ? unknown(CUT) : textWith(text, self.isBytes, self.origin | originsOf(given))
}

function weightOf(value: Value): number {
  if (value.kind === 'text') return value.text.length
  return value.kind === 'items' ? value.items.length : 1
}

/** The result of a function; null: it is not one of these. */
export function fold(name: string, given: readonly Value[]): Value | null {
  const compute = FUNCTIONS.get(name) ?? DECODERS.get(name) ?? (CONCEALING.test(name) ? concealed : undefined)
  if (compute === undefined) return null
  return combined(given, (...row) => {
    spend(row.reduce((sum, value) => sum + weightOf(value), 1) * CHARACTER_WORK)
    return compute(row) ?? unknown(originsOf(row))
  })
}

/** The result of a method of a text. */
export function foldMethod(self: TextValue, name: string, given: readonly Value[]): Value | null {
  const compute = METHODS.get(name)
  if (compute === undefined) return null
  const rows = given.map((each) => anyOf(rowsOf(each)))
  return combined(rows, (...row) => {
    spend((self.text.length + row.reduce((sum, value) => sum + weightOf(value), 1)) * CHARACTER_WORK)
    return compute(self, row) ?? unknown(self.origin | originsOf(row))
  })
}

export { contentsOf, NONE }
