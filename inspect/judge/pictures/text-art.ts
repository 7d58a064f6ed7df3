/** QR codes that the characters of a text consist of: blocks, halves and quarters of them, dots, squares and letters. */

import { referencesShown } from '#inspect/codecs/character-references.ts'
import type { Context } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import type { Found } from './codes.ts'
import { searchRows } from './grids.ts'

/** The top of a corner of a code in letters: seven of them, or fourteen, and another. */
const CORNER = mark(
  [...'X@1*M#nWH8$&O'].map((letter) => letter.repeat(7)),
  {
    fits: (bytes, at) => /^(?!(.)\1)[\s\S](.)\2{6}(?:\2{7})?(?!\2)/.test(bytes.toString('latin1', at - 1, at + 16)),
  },
)
/** Blocks and dots in UTF-8 and as references, and colours of terminals. */
const BLOCKS = mark(
  [
    ...['\xe2\x96\x88', '\xe2\x96\x93', '\xe2\x96\xa0\xe2\x96\xa0', '\xe2\x96\x97', '\xe2\x97\xbc', '\xe2\xac\x9b'],
    ...[
      '\xe2\xac\x9c',
      '\xe2\x97\xbb',
      '\xe2\x9a\xab',
      '\xe2\xa3\xbf',
      '\xe2\xa0\x89',
      '\xe2\xa1\x8f',
      '\xe2\xa2\xb9',
      '\xe2\xa3\x80',
      '\xe2\xa0\x9b',
      '\xe2\xa3\xa4',
      '&#9608;',
      '&#x2588;',
      '&#11035;',
      '\x1b[40m',
      '\x1b[7m',
    ],
  ],
  { ignoresCase: true },
)
export const ART = [CORNER, BLOCKS]
/** Blocks in two bytes each, as in documents of Word, PowerPoint, OneNote and Outlook before 2007. */
export const WIDE_ART = mark(['\x88\x25\x88\x25', '\x80\x25\x80\x25', '\x84\x25\x84\x25', '\x20\x00\x88\x25'])

const DARK = '█▓■◼⬛⚫●#X@1*M%nWH8$&O'
const LIGHT = ' \u00a0\u2003\u3000░□◻⬜⚪○.·_-0'
/** By the quarters that are dark: 1 and 2 above, 4 and 8 below. */
const QUARTERS = ' ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█'
const BRAILLE = /[\u2800-\u28ff]/
/** Dots of Braille by their bit, row by row. */
const DOTS = [
  [0, 3],
  [1, 4],
  [2, 5],
  [6, 7],
]

const quartersOf: ReadonlyMap<string, number> = new Map([
  ...[...LIGHT].map((sign) => [sign, 0] as const),
  ...[...DARK].map((sign) => [sign, 15] as const),
  ...[...QUARTERS].map((sign, quarters) => [sign, quarters] as const),
])

const LINES_WORK = 8
const LINE_WORK = 300
/** Of a group that may be a code. */
const SIGN_WORK = 60
/** Characters of a line, and squares of the side of a code. */
const LINE_MIN = 10
const LINE_MAX = 420
const SIDE_MIN = 21
const SIDE_MAX = 200

/** Ends of lines in markup, and of texts in programs and notebooks. */
const LINE_END =
  /<(?:[a-z]{1,6}:)?(?:br|cr|line-break)\b[^<>]{0,200}>|<\/(?:[a-z]{1,6}:)?(?:p|div|pre|tr|text|li|h[1-6]|dt|dd|center|blockquote|section|article|figcaption|table-row|row|si|tspan)>|<\/[a-z]{1,6}>(?=\s{0,40}<[a-z]{1,6}\b[^<>]{0,200}display\s?:\s?(?:block|flex|grid))|\\n|\r\n?|[\n\v]/gi
/** Several spaces of OpenDocument. */
const SPACES = /<text:s\b(?:[^<>]{0,100}?text:c="(\d{1,3})")?[^<>]{0,100}>/g
/** What stands around a line of a quoted text, a table or a program. */
const QUOTED = /^[ \t]{0,40}(?:(?:>|\/\/|\|)[ \t]?|["'])(?=[^"']{10})|["'](?:[,;][^"']{0,40})?$/g
const TAG = /<[^<>]{0,500}>/g
/** Signs that make pictures of characters. */
const SHAPING = /[\ufe0e\ufe0f]/g

/** Line by line. */
type Search = (line: string) => Found

export function searchText(source: string, context: Context): Found {
  charge(source.length * LINES_WORK)
  const searches = [createGroups(context), createPairs(context)]
  for (const written of [...source.split(LINE_END), 'end']) {
    const line = lineOf(written)
    for (const search of searches) {
      const found = search(line)
      if (typeof found !== 'string' && found.length > 0) return found
    }
  }
  return []
}

/** Groups of neighbouring lines that consist of nothing else. */
function createGroups(context: Context): Search {
  let group: string[] = []
  return (line) => {
    if (isArt(line)) group.push(line)
    else if (line.trim() !== '') {
      const lines = group
      group = []
      return searchGroup(lines, context)
    }
    return []
  }
}

/** Two signs, whichever they are: those of a font that draws squares. */
const PAIR = /^(?=.{21,200}$)(\S)\1{0,200}(?:(?!\1)(\S)(?:\1|\2){0,200})?$/
const signsOf = (rows: string): Set<string> => new Set(rows)

function createPairs(context: Context): Search {
  let rows: string[] = []
  return (line) => {
    const row = line.trim()
    const isPair = PAIR.test(row)
    const [first = row, second = row] = rows
    if (isPair && row.length === first.length && signsOf(first + second + row).size <= 2) {
      rows.push(row)
      return []
    }
    const before = rows
    rows = isPair ? [row] : []
    return searchPairs(before, context)
  }
}

function searchPairs(rows: readonly string[], context: Context): Found {
  const [first = ''] = rows
  if (rows.length < SIDE_MIN || rows.length !== first.length) return []
  charge(rows.length * first.length * SIGN_WORK)
  return searchRows(
    rows.map((row) => [...row].map((sign) => sign === first[0])),
    context,
  )
}

function lineOf(written: string): string {
  charge(LINE_WORK)
  const spaced = written.includes('<text:s')
    ? written.replace(SPACES, (_, count = '1') => ' '.repeat(Math.min(LINE_MAX, Number(count))))
    : written
  const plain = spaced.includes('<') ? spaced.replace(TAG, '') : spaced
  const text = referencesShown(plain)
  const line = (text.includes('\x1b') ? withoutColours(text) : text).replace(SHAPING, '').trimEnd()
  return isArt(line) ? line : line.replace(QUOTED, '').trimEnd()
}

function isArt(line: string): boolean {
  if (line.length < LINE_MIN || line.length > LINE_MAX) return false
  let hasDark = false
  for (const sign of line) {
    const quarters = quartersOf.get(sign) ?? (BRAILLE.test(sign) ? 1 : -1)
    if (quarters === -1) return false
    hasDark ||= quarters > 0
  }
  return hasDark
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals read it
const COLOUR = /\x1b\[([\d;]{0,20})m/g

/** Spaces on a dark background are blocks. */
function withoutColours(line: string): string {
  let [text, isDark, from] = ['', false, 0]
  const add = (piece: string): void => {
    text += isDark ? piece.replaceAll(' ', '█') : piece
  }
  for (const { index, 0: whole, 1: codes = '' } of line.matchAll(COLOUR)) {
    add(line.slice(from, index))
    from = index + whole.length
    if (/(?:^|;)(?:40|100|7|48;5;(?:0|16|232))(?:;|$)/.test(codes)) isDark = true
    else if (/^$|(?:^|;)(?:0|4[1-79]|10[1-7]|27|48;5;\d{1,3})(?:;|$)/.test(codes)) isDark = false
  }
  add(line.slice(from))
  return text
}

function searchGroup(lines: readonly string[], context: Context): Found {
  if (lines.length < SIDE_MIN / 4 || lines.length > SIDE_MAX) return []
  for (const line of lines) charge(line.length * SIGN_WORK)
  const rowsOf = readerOf(lines.join(''))
  const rows = lines.flatMap((line) => rowsOf([...line]))
  if (rows.length < SIDE_MIN || rows.length > SIDE_MAX * 4) return []
  // A full block is twice as high as wide, unless somebody has set it otherwise.
  for (const aspect of rows.length > lines.length ? [1] : [2, 1]) {
    const found = searchRows(rows, context, aspect)
    if (typeof found === 'string' || found.length > 0) return found
  }
  return []
}

/** How the signs of a line are read, in which the lines of a group do not differ. */
function readerOf(all: string): (signs: readonly string[]) => boolean[][] {
  if (BRAILLE.test(all))
    return (signs) =>
      DOTS.map((dots) => signs.flatMap((sign) => dots.map((dot) => ((sign.codePointAt(0) ?? 0) >> dot) % 2 === 1)))
  const quarters = (signs: readonly string[]): number[] => signs.map((sign) => quartersOf.get(sign) ?? 0)
  const has = (parts: readonly number[], mask: number): boolean[] => parts.map((each) => (each & mask) !== 0)
  if (!/[\u2580-\u259f]/.test(all.replace(/[█▓░]/g, ''))) return (signs) => [has(quarters(signs), 15)]
  const isHalved = !/[▘▝▖▌▞▛▗▚▐▜▙▟]/.test(all)
  if (isHalved)
    return (signs) => {
      const parts = quarters(signs)
      return [has(parts, 1), has(parts, 4)]
    }
  const pairs = (parts: readonly number[], one: number, other: number): boolean[] =>
    parts.flatMap((each) => [(each & one) !== 0, (each & other) !== 0])
  return (signs) => {
    const parts = quarters(signs)
    return [pairs(parts, 1, 2), pairs(parts, 4, 8)]
  }
}
