/** Rectangles in the paths of a drawing. */

import type { Rectangle } from './grids.ts'

const STEP = /([mhvlz])((?:[\s,]{0,5}-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})){0,200})/gi
const NUMBER = /-?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})/g

interface Point {
  x: number
  y: number
}

/** Closed outlines, and lines as thick as they are drawn for codes: one unit. */
export function* pathRectangles(path: string): Generator<Rectangle> {
  let now: Point = { x: 0, y: 0 }
  let outline = [now]
  for (const [, letter = '', text = ''] of path.matchAll(STEP)) {
    const command = letter.toLowerCase()
    now = moved(now, command, command === letter, [...text.matchAll(NUMBER)].map(Number))
    if (command === 'm' || command === 'z') {
      yield* around(outline)
      outline = [now]
    } else outline.push(now)
  }
  yield* around(outline)
}

function moved({ x, y }: Point, command: string, isRelative: boolean, [a = 0, b = 0]: readonly number[]): Point {
  const [fromX, fromY] = isRelative ? [x, y] : [0, 0]
  if (command === 'h') return { x: fromX + a, y }
  if (command === 'v') return { x, y: fromY + a }
  return command === 'z' ? { x, y } : { x: fromX + a, y: fromY + b }
}

function around(points: readonly Point[]): Rectangle[] {
  const least = (of: (point: Point) => number): number =>
    points.reduce((value, point) => Math.min(value, of(point)), Number.POSITIVE_INFINITY)
  const [x, y] = [least((point) => point.x), least((point) => point.y)]
  const [width, height] = [-least((point) => -point.x) - x, -least((point) => -point.y) - y]
  if (width <= 0) return []
  return [height > 0 ? { x, y, width, height } : { x, y: y - 0.5, width, height: 1 }]
}
