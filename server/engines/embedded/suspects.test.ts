import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANSWERED_MAX, CAPPED_MS, createSuspects, DOUBTED_MS, REMEMBERED_MS, SUSPECTS_MAX } from './suspects.ts'

function setUp() {
  let nowMs = 5_000
  const suspects = createSuspects(() => nowMs)
  const pass = (ms: number) => {
    nowMs += ms
  }
  return { suspects, pass }
}

const KILLER = { sha256: 'k', account: 'a' }

describe('documents that ended workers', () => {
  test('are suspect after the first, and banned after the second', () => {
    const { suspects } = setUp()
    assert.deepEqual([suspects.isSuspect(KILLER), suspects.isBanned('k')], [false, false])
    suspects.note(KILLER, false)
    assert.deepEqual([suspects.isSuspect(KILLER), suspects.isBanned('k')], [true, false])
    suspects.note({ ...KILLER, account: 'b' }, false)
    assert.equal(suspects.isBanned('k'), true)
    assert.equal(suspects.isBanned('other'), false)
  })

  test('are forgotten some minutes after the last worker', () => {
    const { suspects, pass } = setUp()
    suspects.note(KILLER, false)
    pass(REMEMBERED_MS - 1)
    suspects.note(KILLER, false)
    pass(REMEMBERED_MS - 1)
    assert.equal(suspects.isBanned('k'), true)
    pass(1)
    assert.deepEqual([suspects.isSuspect(KILLER), suspects.isBanned('k')], [false, false])
    suspects.note(KILLER, false)
    assert.equal(suspects.isBanned('k'), false, 'it starts again')
  })

  test('are cleared by an answer', () => {
    const { suspects, pass } = setUp()
    suspects.note(KILLER, false)
    suspects.clear('k')
    pass(DOUBTED_MS)
    assert.deepEqual([suspects.isSuspect(KILLER), suspects.isAnswered('k')], [false, true])
    suspects.note(KILLER, false)
    assert.deepEqual([suspects.isBanned('k'), suspects.isAnswered('k')], [false, false])
  })

  test('make their account suspect: for seconds after one worker, for minutes after a ban', () => {
    const { suspects, pass } = setUp()
    const other = { sha256: 'other', account: 'a' }
    suspects.note(KILLER, false)
    pass(DOUBTED_MS - 1)
    assert.equal(suspects.isSuspect(other), true)
    assert.equal(suspects.isSuspect({ ...other, account: 'b' }), false)
    pass(1)
    assert.equal(suspects.isSuspect(other), false)
    suspects.note(KILLER, false)
    suspects.note(other, false)
    pass(REMEMBERED_MS - 1)
    assert.equal(suspects.isSuspect({ sha256: 'third', account: 'a' }), true)
    pass(1)
    assert.equal(suspects.isSuspect({ sha256: 'third', account: 'a' }), false)
  })

  test('by their limit are remembered for an hour, and make their account suspect at once for minutes', () => {
    const { suspects, pass } = setUp()
    suspects.note(KILLER, true)
    pass(REMEMBERED_MS - 1)
    assert.equal(suspects.isSuspectAccount('a'), true)
    pass(1)
    assert.equal(suspects.isSuspectAccount('a'), false)
    suspects.note(KILLER, true)
    pass(CAPPED_MS - 1)
    assert.equal(suspects.isBanned('k'), true)
    pass(1)
    assert.equal(suspects.isBanned('k'), false)
  })

  test('elsewhere are banned for as long as told', () => {
    const { suspects, pass } = setUp()
    suspects.ban('k', 1_000)
    assert.equal(suspects.isBanned('k'), true)
    pass(1_000)
    assert.equal(suspects.isBanned('k'), false)
  })

  test('are remembered up to a maximum, the oldest is forgotten beyond it', () => {
    const { suspects } = setUp()
    for (let i = 0; i < SUSPECTS_MAX; i++) suspects.note({ sha256: `k${i}`, account: `a${i}` }, false)
    const first = { sha256: 'k0', account: 'a0' }
    assert.equal(suspects.isSuspect(first), true)
    suspects.note(KILLER, false)
    assert.equal(suspects.isSuspect(first), false)
    assert.equal(suspects.isSuspect({ sha256: 'k1', account: '' }), true)
    for (let i = 0; i < ANSWERED_MAX; i++) suspects.clear(`c${i}`)
    assert.equal(suspects.isAnswered('c0'), true)
    suspects.clear('one more')
    assert.equal(suspects.isAnswered('c0'), false)
  })
})
