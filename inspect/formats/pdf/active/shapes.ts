/** What pages of a PDF fill and stroke. */

import { charge } from '#inspect/core/work.ts'
import type { Contour, Shape } from '#inspect/judge/pictures/areas.ts'
import { CONTOURS_MAX, rectangle } from '#inspect/judge/pictures/canvas.ts'
import { IDENTITY, type Matrix, placed, strokesOf, times } from '#inspect/judge/pictures/paths.ts'

/** Operators that draw or change what is drawn, with up to six numbers before them. */
const OPERATOR =
  /((?:[-+]?(?:\d{1,9}(?:\.\d{0,20})?|\.\d{1,20})\s{1,9}){0,6})(q|Q|cm|re|m|l|c|v|y|h|w|f\*?|F|B\*?|b\*?|S|s|n|rg|g|k|scn?|RG|G|K|SCN?)(?=[\s/[(<]|$)/g
/** A page with fewer outlines draws lines and boxes. */
const DRAWN_MIN = 40
const DRAWN = /\s(?:re|m)(?=\s)/g
const SAVED_MAX = 100
const OPERATOR_WORK = 400

interface State {
  matrix: Matrix
  fill: number
  stroke: number
  lineWidth: number
}

/** From the top: pages count from the bottom. */
const TURNED: Matrix = [1, 0, 0, -1, 0, 0]

const COLOURS: Readonly<Record<string, 'fill' | 'stroke'>> = {
  ...{ g: 'fill', rg: 'fill', k: 'fill', sc: 'fill', scn: 'fill' },
  ...{ G: 'stroke', RG: 'stroke', K: 'stroke', SC: 'stroke', SCN: 'stroke' },
}
const FILLS = /^(?:[fF]|[bB])\*?$/
const STROKES = /^(?:[sS]|[bB]\*?)$/
const ENDS = /^(?:[fF]|[bB]|[sSn])\*?$/

/** Part of the content of a page may be one of several streams. */
const PART_MIN = 5

/** Whether there are outlines, or a picture in the content. */
export const mayDraw = (content: string): boolean =>
  (content.match(DRAWN)?.length ?? 0) >= PART_MIN || content.includes('BI')

export function shapesIn(content: string): Shape[] {
  charge(content.length)
  if ((content.match(DRAWN)?.length ?? 0) < DRAWN_MIN) return []
  const shapes: Shape[] = []
  const saved: State[] = []
  let state: State = { matrix: IDENTITY, fill: 0, stroke: 0, lineWidth: 1 }
  let [path, count]: [number[][], number] = [[], 0]
  for (const [, before = '', operator = ''] of content.matchAll(OPERATOR)) {
    charge(OPERATOR_WORK)
    const numbers = numbersIn(before)
    if (ENDS.test(operator)) {
      shapes.push(...painted(operator, path, state))
      count += path.length
      path = []
    } else if (!extend(path, operator, numbers)) state = changed(state, operator, numbers, saved)
    if (count > CONTOURS_MAX) break
  }
  return shapes
}

const numbersIn = (text: string): number[] => (text === '' ? [] : text.trim().split(/\s+/).map(Number))

function changed(state: State, operator: string, numbers: readonly number[], saved: State[]): State {
  if (operator === 'q' && saved.length < SAVED_MAX) saved.push(state)
  if (operator === 'Q') return saved.pop() ?? state
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers
  if (operator === 'cm') return { ...state, matrix: times([a, b, c, d, e, f], state.matrix) }
  if (operator === 'w') return { ...state, lineWidth: a }
  const kind = COLOURS[operator]
  // A pattern may be anything.
  return kind === undefined ? state : { ...state, [kind]: shadeOf(numbers) }
}

function shadeOf(numbers: readonly number[]): number {
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  if (numbers.length < 3) return Math.round(a * 255)
  const shade = (2 * a + 5 * b + c) / 8
  return Math.round(255 * (numbers.length === 3 ? shade : 1 - Math.min(1, shade + d)))
}

/** Whether the operator is one of a path. */
function extend(path: number[][], operator: string, numbers: readonly number[]): boolean {
  const [x = 0, y = 0, width = 0, height = 0] = numbers
  if (operator === 're') path.push([...rectangle(x, y, width, height)])
  else if (operator === 'm') path.push([x, y])
  else if (operator === 'l') path.at(-1)?.push(x, y)
  else if (operator === 'c') path.at(-1)?.push(...curve(path.at(-1) ?? [], numbers))
  else if (operator === 'v' || operator === 'y') path.at(-1)?.push(...numbers.slice(-2))
  else return operator === 'h'
  return true
}

/** The point in the middle, and the end. */
function curve(path: readonly number[], [a = 0, b = 0, c = 0, d = 0, x = 0, y = 0]: readonly number[]): number[] {
  const [fromX = 0, fromY = 0] = path.slice(-2)
  return [(fromX + 3 * a + 3 * c + x) / 8, (fromY + 3 * b + 3 * d + y) / 8, x, y]
}

function painted(operator: string, path: readonly Contour[], state: State): Shape[] {
  const matrix = times(state.matrix, TURNED)
  const place = (contours: readonly Contour[]): Contour[] => contours.map((contour) => placed(contour, matrix))
  const found: Shape[] = []
  if (FILLS.test(operator) && path.length > 0) found.push({ contours: place(path), shade: state.fill })
  if (!STROKES.test(operator)) return found
  const lines = path.flatMap((contour) => strokesOf(contour, state.lineWidth))
  return lines.length === 0 ? found : [...found, { contours: place(lines), shade: state.stroke }]
}
