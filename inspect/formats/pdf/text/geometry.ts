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
export function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l]
}

export function pointOf([a, b, c, d, e, f]: Matrix, x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** How much larger an area becomes, as a length. */
export const scaleOf = ([a, b, c, d]: Matrix): number => Math.sqrt(Math.abs(a * d - b * c))

/** Around points. */
export function boxOf(points: readonly (readonly [number, number])[]): Box {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)]
  return { left: Math.min(...xs), bottom: Math.min(...ys), right: Math.max(...xs), top: Math.max(...ys) }
}

/** A rectangle after a matrix. */
export function placed(matrix: Matrix, x: number, y: number, width: number, height: number): Box {
  return boxOf([
    pointOf(matrix, x, y),
    pointOf(matrix, x + width, y),
    pointOf(matrix, x, y + height),
    pointOf(matrix, x + width, y + height),
  ])
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

/** The part of the box that the others cover, 0 to 1 and more where they overlap. */
export function coverage(box: Box, others: readonly Box[]): number {
  const area = (each: Box): number => (isEmpty(each) ? 0 : (each.right - each.left) * (each.top - each.bottom))
  const whole = area(box)
  return whole === 0 ? 0 : others.reduce((sum, other) => sum + area(common(box, other)), 0) / whole
}
