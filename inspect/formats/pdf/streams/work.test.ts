/** Decoders charge for what a document makes small on purpose: rows of one byte, runs, escaped names. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withinBudget } from '#inspect/core/work.ts'
import { decodedName } from '../syntax/dictionary.ts'
import { runLength } from './binary-codecs.ts'
import { unpredict } from './predictor.ts'

const UNLIMITED = { workMax: Number.POSITIVE_INFINITY, keptBytesMax: Number.POSITIVE_INFINITY }
const workOf = (run: () => void) => withinBudget(UNLIMITED as Parameters<typeof withinBudget>[0], run).work

test('a predictor charges for each row', () => {
  const bytes = Buffer.alloc(30_000, '\x02a', 'latin1')
  const rows = (columns: number) => workOf(() => unpredict(bytes, { predictor: 12, colors: 1, bits: 8, columns }))
  assert.ok(rows(1) > 10 * rows(10_000), `${rows(1)} and ${rows(10_000)}`)
})

test('a run is repeated as often as it says, up to the limit', () => {
  assert.deepEqual(
    Buffer.from(runLength(Buffer.from([0x81, 7, 0xff, 8, 1, 9, 9, 0x80]), 132) as Uint8Array),
    Buffer.concat([Buffer.alloc(128, 7), Buffer.from([8, 8, 9, 9])]),
  )
  assert.equal(runLength(Buffer.from([0x81, 7, 0xff, 8, 1, 9, 9, 0x80]), 131), 'too_large')
  assert.ok(workOf(() => runLength(Buffer.alloc(20_000, '\x81a', 'latin1'), 9_000_000)) >= 10_000 * 200)
})

test('a name with escapes charges for its characters', () => {
  assert.equal(
    workOf(() => decodedName('JavaScript')),
    0,
  )
  const long = '#4a'.repeat(1_000)
  assert.ok(workOf(() => assert.equal(decodedName(long), 'J'.repeat(1_000))) >= long.length * 80)
})
