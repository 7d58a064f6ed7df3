/** Reverses the PNG and TIFF predictors of PDF streams. */

import { charge } from '#inspect/core/work.ts'

export interface Prediction {
  predictor: number
  colors: number
  bits: number
  columns: number
}

/** Bytes of one row. Wider rows than those of any picture are too complex. */
export const ROW_MAX = 16_777_216

/** Work for each byte, by the type of a row of PNG; rows of other types are copied. */
const TYPE_WORK = [1, 4, 4, 5, 12]
const TIFF_WORK = 12
/** And for each row, which may be a single byte. */
const ROW_WORK = 300

/** null: unsupported. */
export function unpredict(bytes: Uint8Array, { predictor, colors, bits, columns }: Prediction): Uint8Array | null {
  if (predictor <= 1) return bytes
  const row = Math.ceil((colors * bits * columns) / 8)
  if (!(row >= 1 && row <= ROW_MAX && colors >= 1 && bits >= 1)) return null
  charge(Math.ceil(bytes.length / row) * ROW_WORK)
  const pixel = Math.max(1, (colors * bits) >> 3)
  if (predictor >= 10) return png(bytes, row, pixel)
  return predictor === 2 && bits === 8 ? tiff(bytes, row, pixel) : null
}

function tiff(bytes: Uint8Array, row: number, pixel: number): Uint8Array {
  charge(bytes.length * TIFF_WORK)
  const out = Uint8Array.from(bytes)
  for (let i = 0; i < out.length; i++) if (i % row >= pixel) out[i] = (out[i] ?? 0) + (out[i - pixel] ?? 0)
  return out
}

function png(bytes: Uint8Array, row: number, pixel: number): Uint8Array {
  const rows = Math.ceil(bytes.length / (row + 1))
  const out = new Uint8Array(bytes.length - rows)
  let above: Uint8Array = new Uint8Array(row)
  for (let y = 0; y < rows; y++) {
    const from = y * (row + 1)
    const line = bytes.subarray(from + 1, from + 1 + row)
    const to = out.subarray(y * row, y * row + line.length)
    const type = bytes[from] ?? 0
    charge(line.length * (TYPE_WORK[type] ?? 1))
    const restore = RESTORE[type]
    if (restore === undefined) to.set(line)
    else restore(line, to, above, pixel)
    above = to
  }
  return out
}

type Restore = (line: Uint8Array, to: Uint8Array, above: Uint8Array, pixel: number) => void

/** By the type of a row. One loop per type, because a document may have a hundred million pixels. */
const RESTORE: Readonly<Record<number, Restore>> = {
  1: (line, to, _, pixel) => {
    for (let x = 0; x < line.length; x++) to[x] = (line[x] as number) + (x >= pixel ? (to[x - pixel] as number) : 0)
  },
  2: (line, to, above) => {
    for (let x = 0; x < line.length; x++) to[x] = (line[x] as number) + (above[x] as number)
  },
  3: (line, to, above, pixel) => {
    for (let x = 0; x < line.length; x++)
      to[x] = (line[x] as number) + (((x >= pixel ? (to[x - pixel] as number) : 0) + (above[x] as number)) >> 1)
  },
  4: (line, to, above, pixel) => {
    for (let x = 0; x < line.length; x++) {
      const left = x >= pixel ? (to[x - pixel] as number) : 0
      const corner = x >= pixel ? (above[x - pixel] as number) : 0
      to[x] = (line[x] as number) + paeth(left, above[x] as number, corner)
    }
  },
}

function paeth(left: number, above: number, corner: number): number {
  const toLeft = Math.abs(above - corner)
  const toAbove = Math.abs(left - corner)
  const toCorner = Math.abs(left + above - 2 * corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}
