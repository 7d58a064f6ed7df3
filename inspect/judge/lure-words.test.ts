import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomFrom } from '#inspect/testing/random.ts'
import { folded } from './folding.ts'
import * as lureWords from './lure-words.ts'
import * as pretextWords from './pictures/pretext-words.ts'

const { wordsOf } = lureWords

/** All of the text at once, as Unicode defines it. */
const atOnce = (text: string): string => {
  return ` ${folded(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `.replace(/^ {2}$/, '  ')
}

test('words of parts in ASCII and of others are those of the whole text', () => {
  const random = randomFrom(1)
  const parts = [
    ...[
      'Fix',
      'the',
      'Straße',
      'É',
      'e\u0301',
      '\u0301',
      'ΟΔΟΣ',
      'Σ',
      'a',
      '한국',
      '貼り付け',
      '\u212a',
      'İ',
      '\ud83d\ude00',
      '\ud83d',
    ],
    ...[' ', ' ', ' ', '\n', '\t', '\u00a0', '.', '-', '"', '7', 'x'.repeat(60), 'Zażółć', 'и', '\u2028'],
  ]
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: random(40) }, () => parts[random(parts.length)]).join('')
    assert.equal(wordsOf(text), atOnce(text), JSON.stringify(text))
  }
})

test('bytes of a page are read as UTF-8', () => {
  const text = `${'word '.repeat(100)}Fügen Sie den Text ein. ${'word '.repeat(100)}`
  assert.equal(wordsOf(Buffer.from(text).toString('latin1')), wordsOf(text))
  assert.match(wordsOf(text), / fugen sie den text ein /)
})

// V8 compiles the class of all letters for each place where it stands: seconds for one list, for a page of 2 kB.
test('no pattern of phrases holds a class of all letters', () => {
  const patterns = Object.values({ ...lureWords, ...pretextWords }).filter((each) => each instanceof RegExp)
  assert.ok(patterns.length > 10)
  const classes = patterns.filter(({ source, unicode }) => unicode || source.includes('\\p{'))
  assert.deepEqual(classes, [])
})
