/** Compares the search with the pattern alone. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomFrom } from '#inspect/testing/random.ts'
import { createPlaces } from './matcher.ts'
import { createNear, createStarts } from './starts.ts'

const CHUNK_BYTES = 32_768
const WORDS = ['win', 'open the', 'command', '\u2318+v', '\u2318 +']
const PATTERN = /\bwin ?[rx]\b|open the\s{1,4}\w+|command ?\+ ?v|\u2318 ?\+v/i
const { test: has, matches } = createStarts(PATTERN, WORDS)
const placesOf = (found: Iterable<RegExpExecArray>) => Array.from(found, ({ 0: text, index }) => [index, text])
const plain = (text: string) => placesOf(text.matchAll(new RegExp(PATTERN.source, 'gi')))

describe('matches that begin with a word', () => {
  for (const found of ['Win R', 'open the  door', 'COMMAND + V', '\u2318 +v'])
    test(`"${found}" at every place around the end of a chunk, in texts of one and of two bytes`, () => {
      for (const filler of ['.', '\u3042'])
        for (let at = CHUNK_BYTES - 20; at <= CHUNK_BYTES + 2; at++) {
          const text = `${filler.repeat(at)}${found}${filler.repeat(9)}`
          assert.deepEqual(placesOf(matches(text)), [[at, found]], `${filler} ${at}`)
          assert.ok(has(text))
          assert.ok(!has(text.replace(found, '')))
        }
    })

  test('as the pattern alone finds them, in texts of any length', () => {
    const random = randomFrom(1)
    const parts = [
      'win',
      ' ',
      'r',
      'x',
      'R',
      'open the',
      'open',
      'COMMAND',
      '+',
      'v',
      '\u2318',
      'winwin',
      '.',
      'wi',
      '\u0177in r',
    ]
    for (let i = 0; i < 3_000; i++) {
      const length = random(i % 100 === 0 ? 30_000 : 300)
      const text = Array.from({ length }, () => parts[random(parts.length)]).join('')
      assert.deepEqual(placesOf(matches(text)), plain(text))
      assert.equal(has(text), PATTERN.test(text))
    }
  })
})

test('places of literals are in order, each once', () => {
  const placesIn = createPlaces(['abcdef', 'cde', 'def'].map((text) => ({ bytes: Buffer.from(text), id: 0 })))
  for (let at = CHUNK_BYTES - 8; at <= CHUNK_BYTES + 1; at++) {
    const bytes = Buffer.from(`${'.'.repeat(at)}ABCDEF.abcdef`)
    assert.deepEqual(
      [...placesIn(bytes)],
      [0, 2, 3, 7, 9, 10].map((offset) => at + offset),
    )
  }
})

describe('matches near a word', () => {
  const NEAR = />([^<>]{1,20})(?:<[a-z]{0,9}>)?<input/i
  const near = createNear(NEAR, ['<input'], { before: 1 + 20 + 11, after: 6 }, 1)

  test('at the farthest place before it, and not one further', () => {
    for (const at of [0, 1, CHUNK_BYTES - 40, CHUNK_BYTES - 1, CHUNK_BYTES]) {
      const text = `${' '.repeat(at)}>${'x'.repeat(20)}<abcdefghi><INPUT`
      assert.equal([...near(text)][0]?.[0], text.trim(), String(at))
      assert.deepEqual([...near(text.replace('x', 'xx'))], [])
    }
  })

  test('as the pattern alone finds them, in texts of any length', () => {
    const random = randomFrom(2)
    const parts = ['>', 'a', 'bc ', '<input', '<b>', '<INPUT>', '<', '>label', ' '.repeat(15)]
    for (let i = 0; i < 3_000; i++) {
      const length = random(i % 100 === 0 ? 20_000 : 200)
      const text = Array.from({ length }, () => parts[random(parts.length)]).join('')
      const expected = Array.from(text.matchAll(new RegExp(NEAR.source, 'gi')), ([found, label]) => [found, label])
      assert.deepEqual(
        Array.from(near(text), ([found, label]) => [found, label]),
        expected,
      )
    }
  })
})
