/** Mistakes that must prevent a start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from '#config/config.ts'
import { createServer } from '#http/server.ts'
import { createSessionCookie } from '#http/session-cookie.ts'
import { createThrottle, memoryBuckets } from '#http/throttle.ts'
import { quietLog } from '#test/support/seed.ts'

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
