import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createUploads } from './uploads.ts'

test('somebody waits during an upload, also one that fails, and a moment longer', async () => {
  let nowMs = 1_000
  const clock = mock.method(performance, 'now', () => nowMs)
  try {
    const uploads = createUploads()
    assert.equal(uploads.isBusy(), false)
    const [one, two] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
    const [first, second] = [uploads.during(() => one.promise), uploads.during(() => two.promise)]
    one.resolve('verdict')
    assert.equal(await first, 'verdict')
    nowMs += 60_000
    assert.equal(uploads.isBusy(), true)
    two.reject(new Error('on purpose'))
    await assert.rejects(second, /on purpose/)
    nowMs += 99
    assert.equal(uploads.isBusy(), true)
    nowMs += 1
    assert.equal(uploads.isBusy(), false)
  } finally {
    clock.mock.restore()
  }
})
