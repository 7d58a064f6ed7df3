/** A text is skipped only where reading it would find nothing. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { expandEntities } from '#inspect/codecs/xml-entities.ts'
import type { Item } from '#inspect/core/format.ts'
import { CHUNK_BYTES } from '#inspect/core/matcher/instance.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { bodiesOf, digitElementsOf, mayDeclareBase64 } from './bodies.ts'
import { byteListsOf } from './byte-lists.ts'
import { longRunsOf } from './long-runs.ts'
import { mayHaveReadings, readingsOf } from './readings.ts'
import { surveyOf } from './survey.ts'

const TEXTS = 20_000

/** Without marks: `&semi`, `.concat(` and `.join` are not in these texts unless said. */
function itemOf(text: string, has = false): Item {
  const bytes = Buffer.from(text, 'latin1')
  const sniffed = { kind: 'text', type: 'text/plain' } as const
  return { bytes, path: [], name: null, sniffed, parent: null, alone: true, mentions: () => false, has: () => has }
}

const isReadAgain = (item: Item): boolean => mayHaveReadings(item, surveyOf(item.bytes))

function* textsOf(parts: readonly string[]): Generator<string> {
  const random = randomFrom(5)
  for (let i = 0; i < TEXTS; i++) yield Array.from({ length: random(9) }, () => parts[random(parts.length)]).join('')
}

suite('a text is read', () => {
  test('if a declaration of Base64 begins with a semicolon', () => {
    const random = randomFrom(6)
    const gaps = ['', '', '', '', '', '', '', ' ', '\n', '\xa0', '\v', ' '.repeat(64)]
    const some = (from: readonly string[]): string => from[random(from.length)] ?? ''
    const written = (letter: string): string => {
      const code = letter.charCodeAt(0)
      const digits = code.toString(16)
      return some([
        letter,
        letter,
        letter,
        letter.toUpperCase(),
        `&#${code};`,
        `&#x${digits}`,
        `\\x${digits}`,
        `\\${digits}`,
      ])
    }
    let declared = 0
    for (let i = 0; i < TEXTS; i++) {
      const letters = [...some(['base64', 'encoding', 'basis64'])]
      const word = letters.map((letter) => written(letter) + some(gaps)).join('')
      const text = `${some(['', 'x', ';'])};${some(gaps)}${word}${some([',', ':', '&comma;', '=b', '="b', 'x'])}`
      if (bodiesOf(`${text} `).next().done === true) continue
      declared += 1
      assert.ok(mayDeclareBase64(itemOf(`${text} `)), JSON.stringify(text))
    }
    assert.ok(declared > 20, `${declared} declarations`)
    assert.ok(mayDeclareBase64(itemOf('&semi', true)))
  })

  test('if a reader sees it in another way', () => {
    const signs = [
      '"',
      "'",
      '`',
      '+',
      '.concat(',
      '.join(',
      '$',
      '{',
      '}',
      '{""}',
      '(',
      ')',
      ';a+=',
      '/* */',
      ',',
      ' ',
      '\n',
      'x',
    ]
    const others = [
      '&#65;',
      '&amp;',
      '&',
      ';',
      '\\',
      '\\x41',
      '\0',
      '-->',
      '?>',
      ']]>',
      '<![CDATA[',
      '<',
      '>',
      '<!ENTITY a "b">',
    ]
    let read = 0
    for (const text of textsOf([...signs, ...signs, ...others, 'srcdoc'])) {
      const isMarked = /\.concat\(|\.join/.test(text)
      const isRead =
        !readingsOf(text).next().done ||
        expandEntities(text) !== text ||
        !digitElementsOf(Buffer.from(text, 'latin1')).next().done
      if (!isRead) continue
      read += 1
      assert.ok(isReadAgain(itemOf(text, isMarked)), JSON.stringify(text))
    }
    assert.ok(read > 1_000, `${read} texts`)
    assert.ok(!isReadAgain(itemOf("It's plain, isn't it? $5 = 4 [1] (see 2).")))
    assert.ok(!isReadAgain(itemOf('Plain.')))
  })

  test('if it has a long run of digits', () => {
    const parts = [1, 2, 15, 16, 31, 32, 46, 47, 48, 49].map((length) => 'aZ9_-+/b'.repeat(7).slice(0, length))
    let runs = 0
    for (const text of textsOf([...parts, ...parts, ' ', '\n', '.', '=', '. '])) {
      const expected = [...text.matchAll(/[\w+/-]{48,}[\w+/\t\n\r -]*/g)].map(({ index, 0: run }) => ({
        start: index,
        end: index + run.length,
      }))
      const bytes = Buffer.from(text, 'latin1')
      assert.deepEqual([...longRunsOf(bytes, surveyOf(bytes))], expected, JSON.stringify(text))
      runs += expected.length
    }
    assert.ok(runs > 1_000, `${runs} runs`)
  })

  test('if it has a list of bytes', () => {
    const list = (length: number, of: (at: number) => string): string =>
      `[${Array.from({ length }, (_, at) => of(at)).join()}]`
    const lists = [22, 23, 24, 25, 40].flatMap((length) => [
      list(length, (at) => `${at * 6}`),
      list(length, (at) => ` 0x${(at * 6).toString(16)}\n`),
      list(length, (at) => (at === 39 ? '256' : `0X0${at.toString(16).slice(-1)} `)),
    ])
    let found = 0
    for (const text of textsOf([...lists, 'a,', ', ', ',,', ' ', '.', 'word, ', '(1,2)', '[0x,1]', '[1,a,2]'])) {
      const expected = [...text.matchAll(/\[([^\]]*)\]/g)]
        .map(([, values = '']) => values.split(',').filter((value) => Number(value) <= 255))
        .filter(({ length }) => length >= 24)
        .map((values) => values.map(Number))
      const files = [...byteListsOf(Buffer.from(text, 'latin1'))].map(({ file }) => [...file])
      assert.deepEqual(files, expected, JSON.stringify(text))
      found += expected.length
    }
    assert.ok(found > 1_000, `${found} lists`)
  })

  test('if it has elements of digits', () => {
    const parts = [1, 31, 32, 33, 63, 64].map((length) => 'aZ9+/b='.repeat(10).slice(0, length))
    let elements = 0
    for (const text of textsOf([...parts, ...parts, ' ', '\n', '<', '>', '<', '>', '.', '\xa0'])) {
      const expected = [...text.matchAll(/(?<=^|>)[\sA-Za-z0-9+/=]{64,}(?=<)/g)].map(([content]) => content)
      assert.deepEqual([...digitElementsOf(Buffer.from(text, 'latin1'))], expected, JSON.stringify(text))
      elements += expected.length
    }
    assert.ok(elements > 1_000, `${elements} elements`)
  })

  test('if it has a long run of digits across the end of a chunk, or after chunks without one', () => {
    const digits = 'aZ9_-+/b'.repeat(20)
    for (const chunk of [0, 1, 3])
      for (let at = -130; at < 20; at += 1)
        for (const length of [47, 48, 100]) {
          const start = Math.max(2, chunk * CHUNK_BYTES + at)
          const bytes = Buffer.alloc(4 * CHUNK_BYTES, 'words. ')
          bytes.write(` ${digits.slice(0, length)}.`, start - 1, 'latin1')
          const expected = length < 48 ? [] : [{ start, end: start + length }]
          assert.deepEqual([...longRunsOf(bytes, surveyOf(bytes))], expected, `${length} at ${start}`)
        }
  })
})
