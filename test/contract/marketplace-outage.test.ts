/** The marketplace away at each step: 503, nothing half done, and the same call completes when it is back. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPerson } from '#test/support/auth-client.ts'
import {
  activate,
  enter,
  live,
  planOf,
  resolve,
  type Stage,
  subscribe,
  viewIn,
} from '#test/support/marketplace-client.ts'
import { assertProblem } from '#test/support/problem.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { forEachDatabase } from '#test/support/suite.ts'

/** As long as the service leaves a marketplace alone that failed many times. */
const PAUSE_MS = 5_500

const always = (fault: object) => Array.from({ length: 20 }, () => fault)

function assertAway(answer: Answer): void {
  const { detail } = assertProblem(answer, 503, 'marketplace_unavailable')
  assert.match(detail, /Try again/)
}

/** The same call, as soon as the service asks the marketplace again. */
async function untilBack(call: () => Promise<Answer>): Promise<Answer> {
  const first = await call()
  if (first.status !== 503) return first
  await sleep(PAUSE_MS)
  return await call()
}

forEachDatabase('an outage', (openUrl) => {
  let stage: Stage
  let port: number
  before(async () => {
    stage = await enter(await openUrl())
    port = stage.service.port
  })
  after(() => stage.leave())

  test('nobody gives out tokens', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.faults('token', ...always({ status: 500 }))
    assertAway(await resolve(port, cookie, token))
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
    await peer.forget()
    viewIn(await untilBack(() => resolve(port, cookie, token)))
  })

  test("our secret has expired: 502, for this is not of the buyer's making", async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.expireTokens()
    await peer.faults('token', { status: 401, body: '{"error":"invalid_client"}' })
    assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    viewIn(await untilBack(() => resolve(port, cookie, token)))
  })

  for (const [how, fault] of Object.entries({ 'answers 500': { status: 500 }, 'cuts the line': { drop: true } })) {
    test(`at resolve it ${how}`, async () => {
      const { peer } = stage
      const { cookie } = await signUpPerson(port)
      const { token } = await peer.sell()
      await peer.faults('resolve', ...always(fault))
      assertAway(await resolve(port, cookie, token))
      assertProblem(await live(port, cookie), 404, 'no_live_subscription')
      await peer.forget()
      viewIn(await untilBack(() => resolve(port, cookie, token)))
    })

    test(`at activate it ${how}, before or after it did what was asked`, async () => {
      const { peer } = stage
      for (const afterwards of [false, true]) {
        const { cookie } = await signUpPerson(port)
        const { token, id } = await peer.sell()
        viewIn(await untilBack(() => resolve(port, cookie, token)))
        await peer.faults('activate', ...always({ ...fault, afterwards }))
        assertAway(await activate(port, cookie, id))
        assert.equal(viewIn(await live(port, cookie)).status, 'PendingFulfillmentStart')
        assert.equal(await planOf(port, cookie), 'free')
        await peer.forget()
        assert.equal(viewIn(await untilBack(() => activate(port, cookie, id))).status, 'Subscribed')
        assert.equal(await planOf(port, cookie), 'starter')
        assert.equal((await peer.purchase(id)).saasSubscriptionStatus, 'Subscribed')
      }
    })

    for (const step of ['operation', 'fetch', 'acknowledge']) {
      test(`while it tells of a new plan it ${how} at ${step}`, async () => {
        const { peer } = stage
        const { cookie, id } = await subscribe(port, peer)
        const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
        await peer.faults(step, ...always(fault))
        assert.equal((await peer.notify(port, operation)).status, 503)
        assert.equal(await planOf(port, cookie), 'starter')
        await peer.forget()
        let told = await peer.notify(port, operation)
        if (told.status === 503) {
          await sleep(PAUSE_MS)
          told = await peer.notify(port, operation)
        }
        assert.equal(told.body, '{"outcome":"applied"}')
        assert.equal(await planOf(port, cookie), 'pro')
      })
    }
  }

  test('its answer to ours is lost, so that it does not take it again: what it did is done here too', async () => {
    const { peer } = stage
    const { cookie, id } = await subscribe(port, peer)
    const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    await peer.faults('acknowledge', { status: 500, afterwards: true })
    assert.equal((await peer.notify(port, operation)).body, '{"outcome":"applied"}')
    assert.equal(await planOf(port, cookie), 'pro')
    await peer.forget()
  })

  test('it does not find a purchase to activate, although it has it: 503, and the next call completes it', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await resolve(port, cookie, token))
    await peer.faults('activate', { status: 404 })
    assertAway(await activate(port, cookie, id))
    assert.equal(viewIn(await untilBack(() => activate(port, cookie, id))).status, 'Subscribed')
  })

  test('its answer to an activation is lost, and then it lags behind: 503, and the same call completes it', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await untilBack(() => resolve(port, cookie, token)))
    await peer.faults('activate', { drop: true, afterwards: true })
    await peer.lag(id, 1)
    assertAway(await activate(port, cookie, id))
    assert.equal(await planOf(port, cookie), 'free')
    assert.equal(viewIn(await activate(port, cookie, id)).status, 'Subscribed')
    assert.equal(await planOf(port, cookie), 'starter')
  })

  test('it was bought otherwise than we know: what the marketplace says of plan and quantity is confirmed', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await untilBack(() => resolve(port, cookie, token)))
    await peer.change(id, { planId: 'tin' })
    assertProblem(await activate(port, cookie, id), 409, 'subscription_conflict')
    await peer.change(id, { planId: 'gold', quantity: 7 })
    assertAway(await activate(port, cookie, id))
    assert.equal(viewIn(await activate(port, cookie, id)).planKey, 'pro')
    const { body } = (await peer.calls('activate')).at(-1) ?? assert.fail()
    assert.deepEqual(JSON.parse(body), { planId: 'gold', quantity: '7' })

    const other = await signUpPerson(port)
    const active = await peer.sell()
    viewIn(await resolve(port, other.cookie, active.token))
    await peer.change(active.id, { planId: 'gold', saasSubscriptionStatus: 'Subscribed' })
    assert.equal(viewIn(await activate(port, other.cookie, active.id)).planKey, 'pro')
    assert.equal(await planOf(port, other.cookie), 'pro')
  })

  test('an activation does not depend on what is asked after it', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await resolve(port, cookie, token))
    await peer.faults('fetch', ...always({ status: 500 }))
    const view = viewIn(await activate(port, cookie, id))
    assert.deepEqual([view.status, view.termStart, view.termEnd], ['Subscribed', null, null])
    assert.equal(await planOf(port, cookie), 'starter')
    await peer.forget()
  })

  test('what the marketplace refuses to confirm is not active: cancelled 409, suspended 403, else 502', async () => {
    const { peer } = stage
    const cases = [
      ['Unsubscribed', 409, 'subscription_conflict'],
      ['Suspended', 403, 'subscription_suspended'],
      [' Subscribed', 200, ''],
      ['Paused', 502, 'upstream_error'],
    ] as const
    for (const [status, expected, code] of cases) {
      const { cookie } = await signUpPerson(port)
      const { token, id } = await peer.sell()
      viewIn(await resolve(port, cookie, token))
      await peer.change(id, { saasSubscriptionStatus: status })
      const answer = await activate(port, cookie, id)
      if (expected === 200) viewIn(answer)
      else assertProblem(answer, expected, code)
      assert.equal(await planOf(port, cookie), expected === 200 ? 'starter' : 'free')
    }
  })
})

describe('an outage, whatever the database', () => {
  let stage: Stage
  let port: number
  let buyer: { cookie: string; id: string }
  before(async () => {
    stage = await enter(null)
    port = stage.service.port
    buyer = await subscribe(port, stage.peer)
  })
  after(() => stage.leave())

  const suspension = () => stage.peer.operate({ subscriptionId: buyer.id, action: 'Suspend', status: 'Succeeded' })

  /** 503, so that it comes again, before the marketplace stops waiting. */
  async function assertAwayInTime(operation: object): Promise<void> {
    const { status, ms } = await stage.peer.notify(port, operation)
    assert.equal(status, 503)
    assert.ok(ms < 10_000, `${ms} ms`)
    assert.equal(await planOf(port, buyer.cookie), 'starter')
  }

  test('the keys for the webhook cannot be fetched: we do not know, so nothing is refused for good', async () => {
    const { peer } = stage
    const location = `http://127.0.0.1:${peer.port}/elsewhere`
    for (const fault of [{ status: 500 }, { status: 307, headers: { location } }, { status: 200, body: 'x' }]) {
      await peer.faults('keys', fault)
      await assertAwayInTime(await suspension())
    }
    assert.ok(
      (await peer.calls()).every(({ path }) => path !== '/elsewhere'),
      'nobody else is asked for keys',
    )
  })

  test('they never come, or late before a stall: the webhook is answered within 10 seconds', async () => {
    const { peer } = stage
    const operation = await suspension()
    await peer.faults('keys', { hang: true })
    await assertAwayInTime(operation)
    await peer.faults('keys', { lateMs: 3_500 })
    await peer.faults('operation', ...always({ hang: true }))
    await assertAwayInTime(operation)
    await peer.forget()
    assert.equal((await peer.notify(port, operation)).body, '{"outcome":"applied"}')
    assert.equal(await planOf(port, buyer.cookie), 'free')
  })

  test('nobody gives out tokens, without a word: the webhook is answered within 10 seconds', async () => {
    const { peer } = stage
    const { id } = await subscribe(port, peer)
    const operation = await peer.operate({ subscriptionId: id, action: 'Suspend' })
    await peer.expireTokens()
    await peer.faults('token', ...always({ hang: true }))
    const startedAt = performance.now()
    assert.equal((await peer.notify(port, operation)).status, 503)
    assert.ok(performance.now() - startedAt < 10_000)
    await peer.forget()
    await sleep(PAUSE_MS)
  })

  test('nobody listens at all: 503 at once after many failures, and back by itself', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.close()
    for (let i = 0; i < 4; i++) assertAway(await resolve(port, cookie, token))
    const started = Date.now()
    assertAway(await resolve(port, cookie, token))
    assert.ok(Date.now() - started < 250, 'it is left alone')
    await peer.open()
    viewIn(await untilBack(() => resolve(port, cookie, token)))
  })
})
