import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createValueReader, NESTING_MAX, type PdfValue, VALUES_MAX } from './value-tree.ts'

const read = (text: string): PdfValue => createValueReader(text, null).valueAt(0)
const keysIn = (values: readonly PdfValue[]): string[] =>
  values.flatMap((value) => (value.kind === 'dictionary' ? [...value.entries.keys()] : []))

suite('a value', () => {
  test('is read with everything in it', () => {
    const value = read('<< /A#42 [1 (b) /C 2 0 R] >>')
    assert.ok(value.kind === 'dictionary')
    const [list] = value.entries.get('AB') ?? []
    assert.deepEqual(list?.kind === 'list' && list.items.map(({ kind }) => kind), [
      'other',
      'text',
      'name',
      'reference',
    ])
  })
  test('ends with its object', () => {
    assert.deepEqual(keysIn([read('<< /A << /B 1 endobj /C 2')]), ['A'])
  })
  test('outside a dictionary belongs to a key', () => {
    const values = createValueReader(') /S /JavaScript /JS (a) stream /X 1 endstream /Y 2', null).valuesBetween(0, 60)
    assert.deepEqual(keysIn(values), ['S', 'JavaScript', 'JS', 'Y'])
  })
  test('that is nested too deeply is cut', () => {
    const depthOf = (value: PdfValue): number =>
      value.kind === 'list' ? 1 + Math.max(0, ...value.items.map(depthOf)) : 0
    assert.equal(depthOf(read('['.repeat(NESTING_MAX) + ']'.repeat(NESTING_MAX))), NESTING_MAX)
    assert.equal(depthOf(read('['.repeat(NESTING_MAX + 1) + ']'.repeat(NESTING_MAX + 1))), NESTING_MAX)
  })
  test('with too many values exhausts the reader', () => {
    const isExhausted = (count: number): boolean => {
      const reader = createValueReader(`[${'1 '.repeat(count)}]`, null)
      reader.valueAt(0)
      return reader.isExhausted()
    }
    assert.equal(isExhausted(VALUES_MAX - 1), false)
    assert.equal(isExhausted(VALUES_MAX), true)
  })
})
