/** Objects in RTF with something among their digits that readers take in different ways: never clean. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { NUMBER_MAX, WORD_MAX } from './digits.ts'
import { READ_AGAIN_MAX } from './objects.ts'

const inspector = useInspector()

const hex = Buffer.from(EICAR).toString('hex')

function of(digits: string, beginning = '{\\rtf1'): string {
  const { findings, obstacle } = inspector.inspect(
    Buffer.from(`${beginning}{\\object\\objemb{\\*\\objdata ${digits}}}}`, 'latin1'),
  )
  return findings.some(({ id }) => id === 'Docvet.Test.Eicar') ? 'found' : (obstacle?.reason ?? 'clean')
}

suite('among the digits', () => {
  const within = (text: string): string => of(`${hex.slice(0, 21)}${text}${hex.slice(21)}`)
  for (const text of ['\\u8364 4', '\\uc2\\u8364 42', "\\'4", '\\bin1\n', '\\bin-1 4', '\\upr 4', '\\u-4064 4'])
    test(`${JSON.stringify(text)} is never clean`, () => assert.equal(within(text), 'too_complex'))
  test('characters that are digits', () => {
    const codes = [...hex].map((digit) => digit.charCodeAt(0))
    assert.equal(of(codes.map((code) => `\\'${code.toString(16)}`).join('')), 'too_complex')
    assert.equal(of(codes.map((code) => `\\u${code}?`).join('')), 'too_complex')
  })
  test('words and symbols are passed over', () => {
    for (const text of ['\\par ', '\\par-12 ', '\\par\n', '\\*', '\\{', '\\bin0 '])
      assert.equal(within(text), 'found', text)
    assert.equal(of('4142\\par 43'), 'clean')
  })
  test('in a text that is no RTF they mean nothing', () => {
    assert.equal(of("41\\u0041 \\'4", 'A text about '), 'clean')
  })
})

suite('at the limit, and one past it', () => {
  test('letters of a control word', () => {
    assert.equal(of(`41\\${'a'.repeat(WORD_MAX)} 42`), 'clean')
    assert.equal(of(`41\\${'a'.repeat(WORD_MAX + 1)} 42`), 'too_complex')
  })
  test('the number of a control word', () => {
    assert.equal(of(`41\\par${'1'.repeat(NUMBER_MAX - 1)} 42`), 'clean')
    assert.equal(of(`41\\par${'1'.repeat(NUMBER_MAX)} 42`), 'too_complex')
  })
  test('objects that lie in others', () => {
    const inner = (length: number): string => of(`\\objdata${' '.repeat(length)}`)
    assert.equal(inner(READ_AGAIN_MAX), 'clean')
    assert.equal(inner(READ_AGAIN_MAX + 1), 'too_complex')
  })
})
