/** A missing encryption dictionary is an obstacle if the file declares encryption, not if a text mentions it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { pdf } from '#inspect/testing/samples.ts'
import { findObjects } from '../syntax/objects.ts'
import { DEFINITIONS_MAX } from '../syntax/references.ts'
import { DECLARATION_READS_MAX, isEncryptionDeclared } from './declaration.ts'

const inspector = useInspector()

const MISSING = '/Encrypt 9 0 R'

function outcome(objects: readonly string[], trailer = ''): string {
  return inspector.inspect(pdf(objects, trailer)).obstacle?.reason ?? 'clean'
}

suite('mentioned in a text', () => {
  test('in a title', () => assert.equal(outcome([`<< /Title (See ${MISSING} here) >>`]), 'clean'))
  test('in a comment', () => assert.equal(outcome([`<< >> % ${MISSING}`]), 'clean'))
  test('in a string or a comment of the trailer', () => {
    assert.equal(outcome(['<< >>'], `/X (${MISSING}) % ${MISSING}\n`), 'clean')
  })
  test('on a page', () => assert.equal(outcome([`<< >>\nstream\n(${MISSING}) Tj\nendstream`]), 'clean'))
})

suite('declared by the file', () => {
  test('in its trailer', () => {
    for (const trailer of [MISSING, '/#45ncrypt 9 0 R', `/X (a) ${MISSING}`, `/X << >>%\n${MISSING}`])
      assert.equal(outcome(['<< >>'], trailer), 'encrypted', trailer)
  })
  test('in a cross-reference stream', () => {
    assert.equal(outcome([`<< /Type /XRef /W [1 2 1] ${MISSING} >>\nstream\n\0\0\0\0\nendstream`]), 'encrypted')
  })
  test('in a trailer or table inside a string or comment, which readers may find', () => {
    assert.equal(outcome([`<< /Title (xref 0 1 trailer << ${MISSING} >>) >>`]), 'encrypted')
    assert.equal(outcome([`<< /Title (7 0 obj << /Type /XRef ${MISSING} >>) >>`]), 'encrypted')
    assert.equal(outcome(['<< >>', `1 % trailer\r<< ${MISSING} >>`]), 'encrypted')
  })
  test('in a dictionary without an end', () => assert.equal(outcome([`<< ${MISSING}`], '('), 'encrypted'))
  test('with too many dictionaries of the same number', () => {
    const updates = (count: number): string => `<< >>${'\nendobj\n1 0 obj\n<< >>'.repeat(count - 1)}`
    assert.equal(outcome([updates(DEFINITIONS_MAX), '(/Encrypt 1 0 R)']), 'clean')
    assert.equal(outcome([updates(DEFINITIONS_MAX + 1), '(/Encrypt 1 0 R)']), 'encrypted')
  })
})

test('characters read, at the limit and one past it', () => {
  const of = (length: number): boolean | null => {
    const objects = findObjects(`${'trailer<<trailer<<'.padEnd(length - 2)}>>`)
    return objects && isEncryptionDeclared(objects)
  }
  // Both are read to the end, starting after 7 and 16 characters.
  assert.equal(of(DECLARATION_READS_MAX + 7 + 16), false)
  assert.equal(of(DECLARATION_READS_MAX + 7 + 16 + 1), true)
})
