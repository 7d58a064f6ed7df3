/** Functions of the library of Python that make texts and lists of others. */

import { spend, store } from '../javascript/budget.ts'
import { KEY_MAX } from '../keys.ts'
import { GAP } from './tokens.ts'
import {
  asText,
  bigNumber,
  bigOf,
  CUT,
  contentsOf,
  DECODED,
  known,
  NONE,
  number,
  originOf,
  originsOf,
  textWith,
  UNKNOWN,
  unknown,
  type Value,
} from './values.ts'

/** null: not known. */
type Compute = (given: readonly Value[]) => Value | null

const CHARACTER_WORK = 20
/** For each letter that is looked for in a table. */
const LETTER_WORK = 200
const LETTER_BYTES = 40
const ITEM_BYTES = 40
/** Items of a list that goes on for ever. */
const CYCLE_MAX = 5_000
const TEXT_MAX = 1_000_000
const DEPTH_MAX = 20

const plain = (value: Value | undefined): string | null =>
  value?.kind === 'text' && !value.text.includes(GAP) ? value.text : null
const numberIn = (value: Value | undefined): number | null => (value?.kind === 'number' ? value.number : null)

const decoding =
  (decode: (text: string) => string | null): Compute =>
  ([value]) => {
    const text = plain(value)
    if (text === null || text.length > TEXT_MAX) return null
    spend(text.length * LETTER_WORK)
    store(text.length)
    const made = decode(text)
    return made === null ? null : known(made, false, DECODED | originOf(value ?? UNKNOWN))
  }

/** Bytes as text, or as characters where they are none. */
function textOfBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') ? bytes.toString('latin1') : text
}

const unquoted = (text: string): string =>
  text.replace(/(?:%[\da-f]{2}){1,1000}/gi, (codes) => textOfBytes(Buffer.from(codes.replaceAll('%', ''), 'hex')))

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }

const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (all, decimal, digits, name) => {
    const code = decimal === undefined ? Number.parseInt(digits ?? '', 16) : Number(decimal)
    return Number.isNaN(code) ? (NAMED[name] ?? all) : code <= 0x10ffff ? String.fromCodePoint(code) : all
  })

const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|([0-7]{1,3})|([\\'"abfnrtv]))/gi
const SIGNS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' }

/** What `unicode_escape` decodes. */
export function withoutEscapes(text: string): string {
  spend(text.length * LETTER_WORK)
  return text.replace(ESCAPE, (_, two, four, eight, octal, sign) => {
    const digits = two ?? four ?? eight
    const code = digits === undefined ? Number.parseInt(octal ?? '', 8) : Number.parseInt(digits, 16)
    return Number.isNaN(code) ? (SIGNS[sign] ?? sign) : String.fromCodePoint(Math.min(code, 0x10ffff))
  })
}

/** Groups of letters of an alphabet that are numbers with its size as base. */
function ofAlphabet(text: string, letters: string, size: number, bytes: number): Buffer | null {
  const out: number[] = []
  spend(text.length * LETTER_WORK)
  store(text.length)
  for (let at = 0; at < text.length; at += size) {
    const group = text.slice(at, at + size)
    let value = 0
    for (const letter of group.padEnd(size, letters.at(-1))) {
      const digit = letters.indexOf(letter)
      if (digit < 0) return null
      value = value * letters.length + digit
    }
    const count = Math.floor((group.length * bytes) / size)
    for (let i = 0; i < count; i++) out.push(Math.floor(value / 256 ** (bytes - 1 - i)) % 256)
  }
  return Buffer.from(out)
}

const LETTERS_32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const LETTERS_85 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const LETTERS_ASCII_85 = Array.from({ length: 85 }, (_, i) => String.fromCharCode(33 + i)).join('')

const basedOn = (letters: string, size: number, bytes: number, clean: (text: string) => string): Compute =>
  decoding((text) => {
    const made = ofAlphabet(clean(text), letters, size, bytes)
    return made === null ? null : textOfBytes(made)
  })

const itemsOf = (value: Value | undefined): readonly Value[] | null => {
  const [only, ...others] = value === undefined ? [] : contentsOf(value)
  if (only === undefined || others.length > 0) return null
  if (only.kind === 'items') return only.items
  const text = plain(only)
  if (text === null || only.kind !== 'text' || text.length > CYCLE_MAX) return null
  store(text.length * ITEM_BYTES)
  return [...text].map((letter) => (only.isBytes ? number(letter.charCodeAt(0)) : known(letter, false, only.origin)))
}

function listOf(items: readonly Value[]): Value {
  spend(items.length * CHARACTER_WORK)
  store(items.length * ITEM_BYTES)
  return { kind: 'items', items }
}

function chained(lists: readonly Value[]): Value | null {
  const all = lists.map(itemsOf)
  return all.includes(null) ? null : listOf(all.flatMap((items) => items ?? []))
}

function cycled([list]: readonly Value[]): Value | null {
  const items = itemsOf(list)
  if (items === null || items.length === 0) return null
  return listOf(Array.from({ length: CYCLE_MAX }, (_, at) => items[at % items.length] ?? UNKNOWN))
}

function valueOfJson(json: unknown, origin: number, depth = 0): Value {
  spend(CHARACTER_WORK)
  if (typeof json === 'string') return known(json, false, origin)
  if (typeof json === 'number' || typeof json === 'boolean') return number(Number(json))
  if (json === null) return NONE
  if (depth > DEPTH_MAX || typeof json !== 'object') return unknown(CUT)
  if (Array.isArray(json)) return listOf(json.map((each) => valueOfJson(each, origin, depth + 1)))
  store(Object.keys(json).length * ITEM_BYTES)
  const entries = Object.entries(json)
    .filter(([key]) => key.length <= KEY_MAX)
    .map(([key, each]) => [key, valueOfJson(each, origin, depth + 1)] as const)
  return { kind: 'entries', entries: new Map(entries) }
}

function ofJson([value]: readonly Value[]): Value | null {
  const text = plain(value)
  if (text === null || text.length > TEXT_MAX) return null
  store(text.length * 10)
  try {
    return valueOfJson(JSON.parse(text), originOf(value ?? UNKNOWN))
  } catch {
    return null
  }
}

/** A table for `translate`: letters by the code of the one that they take the place of. */
function translation([from, to, without]: readonly Value[]): Value | null {
  if (to === undefined) return from ?? null
  const [letters, others, removed = ''] = [plain(from), plain(to), without === undefined ? '' : plain(without)]
  if (letters === null || others === null || removed === null) return null
  store((letters.length + removed.length) * ITEM_BYTES)
  const origin = originsOf([from ?? UNKNOWN, to])
  const entries = [...letters].map((each, i): [string, Value] => [keyFor(each), known(others.charAt(i), false, origin)])
  for (const each of removed) entries.push([keyFor(each), NONE])
  return { kind: 'entries', entries: new Map(entries) }
}

const keyFor = (letter: string): string => `#${letter.codePointAt(0)}`

/** `text.translate(table)`. null: not known. */
export function translated(text: string, table: Value | undefined): string | null {
  spend(text.length * LETTER_WORK)
  store(text.length * LETTER_BYTES)
  const [only, ...others] = table === undefined ? [] : contentsOf(table)
  if (only?.kind === 'text' && !only.text.includes(GAP))
    return [...text].map((each) => only.text[each.charCodeAt(0)] ?? each).join('')
  if (only?.kind !== 'entries' || others.length > 0) return null
  const { entries } = only
  const letters = [...text].map((each) => {
    const by = entries.get(keyFor(each)) ?? entries.get(each)
    if (by === undefined) return each
    if (by.kind === 'none') return ''
    return by.kind === 'number' ? String.fromCodePoint(Math.min(Math.max(by.number, 0), 0x10ffff)) : plain(by)
  })
  return letters.includes(null) ? null : letters.join('')
}

function divided([left, right]: readonly Value[]): Value | null {
  const [of, by] = [left, right].map((each) => (each?.kind === 'number' ? bigOf(each) : null))
  if (of === null || of === undefined || !by || of < 0n || by < 0n) return null
  spend(of.toString(16).length * CHARACTER_WORK)
  return listOf([bigNumber(of / by), bigNumber(of % by)])
}

function dictionaryOf([pairs]: readonly Value[]): Value | null {
  const items = itemsOf(pairs)?.map((pair) => (pair.kind === 'items' ? pair.items : []))
  if (items === undefined) return null
  spend(items.length * LETTER_WORK)
  store(items.length * ITEM_BYTES)
  return { kind: 'entries', entries: new Map(items.map(([key = UNKNOWN, value = UNKNOWN]) => [keyIn(key), value])) }
}

const keyIn = (key: Value): string => {
  const text = key.kind === 'number' ? `#${key.number}` : asText(key)
  return text.length > KEY_MAX ? '' : text
}

function added([left, right]: readonly Value[]): Value | null {
  if (left?.kind === 'number' && right?.kind === 'number') return number(left.number + right.number)
  if (left?.kind === 'items' && right?.kind === 'items') return listOf([...left.items, ...right.items])
  if (left?.kind !== 'text' || right?.kind !== 'text' || left.text.length + right.text.length > TEXT_MAX) return null
  store(left.text.length + right.text.length)
  return textWith(left.text + right.text, left.isBytes, left.origin | right.origin)
}

export const DECODERS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ...['unquote', 'unquote_plus', 'unquote_to_bytes'].flatMap((name) =>
    ['urllib', 'urllib.parse', 'urllib2'].map((module): [string, Compute] => [`${module}.${name}`, decoding(unquoted)]),
  ),
  ['html.unescape', decoding(withoutEntities)],
  ['json.loads', ofJson],
  ['base64.b32decode', basedOn(LETTERS_32, 8, 5, (text) => text.replaceAll('=', ''))],
  ['base64.b85decode', basedOn(LETTERS_85, 5, 4, (text) => text)],
  [
    'base64.a85decode',
    basedOn(LETTERS_ASCII_85, 5, 4, (text) => text.replaceAll('z', '!!!!!').replace(/^<~|~>$|\s/g, '')),
  ],
  ['itertools.chain', chained],
  ['itertools.chain.from_iterable', ([lists]) => chained(itemsOf(lists) ?? [UNKNOWN])],
  ['itertools.cycle', cycled],
  [
    'itertools.islice',
    ([list, first, second]) => {
      const [items, from, to] = [itemsOf(list), numberIn(first), numberIn(second)]
      if (items === null || from === null) return null
      return listOf(to === null ? items.slice(0, from) : items.slice(from, to))
    },
  ],
  ['str.maketrans', translation],
  ['bytes.maketrans', translation],
  ['string.maketrans', translation],
  ['divmod', divided],
  ['dict', dictionaryOf],
  ['operator.add', added],
  ['operator.concat', added],
])
