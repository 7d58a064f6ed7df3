import assert from 'node:assert/strict'
import { statSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '#test/support/service.ts'
import { createUploads } from './uploads.ts'

const fileOfMachine = () => path.join(temporaryFolder('data'), 'uploads')

test('somebody waits during an upload, also one that fails, and a moment longer', async () => {
  let nowMs = 1_000
  const clock = mock.method(performance, 'now', () => nowMs)
  const wall = mock.method(Date, 'now', () => nowMs)
  try {
    const uploads = createUploads(fileOfMachine())
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
    wall.mock.restore()
  }
})

/** Says that the latest upload was so long ago. */
const age = (file: string, ms: number) => utimesSync(file, new Date(), new Date(Date.now() - ms))

test('somebody waits on this machine while another process has an upload', { timeout: 60_000 }, async () => {
  const file = fileOfMachine()
  const [here, elsewhere] = [createUploads(file), createUploads(file)]
  assert.equal(here.isBusy(), false)
  const upload = Promise.withResolvers<void>()
  const running = elsewhere.during(() => upload.promise)
  const untilBusy = async () => {
    while (!here.isBusy()) await sleep(1)
  }
  await untilBusy()
  assert.deepEqual([here.isBusyHere(), elsewhere.isBusyHere()], [false, true])
  // It says so again and again.
  age(file, 60_000)
  await untilBusy()
  upload.resolve()
  await running
  while (elsewhere.isBusy()) await sleep(1)
  assert.equal(here.isBusy(), false)
  assert.equal(statSync(file).mode & 0o777, 0o600)
})

test('the time of an upload before the clock was set back is none', () => {
  const file = fileOfMachine()
  writeFileSync(file, '')
  age(file, -60_000)
  assert.equal(createUploads(file).isBusy(), false)
})

test('where the folder cannot be written, uploads go on', async () => {
  const uploads = createUploads(path.join(temporaryFolder('data'), 'missing', 'uploads'))
  assert.equal(await uploads.during(async () => 'verdict'), 'verdict')
})
