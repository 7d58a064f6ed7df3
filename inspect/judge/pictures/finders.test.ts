import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FINDERS_MAX, likelyCode } from './finders.ts'

const UNIT = 3
const WIDTH = 420
/** Far enough from the edge. */
const FAR = 60

/** Finders whose middles are at these places. `mask`: 255 for light ones on dark. */
function picture(places: readonly (readonly [number, number])[], mask = 0, height = WIDTH) {
  const data = new Uint8Array(WIDTH * height).fill(255 ^ mask)
  for (const [left, top] of places)
    for (let y = 0; y < 7 * UNIT; y++)
      for (let x = 0; x < 7 * UNIT; x++) {
        const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)]
        const ring = Math.max(Math.abs(column - 3), Math.abs(row - 3))
        const at = (top - 3 * UNIT + y) * WIDTH + left - 3 * UNIT + x
        data[at] = (ring === 2 ? 255 : 0) ^ mask
      }
  return { width: WIDTH, height, data }
}

const at = (x: number, y: number, side: number) =>
  [
    [x, y],
    [x + side, y],
    [x, y + side],
  ] as const

test('three squares in the corners of a larger one may belong to a code', () => {
  assert.deepEqual(likelyCode(picture(at(FAR, FAR, 90))), { dark: true, light: false, isClear: true })
  assert.deepEqual(likelyCode(picture(at(FAR, FAR, 90), 255)), { dark: false, light: true, isClear: true })
})

test('squares in a row, too close to each other, or two of them are no code', () => {
  const row = [FAR, FAR + 90, FAR + 180].map((x) => [x, FAR] as const)
  assert.equal(likelyCode(picture(row)), null)
  assert.equal(likelyCode(picture(at(FAR, FAR, 90).slice(1))), null)
  assert.equal(likelyCode(picture(at(FAR, FAR, 7 * UNIT + UNIT))), null)
})

test('among very many squares, a code is looked for', () => {
  const column = (count: number) =>
    picture(
      Array.from({ length: count }, (_, i) => [FAR, FAR + i * 30] as const),
      0,
      30 * (FINDERS_MAX + 5),
    )
  assert.equal(likelyCode(column(FINDERS_MAX)), null)
  assert.deepEqual(likelyCode(column(FINDERS_MAX + 1)), { dark: true, light: true, isClear: false })
})
