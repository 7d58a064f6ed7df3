/** The landing page token in all encodings in which it arrives. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { readLandingToken } from './resolve.ts'

test('is decoded exactly once, with spaces restored to plus signs', () => {
  const cases: [string, string][] = [
    ['ab+cd/ef==', 'ab+cd/ef=='],
    ['ab%2Bcd%2Fef%3D%3D', 'ab+cd/ef=='],
    ['ab cd/ef==', 'ab+cd/ef=='],
    [' b%2Fcd', '+b/cd'],
    ['+b+', '+b+'],
    ['abc\r\n', 'abc'],
  ]
  for (const [given, expected] of cases) assert.equal(readLandingToken(given), expected)
})

test('is rejected if it is not visible ASCII, so it cannot break a header', () => {
  for (const given of ['%', '%zz', '%252B', 'a%0D%0Ax: y', 'a\r\nx: y', 'a\tb', 'ä', 'a%C3%A4', '\n', '%00']) {
    assert.throws(
      () => readLandingToken(given),
      (error) => error instanceof AppError && error.code === 'invalid_request',
      JSON.stringify(given),
    )
  }
})
