import assert from 'node:assert/strict'
import { readdirSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { storageUnavailable } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { probeFolder, startWriteChecks, trackWrites } from './writes.ts'

function setUp() {
  const logged: string[] = []
  const log = {
    error: (_fields: unknown, message: string) => logged.push(message),
    info: (message: string) => logged.push(message),
  } as unknown as Log
  return { writes: trackWrites(log), logged }
}

const LOST = 'Storage does not accept writes'
const REGAINED = 'Storage accepts writes again'

describe('failed writes', () => {
  for (const [code, reason] of [
    [{ errcode: 13 }, 'the disk is full'],
    [{ code: '53100' }, 'the disk is full'],
    [{ code: 'ENOSPC' }, 'the disk is full'],
    [{ code: 'EDQUOT' }, 'the disk is full'],
    [{ errcode: 8 | (5 << 8) }, 'it is read-only'],
    [{ code: '25006' }, 'it is read-only'],
    [{ code: 'EROFS' }, 'it is read-only'],
    [{ errcode: 10 | (3 << 8) }, ''],
    [{}, ''],
  ] as const) {
    test(`${JSON.stringify(code)} is reported as "${reason}", without the message of the error`, () => {
      const { writes } = setUp()
      writes.failed(storageUnavailable(Object.assign(new Error('internal'), code)))
      assert.equal(writes.failure(), `The storage does not accept writes${reason && `: ${reason}`}.`)
    })
  }

  test('are logged once, and so is the recovery', () => {
    const { writes, logged } = setUp()
    writes.succeeded()
    for (let i = 0; i < 3; i++) writes.failed(new Error('disk'))
    for (let i = 0; i < 3; i++) writes.succeeded()
    assert.deepEqual(logged, [LOST, REGAINED])
    assert.equal(writes.failure(), null)
  })
})

describe('the periodic check', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())

  function start() {
    const { writes, logged } = setUp()
    const state = { error: null as Error | null, checks: 0 }
    const checks = startWriteChecks({ writes, probeSpace: async () => void state.checks++ }, async () => {
      if (state.error) throw state.error
    })
    const pass = async (seconds: number) => {
      for (let i = 0; i < seconds; i++) {
        mock.timers.tick(1_000)
        await new Promise(setImmediate)
      }
    }
    return { writes, logged, state, checks, pass }
  }

  test('runs every ten seconds, and every second while writes fail', async () => {
    const { writes, logged, state, checks, pass } = start()
    await pass(9)
    assert.equal(state.checks, 0)
    state.error = new Error('disk')
    await pass(1)
    assert.equal(state.checks, 1)
    assert.notEqual(writes.failure(), null)
    await pass(3)
    assert.equal(state.checks, 4)
    state.error = null
    await pass(1)
    assert.equal(writes.failure(), null)
    await pass(1)
    assert.equal(state.checks, 5)
    assert.deepEqual(logged, [LOST, REGAINED])
    await checks.close()
  })

  test('ends the failure of a request', async () => {
    const { writes, checks, pass } = start()
    writes.failed(new Error('disk'))
    await pass(1)
    assert.equal(writes.failure(), null)
    await checks.close()
  })

  test('does not run twice at once, and closing waits for it', async () => {
    const { writes } = setUp()
    const slow = Promise.withResolvers<void>()
    let started = 0
    const checks = startWriteChecks({ writes, probeSpace: async () => void started++ }, () => slow.promise)
    writes.failed(new Error('disk'))
    for (let i = 0; i < 5; i++) mock.timers.tick(1_000)
    assert.equal(started, 1)
    const closing = checks.close().then(() => writes.failure())
    slow.resolve()
    assert.equal(await closing, null)
  })
})

test('the check of a folder leaves no file behind, and fails without the folder', async () => {
  const folder = temporaryFolder('probe')
  await probeFolder(folder)
  assert.deepEqual(readdirSync(folder), [])
  rmSync(folder, { recursive: true })
  await assert.rejects(probeFolder(folder), { code: 'ENOENT' })
})
