/** An account whose plan in the database is not defined keeps working, with the limits of the free plan. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Database } from '#storage/database.ts'
import { asPage, me, signUpPerson } from '#test/support/auth-client.ts'
import { postKey, signUp, usage, withKey } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { assertClean, type ScanService, startScanService } from '#test/support/scanning.ts'
import { openPlace, seedAccount } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const PLAN = { scansPerMonth: 7, keysPerMonth: 2 }

forEachDatabase('an account on an unknown plan', (openUrl) => {
  let place: DatabasePlace
  let service: ScanService
  let database: Database
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    await seedAccount(database, 'retired')
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined, plan: PLAN }
    service = await startScanService(env, { dataDir: place.dataDir })
  })
  after(async () => {
    await database.close()
    await service[Symbol.asyncDispose]()
    await place.release()
  })

  const setPlan = (email: string, plan: string) =>
    database.db.updateTable('accounts').set({ plan }).where('email', '=', email).execute()
  const linesOf = (accountId: string) =>
    service.stdoutLines().filter((line) => line.includes(accountId) && line.includes('Unknown plan'))

  test('does not keep the service from starting, and is logged at start', async () => {
    const line = JSON.parse(await service.logged(/Accounts are on unknown plans/))
    assert.deepEqual([line.level, line.plans], ['error', ['retired']])
  })

  for (const plan of ['legacy', 'constructor', '']) {
    test(`with a key and the plan "${plan}": scans, keys and usage under the free limits, and one error in the log`, async () => {
      const { email, accountId, apiKey } = await signUp(service.port)
      await setPlan(email, plan)
      assertClean(await service.scan(apiKey, 'Good morning'))
      const answer = await usage(service.port, withKey(apiKey))
      assert.equal(answer.status, 200, answer.body)
      const { scansQuota, scansRemaining, plan: inForce } = answer.json() as Record<string, unknown>
      assert.deepEqual([scansQuota, scansRemaining, inForce], [7, 6, 'free'])
      assert.equal((await postKey(service.port, apiKey)).status, 201)
      assertProblem(await postKey(service.port, apiKey), 409, 'key_limit_reached')

      const line = JSON.parse(await service.logged(new RegExp(`${accountId}.*Unknown plan`)))
      assert.equal(line.level, 'error')
      assert.deepEqual(
        linesOf(accountId).map((each) => JSON.parse(each).plan),
        [plan],
      )
    })
  }

  test('with a session: the same limits', async () => {
    const { email, cookie } = await signUpPerson(service.port)
    await setPlan(email, 'legacy')
    assert.equal((await me(service.port, cookie)).status, 200)
    const answer = await asPage(service.port, cookie, 'GET', '/api/v1/usage')
    assert.deepEqual((answer.json() as { scansQuota: number }).scansQuota, 7)
    assert.equal((await asPage(service.port, cookie, 'POST', '/api/v1/keys', {})).status, 201)
  })
})
