import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog } from '#base/log.ts'
import type { Engine } from '#engines/engine.ts'
import { startFakeClamd } from '#test/support/fake-clamd.ts'
import { createClamdEngine } from './engine.ts'

async function look(urls: string[], isThere: (engine: Engine) => boolean) {
  const lines: string[] = []
  const log = createLog({ level: 'warn', stream: { write: (line) => void lines.push(line) } })
  const engine = await createClamdEngine({ urls, log })
  for (let i = 0; i < 200 && !isThere(engine); i++) await sleep(10)
  const health = engine.health()
  await engine.close()
  return { health, log: lines.join('') }
}

const NOWHERE = 'unix:/nowhere/clamd.ctl'

test('names one of several by its place; its URL and the system error are only in the log', async () => {
  await using good = await startFakeClamd()
  const { health, log } = await look(
    [good.url, NOWHERE],
    (engine) => engine.health().detail === 'clamd 2 of 2: cannot be reached',
  )
  assert.deepEqual([health.status, health.detail], ['UP', 'clamd 2 of 2: cannot be reached'])
  assert.match(log, /"clamd":"unix:\/nowhere\/clamd\.ctl","detail":"connection failed: ENOENT"/)
})

test('names the only one, and several at once', async () => {
  const alone = await look([NOWHERE], () => true)
  assert.deepEqual([alone.health.status, alone.health.detail], ['DOWN', 'clamd cannot be reached'])
  const nowhereElse = 'unix:/nowhere/else.ctl'
  const both = await look([NOWHERE, nowhereElse], () => true)
  assert.equal(both.health.detail, 'clamd 1 of 2: cannot be reached; clamd 2 of 2: cannot be reached')
})

test('answers of clamd are only in the log', async () => {
  await using chatty = await startFakeClamd({ onCanary: () => 'stream: /var/tmp/clamav/x is not writable ERROR\0' })
  const { health, log } = await look([chatty.url], () => true)
  assert.deepEqual([health.status, health.detail], ['DOWN', 'clamd gives no result for a canary (threat)'])
  assert.match(log, /\/var\/tmp\/clamav\/x is not writable/)
})
