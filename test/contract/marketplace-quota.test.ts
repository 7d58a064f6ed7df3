/** Plan changes take effect on the quota and rate of an existing key at once. */

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import { usage, withKey } from '#test/support/client.ts'
import { activate, resolve, viewIn } from '#test/support/marketplace-client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { scan, scanned } from '#test/support/scanning.ts'
import { startService, temporaryFolder } from '#test/support/service.ts'

const rates = { keysPerMonth: 5, scansPerSecond: 0.001 }
const PLANS = {
  free: { scansPerMonth: 1, burst: 50, ...rates },
  pro: { scansPerMonth: 5, burst: 50, ...rates },
  slow: { scansPerMonth: 100, burst: 1, ...rates },
}

test('quota and rate follow every change of the subscription', async () => {
  const folder = temporaryFolder('plans')
  const file = path.join(folder, 'plans.json')
  writeFileSync(file, JSON.stringify(PLANS))
  await using service = await startService({ DOCVET_PLANS_FILE: file })
  const { port } = service
  const { cookie } = await signUpPerson(port)
  const { apiKey } = (await asPage(port, cookie, 'POST', '/api/v1/keys', {})).json() as { apiKey: string }
  const sold = await request(port, 'POST', '/sandbox/purchases', { body: { planId: 'pro' } })
  const { token, subscriptionId } = sold.json() as { token: string; subscriptionId: string }
  const perform = async (action: string, body = {}) => {
    const answer = await request(port, 'POST', `/sandbox/purchases/${subscriptionId}/${action}`, { body })
    assert.equal(answer.status, 200, answer.body)
  }
  const left = async () => {
    const { plan, scansUsed, scansRemaining } = (await usage(port, withKey(apiKey))).json() as Record<string, unknown>
    return [plan, scansUsed, scansRemaining]
  }

  viewIn(await resolve(port, cookie, token))
  viewIn(await activate(port, cookie, subscriptionId))
  for (let i = 0; i < 2; i++) scanned(await scan(port, apiKey, 'Good morning'))
  assert.deepEqual(await left(), ['pro', 2, 3])
  await perform('suspend')
  assert.deepEqual(await left(), ['free', 2, 0])
  assertProblem(await scan(port, apiKey, 'Good morning'), 402, 'quota_exhausted')
  await perform('reinstate')
  assert.deepEqual(await left(), ['pro', 2, 3])
  scanned(await scan(port, apiKey, 'Good morning'))
  await perform('change-plan', { planId: 'slow' })
  assert.deepEqual(await left(), ['slow', 3, 97])
  assertProblem(await scan(port, apiKey, 'Good morning'), 429, 'rate_limited')
  await perform('cancel')
  assert.deepEqual(await left(), ['free', 3, 0])
  rmSync(folder, { recursive: true })
})
