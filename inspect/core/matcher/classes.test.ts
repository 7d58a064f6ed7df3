/** Compares surveys with a naive search. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomFrom } from '#inspect/testing/random.ts'
import { createSurvey } from './classes.ts'

const CHUNK_BYTES = 32_768
const RUN = 47

const CLASSES: readonly (readonly RegExp[])[] = [
  [/[A-Za-z0-9+/=_\s-]/],
  [/[\w+/-]/],
  [/[&\\<>\0]/, /\+/, /\$/, /["'`]/],
  [/[a]/, /[b]/, /[\xff]/],
]

describe('survey', () => {
  test('agrees with a naive search', () => {
    const random = randomFrom(3)
    const alphabets = ['ab', 'abc \xa0', 'AZaz09+/=_-\t\n\v\f\r', '&\\<>\0+$"\'`x@[{', '\xff\x7f\x80ab']
    for (let round = 0; round < 2_000; round++) {
      const classes = CLASSES[round % CLASSES.length] ?? []
      const alphabet = alphabets[random(alphabets.length)] ?? ''
      const chars = Array.from({ length: random(140) }, () => alphabet[random(alphabet.length)] ?? '')
      const { seen, isComplete, longRunChunks } = createSurvey(classes)(Buffer.from(chars.join(''), 'latin1'))
      const isInClass = (char: string): boolean => classes[0]?.test(char) ?? false
      const message = JSON.stringify([classes.map(String), chars.join('')])
      assert.equal(
        seen,
        classes.reduce((bits, one, i) => (chars.some((char) => one.test(char)) ? bits | (1 << i) : bits), 0),
        message,
      )
      assert.equal(isComplete, chars.every(isInClass), message)
      const runs = chars.map((char) => (isInClass(char) ? 'x' : ' ')).join('')
      if (runs.includes('x'.repeat(RUN))) assert.deepEqual(longRunChunks, [0], message)
    }
  })

  test('finds a run of 47 bytes at every offset, also across the end of a chunk', () => {
    const survey = createSurvey([/x/])
    for (const first of [0, CHUNK_BYTES - RUN - 16])
      for (let at = first; at < first + RUN + 32; at++) {
        const bytes = Buffer.alloc(at + RUN + 20, ' ')
        assert.deepEqual(survey(bytes).longRunChunks, [])
        bytes.fill('x', at, at + RUN)
        // The chunk of its second whole block is also that of the first block of a pair.
        const block = Math.ceil(at / 16) * 16 + 16
        assert.deepEqual(survey(bytes).longRunChunks, [block - (block % CHUNK_BYTES)], `at ${at}`)
      }
  })

  test('finds a single byte anywhere in several chunks', () => {
    const survey = createSurvey([/\$/])
    const bytes = Buffer.alloc(CHUNK_BYTES * 2 + 7, 'x')
    assert.equal(survey(bytes).seen, 0)
    for (const at of [0, 15, 16, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES * 2 - 1, bytes.length - 1]) {
      bytes[at] = 0x24
      assert.equal(survey(bytes).seen, 1, `at ${at}`)
      bytes[at] = 0x78
    }
  })

  test('rejects classes that do not fit into one pass', () => {
    const singles = (letters: string): RegExp[] => [...letters].map((letter) => new RegExp(letter))
    createSurvey(singles('abcdefgh'))
    assert.throws(() => createSurvey(singles('abcdefghi')), RangeError)
  })
})
