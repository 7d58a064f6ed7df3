/** Both forms of the log: JSON lines, and readable lines for a terminal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog, type Log } from './log.ts'

function written(readable: boolean, write: (log: Log) => void): string {
  const lines: string[] = []
  write(createLog({ level: 'trace', readable, stream: { write: (line: string) => lines.push(line) } }))
  return lines.join('')
}

test('JSON lines carry level, time, pid, fields and message', () => {
  const line = JSON.parse(written(false, (log) => log.warn({ port: 8080 }, 'Listening')))
  assert.match(line.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual({ ...line, time: '' }, { level: 'warn', time: '', pid: process.pid, port: 8080, msg: 'Listening' })
})

test('readable lines have time, level, message and fields', () => {
  const line = written(true, (log) => log.info({ host: '127.0.0.1', port: 8080, name: 'a b', list: [1] }, 'Listening'))
  assert.match(line, /^\d\d:\d\d:\d\d INFO {2}Listening host=127\.0\.0\.1 port=8080 name="a b" list=\[1\]\n$/)
})

test('a readable error has its stack on lines of its own', () => {
  const text = written(true, (log) => log.error({ err: new TypeError('no such thing') }, 'Failed'))
  const [head, first, second] = text.split('\n')
  assert.match(head ?? '', /^\d\d:\d\d:\d\d ERROR Failed$/)
  assert.equal(first, '    TypeError: no such thing')
  assert.match(second ?? '', /^ {8}at /)
})

test('readable lines hide secrets and escape control characters', () => {
  const text = written(true, (log) => {
    log.info({ password: 'hunter2', name: '\u001b[31m\u202e' }, 'Tried dv_live_abcdefghijkl')
    log.info({ err: new Error('\u001b]0;x\u0007') })
  })
  assert.doesNotMatch(text, /hunter2|abcdefghijkl/)
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{Cc}\p{Cf}]/u)
})
