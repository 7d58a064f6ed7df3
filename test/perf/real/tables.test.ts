import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Measured } from './measure.ts'
import { aligned, costTable, detailTable, growthTable, isWithin } from './tables.ts'

const measured = (kind: string, size: string, given: Partial<Measured> = {}): Measured => ({
  ...{ kind, size, how: 'single', files: 3, bytes: 2e6, fingerprint: '0123abcd' },
  ...{ oursMs: 100, isCut: false, medianMs: 10, clamdMs: 400, clamdPlainMs: 100, cold: { firstMs: 50, warmMs: 10 } },
  ...{ workMax: 2e6, workMean: 1e6, refused: {}, parserMs: null },
  ...given,
})

function cell(head: string, of: Measured): string | undefined {
  const [heads = [], cells = []] = detailTable([of])
  return cells[heads.indexOf(head)]
}

test('costs are of a MB, and ratios to both forms of clamd', () => {
  const wanted = {
    ...{ files: '3', 'ms per MB': '50', 'clamd, ms per MB': '200', ratio: '0.25', 'ratio without': '1.00' },
    ...{ 'first, then warm': '50, 10', 'not clean': '0', goal: '1: met' },
  }
  for (const [head, text] of Object.entries(wanted)) assert.equal(cell(head, measured('html', '1MB')), text, head)
})

test('a document that was not inspected to its end has a cost over the measured one, and no growth', () => {
  const large = measured('html', '10MB', { isCut: true })
  assert.equal(cell('ms per MB', large), 'over 50')
  assert.deepEqual(growthTable([measured('html', '100KB'), large])[1]?.slice(3), ['–', '–', '1.5: missed'])
})

test('joined and cut files are named as such', () => {
  assert.equal(cell('files', measured('html', '10MB', { how: 'joined', files: 1 })), 'joined')
  assert.equal(cell('files', measured('logs', '10KB', { how: 'cut', files: 1 })), 'cut')
})

test('the goal is met at the ratio and missed above it', () => {
  assert.equal(isWithin(measured('pdf', 'over-500KB', { oursMs: 120 })), true)
  assert.equal(isWithin(measured('pdf', 'over-500KB', { oursMs: 121 })), false)
  assert.equal(isWithin(measured('pdf', 'to-500KB', { oursMs: 91 })), false)
  assert.equal(isWithin(measured('pdf', 'to-500KB', { clamdPlainMs: null })), null)
  assert.equal(isWithin(measured('a kind of former runs', '1MB')), null)
})

test('refused documents are counted by reason', () => {
  assert.equal(cell('not clean', measured('html', '1MB', { refused: { a: 2, b: 1 } })), '2 a, 1 b')
})

test('growth compares a MB of large documents with one of smaller ones, and is met at 1.5', () => {
  const pdf = measured('pdf', 'over-500KB')
  const growthTo = (oursMs: number) =>
    growthTable([measured('html', '100KB'), measured('html', '10MB', { oursMs }), pdf])[1]?.slice(2)
  assert.deepEqual(growthTo(150), ['50', '75', '1.50', '1.5: met'])
  assert.deepEqual(growthTo(151)?.at(-1), '1.5: missed')
  assert.equal(growthTable([pdf]).length, 1)
})

test('columns of a terminal are aligned', () => {
  const text = [
    ['a', 'b'],
    ['long', ''],
  ]
  assert.deepEqual(aligned(text), ['a     b', 'long   '])
  assert.equal(costTable([]).length, 1)
})
