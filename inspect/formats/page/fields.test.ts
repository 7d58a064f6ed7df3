import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedFor } from './fields.ts'
import { readMarkup } from './markup.ts'

const asks = (page: string): boolean => askedFor(readMarkup(page), page, null).asks

/** As far from the field as its text may be. */
const before = (label: string, spaces = 20): string =>
  `<p>${' '.repeat(spaces)}${label.padEnd(61, ' .')}${`<b ${'x'.repeat(198)}>${' '.repeat(9)}`.repeat(4)}`

test('the text before a field is read as far as it may be away, and no further', () => {
  const around = 'word '.repeat(20_000)
  for (const field of ['<input name=a>', '<TEXTAREA name=a>', `<div ${'y'.repeat(199)} contenteditable>`]) {
    assert.ok(asks(`${around}${before('Your password')}${field}${around}`), field)
    assert.ok(!asks(`${around}${before('Your password', 21)}${field}${around}`), field)
    assert.ok(!asks(`${around}${before('Your address')}${field}${around}`), field)
  }
})

test('a label names a field, wherever the field is', () => {
  const page = `<LABEL for=a><b>Password</b></LABEL>${'word '.repeat(20_000)}<input name=a>`
  assert.ok(asks(page))
  assert.ok(!asks(page.replace('LABEL for', 'LABELS for')))
})
