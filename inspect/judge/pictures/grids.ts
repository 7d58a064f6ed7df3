/** Codes that are drawn without a picture: of rectangles, cells or characters. */

import type { Context } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { type Found, search } from './codes.ts'
import type { Raster } from './raster.ts'

export interface Rectangle {
  x: number
  y: number
  width: number
  height: number
}

/** The smallest code has more dark squares than that, but several in a row may be one rectangle. */
const RECTANGLES_MIN = 60
export const RECTANGLES_MAX = 20_000
/** Squares of the largest code with its margin, and points of each square. */
const SQUARES_MAX = 200
const SCALE = 4
const RECTANGLE_WORK = 200
const POINT_WORK = 5

/** Dark rectangles on a light page. */
export function searchRectangles(rectangles: readonly Rectangle[], context: Context): Found {
  if (rectangles.length < RECTANGLES_MIN || rectangles.length > RECTANGLES_MAX) return []
  charge(rectangles.length * RECTANGLE_WORK)
  const sides = rectangles.flatMap(({ width, height }) => [width, height]).filter((side) => side > 0)
  const unit = sides.reduce((least, side) => Math.min(least, side), Number.POSITIVE_INFINITY)
  // A frame or a background is no part of the code.
  const parts = rectangles.filter(({ width, height }) => Math.min(width, height) < unit * 4)
  const left = leastOf(parts, ({ x }) => x)
  const top = leastOf(parts, ({ y }) => y)
  const across = Math.round((-leastOf(parts, ({ x, width }) => -x - width) - left) / unit)
  const down = Math.round((-leastOf(parts, ({ y, height }) => -y - height) - top) / unit)
  if (!(across >= 21 && down >= 21 && across <= SQUARES_MAX && down <= SQUARES_MAX)) return []
  const rows = Array.from({ length: down }, () => new Array<boolean>(across).fill(false))
  for (const part of parts) {
    const [x, y] = [Math.round((part.x - left) / unit), Math.round((part.y - top) / unit)]
    for (let row = y; row < y + Math.round(part.height / unit); row++)
      rows[row]?.fill(true, x, x + Math.round(part.width / unit))
  }
  return searchRows(rows, context)
}

function leastOf(rectangles: readonly Rectangle[], of: (one: Rectangle) => number): number {
  return rectangles.reduce((least, one) => Math.min(least, of(one)), Number.POSITIVE_INFINITY)
}

/** Squares of a code or of its margin; dark ones are true. `aspect`: height of a square by its width. */
export function searchRows(rows: readonly (readonly boolean[])[], context: Context, aspect = 1): Found {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const [width, height] = [(columns + 8) * SCALE, (rows.length * aspect + 8) * SCALE]
  const head = { width, height, unpackedBytes: width * height, work: width * height * POINT_WORK }
  return search(head, () => painted(rows, width, height, aspect), context)
}

function painted(rows: readonly (readonly boolean[])[], width: number, height: number, aspect: number): Raster {
  charge(width * height * POINT_WORK)
  const data = new Uint8Array(width * height).fill(255)
  for (let y = 0; y < rows.length * SCALE * aspect; y++) {
    const row = rows[Math.floor(y / (SCALE * aspect))] ?? []
    const start = (y + 4 * SCALE) * width + 4 * SCALE
    for (const [x, isDark] of row.entries()) if (isDark) data.fill(0, start + x * SCALE, start + (x + 1) * SCALE)
  }
  return { width, height, data }
}
