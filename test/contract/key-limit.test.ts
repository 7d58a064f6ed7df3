/** The limit of keys per month, which includes revoked keys. */

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createKey, listKeys, postKey, revokeKey, signUp } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { openDatabaseOf, type Service, startService, temporaryFolder } from '#test/support/service.ts'

const MONTH_MS = 32 * 24 * 3_600_000

describe('the free plan', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service[Symbol.asyncDispose]())

  test('409 key_limit_reached for the sixth key, and no key', async () => {
    const { apiKey } = await signUp(service.port)
    for (let i = 0; i < 4; i++) await createKey(service.port, apiKey)
    const refused = await postKey(service.port, apiKey)
    assertProblem(refused, 409, 'key_limit_reached')
    assert.doesNotMatch(refused.body, /dv_live_/)
    assert.equal((await listKeys(service.port, apiKey)).length, 5)
  })

  test('409 still after revoking, because new keys would reset the quota', async () => {
    const { apiKey } = await signUp(service.port)
    for (let i = 0; i < 4; i++) {
      const { id } = await createKey(service.port, apiKey)
      assert.equal((await revokeKey(service.port, apiKey, id)).status, 204)
    }
    assertProblem(await postKey(service.port, apiKey), 409, 'key_limit_reached')
  })

  test('201 in the next month for each key that was revoked before', async () => {
    const { apiKey, accountId } = await signUp(service.port)
    const made = [await createKey(service.port, apiKey), await createKey(service.port, apiKey)]
    for (const { id } of made) await revokeKey(service.port, apiKey, id)
    await createKey(service.port, apiKey)
    await createKey(service.port, apiKey)
    assertProblem(await postKey(service.port, apiKey), 409, 'key_limit_reached')

    const database = openDatabaseOf(service)
    database
      .prepare(
        'update api_keys set created_at = created_at - :ms, revoked_at = revoked_at - :ms where account_id = :id',
      )
      .run({ ms: MONTH_MS, id: accountId })
    database.close()
    await createKey(service.port, apiKey)
    await createKey(service.port, apiKey)
    assertProblem(await postKey(service.port, apiKey), 409, 'key_limit_reached')
  })
})

describe('a plans file', () => {
  test('409 at the limit of the plans file', async () => {
    const folder = temporaryFolder('plans')
    const file = path.join(folder, 'plans.json')
    const free = { scansPerMonth: 3, keysPerMonth: 2, scansPerSecond: 1, burst: 1 }
    writeFileSync(file, JSON.stringify({ free }))
    try {
      await using service = await startService({ DOCVET_PLANS_FILE: file })
      const { apiKey } = await signUp(service.port)
      await createKey(service.port, apiKey)
      assertProblem(await postKey(service.port, apiKey), 409, 'key_limit_reached')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
