/** Undeclared Base64 at every offset and with short lines. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { FILE_STARTS, LINE_MIN, RUN_MIN, runsOf } from './runs.ts'

const run = (length: number): string => 'UEsDBAoA'.padEnd(length, 'A')
const found = (text: string): string[] => [...runsOf(Buffer.from(text))].map(({ start, end }) => text.slice(start, end))

test('a run of the minimum length is found at every offset, a shorter one never', () => {
  for (let at = 0; at < 2 * RUN_MIN + 2; at++) {
    const text = (length: number) => Buffer.from(`${'.'.repeat(at)}${run(length)}.`)
    assert.deepEqual([...runsOf(text(RUN_MIN))], [{ start: at, end: at + RUN_MIN }], `at ${at}`)
    assert.deepEqual([...runsOf(text(RUN_MIN - 1))], [], `at ${at}`)
  }
})

test('a run continues over line ends and ends where another begins', () => {
  const line = `${run(76)}\r\n`
  const text = `${line}AAAA\n"${run(100)}"${run(64)}`
  assert.deepEqual(found(text), [`${line}AAAA\n`, run(100), run(64)])
})

test('a line inside a run is not a run of its own', () => {
  const text = `${run(76)}\n${run(76)}`
  assert.deepEqual(found(text), [text])
})

test('lines may be short, except the first', () => {
  for (const width of [60, 40, 20, 12, LINE_MIN]) {
    const lines = run(RUN_MIN).replaceAll(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
    for (let at = 0; at < LINE_MIN; at++)
      assert.deepEqual(found(`${'.'.repeat(at)}Here are words\n${lines}.`), [lines], `${width}`)
    assert.deepEqual(found(`Here are words\n${lines.replace('A', '')}.`), [], `${width}`)
  }
  assert.deepEqual(found(run(RUN_MIN).replaceAll(new RegExp(`.{${LINE_MIN - 1}}`, 'g'), '$&\n')), [])
})

test('data without a file signature is not a run', () => {
  assert.deepEqual(found('A'.repeat(200)), [])
  assert.deepEqual(found('UEsDQ'.padEnd(200, 'A')), [])
})

test('hostile repetition takes little CPU time', () => {
  for (const pattern of [
    'UEsDBAAA.',
    'UEsDBAAA ',
    'AAAAAAAA\n',
    'AAAAAAAA.',
    'A',
    'TA',
    'TV',
    randomBytes(6000).toString('base64'),
  ]) {
    const bytes = Buffer.alloc(12_000_000, pattern)
    assertCheap(
      () => {
        for (const _ of runsOf(bytes));
      },
      pattern.slice(0, 20),
    )
  }
})

test('every file signature is found at every offset', () => {
  for (const start of FILE_STARTS) {
    const text = start.replaceAll(/\[(\w)[^\]]*\]/g, '$1').padEnd(RUN_MIN, 'A')
    for (let at = 0; at < 9; at++) assert.deepEqual(found(`${'.'.repeat(at)}${text}.`), [text], `${text} at ${at}`)
    assert.deepEqual(found(`A${text}`), [], text)
  }
})
