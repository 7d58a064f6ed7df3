/** QR codes that the cells of a table are filled with, in documents, slides and sheets. */

import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { isLight } from '#inspect/judge/pictures/colours.ts'
import { searchRows } from '#inspect/judge/pictures/grids.ts'
import { reportPicture } from '#inspect/judge/pictures/report.ts'

/** Cells without a text. */
export const CELLS = mark(['/><c r="', '></c><c r="', '<w:tc>', '<a:tc>', '/><table:table-cell '])
/** Longer parts are read up to here. */
const SOURCE_MAX = 2_000_000
const CHARACTER_WORK = 3
const CELL_WORK = 300
/** Sides of a code, in cells, and cells that are filled. */
const SIDE_MIN = 21
const SIDE_MAX = 200
const CELLS_MIN = 120
const CELLS_MAX = 60_000

const TOKEN =
  /<(w:tr|a:tr|row|table:table-row|w:tc|a:tc|c|table:table-cell|table:covered-table-cell)(?=[\s/>])([^<>]{0,500})>|\sw:fill="([0-9A-Fa-f]{6})"|<a:srgbClr val="([0-9A-Fa-f]{6})"/g
const ROWS: ReadonlySet<string> = new Set(['w:tr', 'a:tr', 'row', 'table:table-row'])

/** What a cell is filled with: a colour, or the number or the name of a format; '' if there is none. */
type Rows = string[][]

export const cells: Format = {
  among: { marks: [CELLS] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(CELLS),
  analyse(item, context) {
    const source = view(item.bytes.subarray(0, SOURCE_MAX)).toString('latin1')
    const rows = rowsIn(source)
    for (const isDark of darkFormats(rows)) {
      const square = cut(rows.map((row) => row.map(isDark)))
      const found = square === null ? [] : searchRows(square, context)
      if (typeof found === 'string' || found.length === 0) continue
      reportPicture(item, found, context)
      return
    }
  },
}

function rowsIn(source: string): Rows {
  charge(source.length * CHARACTER_WORK)
  const rows: Rows = []
  let count = 0
  for (const [, name = '', attributes = '', ...colours] of source.matchAll(TOKEN)) {
    charge(CELL_WORK)
    const row = rows.at(-1)
    if (ROWS.has(name)) rows.push([])
    else if (row === undefined) continue
    else if (name === '') row[row.length - 1] = colours[0] ?? colours[1] ?? ''
    else if (++count > CELLS_MAX) return rows
    else addCell(row, attributes)
  }
  return rows
}

/** What most cells of sheets are written with. */
const PLAIN_CELL = /^ r="([A-Z]{1,3})\d{1,7}"(?: s="(\d{1,7})")?(?: t="\w{1,9}")?\s{0,9}\/?$/
const COLUMN = /\sr="([A-Z]{1,3})\d/
const FORMAT = /\s(?:s|table:style-name)="([\w.-]{1,60})"/
const REPEATED = /\s(?:table:number-columns-repeated|gridSpan)="(\d{1,3})"/

function addCell(row: string[], attributes: string): void {
  const plain = PLAIN_CELL.exec(attributes)
  const letters = plain?.[1] ?? COLUMN.exec(attributes)?.[1] ?? ''
  let column = 0
  for (let i = 0; i < letters.length; i++) column = column * 26 + letters.charCodeAt(i) - 64
  while (row.length < Math.min(column - 1, SIDE_MAX)) row.push('')
  const format = (plain === null ? FORMAT.exec(attributes)?.[1] : plain[2]) ?? ''
  if (plain !== null) {
    if (row.length <= SIDE_MAX) row.push(format)
    return
  }
  const times = Math.min(SIDE_MAX, Number(REPEATED.exec(attributes)?.[1] ?? 1))
  for (let i = 0; i < times && row.length <= SIDE_MAX; i++) row.push(format)
}

const COLOUR = /^[0-9A-Fa-f]{6}$/

/** Colours that are dark; otherwise one of the two formats that most cells have: which one is dark is not known here. */
function darkFormats(rows: Rows): ((format: string) => boolean)[] {
  const counts = new Map<string, number>()
  for (const format of rows.flat()) counts.set(format, (counts.get(format) ?? 0) + 1)
  counts.delete('')
  if ([...counts.keys()].some((format) => COLOUR.test(format)))
    return [(format) => COLOUR.test(format) && !isLight(`#${format}`)]
  return [...counts]
    .filter(([, count]) => count >= CELLS_MIN)
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 2)
    .map(
      ([dark]) =>
        (format: string) =>
          format === dark,
    )
}

/** Around all dark cells; null if they are no code. */
function cut(rows: readonly (readonly boolean[])[]): boolean[][] | null {
  const dark = rows.map((row) => row.flatMap((isDark, column) => (isDark ? [column] : [])))
  const top = dark.findIndex((columns) => columns.length > 0)
  const bottom = dark.findLastIndex((columns) => columns.length > 0)
  const all = dark.flat()
  const [left, right] = [leastOf(all), -leastOf(all.map((column) => -column))]
  const [wide, high] = [right - left + 1, bottom - top + 1]
  if (all.length < CELLS_MIN || wide < SIDE_MIN || high < SIDE_MIN || wide > SIDE_MAX || high > SIDE_MAX) return null
  return rows.slice(top, bottom + 1).map((row) => Array.from({ length: wide }, (_, i) => row[left + i] ?? false))
}

const leastOf = (numbers: readonly number[]): number =>
  numbers.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY)
