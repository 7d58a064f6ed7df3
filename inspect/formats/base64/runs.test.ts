/** Long runs of Base64, wherever they stand. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RUN_MIN, runsOf } from './runs.ts'

const run = (length: number): string => 'UEsDBAoA'.padEnd(length, 'A')

test('a run of the least length is found at every place, a shorter one nowhere', () => {
  for (let at = 0; at < 2 * RUN_MIN + 2; at++) {
    const text = (length: number) => Buffer.from(`${'.'.repeat(at)}${run(length)}.`)
    assert.deepEqual([...runsOf(text(RUN_MIN))], [{ start: at, end: at + RUN_MIN }], `at ${at}`)
    assert.deepEqual([...runsOf(text(RUN_MIN - 1))], [], `at ${at}`)
  }
})

test('one run ends where another begins, and goes on over line ends', () => {
  const line = `${run(76)}\r\n`
  const text = `${line}AAAA\n"${run(100)}"${run(64)}`
  const found = [...runsOf(Buffer.from(text))].map(({ start, end }) => text.slice(start, end))
  assert.deepEqual(found, [`${line}AAAA\n`, run(100), run(64)])
})

test('what begins like no file is no run', () => {
  assert.deepEqual([...runsOf(Buffer.from('A'.repeat(200)))], [])
})
