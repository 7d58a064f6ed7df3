/** Where in a drawing a code may be: outlines of one size that are next to each other. */

import { charge } from '#inspect/core/work.ts'

/** Points, as x and y in turn. */
export type Contour = readonly number[]

/** What is filled at once: inner outlines are holes. */
export interface Shape {
  contours: readonly Contour[]
  /** Brightness, 0 is black. */
  shade: number
}

/** Fewer outlines are no code. */
export const CONTOURS_MIN = 40
/** Squares of the side of a code, and of the margin around it. */
const SQUARES_MIN = 21
const MARGIN = 5
/** Points of the side of a square, and of the raster. */
const SQUARE_POINTS = 5
const SIDE_MAX = 1_000
const CONTOUR_WORK = 400
/** Of a drawing. */
const AREAS_MAX = 6
const SIZES_MAX = 4

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** Part of a drawing, and how many points of the raster are one of its units. */
export interface Area {
  left: number
  top: number
  scale: number
  width: number
  height: number
}

interface Part {
  box: Box
  sides: readonly [number, number]
}

export function areasOf(shapes: readonly Shape[]): Area[] {
  const parts = shapes
    .flatMap(({ contours }) => contours.map((contour): Part => ({ box: boxOf(contour), sides: sidesOf(contour) })))
    .filter(({ sides }) => Math.min(...sides) > 0)
  charge(parts.length * CONTOUR_WORK)
  const areas = sizesOf(parts).flatMap((square) =>
    groupsOf(parts, square).flatMap((group) => (hasSquares(group, square) ? (areaOf(group, square) ?? []) : [])),
  )
  return areas.slice(0, AREAS_MAX)
}

export function boxOf(contour: Contour): Box {
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

/** Of four points, their distances: they may be turned. */
function sidesOf(contour: Contour): [number, number] {
  const { left, top, right, bottom } = boxOf(contour)
  if (contour.length !== 8) return [right - left, bottom - top]
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = contour
  return [Math.hypot(x2 - x1, y2 - y1), Math.hypot(x3 - x2, y3 - y2)]
}

/** Sides that are the same but for rounding. */
const SAME = 1.1

/** The sides that most outlines have: each may be that of the squares of a code. */
function sizesOf(parts: readonly Part[]): number[] {
  const counts = new Map<number, number[]>()
  for (const { sides } of parts) {
    const side = Math.min(...sides)
    const key = Math.round(Math.log(side) / Math.log(SAME))
    const same = counts.get(key)
    if (same === undefined) counts.set(key, [side])
    else same.push(side)
  }
  return [...counts.values()]
    .filter(({ length }) => length >= CONTOURS_MIN / 2)
    .sort((a, b) => b.length - a.length)
    .slice(0, SIZES_MAX)
    .map((sides) => sides.sort((a, b) => a - b)[sides.length >> 1] ?? 0)
}

/** Squares of the side of a cell. Outlines in cells next to each other belong together. */
const CELL = 6
const LARGEST = 4

function groupsOf(parts: readonly Part[], square: number): Part[][] {
  const cells = cellsWith(parts, square)
  const groups: Part[][] = []
  for (const first of cells.keys()) {
    const group = groupAt(first, cells, square)
    if (group.length >= CONTOURS_MIN) groups.push(group)
  }
  return groups
}

function cellsWith(parts: readonly Part[], square: number): Map<string, Part[]> {
  charge(parts.length * CONTOUR_WORK)
  const cells = new Map<string, Part[]>()
  for (const part of parts) {
    const side = Math.min(...part.sides)
    if (side < square / SAME ** 2 || side > square * LARGEST) continue
    for (const key of cellsOf(part.box, square * CELL)) {
      const cell = cells.get(key)
      if (cell === undefined) cells.set(key, [part])
      else cell.push(part)
    }
  }
  return cells
}

/** Takes the cells of the group away. */
function groupAt(first: string, cells: Map<string, Part[]>, square: number): Part[] {
  const group = new Set<Part>()
  const open = [first]
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    const cell = cells.get(key)
    if (cell === undefined) continue
    cells.delete(key)
    for (const part of cell) {
      group.add(part)
      // Its other corner may lie apart.
      open.push(...cellsOf(part.box, square * CELL))
    }
    open.push(...around(key))
  }
  return [...group]
}

function around(key: string): string[] {
  const [x = 0, y = 0] = key.split(' ').map(Number)
  return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => `${x + dx} ${y + dy}`))
}

/** Of a row of squares. Longer ones are lines. */
const CELLS_MAX = 40

/** Those of two corners, which are next to what is around them. */
function cellsOf({ left, top, right, bottom }: Box, side: number): string[] {
  const [x, y, lastX, lastY] = [left, top, right, bottom].map((value) => Math.floor(value / side)) as Corners
  if ((lastX - x + 1) * (lastY - y + 1) > CELLS_MAX) return []
  charge(CONTOUR_WORK)
  return x === lastX && y === lastY ? [`${x} ${y}`] : [`${x} ${y}`, `${lastX} ${lastY}`]
}

type Corners = [number, number, number, number]

/** null: no code is so small or so large. */
function areaOf(parts: readonly Part[], square: number): Area | null {
  const around = parts
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
function hasSquares(parts: readonly Part[], square: number): boolean {
  const whole = parts.filter(({ sides }) =>
    sides.every((side) => side > square / 2 && Math.abs(side / square - Math.round(side / square)) < WHOLE),
  )
  return whole.length >= CONTOURS_MIN && whole.length >= parts.length * MOST
}
