/** Codes that are drawn without a picture: of cells or characters. */

import type { Context } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { type Found, search } from './codes.ts'
import type { Raster } from './raster.ts'

/** Points of each square. */
const SCALE = 4
const POINT_WORK = 5

/** Squares of a code or of its margin; dark ones are true. `aspect`: height of a square by its width. */
export function searchRows(rows: readonly (readonly boolean[])[], context: Context, aspect = 1): Found {
  const columns = rows.reduce((most, { length }) => Math.max(most, length), 0)
  const [width, height] = [(columns + 8) * SCALE, (rows.length * aspect + 8) * SCALE]
  const head = { width, height, unpackedBytes: width * height, work: width * height * POINT_WORK }
  const margin = marginOf(rows)
  return search(head, () => painted(rows, width, height, aspect, margin), context)
}

/** An edge of one colour is a part of the margin. Without one, three corners have the colour of the code. */
function marginOf(rows: readonly (readonly boolean[])[]): 0 | 255 {
  const edges = [rows[0] ?? [], rows.at(-1) ?? [], rows.map((row) => row[0] ?? false)]
  for (const edge of edges) {
    if (edge.every((isDark) => !isDark)) return 255
    if (edge.every((isDark) => isDark)) return 0
  }
  const corners = [rows[0]?.[0], rows[0]?.at(-1), rows.at(-1)?.[0]]
  return corners.some((isDark) => isDark) ? 255 : 0
}

function painted(
  rows: readonly (readonly boolean[])[],
  width: number,
  height: number,
  aspect: number,
  margin: 0 | 255,
): Raster {
  charge(width * height * POINT_WORK)
  const data = new Uint8Array(width * height).fill(margin)
  for (let y = 0; y < rows.length * SCALE * aspect; y++) {
    const row = rows[Math.floor(y / (SCALE * aspect))] ?? []
    const start = (y + 4 * SCALE) * width + 4 * SCALE
    for (const [x, isDark] of row.entries()) data.fill(isDark ? 0 : 255, start + x * SCALE, start + (x + 1) * SCALE)
  }
  return { width, height, data }
}
