/** Tells whether a picture may contain a QR code, by the three squares in its corners. It costs a tenth of decoding. */

import { charge } from '#inspect/core/work.ts'
import type { Raster } from './raster.ts'

/** Work for each point of the rows that are read, and for each candidate. */
const POINT_WORK = 10
const CANDIDATE_WORK = 500
/** Rows of a picture that are read. A square is some points high. */
const ROWS_MAX = 900
/** A picture with more candidates is decoded without looking further. */
const CANDIDATES_MAX = 2_000

interface Finder {
  x: number
  y: number
  /** Points of one square of the code. */
  unit: number
}

/** Dark and light stripes of a finder, in squares of the code. */
const STRIPES = [1, 1, 3, 1, 1]

export function mayHaveCode(raster: Raster): boolean {
  return hasFinders(raster, 0) || hasFinders(raster, 255)
}

/** `mask`: 255 for a code that is light on dark. */
function hasFinders(raster: Raster, mask: number): boolean {
  const { width, height } = raster
  const step = Math.max(1, Math.floor(height / ROWS_MAX))
  const found: Finder[] = []
  const sums = new Float64Array(width + 1)
  const runs = new Int32Array(width + 1)
  let candidates = 0
  for (let y = 0; y < height; y += step) {
    charge(width * POINT_WORK)
    const count = runsOf(raster, y, mask, sums, runs)
    for (const finder of findersIn(runs, count, y)) {
      charge(CANDIDATE_WORK)
      if (++candidates > CANDIDATES_MAX) return true
      if (!isSquare(raster, finder) || found.some((known) => isSame(known, finder))) continue
      found.push(finder)
      if (isCorner(found, finder)) return true
    }
  }
  return false
}

function* findersIn(runs: Int32Array, count: number, y: number): Generator<Finder> {
  let x = 0
  for (let i = 0; i + 4 < count; i++) {
    const unit = i % 2 === 1 ? unitOf(runs, i) : 0
    const middle = x + (runs[i] as number) + (runs[i + 1] as number) + ((runs[i + 2] as number) >> 1)
    if (unit > 0) yield { x: middle, y, unit }
    x += runs[i] as number
  }
}

/** Lengths of light and dark stripes in turn, the first of which is light and may be empty. */
function runsOf({ width, data }: Raster, y: number, mask: number, sums: Float64Array, runs: Int32Array): number {
  const start = y * width
  for (let x = 0; x < width; x++) sums[x + 1] = (sums[x] as number) + ((data[start + x] as number) ^ mask)
  const half = Math.max(12, width >> 4)
  let [count, isDark, length] = [0, false, 0]
  for (let x = 0; x < width; x++) {
    const [from, to] = [Math.max(0, x - half), Math.min(width, x + half)]
    const mean = ((sums[to] as number) - (sums[from] as number)) / (to - from)
    const dark = ((data[start + x] as number) ^ mask) < mean * 0.93
    if (dark === isDark) length += 1
    else {
      runs[count++] = length
      ;[isDark, length] = [dark, 1]
    }
  }
  runs[count++] = length
  return count
}

/** 0: other stripes. */
function unitOf(runs: Int32Array, from: number): number {
  let total = 0
  for (let i = 0; i < 5; i++) total += runs[from + i] as number
  const unit = total / 7
  if (unit < 1) return 0
  const isFinder = STRIPES.every(
    (squares, i) => Math.abs((runs[from + i] as number) - squares * unit) <= 0.35 * unit * Math.min(squares, 2) + 0.7,
  )
  return isFinder ? unit : 0
}

/** The same stripes from top to bottom. */
function isSquare(raster: Raster, { x, y, unit }: Finder): boolean {
  const column = columnOf(raster, x, y, Math.ceil(unit * 4.5))
  if (column === null) return false
  const [up, down] = [stripesFrom(column, -1), stripesFrom(column, 1)]
  const fits = (length: number, squares: number): boolean =>
    Math.abs(length - squares * unit) <= 0.6 * unit * Math.min(squares, 2) + 1
  return fits(up[0] + down[0] - 1, 3) && fits(up[1], 1) && fits(down[1], 1) && up[2] > 0 && down[2] > 0
}

interface Column {
  isDark: boolean[]
  middle: number
}

/** null: without contrast. */
function columnOf({ width, height, data }: Raster, x: number, y: number, reach: number): Column | null {
  const [top, bottom] = [Math.max(0, y - reach), Math.min(height - 1, y + reach)]
  const values = Array.from({ length: bottom - top + 1 }, (_, i) => data[(top + i) * width + x] as number)
  const [least, most] = [Math.min(...values), Math.max(...values)]
  if (most - least < CONTRAST_MIN) return null
  return { isDark: values.map((value) => value < (least + most) / 2), middle: y - top }
}

const CONTRAST_MIN = 20

/** Lengths of the stripe in the middle, of the next and of the one after that. */
function stripesFrom({ isDark, middle }: Column, direction: number): [number, number, number] {
  const lengths: [number, number, number] = [0, 0, 0]
  let stripe = 0
  for (let row = middle; row >= 0 && row < isDark.length; row += direction) {
    if (isDark[row] !== (stripe % 2 === 0 ? isDark[middle] : !isDark[middle])) stripe += 1
    if (stripe > 2) break
    lengths[stripe] = (lengths[stripe] ?? 0) + 1
  }
  return lengths
}

function isSame(a: Finder, b: Finder): boolean {
  return Math.abs(a.x - b.x) < 4 * a.unit && Math.abs(a.y - b.y) < 4 * a.unit
}

/** Three of one size, the last of which was just found. */
function isCorner(found: readonly Finder[], { unit }: Finder): boolean {
  return found.filter((each) => each.unit < unit * 1.7 && each.unit > unit / 1.7).length > 2
}
