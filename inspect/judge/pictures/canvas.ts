/** Paints the shapes of a drawing onto a raster, in their order: whatever a code is drawn with, it is read as a picture. */

import type { Context } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { type Found, search } from './codes.ts'
import type { Raster } from './raster.ts'

/** Points, as x and y in turn. */
export type Contour = readonly number[]

/** What is filled at once: inner outlines are holes. */
export interface Shape {
  contours: readonly Contour[]
  /** Brightness, 0 is black. */
  shade: number
}

export const rectangle = (x: number, y: number, width: number, height: number): Contour => [
  ...[x, y, x + width, y],
  ...[x + width, y + height, x, y + height],
]

/** Fewer outlines are no code, and more are no drawing of one. */
const CONTOURS_MIN = 40
export const CONTOURS_MAX = 20_000
/** Squares of the side of a code, and of the margin around it. */
const SQUARES_MIN = 21
const MARGIN = 5
/** Points of the side of a square, and of the raster. */
const SQUARE_POINTS = 5
const SIDE_MAX = 1_000
const CONTOUR_WORK = 400
const POINT_WORK = 5

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export function searchShapes(given: readonly Shape[], context: Context): Found {
  const shapes = given.filter(({ contours }) => contours.every((contour) => contour.every(Number.isFinite)))
  const count = shapes.reduce((sum, { contours }) => sum + contours.length, 0)
  if (count < CONTOURS_MIN || count > CONTOURS_MAX) return []
  charge(count * CONTOUR_WORK)
  const area = areaOf(shapes)
  if (area === null || !hasSquares(shapes, area.square)) return []
  const { width, height } = area
  const head = { width, height, unpackedBytes: width * height, work: width * height * POINT_WORK }
  return search(head, () => painted(shapes, area), context)
}

function boxOf(contour: Contour): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (let i = 0; i + 1 < contour.length; i += 2) {
    const [x = 0, y = 0] = [contour[i], contour[i + 1]]
    box.left = Math.min(box.left, x)
    box.right = Math.max(box.right, x)
    box.top = Math.min(box.top, y)
    box.bottom = Math.max(box.bottom, y)
  }
  return box
}

/** Part of a drawing, and how many points of the raster are one of its units. */
interface Area {
  square: number
  left: number
  top: number
  scale: number
  width: number
  height: number
}

/** Around the squares, which are the smallest of the outlines. null: no code is so small or so large. */
function areaOf(shapes: readonly Shape[]): Area | null {
  const parts = shapes.flatMap(({ contours }) =>
    contours.map((contour) => ({ box: boxOf(contour), side: Math.min(...sidesOf(contour)) })),
  )
  const sides = parts
    .map(({ side }) => side)
    .filter((side) => side > 0)
    .sort((a, b) => a - b)
  const square = sides[Math.floor(sides.length / 4)] ?? 0
  if (square === 0) return null
  const around = parts
    .filter(({ side }) => side < square * 4)
    .map(({ box }) => box)
    .reduce((sum, box) => ({
      left: Math.min(sum.left, box.left),
      top: Math.min(sum.top, box.top),
      right: Math.max(sum.right, box.right),
      bottom: Math.max(sum.bottom, box.bottom),
    }))
  const [wide, high] = [around.right - around.left, around.bottom - around.top]
  if (!(Math.min(wide, high) >= (SQUARES_MIN - 4) * square) || !Number.isFinite(wide + high)) return null
  const margin = MARGIN * square
  const scale = Math.min(SQUARE_POINTS / square, SIDE_MAX / (Math.max(wide, high) + 2 * margin))
  return {
    square,
    left: around.left - margin,
    top: around.top - margin,
    scale,
    width: Math.max(1, Math.round((wide + 2 * margin) * scale)),
    height: Math.max(1, Math.round((high + 2 * margin) * scale)),
  }
}

/** Sides of outlines, as many squares as a whole number, and how far they may be from that. */
const WHOLE = 0.2
/** Of all outlines that are not much larger. */
const MOST = 0.7

/** Whether the outlines are squares, or rows and groups of them. Boxes with texts have any length. */
function hasSquares(shapes: readonly Shape[], square: number): boolean {
  const parts = shapes
    .flatMap(({ contours }) => contours.map(sidesOf))
    .filter((sides) => Math.min(...sides) > 0 && Math.min(...sides) < square * 4)
  const whole = parts.filter((sides) =>
    sides.every((side) => side > square / 2 && Math.abs(side / square - Math.round(side / square)) < WHOLE),
  )
  return whole.length >= CONTOURS_MIN && whole.length >= parts.length * MOST
}

/** Of four points, their distances: they may be turned. */
function sidesOf(contour: Contour): [number, number] {
  const { left, top, right, bottom } = boxOf(contour)
  if (contour.length !== 8) return [right - left, bottom - top]
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = contour
  return [Math.hypot(x2 - x1, y2 - y1), Math.hypot(x3 - x2, y3 - y2)]
}

function painted(shapes: readonly Shape[], { left, top, scale, width, height }: Area): Raster {
  charge(width * height * POINT_WORK)
  // Light squares without anything behind them are on a dark page.
  const isLight = shapes.filter(({ shade }) => shade > 127).length * 2 > shapes.length
  const hasDark = shapes.some(({ shade }) => shade <= 127)
  const raster = { width, height, data: new Uint8Array(width * height).fill(isLight && !hasDark ? 0 : 255) }
  for (const { contours, shade } of shapes) {
    const moved = contours.map((contour) => contour.map((value, i) => (value - (i % 2 === 0 ? left : top)) * scale))
    fill(raster, moved, shade)
  }
  return raster
}

/** Every second stretch between the edges that a row of points crosses. */
function fill({ width, height, data }: Raster, contours: readonly Contour[], shade: number): void {
  const boxes = contours.map(boxOf)
  const top = Math.max(0, Math.floor(Math.min(...boxes.map((box) => box.top))))
  const bottom = Math.min(height, Math.ceil(Math.max(...boxes.map((box) => box.bottom))))
  charge(FILL_WORK + Math.max(0, bottom - top) * contours.length * ROW_WORK)
  for (let y = top; y < bottom; y++) {
    const crossed: number[] = []
    for (const [i, contour] of contours.entries()) {
      const box = boxes[i] as Box
      if (y + 0.5 >= box.top && y + 0.5 < box.bottom) addCrossings(contour, y + 0.5, crossed)
    }
    charge(crossed.length * CROSSING_WORK)
    crossed.sort((a, b) => a - b)
    for (let i = 0; i + 1 < crossed.length; i += 2) {
      const [from, to] = [Math.round(crossed[i] as number), Math.round(crossed[i + 1] as number)]
      data.fill(shade, y * width + Math.max(0, Math.min(width, from)), y * width + Math.max(0, Math.min(width, to)))
    }
  }
}

const CROSSING_WORK = 60
/** For each shape. */
const FILL_WORK = 4_000
/** For each outline, in each row. */
const ROW_WORK = 3

function addCrossings(contour: Contour, y: number, crossed: number[]): void {
  const { length } = contour
  charge(length)
  for (let i = 0; i < length; i += 2) {
    const [x1, y1] = [contour[i] as number, contour[i + 1] as number]
    const [x2, y2] = [contour[(i + 2) % length] as number, contour[(i + 3) % length] as number]
    if (y1 <= y !== y2 <= y) crossed.push(x1 + ((y - y1) * (x2 - x1)) / (y2 - y1))
  }
}
