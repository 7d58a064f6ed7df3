/** Outlines and lines of the paths of a drawing. */

import { charge } from '#inspect/core/work.ts'
import type { Contour } from './areas.ts'

/** As drawings write it: what is multiplied with x and y, and added. */
export type Matrix = readonly [number, number, number, number, number, number]

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** First the inner one, then the outer one. */
export function times(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner
  const [A, B, C, D, E, F] = outer
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

export function placed(contour: Contour, [a, b, c, d, e, f]: Matrix): Contour {
  return contour.map((value, i) => {
    const other = contour[i % 2 === 0 ? i + 1 : i - 1] ?? 0
    return i % 2 === 0 ? value * a + other * c + e : other * b + value * d + f
  })
}

const STEP = /([mlhvcsqtaz])((?:[\s,]{0,5}[-+]?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})(?:e-?\d{1,2})?){0,2000})/gi
const NUMBER = /[-+]?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})(?:e-?\d{1,2})?/gi
const NUMBER_WORK = 300
/** With the figure that is made of it. */
const PATH_WORK = 5_000
/** Numbers of one step. */
const COUNTS: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7 }

interface Pen {
  x: number
  y: number
  open: number[]
}

/** Each part of a path that is drawn without lifting the pen. */
export function* contoursOf(path: string): Generator<Contour> {
  const pen: Pen = { x: 0, y: 0, open: [] }
  charge(PATH_WORK)
  for (const [, letter = '', text = ''] of path.matchAll(STEP)) {
    const command = letter.toLowerCase()
    const numbers = [...text.matchAll(NUMBER)].map(Number)
    charge((numbers.length + 1) * NUMBER_WORK)
    if ((command === 'z' || command === 'm') && pen.open.length > 2) yield pen.open
    // What follows the end of an outline starts where that did.
    if (command === 'z') moveTo(pen, pen.open[0] ?? pen.x, pen.open[1] ?? pen.y)
    else steps(pen, command, letter === command, numbers)
  }
  if (pen.open.length > 2) yield pen.open
}

function steps(pen: Pen, command: string, isRelative: boolean, numbers: readonly number[]): void {
  const count = COUNTS[command] ?? numbers.length + 1
  for (let at = 0; at + count <= numbers.length; at += count)
    step(pen, command === 'm' && at > 0 ? 'l' : command, isRelative, numbers.slice(at, at + count))
}

function moveTo(pen: Pen, x: number, y: number): void {
  Object.assign(pen, { x, y, open: [x, y] })
}

function step(pen: Pen, command: string, isRelative: boolean, numbers: readonly number[]): void {
  const [fromX, fromY] = isRelative ? [pen.x, pen.y] : [0, 0]
  const last = numbers.at(-1) ?? 0
  const x = command === 'v' ? pen.x : fromX + (command === 'h' ? last : (numbers.at(-2) ?? 0))
  const y = command === 'h' ? pen.y : fromY + last
  if (command === 'm') {
    moveTo(pen, x, y)
    return
  }
  if (command === 'c' || command === 's' || command === 'q')
    pen.open.push(...middleOf(pen, command, numbers, [fromX, fromY], [x, y]))
  else if (command === 'a') pen.open.push(...arc(pen, numbers, x, y))
  pen.open.push(x, y)
  Object.assign(pen, { x, y })
}

/** Of a curve, the point in its middle is enough: squares have few. */
function middleOf(
  pen: Pen,
  command: string,
  numbers: readonly number[],
  [fromX, fromY]: readonly [number, number],
  [x, y]: readonly [number, number],
): [number, number] {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  if (command === 'c')
    return [(pen.x + 3 * (fromX + a) + 3 * (fromX + c) + x) / 8, (pen.y + 3 * (fromY + b) + 3 * (fromY + d) + y) / 8]
  return [(pen.x + 2 * (fromX + a) + x) / 4, (pen.y + 2 * (fromY + b) + y) / 4]
}

/** Points on a circle: ellipses in drawings of codes are circles. */
const ARC_POINTS = 6

function arc({ x: x1, y: y1 }: Pen, numbers: readonly number[], x2: number, y2: number): number[] {
  const [dx, dy] = [x2 - x1, y2 - y1]
  const chord = Math.hypot(dx, dy)
  const radius = Math.max(Math.abs(numbers[0] ?? 0), chord / 2)
  if (chord === 0 || radius === 0) return []
  const [isLarge, isClockwise] = [numbers[3] === 1, numbers[4] === 1]
  const away = Math.sqrt(Math.max(0, radius ** 2 - (chord / 2) ** 2)) * (isLarge === isClockwise ? -1 : 1)
  const [cx, cy] = [(x1 + x2) / 2 - (dy / chord) * away, (y1 + y2) / 2 + (dx / chord) * away]
  const start = Math.atan2(y1 - cy, x1 - cx)
  const turned = Math.atan2(y2 - cy, x2 - cx) - start
  const full = 2 * Math.PI
  const angle = isClockwise ? (turned + full) % full : (turned - full) % full || -full
  return Array.from({ length: ARC_POINTS - 1 }, (_, i) => start + (angle * (i + 1)) / ARC_POINTS).flatMap((at) => [
    cx + radius * Math.cos(at),
    cy + radius * Math.sin(at),
  ])
}

/** The lines of a path as what a pen of that width fills. */
export function strokesOf(contour: Contour, width: number): Contour[] {
  const found: Contour[] = []
  for (let i = 0; i + 3 < contour.length; i += 2) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = contour.slice(i, i + 4)
    const length = Math.hypot(x2 - x1, y2 - y1)
    if (length === 0) continue
    const [nx, ny] = [((y2 - y1) / length) * (width / 2), ((x1 - x2) / length) * (width / 2)]
    found.push([x1 + nx, y1 + ny, x2 + nx, y2 + ny, x2 - nx, y2 - ny, x1 - nx, y1 - ny])
  }
  return found
}

const CIRCLE_POINTS = 10

export function ellipse(cx: number, cy: number, rx: number, ry: number): Contour {
  return Array.from({ length: CIRCLE_POINTS }, (_, i) => (2 * Math.PI * i) / CIRCLE_POINTS).flatMap((at) => [
    cx + rx * Math.cos(at),
    cy + ry * Math.sin(at),
  ])
}
