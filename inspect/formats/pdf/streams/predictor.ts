/** Reverses the PNG and TIFF predictors of PDF streams. */

export interface Prediction {
  predictor: number
  colors: number
  bits: number
  columns: number
}

/** Bytes of one row. Wider rows than those of any picture are too complex. */
export const ROW_MAX = 16_777_216

/** null: unsupported. */
export function unpredict(bytes: Uint8Array, { predictor, colors, bits, columns }: Prediction): Uint8Array | null {
  if (predictor <= 1) return bytes
  const row = Math.ceil((colors * bits * columns) / 8)
  if (!(row >= 1 && row <= ROW_MAX && colors >= 1 && bits >= 1)) return null
  const pixel = Math.max(1, (colors * bits) >> 3)
  if (predictor >= 10) return png(bytes, row, pixel)
  return predictor === 2 && bits === 8 ? tiff(bytes, row, pixel) : null
}

function tiff(bytes: Uint8Array, row: number, pixel: number): Uint8Array {
  const out = Uint8Array.from(bytes)
  for (let i = 0; i < out.length; i++) if (i % row >= pixel) out[i] = (out[i] ?? 0) + (out[i - pixel] ?? 0)
  return out
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over every byte with shared state.
function png(bytes: Uint8Array, row: number, pixel: number): Uint8Array {
  const rows = Math.ceil(bytes.length / (row + 1))
  const out = new Uint8Array(bytes.length - rows)
  for (let y = 0, to = 0; y < rows; y++) {
    const from = y * (row + 1)
    const kind = bytes[from] ?? 0
    const length = Math.min(row, bytes.length - from - 1)
    for (let x = 0; x < length; x++, to++) {
      const left = x >= pixel ? (out[to - pixel] ?? 0) : 0
      const above = y > 0 ? (out[to - row] ?? 0) : 0
      const corner = x >= pixel && y > 0 ? (out[to - row - pixel] ?? 0) : 0
      out[to] = (bytes[from + 1 + x] ?? 0) + predicted(kind, left, above, corner)
    }
  }
  return out
}

function predicted(kind: number, left: number, above: number, corner: number): number {
  if (kind === 1) return left
  if (kind === 2) return above
  if (kind === 3) return (left + above) >> 1
  return kind === 4 ? paeth(left, above, corner) : 0
}

function paeth(left: number, above: number, corner: number): number {
  const [toLeft, toAbove, toCorner] = [above - corner, left - corner, left + above - 2 * corner].map(Math.abs) as [
    number,
    number,
    number,
  ]
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}
