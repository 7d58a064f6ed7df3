/** Dark rectangles that pages of a PDF draw. */

import { charge } from '#inspect/core/work.ts'
import { RECTANGLES_MAX, type Rectangle } from '#inspect/judge/pictures/grids.ts'

/** Operators that change what is drawn, with up to six numbers before them. */
const DRAWN = /((?:[-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s{1,9}){0,6})(q|Q|cm|re|rg|g|k)(?=[\s/[(<]|$)/g
/** Fewer rectangles are lines and boxes of a page. */
const DRAWN_MIN = 60
/** Graphics states within each other. */
const SAVED_MAX = 100
const OPERATOR_WORK = 500

interface Graphics {
  scaleX: number
  scaleY: number
  x: number
  y: number
  isLight: boolean
}

type Change = (now: Graphics, numbers: readonly number[]) => Graphics

const CHANGES: Readonly<Record<string, Change>> = {
  cm: (now, [a = 0, , , d = 0, e = 0, f = 0]) => ({
    ...now,
    x: now.x + e * now.scaleX,
    y: now.y + f * now.scaleY,
    scaleX: now.scaleX * a,
    scaleY: now.scaleY * d,
  }),
  g: (now, [grey = 0]) => ({ ...now, isLight: grey > 0.5 }),
  rg: (now, [red = 0, green = 0, blue = 0]) => ({ ...now, isLight: (2 * red + 5 * green + blue) / 8 > 0.5 }),
  k: (now, [cyan = 0, magenta = 0, yellow = 0, black = 0]) => ({
    ...now,
    isLight: black < 0.5 && cyan + magenta + yellow < 1.2,
  }),
}

/** Where they are on the page. Rotated ones are not read. */
export function rectanglesIn(content: string): Rectangle[] {
  charge(content.length)
  if (content.split(' re').length <= DRAWN_MIN) return []
  const found: Rectangle[] = []
  const saved: Graphics[] = []
  let now: Graphics = { scaleX: 1, scaleY: 1, x: 0, y: 0, isLight: false }
  for (const [, before = '', operator = ''] of content.matchAll(DRAWN)) {
    charge(OPERATOR_WORK)
    const numbers = before.trim().split(/\s+/).map(Number)
    if (operator === 'q' && saved.length < SAVED_MAX) saved.push(now)
    else if (operator === 'Q') now = saved.pop() ?? now
    else if (operator === 're' && !now.isLight && found.length <= RECTANGLES_MAX) found.push(rectangleOf(now, numbers))
    else now = CHANGES[operator]?.(now, numbers) ?? now
  }
  return found
}

/** From the top: pages count from the bottom. */
function rectangleOf({ x, y, scaleX, scaleY }: Graphics, [a = 0, b = 0, c = 0, d = 0]: readonly number[]): Rectangle {
  const [left, right] = [x + a * scaleX, x + (a + c) * scaleX]
  const [one, other] = [-y - b * scaleY, -y - (b + d) * scaleY]
  return {
    x: Math.min(left, right),
    y: Math.min(one, other),
    width: Math.abs(right - left),
    height: Math.abs(one - other),
  }
}
