/** Mistakes that must prevent a start. */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { test } from 'node:test'
import { loadConfig } from '#config/config.ts'
import { createServer } from '#http/server.ts'
import { createSessionCookie } from '#http/session-cookie.ts'
import { createThrottle, memoryBuckets } from '#http/throttle.ts'
import { openPlace, quietLog, seedAccount } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { buildApp } from './app.ts'

test('an account on an unknown plan prevents the start and the error names the plan', async () => {
  const dataDir = temporaryFolder('data')
  const database = await openPlace({ url: null, dataDir })
  await seedAccount(database, 'legacy')
  const config = loadConfig({ DOCVET_DATA_DIR: dataDir })
  await assert.rejects(buildApp({ config, log: quietLog, database, sharedBuckets: null, engines: [] }), /plan "legacy"/)
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a route that does not declare its credential cannot be added', () => {
  const { server } = createServer({
    ...loadConfig({}),
    log: quietLog,
    findKey: async () => null,
    findSession: async () => null,
    cookie: createSessionCookie(false),
    throttle: createThrottle(memoryBuckets()),
    scanRate: () => ({ perSecond: 1, burst: 1 }),
  })
  assert.throws(() => server.get('/open', async () => 'open'), /does not declare its credential/)
})
