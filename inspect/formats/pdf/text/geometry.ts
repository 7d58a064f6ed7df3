/** Matrices and boxes of PDF pages. */

export type Matrix = readonly [number, number, number, number, number, number]

export interface Box {
  left: number
  bottom: number
  right: number
  top: number
}

export const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

/** The first is applied first. */
export function times(one: Matrix, other: Matrix): Matrix {
  // Taken apart in the parameters, lists are read by iterators, which takes most of the time.
  return [
    one[0] * other[0] + one[1] * other[2],
    one[0] * other[1] + one[1] * other[3],
    one[2] * other[0] + one[3] * other[2],
    one[2] * other[1] + one[3] * other[3],
    one[4] * other[0] + one[5] * other[2] + other[4],
    one[4] * other[1] + one[5] * other[3] + other[5],
  ]
}

const acrossOf = (matrix: Matrix, x: number, y: number): number => matrix[0] * x + matrix[2] * y + matrix[4]
const upOf = (matrix: Matrix, x: number, y: number): number => matrix[1] * x + matrix[3] * y + matrix[5]

export function pointOf(matrix: Matrix, x: number, y: number): [number, number] {
  return [acrossOf(matrix, x, y), upOf(matrix, x, y)]
}

/** How much larger an area becomes, as a length. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c))

/** Around points. */
export function boxOf(points: readonly (readonly [number, number])[]): Box {
  const infinity = Number.POSITIVE_INFINITY
  const box = { left: infinity, bottom: infinity, right: -infinity, top: -infinity }
  for (const point of points) {
    box.left = Math.min(box.left, point[0])
    box.bottom = Math.min(box.bottom, point[1])
    box.right = Math.max(box.right, point[0])
    box.top = Math.max(box.top, point[1])
  }
  return box
}

/** A rectangle after a matrix. */
export function placed(matrix: Matrix, x: number, y: number, width: number, height: number): Box {
  const right = x + width
  const top = y + height
  const across = acrossOf(matrix, x, y)
  const acrossRight = acrossOf(matrix, right, y)
  const acrossTop = acrossOf(matrix, x, top)
  const acrossBoth = acrossOf(matrix, right, top)
  const up = upOf(matrix, x, y)
  const upRight = upOf(matrix, right, y)
  const upTop = upOf(matrix, x, top)
  const upBoth = upOf(matrix, right, top)
  return {
    left: Math.min(across, acrossRight, acrossTop, acrossBoth),
    bottom: Math.min(up, upRight, upTop, upBoth),
    right: Math.max(across, acrossRight, acrossTop, acrossBoth),
    top: Math.max(up, upRight, upTop, upBoth),
  }
}

export function common(one: Box, other: Box): Box {
  return {
    left: Math.max(one.left, other.left),
    bottom: Math.max(one.bottom, other.bottom),
    right: Math.min(one.right, other.right),
    top: Math.min(one.top, other.top),
  }
}

export const isEmpty = ({ left, bottom, right, top }: Box): boolean => !(right > left && top > bottom)

/** As `isEmpty` of what they have in common, which is asked for each text and each area. */
export const areApart = (one: Box, other: Box): boolean =>
  !(
    Math.min(one.right, other.right) > Math.max(one.left, other.left) &&
    Math.min(one.top, other.top) > Math.max(one.bottom, other.bottom)
  )

const areaOf = (box: Box): number => (isEmpty(box) ? 0 : (box.right - box.left) * (box.top - box.bottom))

/** The part of the box that the other one covers, 0 to 1. */
export function covered(box: Box, other: Box): number {
  const whole = areaOf(box)
  if (whole === 0 || areApart(box, other)) return 0
  const width = Math.min(box.right, other.right) - Math.max(box.left, other.left)
  const height = Math.min(box.top, other.top) - Math.max(box.bottom, other.bottom)
  return (width * height) / whole
}

/** The same for several, which is more than 1 where they overlap. */
export function coverage(box: Box, others: readonly Box[]): number {
  const whole = areaOf(box)
  return whole === 0 ? 0 : others.reduce((sum, other) => sum + areaOf(common(box, other)), 0) / whole
}
