import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { REASON_LENGTH_MAX, reasonOf } from './reason.ts'

describe('the reason of a failure', () => {
  test('removes links and addresses', () => {
    const error = new Error(
      'Message failed: 554 5.7.1 <ada@example.com>: https://scan.example.org/reset#token=abc is listed,\r\n see x@y.z',
    )
    assert.equal(reasonOf(error), 'Message failed: 554 5.7.1 <[address]>: [link] is listed, see [address]')
  })

  test('accepts values that are not errors', () => {
    assert.equal(reasonOf('away'), 'away')
    assert.equal(reasonOf(undefined), 'undefined')
  })

  test(`is cut to ${REASON_LENGTH_MAX} characters`, () => {
    assert.equal(reasonOf(new Error('x'.repeat(REASON_LENGTH_MAX))), 'x'.repeat(REASON_LENGTH_MAX))
    assert.equal(reasonOf(new Error('x'.repeat(REASON_LENGTH_MAX + 1))), `${'x'.repeat(REASON_LENGTH_MAX - 1)}…`)
  })
})
