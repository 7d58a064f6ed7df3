/** Quota, rate limit and disabled accounts over the clamd port: a failure, never a closed port, and no charge. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { runAdmin } from '#admin/admin.ts'
import { loadConfig } from '#config/config.ts'
import { exchange, scanOver, type Target } from '#test/support/clamd-wire.ts'
import { type ListenerService, startListenerService } from '#test/support/listener-service.ts'
import { quietLog } from '#test/support/seed.ts'

const CLEAN = 'stream: OK\0'
const FAILED = 'stream: Service unavailable ERROR\0'
const UNAVAILABLE = 'Engine unavailable ERROR\0'

let service: ListenerService
let target: Target
before(async () => {
  service = await startListenerService([''], { plan: { scansPerMonth: 6, scansPerSecond: 2, burst: 1 } })
  target = service.targets[0] as Target
})
after(() => service[Symbol.asyncDispose]())

async function admin(...args: string[]): Promise<void> {
  const config = () => loadConfig({ DOCVET_DATA_DIR: service.dataDir })
  const { exitCode, stderr } = await runAdmin(args, { config, startEngines: async () => [], log: quietLog })
  assert.equal(exitCode, 0, stderr)
}

test('the rate of the plan is waited for, and then the scans succeed', async () => {
  const replies = await Promise.all(Array.from({ length: 4 }, () => scanOver(target, 'Good morning')))
  assert.deepEqual(replies, Array(4).fill(CLEAN))
  assert.equal(await service.used(service.secret), 4)
})

test('a disabled account fails until it is enabled, and is not charged', async () => {
  await admin('accounts', 'disable', service.accountId)
  assert.equal(await scanOver(target, 'Good morning'), FAILED)
  assert.equal(await exchange(target, 'zPING\0'), UNAVAILABLE)
  await admin('accounts', 'enable', service.accountId)
  assert.equal(await exchange(target, 'zPING\0'), 'PONG\0')
  assert.equal(await service.used(service.secret), 4)
})

test('a used-up quota is a failure, is not PONG, and charges nothing', async () => {
  for (const expected of [CLEAN, CLEAN, FAILED, FAILED]) assert.equal(await scanOver(target, 'Good morning'), expected)
  assert.equal(await exchange(target, 'zPING\0'), UNAVAILABLE)
  assert.equal(await service.used(service.secret), 6)
})
