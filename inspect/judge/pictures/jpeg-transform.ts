/** Brightness from the coefficients of a block of JPEG, in 8, 4, 2 or 1 points in each direction. */

import { PLACES } from './jpeg-bits.ts'

export const BLOCK = 8
/** Of brightness 0 in the coefficients. */
const MIDDLE = 128

/** Writes the points of the block whose coefficients begin at `at`. */
type Transform = (coefficients: Int16Array, at: number, out: Float64Array) => void

/** `quantization`: in the order of the file. */
export function transformOf(quantization: Uint16Array, points: number): Transform {
  const factors = new Float64Array(BLOCK ** 2)
  for (const [i, place] of PLACES.entries()) factors[place] = quantization[i] ?? 1
  return points === BLOCK ? inAllPoints(factors) : inFewerPoints(factors, points)
}

const rows = new Float64Array(BLOCK ** 2)

function inFewerPoints(factors: Float64Array, points: number): Transform {
  const cosines = Float64Array.from({ length: points * points }, (_, i) => {
    const [x, u] = [Math.floor(i / points), i % points]
    return (u === 0 ? 1 : Math.SQRT2) * Math.cos(((2 * x + 1) * u * Math.PI) / (2 * points))
  })
  const corner = new Float64Array(BLOCK ** 2)
  return (coefficients, at, out) => {
    for (let v = 0; v < points; v++)
      for (let i = v * BLOCK; i < v * BLOCK + points; i++)
        corner[i] = (coefficients[at + i] as number) * (factors[i] as number)
    for (let v = 0; v < points; v++)
      for (let x = 0; x < points; x++) rows[v + x * BLOCK] = product(corner, v * BLOCK, cosines, x * points, points)
    for (let y = 0; y < points; y++)
      for (let x = 0; x < points; x++)
        out[y * points + x] = product(rows, x * BLOCK, cosines, y * points, points) / BLOCK + MIDDLE
  }
}

function product(a: Float64Array, fromA: number, b: Float64Array, fromB: number, count: number): number {
  let sum = 0
  for (let i = 0; i < count; i++) sum += (a[fromA + i] as number) * (b[fromB + i] as number)
  return sum
}

/** Factors that the fast transform leaves out of its multiplications. */
const SCALES = Float64Array.from({ length: BLOCK }, (_, u) =>
  u === 0 ? 1 : Math.SQRT2 * Math.cos((u * Math.PI) / (2 * BLOCK)),
)

function inAllPoints(factors: Float64Array): Transform {
  const scaled = factors.map((factor, i) => (factor * (SCALES[i >> 3] as number) * (SCALES[i & 7] as number)) / BLOCK)
  return (coefficients, at, out) => {
    let others = 0
    for (let i = 1; i < BLOCK ** 2; i++) others |= coefficients[at + i] as number
    const mean = (coefficients[at] as number) * (scaled[0] as number) + MIDDLE
    if (others === 0) {
      out.fill(mean)
      return
    }
    rows[0] = mean
    for (let i = 1; i < BLOCK ** 2; i++) rows[i] = (coefficients[at + i] as number) * (scaled[i] as number)
    for (let x = 0; x < BLOCK; x++) transformLine(rows, x, BLOCK, rows)
    for (let y = 0; y < BLOCK; y++) transformLine(rows, y * BLOCK, 1, out)
  }
}

const ROOT = Math.SQRT2
const COSINE = 2 * Math.cos(Math.PI / 8)
const DIFFERENCE = 2 * (Math.cos(Math.PI / 8) - Math.cos((3 * Math.PI) / 8))
const SUM = 2 * (Math.cos(Math.PI / 8) + Math.cos((3 * Math.PI) / 8))

/** The transform of Arai, Agui and Nakajima: five multiplications for eight points. */
function transformLine(from: Float64Array, at: number, step: number, to: Float64Array): void {
  const [a1, a2, a3, a4] = [at + step, at + 2 * step, at + 3 * step, at + 4 * step]
  const [a5, a6, a7] = [at + 5 * step, at + 6 * step, at + 7 * step]
  const sum04 = (from[at] as number) + (from[a4] as number)
  const difference04 = (from[at] as number) - (from[a4] as number)
  const sum26 = (from[a2] as number) + (from[a6] as number)
  const difference26 = ((from[a2] as number) - (from[a6] as number)) * ROOT - sum26
  const [even0, even3] = [sum04 + sum26, sum04 - sum26]
  const [even1, even2] = [difference04 + difference26, difference04 - difference26]

  const sum53 = (from[a5] as number) + (from[a3] as number)
  const difference53 = (from[a5] as number) - (from[a3] as number)
  const sum17 = (from[a1] as number) + (from[a7] as number)
  const difference17 = (from[a1] as number) - (from[a7] as number)
  const odd0 = sum17 + sum53
  const turned = (difference53 + difference17) * COSINE
  const odd1 = turned - difference53 * SUM - odd0
  const odd2 = (sum17 - sum53) * ROOT - odd1
  const odd3 = turned - difference17 * DIFFERENCE - odd2

  to[at] = even0 + odd0
  to[a7] = even0 - odd0
  to[a1] = even1 + odd1
  to[a6] = even1 - odd1
  to[a2] = even2 + odd2
  to[a5] = even2 - odd2
  to[a3] = even3 + odd3
  to[a4] = even3 - odd3
}
