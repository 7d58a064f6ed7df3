/** Tells whether a picture may contain a QR code, by the three squares in its corners. It costs a tenth of decoding. */

import { charge } from '#inspect/core/work.ts'
import type { Raster } from './raster.ts'

/** Work for each point of the rows that are read, and for each candidate. */
const POINT_WORK = 10
const CANDIDATE_WORK = 500
const TRIPLE_WORK = 20
/** Rows of a picture that are read. The middle of a finder is at least three points high, so that one row of two is in it. */
const ROWS_MAX = 900
const ROWS_STEP = 2
/** A picture with more candidates, or more finders of one polarity, is decoded without looking further. */
const CANDIDATES_MAX = 2_000
export const FINDERS_MAX = 60

interface Finder {
  x: number
  y: number
  /** Points of one square of the code. */
  unit: number
}

/** Dark and light stripes of a finder, in squares of the code. */
const STRIPES = [1, 1, 3, 1, 1]

/** Stripes of a row, and what was found, for codes of one polarity. */
interface Search {
  /** Lengths of stripes in turn, the first of which is outside the code and may be empty. */
  runs: Int32Array
  count: number
  found: Finder[]
  hasCorners: boolean
}

const newSearch = (width: number): Search => {
  return { runs: new Int32Array(width + 1), count: 0, found: [], hasCorners: false }
}

/** Kinds of codes that may be in a picture: dark on light, and light on dark. */
export interface Likely {
  dark: boolean
  light: boolean
  /** As many squares as a code has, or hardly more. */
  isClear: boolean
}

/** Squares of a clear code, with one that is there by chance. */
const CLEAR_MAX = 4

/** null: no code is in the picture. */
export function likelyCode(raster: Raster): Likely | null {
  const { width, height } = raster
  const step = Math.max(ROWS_STEP, Math.floor(height / ROWS_MAX))
  const [dark, light] = [newSearch(width), newSearch(width)]
  const budget = { candidates: CANDIDATES_MAX }
  for (let y = 0; y < height; y += step) {
    charge(width * POINT_WORK)
    readRow(raster, y, dark, light)
    addFinders(raster, y, dark, budget)
    addFinders(raster, y, light, budget)
    if (budget.candidates < 0 || Math.max(dark.found.length, light.found.length) > FINDERS_MAX)
      return { dark: true, light: true, isClear: false }
  }
  const corners = [dark, light].filter(({ hasCorners }) => hasCorners)
  if (corners.length === 0) return null
  const isClear = corners.every(({ found }) => found.length <= CLEAR_MAX)
  return { dark: dark.hasCorners, light: light.hasCorners, isClear }
}

function addFinders(raster: Raster, y: number, search: Search, budget: { candidates: number }): void {
  for (const finder of findersIn(search.runs, search.count, y)) {
    charge(CANDIDATE_WORK)
    budget.candidates -= 1
    if (budget.candidates < 0) return
    if (!isSquare(raster, finder) || search.found.some((known) => isSame(known, finder))) continue
    search.hasCorners ||= isCorner(search.found, finder)
    search.found.push(finder)
  }
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

/** A point belongs to a code if it differs from the mean of its neighbours by this part of what is possible. */
const DIFFERENCE = 0.07

function readRow({ width, data }: Raster, y: number, dark: Search, light: Search): void {
  const start = y * width
  const half = Math.max(12, width >> 4)
  let sum = 0
  for (let x = 0; x < half && x < width; x++) sum += data[start + x] as number
  let [from, to] = [0, Math.min(half, width)]
  let [darkCount, lightCount, darkSince, lightSince] = [0, 0, 0, 0]
  let [isDark, isLight] = [false, false]
  for (let x = 0; x < width; x++) {
    const value = data[start + x] as number
    const mean = sum / (to - from)
    if (value < mean * (1 - DIFFERENCE) !== isDark) {
      dark.runs[darkCount++] = x - darkSince
      darkSince = x
      isDark = !isDark
    }
    if (value > mean + (255 - mean) * DIFFERENCE !== isLight) {
      light.runs[lightCount++] = x - lightSince
      lightSince = x
      isLight = !isLight
    }
    if (x >= half) sum -= data[start + from++] as number
    if (to < width) sum += data[start + to++] as number
  }
  dark.runs[darkCount++] = width - darkSince
  light.runs[lightCount++] = width - lightSince
  dark.count = darkCount
  light.count = lightCount
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

/** Whether the last is with two others of its size in three corners of a square. */
function isCorner(found: readonly Finder[], last: Finder): boolean {
  const alike = found.filter(({ unit }) => unit < last.unit * 1.7 && unit > last.unit / 1.7)
  charge(alike.length ** 2 * TRIPLE_WORK)
  return alike.some((a, i) =>
    alike.slice(i + 1).some((b) => isRight(a, b, last) || isRight(b, last, a) || isRight(last, a, b)),
  )
}

/** Squares of the code between the middles of two finders: 14 at least, and the stripes of a turned code are longer. */
const LEG_MIN = 8
/** How much two sides of a code may differ, and the cosine of the angle between them, where a picture shows it askew. */
const LEGS_RATIO_MAX = 1.8
const COSINE_MAX = 0.4

/** Whether the first is the corner between two sides. */
function isRight(corner: Finder, b: Finder, c: Finder): boolean {
  const [x1, y1, x2, y2] = [b.x - corner.x, b.y - corner.y, c.x - corner.x, c.y - corner.y]
  // The engine takes ten times as long for `Math.hypot`, which these numbers do not need.
  const [length1, length2] = [Math.sqrt(x1 * x1 + y1 * y1), Math.sqrt(x2 * x2 + y2 * y2)]
  const shorter = Math.min(length1, length2)
  return (
    shorter > corner.unit * LEG_MIN &&
    Math.max(length1, length2) < shorter * LEGS_RATIO_MAX &&
    Math.abs(x1 * x2 + y1 * y2) < COSINE_MAX * length1 * length2
  )
}
