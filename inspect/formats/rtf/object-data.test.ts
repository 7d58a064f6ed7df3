/** RTF objects with data that readers interpret differently are never clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { NUMBER_MAX, WORD_MAX } from './object-data.ts'
import { READ_AGAIN_MAX } from './rtf.ts'

const inspector = useInspector()

const hex = Buffer.from(EICAR).toString('hex')

function outcomeOf(digits: string, prefix = '{\\rtf1'): string {
  const { findings, obstacle } = inspector.inspect(
    Buffer.from(`${prefix}{\\object\\objemb{\\*\\objdata ${digits}}}}`, 'latin1'),
  )
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('control words and symbols between the digits of an object', () => {
  const within = (text: string): string => outcomeOf(`${hex.slice(0, 21)}${text}${hex.slice(21)}`)
  for (const text of ['\\u8364 4', '\\uc2\\u8364 42', "\\'4", '\\bin1\n', '\\bin-1 4', '\\upr 4', '\\u-4064 4'])
    test(`${JSON.stringify(text)} is never clean`, () => assert.equal(within(text), 'too_complex'))
  test('escaped characters that are digits are never clean', () => {
    const codes = [...hex].map((digit) => digit.charCodeAt(0))
    assert.equal(outcomeOf(codes.map((code) => `\\'${code.toString(16)}`).join('')), 'too_complex')
    assert.equal(outcomeOf(codes.map((code) => `\\u${code}?`).join('')), 'too_complex')
  })
  test('other control words and symbols are skipped', () => {
    for (const text of ['\\par ', '\\par-12 ', '\\par\n', '\\*', '\\{', '\\bin0 '])
      assert.equal(within(text), 'found', text)
    assert.equal(outcomeOf('4142\\par 43'), 'clean')
  })
  test('they have no meaning outside RTF', () => {
    assert.equal(outcomeOf("41\\u0041 \\'4", 'A text about '), 'clean')
  })
})

suite('an escaped backslash before the word', () => {
  const quoted = (text: string): string =>
    inspector.outcome(Buffer.from(`{\\rtf1 ${text}\\\\objdata ${hex}\\par}`, 'latin1')) ?? 'clean'
  test('is text, as in an article about RTF', () => {
    assert.equal(quoted('The exploit has \\{'), 'clean')
    assert.equal(quoted('\\par\\\\'), 'clean')
  })
  test('is none after an odd number of them, or if it may be binary data', () => {
    assert.equal(quoted('\\'), 'Docvet.Test.Eicar')
    assert.equal(quoted('\\bin1 '), 'Docvet.Test.Eicar')
  })
})

suite('at the limit and one past it', () => {
  test('length of a control word', () => {
    assert.equal(outcomeOf(`41\\${'a'.repeat(WORD_MAX)} 42`), 'clean')
    assert.equal(outcomeOf(`41\\${'a'.repeat(WORD_MAX + 1)} 42`), 'too_complex')
  })
  test('length of the number of a control word', () => {
    assert.equal(outcomeOf(`41\\par${'1'.repeat(NUMBER_MAX - 1)} 42`), 'clean')
    assert.equal(outcomeOf(`41\\par${'1'.repeat(NUMBER_MAX)} 42`), 'too_complex')
  })
  test('length of nested objects', () => {
    const inner = (length: number): string => outcomeOf(`\\objdata${' '.repeat(length)}`)
    assert.equal(inner(READ_AGAIN_MAX), 'clean')
    assert.equal(inner(READ_AGAIN_MAX + 1), 'too_complex')
  })
})
