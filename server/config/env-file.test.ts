import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEnvFile } from './env-file.ts'

for (const [text, expected] of [
  ['', {}],
  ['# a comment\n\n  ; another\nA=1', { A: '1' }],
  ['\uFEFFA=1\r\nB=2\r\n', { A: '1', B: '2' }],
  ['  A = b c  ', { A: 'b c' }],
  ['export A=b', { A: 'b' }],
  ['A=', { A: '' }],
  ['A=1\nA=2', { A: '2' }],
  ['A=postgres://u:p%23@h/db?sslmode=require&x=y', { A: 'postgres://u:p%23@h/db?sslmode=require&x=y' }],
  ["A='a #b $c \\d \"e'", { A: 'a #b $c \\d "e' }],
  ['A="a #b"', { A: 'a #b' }],
  ['A=Docvet <a@b.example>', { A: 'Docvet <a@b.example>' }],
] as const)
  test(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseEnvFile(text), expected))

for (const value of ['a#b', 'a #b', '$b', 'a\\b', "it's", 'a"b', '`a`', '"a$b"', '"a\\b"', "'a", "'a'b'"])
  test(`refuses ${value}, which is not the same everywhere, without showing it`, () =>
    assert.throws(
      () => parseEnvFile(`X=1\nA=${value}`),
      (error: Error) =>
        /^line 2: programs read this value differently/.test(error.message) && !error.message.includes(value),
    ))

for (const line of ['secret', '1A=b', 'A-B=c', '=x'])
  test(`refuses the line ${line} without showing it`, () =>
    assert.throws(() => parseEnvFile(line), { message: 'line 1 is not NAME=value.' }))
