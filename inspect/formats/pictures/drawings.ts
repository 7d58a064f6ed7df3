/** QR codes that texts, tables and drawings consist of. */

import { isCard, linesOfCard } from '#inspect/codecs/cards.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { searchShapes } from '#inspect/judge/pictures/canvas.ts'
import { isLight } from '#inspect/judge/pictures/colours.ts'
import { searchRows } from '#inspect/judge/pictures/grids.ts'
import { reportPicture } from '#inspect/judge/pictures/report.ts'
import { ART, searchText, WIDE_ART } from '#inspect/judge/pictures/text-art.ts'
import { BOXES, searchBoxes } from './boxes.ts'
import { svgShapes } from './svg-shapes.ts'

const DRAWING = mark(['<svg', ':svg'], { ignoresCase: true })
const TABLE = mark(['<td'], { ignoresCase: true })
/** Longer texts are read up to here. */
const SOURCE_MAX = 2_000_000
const CARD_HEAD = 20
/** For each character, and for each shape or cell. */
const CHARACTER_WORK = 3
const SHAPE_WORK = 400
/** Sides of a code, in squares. */
const SIDE_MIN = 21
const SIDE_MAX = 200

export const drawings: Format = {
  among: { marks: [DRAWING, TABLE, BOXES, ...ART, WIDE_ART] },
  applies: (item) =>
    item.sniffed.kind === 'text' ? [DRAWING, TABLE, BOXES, ...ART].some((each) => item.has(each)) : item.has(WIDE_ART),
  analyse(item, context) {
    if (item.sniffed.kind !== 'text') return searchWide(item, context)
    const bytes = view(item.bytes.subarray(0, SOURCE_MAX))
    charge(bytes.length * CHARACTER_WORK)
    const source = isCard(bytes.toString('latin1', 0, CARD_HEAD)) ? linesOfCard(bytes) : bytes.toString()
    if (item.has(DRAWING)) report(item, searchShapes(svgShapes(source), context), context)
    if (item.has(TABLE)) searchTable(item, source, context)
    if (item.has(BOXES)) report(item, searchBoxes(source, context), context)
    if (ART.some((each) => item.has(each))) report(item, searchText(source, context), context)
  },
}

/** Texts of two bytes for each character, wherever they begin. */
function searchWide(item: Item, context: Context): void {
  const bytes = view(item.bytes.subarray(0, SOURCE_MAX))
  charge(bytes.length * CHARACTER_WORK)
  for (const from of [0, 1]) if (report(item, searchText(bytes.toString('utf16le', from), context), context)) return
}

/** A drawing that is no code is nothing to report. */
function report(item: Item, found: ReturnType<typeof searchRows>, context: Context): boolean {
  const isCode = typeof found !== 'string' && found.length > 0
  if (isCode) reportPicture(item, found, context)
  return isCode
}

const CELL = /<(tr|td)\b([^<>]{0,500})>/gi
const BACKGROUND = /(?:background(?:-color)?\s?:|bgcolor\s?=)\s?["']?([^;"']{1,40})/i

function searchTable(item: Item, source: string, context: Context): void {
  const rows: boolean[][] = []
  for (const [, name = '', attributes = ''] of source.matchAll(CELL)) {
    charge(SHAPE_WORK)
    if (name.toLowerCase() === 'tr') rows.push([])
    else {
      const colour = BACKGROUND.exec(attributes)?.[1]
      const count = Math.min(SIDE_MAX, Number(/colspan\s?=\s?["']?(\d{1,3})/i.exec(attributes)?.[1] ?? 1))
      for (let i = 0; i < count && (rows.at(-1)?.length ?? 0) <= SIDE_MAX; i++)
        rows.at(-1)?.push(colour !== undefined && !isLight(colour))
    }
  }
  const found = rows.filter((row) => row.length >= SIDE_MIN && row.some((isDark) => isDark))
  if (isSquare(found.length)) report(item, searchRows(found, context), context)
}

const isSquare = (rows: number): boolean => rows >= SIDE_MIN && rows <= SIDE_MAX
