/** A PDF that leads to an encryption dictionary that is not there: refused when the file says so, not when a text does. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { pdf } from '#inspect/testing/samples.ts'
import { objectsOf } from '../syntax/objects.ts'
import { DEFINITIONS_MAX } from '../syntax/references.ts'
import { isStated, STATED_READS_MAX } from './stated.ts'

const inspector = useInspector()

const LOST = '/Encrypt 9 0 R'

function outcome(objects: readonly string[], trailer = ''): string {
  return inspector.inspect(pdf(objects, trailer)).obstacle?.reason ?? 'clean'
}

suite('a text says so', () => {
  test('in a title', () => assert.equal(outcome([`<< /Title (See ${LOST} here) >>`]), 'clean'))
  test('in a comment', () => assert.equal(outcome([`<< >> % ${LOST}`]), 'clean'))
  test('in a string or a comment of the trailer', () => {
    assert.equal(outcome(['<< >>'], `/X (${LOST}) % ${LOST}\n`), 'clean')
  })
  test('on a page', () => assert.equal(outcome([`<< >>\nstream\n(${LOST}) Tj\nendstream`]), 'clean'))
})

suite('the file says so', () => {
  test('in its trailer', () => {
    for (const trailer of [LOST, '/#45ncrypt 9 0 R', `/X (a) ${LOST}`, `/X << >>%\n${LOST}`])
      assert.equal(outcome(['<< >>'], trailer), 'encrypted', trailer)
  })
  test('in a table that is a stream', () => {
    assert.equal(outcome([`<< /Type /XRef /W [1 2 1] ${LOST} >>\nstream\n\0\0\0\0\nendstream`]), 'encrypted')
  })
  test('in a trailer or a table inside of a string or a comment, to which a reader may be led', () => {
    assert.equal(outcome([`<< /Title (xref 0 1 trailer << ${LOST} >>) >>`]), 'encrypted')
    assert.equal(outcome([`<< /Title (7 0 obj << /Type /XRef ${LOST} >>) >>`]), 'encrypted')
    assert.equal(outcome(['<< >>', `1 % trailer\r<< ${LOST} >>`]), 'encrypted')
  })
  test('in a dictionary without an end', () => assert.equal(outcome([`<< ${LOST}`], '('), 'encrypted'))
  test('and there are too many dictionaries to choose from', () => {
    const updates = (count: number): string => `<< >>${'\nendobj\n1 0 obj\n<< >>'.repeat(count - 1)}`
    assert.equal(outcome([updates(DEFINITIONS_MAX), '(/Encrypt 1 0 R)']), 'clean')
    assert.equal(outcome([updates(DEFINITIONS_MAX + 1), '(/Encrypt 1 0 R)']), 'encrypted')
  })
})

test('characters that are read, at the limit and one past it', () => {
  const of = (length: number): boolean | null => {
    const objects = objectsOf(`${'trailer<<trailer<<'.padEnd(length - 2)}>>`)
    return objects && isStated(objects)
  }
  // Both are read to the same end, from behind the first seven and sixteen characters.
  assert.equal(of(STATED_READS_MAX + 7 + 16), false)
  assert.equal(of(STATED_READS_MAX + 7 + 16 + 1), true)
})
