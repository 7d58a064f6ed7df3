/** Answers before and instead of a verdict. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, storageUnavailable } from '#base/errors.ts'
import { answerEarly } from './respond-async.ts'

const WAITS = { waitMs: 60_000 }
const ACCEPTED = { scanId: 'a', reference: null }
const connected = new AbortController().signal

const failing = (error: Error, isAccepted: boolean) =>
  answerEarly(WAITS, connected, async (_gone, onAccepted) => {
    if (isAccepted) onAccepted?.(ACCEPTED)
    throw error
  })

test('a scan that was accepted, and may have been charged, is answered with 202: the client asks for its verdict', async () => {
  const lost = storageUnavailable(new Error('the response was lost'))
  const answered = await failing(lost, true)
  assert.ok(answered.kind === 'accepted')
  assert.deepEqual(answered.accepted, ACCEPTED)
  await assert.rejects(answered.ended ?? Promise.resolve(), lost)
  await assert.rejects(failing(lost, false), lost)
})

test('a scan that was accepted, and ends without a verdict while the client waits, is answered with that', async () => {
  const refusal = new AppError('encrypted_document', 'locked')
  await assert.rejects(failing(refusal, true), refusal)
})
