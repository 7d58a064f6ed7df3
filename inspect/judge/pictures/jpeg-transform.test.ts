import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLACES } from './jpeg-bits.ts'
import { BLOCK, transformOf } from './jpeg-transform.ts'

const QUANTIZATION = Uint16Array.from({ length: 64 }, (_, i) => 1 + (i % 7))
/** A second block, so that a block in the middle of others is read. */
const AT = 64

const BLOCKS: Record<string, number[]> = {
  'a mean only': [-90],
  'a mean and the last coefficient': [40, ...new Array(62).fill(0), 9],
  'all coefficients': Array.from({ length: 64 }, (_, i) => ((i * 37) % 41) - 20),
}

/** The definition. `coefficients`: row by row. */
function pointAt(coefficients: readonly number[], x: number, y: number, points: number): number {
  let sum = 0
  for (let v = 0; v < points; v++)
    for (let u = 0; u < points; u++) {
      const i = v * BLOCK + u
      const scale = (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1)
      const wave = (at: number, of: number) => Math.cos(((2 * at + 1) * of * Math.PI) / (2 * points))
      sum += scale * (coefficients[i] ?? 0) * (QUANTIZATION[PLACES.indexOf(i)] ?? 0) * wave(x, u) * wave(y, v)
    }
  return sum / 4 + 128
}

for (const points of [8, 4, 2, 1])
  for (const [name, coefficients] of Object.entries(BLOCKS))
    test(`${points} points of a block with ${name}`, () => {
      const out = new Float64Array(points ** 2)
      transformOf(QUANTIZATION, points)(
        Int16Array.from([...new Array(AT).fill(99), ...coefficients, ...new Array(64).fill(0)]),
        AT,
        out,
      )
      for (const [i, value] of out.entries()) {
        const expected = pointAt(coefficients, i % points, Math.floor(i / points), points)
        assert.ok(Math.abs(value - expected) < 1e-6, `${value} instead of ${expected} at ${i}`)
      }
    })
