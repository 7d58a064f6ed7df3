/** Paints the shapes of a drawing onto a raster, in their order: whatever a code is drawn with, it is read as a picture. */

import type { Context } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { type Area, areasOf, type Box, boxOf, CONTOURS_MIN, type Contour, type Shape } from './areas.ts'
import { type Found, search } from './codes.ts'
import type { Raster } from './raster.ts'

export const rectangle = (x: number, y: number, width: number, height: number): Contour => [
  ...[x, y, x + width, y],
  ...[x + width, y + height, x, y + height],
]

/** More outlines are no drawing of a code. */
export const CONTOURS_MAX = 20_000
const POINT_WORK = 5

export function searchShapes(given: readonly Shape[], context: Context): Found {
  const shapes = given.filter(({ contours }) => contours.every((contour) => contour.every(Number.isFinite)))
  const count = shapes.reduce((sum, { contours }) => sum + contours.length, 0)
  if (count < CONTOURS_MIN || count > CONTOURS_MAX) return []
  const texts: string[] = []
  for (const area of areasOf(shapes)) {
    const { width, height } = area
    const head = { width, height, unpackedBytes: width * height, work: width * height * POINT_WORK }
    const found = search(head, () => painted(shapes, area), context)
    if (typeof found === 'string') return found
    texts.push(...found)
  }
  return [...new Set(texts)]
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
