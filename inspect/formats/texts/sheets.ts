/** Text of workbooks (OOXML) with what hides it: sheets, rows and columns, formats, colours and sizes. */

import { attributeOf, readXml } from '#inspect/codecs/xml-events.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { type Colour, colourOf, isLikeColour, WHITE } from '#inspect/judge/hidden/colours.ts'
import type { createTextJudge } from '#inspect/judge/hidden/hidden.ts'

type Judge = ReturnType<typeof createTextJudge>

/** Points that nobody can read. */
const POINTS_MAX = 2
const STRING_BYTES = 60

/** Texts of cells, by their number. */
export function sharedStringsOf(source: string): string[] {
  const strings: string[] = []
  let text: string | null = null
  let [isText, isPhonetic] = [false, false]
  readXml(source, {
    open(name) {
      if (name === 'si') text = ''
      else if (name === 't') isText = true
      else if (name === 'rPh') isPhonetic = true
    },
    close(name) {
      if (name === 'si') {
        keep(STRING_BYTES + (text?.length ?? 0) * 2)
        strings.push(text ?? '')
        text = null
      } else if (name === 't') isText = false
      else if (name === 'rPh') isPhonetic = false
    },
    text(found) {
      if (isText && !isPhonetic && text !== null) text += found
    },
  })
  return strings
}

interface Font {
  colour: Colour | null
  isSmall: boolean
}

/** Why text in each format of a cell is not seen. */
export function cellFormatsOf(source: string): Reason[][] {
  const fonts: Font[] = []
  const fills: (Colour | 'unknown' | null)[] = []
  const blank = new Set<string>()
  const formats: Reason[][] = []
  let part = ''
  let pattern = ''
  const opened = new Map<string, (attributes: string) => void>([
    [
      'numFmt',
      (attributes) => {
        if (isBlank(attributeOf(attributes, 'formatCode') ?? '')) blank.add(attributeOf(attributes, 'numFmtId') ?? '')
      },
    ],
    [
      'fills patternFill',
      (attributes) => {
        pattern = attributeOf(attributes, 'patternType') ?? 'none'
        fills.push(pattern === 'none' ? null : 'unknown')
      },
    ],
    ['fills gradientFill', () => fills.push('unknown')],
    [
      'fills fgColor',
      (attributes) => {
        if (pattern === 'solid') fills[fills.length - 1] = colourIn(attributes) ?? 'unknown'
      },
    ],
    [
      'cellXfs xf',
      (attributes) => {
        const number = (key: string): number => Number(attributeOf(attributes, key) ?? 0)
        const isWithoutForm = blank.has(attributeOf(attributes, 'numFmtId') ?? '')
        formats.push(whyHidden(fonts[number('fontId')], fills[number('fillId')] ?? null, isWithoutForm))
      },
    ],
  ])
  readXml(source, {
    open(name, attributes) {
      if (LISTS.has(name)) part = name
      else if (part === 'fonts') readFont(name, attributes, fonts)
      else (opened.get(`${part} ${name}`) ?? opened.get(name))?.(attributes)
    },
    close(name) {
      if (name === part) part = ''
    },
    text() {},
  })
  return formats
}

const LISTS = new Set(['fonts', 'fills', 'cellXfs', 'cellStyleXfs', 'dxfs'])

/** `;;;` shows nothing. */
const isBlank = (code: string): boolean =>
  /^(?:\s|""|\[[a-z]{3,9}\])*;(?:\s|"")*;(?:\s|"")*(?:;(?:\s|"")*)?$/i.test(code)

function readFont(name: string, attributes: string, fonts: Font[]): void {
  if (name === 'font') fonts.push({ colour: null, isSmall: false })
  const font = fonts.at(-1)
  if (font === undefined) return
  if (name === 'sz') font.isSmall = Number(attributeOf(attributes, 'val')) <= POINTS_MAX
  else if (name === 'color') font.colour = colourIn(attributes)
}

function colourIn(attributes: string): Colour | null {
  if (attributeOf(attributes, 'tint') !== null) return null
  const theme = attributeOf(attributes, 'theme')
  if (theme !== null) return theme === '0' ? WHITE : null
  const indexed = attributeOf(attributes, 'indexed')
  if (indexed !== null) return indexed === '1' || indexed === '9' ? WHITE : null
  return colourOf((attributeOf(attributes, 'rgb') ?? '').slice(-6))
}

function whyHidden(font: Font | undefined, fill: Colour | 'unknown' | null, isWithoutForm: boolean): Reason[] {
  const found: Reason[] = []
  if (isWithoutForm) found.push('vanish')
  if (font?.isSmall) found.push('size')
  const behind = fill ?? WHITE
  if (font?.colour && behind !== 'unknown' && isLikeColour(font.colour, behind)) found.push('colour')
  return found
}

interface SheetPart {
  source: string
  strings: readonly string[]
  formats: readonly (readonly Reason[])[]
  reasons: readonly Reason[]
  place: string | null
}

/** Nobody scrolls to those behind. */
const COLUMNS_SEEN = 60
/** They may set other colours. */
const COLOURED = /<(?:tablePart|conditionalFormatting|drawing|picture)[\s>]/
/** Also without a height or a width. */
const HIDDEN = /\shidden\s?=\s?["'](?:1|true)["']|\s(?:ht|width)\s?=\s?["']0?(?:\.\d{1,20}|0)?["']/

/** What most cells are written with: place, format and type. */
const PLAIN_CELL = /^ r="([A-Za-z]{1,3}\d{1,7})"(?: s="(\d{1,7})")?(?: t="(\w{1,9})")?\s{0,9}$/

interface Cell {
  place: string
  format: number
  type: string
}

function cellOf(attributes: string): Cell {
  const [whole, place = '', format = '0', type = 'n'] = PLAIN_CELL.exec(attributes) ?? []
  if (whole !== undefined) return { place, format: Number(format), type }
  return {
    place: attributeOf(attributes, 'r') ?? '',
    format: Number(attributeOf(attributes, 's') ?? 0),
    type: attributeOf(attributes, 't') ?? 'n',
  }
}

export function readSheet({ source, strings, formats, reasons, place }: SheetPart, judge: Judge): void {
  const columns = createColumns()
  const isColoured = COLOURED.test(source)
  let cell: (Cell & { reasons: readonly Reason[] }) | null = null
  let isRowHidden = false
  let isValue = false
  /** By format, for cells of rows and columns that are seen and hidden. */
  const known = [new Map<number, readonly Reason[]>(), new Map<number, readonly Reason[]>()] as const
  const hiddenBy = (own: Cell): readonly Reason[] => {
    const isHidden = isRowHidden || columns.has(own.place)
    const format = formats[own.format]
    const key = format === undefined ? -1 : own.format
    const found = known[isHidden ? 1 : 0].get(key)
    if (found !== undefined) return found
    const all: readonly Reason[] = [
      ...reasons,
      ...(isHidden ? (['hidden-sheet'] as const) : []),
      ...(format ?? []).filter((reason) => reason !== 'colour' || !isColoured),
    ]
    known[isHidden ? 1 : 0].set(key, all)
    return all
  }
  const mayBeHidden = (own: Cell): boolean =>
    (isColoured && (formats[own.format] ?? []).includes('colour')) || columnOf(own.place) > COLUMNS_SEEN
  readXml(source, {
    open(name, attributes) {
      if (name === 'col' && HIDDEN.test(attributes))
        columns.add(Number(attributeOf(attributes, 'min')), Number(attributeOf(attributes, 'max')))
      else if (name === 'row') isRowHidden = HIDDEN.test(attributes)
      else if (name === 'c') {
        const own = cellOf(attributes)
        cell = { ...own, reasons: hiddenBy(own) }
      } else if (name === 'v' || name === 't') isValue = true
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c') {
        judge.add('\t', cell?.reasons ?? reasons, place)
        cell = null
      } else if (name === 'row') judge.add('\n', reasons, place)
    },
    text(text) {
      if (!isValue || cell === null) return
      const shown = cell.type === 's' ? (strings[Number(text)] ?? '') : text
      judge.add(shown, cell.reasons, place)
      if (mayBeHidden(cell)) judge.doubt(shown, 'hidden-sheet', place)
    },
  })
}

/** Columns of three letters, with that of a cell without a place. */
const COLUMNS = 18_279
const COLUMNS_WORK = 0.1

/** A sheet may hide thousands of columns one by one, and has a million cells. */
function createColumns() {
  const hidden = new Uint8Array(COLUMNS)
  let isAny = false
  return {
    add(from: number, to: number): void {
      const [first, last] = [Math.max(0, Math.ceil(from)), Math.min(COLUMNS - 1, Math.floor(to))]
      if (!(first <= last)) return
      charge((last - first) * COLUMNS_WORK)
      hidden.fill(1, first, last + 1)
      isAny = true
    },
    has: (place: string): boolean => isAny && hidden[columnOf(place)] === 1,
  }
}

function columnOf(cell: string): number {
  let column = 0
  for (const letter of cell.slice(0, 3).toUpperCase()) {
    const digit = letter.charCodeAt(0) - 64
    if (digit < 1 || digit > 26) break
    column = column * 26 + digit
  }
  return column
}
