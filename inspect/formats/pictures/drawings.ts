/** QR codes that texts, tables and drawings consist of. */

import { unreferenced } from '#inspect/codecs/character-references.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { searchShapes } from '#inspect/judge/pictures/canvas.ts'
import { isLight } from '#inspect/judge/pictures/colours.ts'
import { searchRows } from '#inspect/judge/pictures/grids.ts'
import { reportPicture } from '#inspect/judge/pictures/report.ts'
import { svgShapes } from './svg-shapes.ts'

const DRAWING = mark(['<svg', ':svg'], { ignoresCase: true })
const TABLE = mark(['<td'], { ignoresCase: true })
/** Blocks in UTF-8 and as references, and the top of a corner of a code in number signs. */
const BLOCKS = mark(['\xe2\x96\x88', '&#9608;', '&#x2588;', '##############'], { ignoresCase: true })
/** Longer texts are read up to here. */
const SOURCE_MAX = 2_000_000
/** For each character, for each shape or cell, and for each character of a text that may consist of blocks. */
const CHARACTER_WORK = 3
const SHAPE_WORK = 400
const LINES_WORK = 5
/** Sides of a code, in squares. */
const SIDE_MIN = 21
const SIDE_MAX = 200

export const drawings: Format = {
  among: { marks: [DRAWING, TABLE, BLOCKS] },
  applies: (item) => item.sniffed.kind === 'text' && [DRAWING, TABLE, BLOCKS].some((each) => item.has(each)),
  analyse(item, context) {
    const source = view(item.bytes.subarray(0, SOURCE_MAX)).toString()
    charge(source.length * CHARACTER_WORK)
    if (item.has(DRAWING)) report(item, searchShapes(svgShapes(source), context), context)
    if (item.has(TABLE)) searchTable(item, source, context)
    if (item.has(BLOCKS)) searchText(item, source, context)
  },
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

const LINE_END = /<br\b[^<>]{0,50}>|<\/(?:p|div|pre|tr)>|\r?\n/gi
const TAG = /<[^<>]{0,500}>/g
const ART = /^[\s\u00a0\u2580\u2584\u2588#]{10,420}$/

/** Lines of nothing but blocks, of which half blocks are two squares on top of each other. */
function searchText(item: Item, source: string, context: Context): void {
  charge(source.length * LINES_WORK)
  const lines = source.split(LINE_END).map((line) => unreferenced(line.replace(TAG, '')).replaceAll('&nbsp;', ' '))
  const art = lines.filter((line) => ART.test(line) && /[\u2580\u2584\u2588#]/.test(line)).slice(0, SIDE_MAX)
  const hasHalves = art.some((line) => /[\u2580\u2584]/.test(line))
  if (art.length < (hasHalves ? SIDE_MIN / 2 : SIDE_MIN)) return
  const rows = art.flatMap((line) => {
    const upper = [...line].map((sign) => sign === '\u2588' || sign === '\u2580' || sign === '#')
    return hasHalves ? [upper, [...line].map((sign) => sign === '\u2588' || sign === '\u2584')] : [upper]
  })
  // A full block is twice as high as wide, unless somebody has set it otherwise.
  for (const aspect of hasHalves ? [1] : [2, 1]) if (report(item, searchRows(rows, context, aspect), context)) return
}
