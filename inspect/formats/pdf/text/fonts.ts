/** Fonts of a PDF as far as its text needs them: which characters the bytes of a text mean. */

import { view } from '#inspect/core/bytes.ts'
import { ownOf } from '#inspect/core/own.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { PdfDocument } from '../active/document.ts'
import type { PdfDictionary, PdfValue } from '../syntax/value-tree.ts'

export interface PdfFont {
  /** The characters, and how many glyphs they are. */
  decode(bytes: Buffer): { text: string; glyphs: number }
  /** Of fonts whose glyphs are drawings; NaN if it is unknown. */
  scale: number
  /** Several codes stand for each of some letters: it may draw another text than it says. */
  isRemapped: boolean
}

/** Entries of one table of characters. */
const CHARACTERS_MAX = 65_536
const ENTRY_WORK = 200
const ENTRY_BYTES = 60
const BYTE_WORK = 20

const SECTION = /beginbf(char|range)((?:(?!beginbf)[\s\S])*)/g
const PAIR = /<([0-9a-fA-F\s]{1,16})>\s{0,9}<([0-9a-fA-F\s]{0,256})>/g
const RANGE = /<([0-9a-fA-F\s]{1,16})>\s{0,9}<([0-9a-fA-F\s]{1,16})>\s{0,9}(?:<([0-9a-fA-F\s]{0,256})>|\[([^\][]*))/g
const ITEM = /<([0-9a-fA-F\s]{0,256})>/g

const charactersOf = (hex = ''): string => {
  const bytes = Buffer.from(hex.replace(/\s+/g, ''), 'hex')
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}
const codeOf = (hex = ''): number => Number.parseInt(hex.replace(/\s+/g, ''), 16)

interface Range {
  from: number
  to: number
  text: string
}

interface Characters {
  /** By the codes of the font; undefined for codes that it does not have. */
  of(code: number): string | undefined
  isRemapped: boolean
}

function readCharacters(source: string): Characters {
  const found = new Map<number, string>()
  const ranges: Range[] = []
  charge(source.length * SOURCE_WORK)
  const add = (code: number, text: string): void => {
    charge(ENTRY_WORK)
    if (found.size >= CHARACTERS_MAX) return
    keep(ENTRY_BYTES)
    found.set(code, text)
  }
  const addRange = ([, from, to, text, list]: RegExpExecArray): void => {
    charge(ENTRY_WORK)
    const items = [...(list ?? '').matchAll(ITEM)]
    for (const [index, [, item]] of items.entries()) add(codeOf(from) + index, charactersOf(item))
    if (list === undefined && ranges.length < RANGES_MAX)
      ranges.push({ from: codeOf(from), to: codeOf(to), text: charactersOf(text) })
  }
  for (const [, kind, body = ''] of source.matchAll(SECTION)) {
    if (kind === 'range') for (const found of body.matchAll(RANGE)) addRange(found)
    else for (const [, code, text] of body.matchAll(PAIR)) add(codeOf(code), charactersOf(text))
  }
  ranges.sort((a, b) => a.from - b.from)
  return { of: (code) => found.get(code) ?? inRange(ranges, code), isRemapped: repeatsLetters(found.values()) }
}

/** Codes for one letter, and letters that have as many. A font has one code for a letter, or some for its forms. */
const REPEATED_MIN = 4
const LETTERS_MIN = 3

function repeatsLetters(texts: Iterable<string>): boolean {
  const counts = new Map<string, number>()
  for (const text of texts) if (/^[a-z]$/i.test(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
  return [...counts.values()].filter((count) => count >= REPEATED_MIN).length >= LETTERS_MIN
}

/** Whether a table of characters may say something else than its font draws. */
export function mayRemap(content: string): boolean {
  return content.includes('beginbfchar') && readCharacters(content).isRemapped
}

/** Ranges of one table. */
const RANGES_MAX = 20_000
const SOURCE_WORK = 6

function inRange(ranges: readonly Range[], code: number): string | undefined {
  let [low, high] = [0, ranges.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.from ?? 0) <= code) low = middle + 1
    else high = middle
  }
  const range = ranges[low - 1]
  if (range === undefined || code > range.to) return undefined
  const last = range.text.length - 1
  return range.text.slice(0, last) + String.fromCharCode(range.text.charCodeAt(last) + code - range.from)
}

/** By their codes. */
const WINDOWS = [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, code) => code))]
const GLYPHS: Readonly<Record<string, string>> = {
  space: ' ',
  period: '.',
  comma: ',',
  colon: ':',
  semicolon: ';',
  hyphen: '-',
  minus: '-',
  parenleft: '(',
  parenright: ')',
  slash: '/',
  exclam: '!',
  question: '?',
  quotesingle: "'",
  quotedbl: '"',
  quoteright: '’',
  quoteleft: '‘',
  at: '@',
  zero: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  fi: 'fi',
  fl: 'fl',
  ff: 'ff',
  ffi: 'ffi',
  ffl: 'ffl',
  endash: '–',
  emdash: '—',
  bullet: '•',
  bracketleft: '[',
  bracketright: ']',
  underscore: '_',
  equal: '=',
  plus: '+',
  percent: '%',
  ampersand: '&',
  less: '<',
  greater: '>',
  bar: '|',
  numbersign: '#',
  dollar: '$',
  asterisk: '*',
  quotedblleft: '“',
  quotedblright: '”',
  adieresis: 'ä',
  odieresis: 'ö',
  udieresis: 'ü',
  germandbls: 'ß',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedilla: 'ç',
  ntilde: 'ñ',
}

/** The characters of a name of a glyph; '' if it is unknown. */
function glyphOf(name: string): string {
  if (name.length === 1) return name
  const known = ownOf(GLYPHS, name)
  if (known !== undefined) return known
  const hex = /^u(?:ni)?([0-9A-Fa-f]{4,6})/.exec(name)?.[1]
  const code = hex === undefined ? Number.NaN : Number.parseInt(hex, 16)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** Tables of characters that readers have, by pieces of their names, and the encodings of their codes. */
const TABLES = [
  ['UTF16', 'utf-16be'],
  ['UCS2', 'utf-16be'],
  ['GB', 'gb18030'],
  ['B5', 'big5'],
  ['RKSJ', 'shift_jis'],
  ['KSC', 'euc-kr'],
  ['EUC-', 'euc-jp'],
] as const

function knownTable(names: readonly string[]) {
  const encoding = TABLES.find(([piece]) => names[0]?.includes(piece))?.[1]
  return encoding === undefined ? null : new TextDecoder(encoding)
}

export function readFont(
  font: PdfDictionary,
  document: PdfDocument,
  streamOf: (values: readonly PdfValue[]) => Uint8Array | null,
): PdfFont {
  const { entries } = font
  const [subtype = ''] = document.names(entries.get('Subtype'))
  const table = streamOf(entries.get('ToUnicode') ?? [])
  const characters = table === null ? null : readCharacters(view(table).toString('latin1'))
  const differences = differencesOf(entries.get('Encoding'), document)
  const isWide = subtype === 'Type0'
  const known = isWide && table === null ? knownTable(document.names(entries.get('Encoding'))) : null
  return {
    isRemapped: characters?.isRemapped ?? false,
    scale: subtype === 'Type3' ? scaleOf(entries.get('FontMatrix'), document) : 1,
    decode(bytes) {
      charge(bytes.length * BYTE_WORK)
      if (known !== null) {
        const text = known.decode(bytes)
        return { text, glyphs: text.length }
      }
      const glyphs = isWide ? Math.floor(bytes.length / 2) : bytes.length
      let text = ''
      for (let index = 0; index < glyphs; index++) {
        const code = isWide ? bytes.readUInt16BE(index * 2) : (bytes[index] as number)
        text += characters?.of(code) ?? (isWide ? '' : (differences.get(code) ?? WINDOWS[code] ?? ''))
      }
      return { text, glyphs }
    },
  }
}

const DIFFERENCES_MAX = 1_000

function differencesOf(values: readonly PdfValue[] | undefined, document: PdfDocument): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  const [list] = document
    .dictionaries(values)
    .flatMap(({ entries }) => (entries.get('Differences') ?? []).flatMap(document.resolve))
  let code = 0
  for (const item of list?.kind === 'list' ? list.items.slice(0, DIFFERENCES_MAX) : []) {
    if (item.kind === 'other') code = Number(item.text)
    else if (item.kind === 'name') found.set(code++, glyphOf(item.name))
  }
  return found
}

/** Units of a glyph for each point of its size. */
function scaleOf(values: readonly PdfValue[] | undefined, document: PdfDocument): number {
  const [matrix] = (values ?? []).flatMap(document.resolve)
  const [first] = matrix?.kind === 'list' ? matrix.items : []
  return first?.kind === 'other' ? Math.abs(Number(first.text)) * 1_000 : Number.NaN
}
