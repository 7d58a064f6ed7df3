/** Codes that are cut into pictures which lie next to each other: each of them alone is none. */

import type { Context } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { Raster } from './raster.ts'

/** Pictures of a document, and points of a side of each. More are no pieces of a code. */
export const PIECES_MAX = 12
export const PIECE_SIDE_MAX = 600
const POINT_WORK = 3

const kept = new WeakMap<Context, Raster[]>()

/** Remembers a picture in which no code was found. */
export function keepPiece(raster: Raster, context: Context): void {
  const pieces = kept.get(context) ?? []
  kept.set(context, pieces)
  if (pieces.length > PIECES_MAX || Math.max(raster.width, raster.height) > PIECE_SIDE_MAX) return
  keep(raster.data.length)
  pieces.push(raster)
}

/** Columns and rows of pieces, and whether they are numbered from column to column. */
type Layout = readonly [columns: number, rows: number, isByColumn: boolean]

/** The pictures as one, in each way that they fit together. */
export function* joinedPieces(context: Context): Generator<Raster> {
  const pieces = kept.get(context) ?? []
  kept.delete(context)
  if (pieces.length < 2 || pieces.length > PIECES_MAX) return
  for (const [columns, rows, isByColumn] of layoutsOf(pieces.length)) {
    const orders = columns === 1 || rows === 1 ? [pieces, pieces.toReversed()] : [pieces]
    for (const order of orders) {
      const at = (column: number, row: number): Raster | undefined =>
        order[isByColumn ? column * rows + row : row * columns + column]
      const joined = join(columns, rows, at)
      if (joined !== null) yield joined
    }
  }
}

function layoutsOf(count: number): Layout[] {
  const grids = [2, 3].filter((columns) => count % columns === 0 && count > columns)
  return [
    [count, 1, false],
    [1, count, false],
    ...grids.flatMap((columns): Layout[] => [
      [columns, count / columns, false],
      [columns, count / columns, true],
    ]),
  ]
}

/** Sides of a code. */
const ASPECT_MAX = 1.3
const POINTS_APART = 2

/** null: their sides differ, or the whole is no square. */
function join(columns: number, rows: number, at: (column: number, row: number) => Raster | undefined): Raster | null {
  const widths = Array.from({ length: columns }, (_, column) => at(column, 0)?.width ?? 0)
  const heights = Array.from({ length: rows }, (_, row) => at(0, row)?.height ?? 0)
  const [width, height] = [sumOf(widths), sumOf(heights)]
  if (Math.max(width, height) > ASPECT_MAX * Math.min(width, height)) return null
  charge(width * height * POINT_WORK)
  const data = new Uint8Array(width * height).fill(255)
  for (const [row, high] of heights.entries())
    for (const [column, wide] of widths.entries()) {
      const piece = at(column, row)
      if (piece === undefined || isApart(piece.width, wide) || isApart(piece.height, high)) return null
      paint(data, width, piece, sumOf(widths.slice(0, column)), sumOf(heights.slice(0, row)), wide, high)
    }
  return { width, height, data }
}

const isApart = (one: number, other: number): boolean => Math.abs(one - other) > POINTS_APART
const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

function paint(
  data: Uint8Array,
  stride: number,
  piece: Raster,
  left: number,
  top: number,
  wide: number,
  high: number,
): void {
  for (let y = 0; y < Math.min(high, piece.height); y++) {
    const row = piece.data.subarray(y * piece.width, y * piece.width + Math.min(wide, piece.width))
    data.set(row, (top + y) * stride + left)
  }
}
