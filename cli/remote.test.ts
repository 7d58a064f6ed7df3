/** `--server` while the service cannot be reached. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DocvetError } from '#client/index.ts'
import { acrossOutages } from './remote.ts'

const CLEAN = { status: 'clean', threat: null, reason: null, detail: null, scanId: '1' } as const
const GONE = new DocvetError('unreachable', 'The service cannot be reached')

test('the service is waited for once in an outage, then asked once in a while, and waited for again after it', async () => {
  let nowMs = 0
  let isThere = true
  const calls: string[] = []
  const attempt = (name: string) => async () => {
    calls.push(name)
    return isThere ? CLEAN : GONE
  }
  const scan = acrossOutages(attempt('patient'), attempt('quick'), () => nowMs)
  const after = async (ms: number) => {
    nowMs += ms
    return await scan(Buffer.from('x'), {})
  }
  assert.equal(await after(0), CLEAN)
  isThere = false
  for (const ms of [0, 0, 0, 4_999, 1, 0]) assert.equal(await after(ms), GONE)
  assert.deepEqual(calls, ['patient', 'patient', 'quick', 'quick'])
  isThere = true
  assert.equal(await after(4_999), GONE)
  assert.equal(await after(1), CLEAN)
  assert.equal(await after(0), CLEAN)
  assert.deepEqual(calls.slice(4), ['quick', 'patient'])
})

test('one document for which the connection ends does not keep others from being scanned', async () => {
  let isFirst = true
  const attempt = async () => {
    const answer = isFirst ? GONE : CLEAN
    isFirst = false
    return answer
  }
  const scan = acrossOutages(attempt, attempt, () => 0)
  assert.equal(await scan(Buffer.from('x'), {}), GONE)
  assert.equal(await scan(Buffer.from('y'), {}), CLEAN)
})

test('a refused document or a busy service is no outage', async () => {
  for (const answer of [new DocvetError('busy', 'Busy', 503), new TypeError('x'), CLEAN]) {
    let quick = 0
    const scan = acrossOutages(
      async () => answer,
      async () => {
        quick++
        return answer
      },
    )
    for (let i = 0; i < 3; i++) assert.equal(await scan(Buffer.from('x'), {}), answer)
    assert.equal(quick, 0)
  }
})
