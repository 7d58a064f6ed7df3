/** Outages of the marketplace at each step: 503, no partial result, and a retry completes. Times are short. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpPerson } from '#test/support/auth-client.ts'
import {
  activate,
  answered,
  enterQuick,
  live,
  planOf,
  resolve,
  subscribe,
  viewIn,
} from '#test/support/marketplace-client.ts'
import { QUICK_TIMING } from '#test/support/microsoft-marketplace.ts'
import { assertProblem } from '#test/support/problem.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { forEachDatabase } from '#test/support/suite.ts'

type Stage = Awaited<ReturnType<typeof enterQuick>>

/** Longer than the pause of the circuit breaker, also where it is checked while open. */
const OPEN_MS = 1_500
const PAUSE_MS = OPEN_MS + 50
/** Longer than a notice may take, and shorter than one more call that hangs. */
const WAIT_MS = 4_000

const always = (fault: object) => Array.from({ length: 20 }, () => fault)

function assertUnavailable(answer: Answer): void {
  const { detail } = assertProblem(answer, 503, 'marketplace_unavailable')
  assert.match(detail, /Try again/)
}

/** Repeats the call once the circuit breaker has closed. */
async function untilBack<T extends { status: number }>(call: () => Promise<T>): Promise<T> {
  const first = await call()
  if (first.status !== 503) return first
  await sleep(PAUSE_MS)
  return await call()
}

forEachDatabase('a marketplace outage', (openUrl) => {
  let stage: Stage
  let port: number
  before(async () => {
    stage = await enterQuick(await openUrl())
    port = stage.port
  })
  after(() => stage.leave())

  test('the authority fails: 503', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.faults('token', ...always({ status: 500 }))
    assertUnavailable(await resolve(port, cookie, token))
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
    await peer.forget()
    viewIn(await untilBack(() => resolve(port, cookie, token)))
  })

  test('the client secret has expired: 502', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.expireTokens()
    await peer.faults('token', { status: 401, body: '{"error":"invalid_client"}' })
    assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    viewIn(await untilBack(() => resolve(port, cookie, token)))
  })

  for (const [how, fault] of Object.entries({
    'answers 500': { status: 500 },
    'drops the connection': { drop: true },
  })) {
    test(`resolve ${how}`, async () => {
      const { peer } = stage
      const { cookie } = await signUpPerson(port)
      const { token } = await peer.sell()
      await peer.faults('resolve', ...always(fault))
      assertUnavailable(await resolve(port, cookie, token))
      assertProblem(await live(port, cookie), 404, 'no_live_subscription')
      await peer.forget()
      viewIn(await untilBack(() => resolve(port, cookie, token)))
    })

    test(`activate ${how}, before or after it took effect`, async () => {
      const { peer } = stage
      for (const afterwards of [false, true]) {
        const { cookie } = await signUpPerson(port)
        const { token, id } = await peer.sell()
        viewIn(await untilBack(() => resolve(port, cookie, token)))
        await peer.faults('activate', ...always({ ...fault, afterwards }))
        assertUnavailable(await activate(port, cookie, id))
        assert.equal(viewIn(await live(port, cookie)).status, 'PendingFulfillmentStart')
        assert.equal(await planOf(port, cookie), 'free')
        await peer.forget()
        assert.equal(viewIn(await untilBack(() => activate(port, cookie, id))).status, 'Subscribed')
        assert.equal(await planOf(port, cookie), 'starter')
        assert.equal((await peer.purchase(id)).saasSubscriptionStatus, 'Subscribed')
      }
    })

    test(`an answer ${how}: the plan change was accepted before`, async () => {
      const { peer } = stage
      const { cookie, id } = await subscribe(port, peer)
      const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
      await peer.faults('acknowledge', ...always(fault))
      assert.deepEqual(await untilBack(() => peer.notify(port, operation)), {
        status: 200,
        body: '{"outcome":"applied"}',
      })
      assert.equal(await planOf(port, cookie), 'pro')
      assert.deepEqual(await peer.notify(port, operation), { status: 200, body: '{"outcome":"repeated"}' })
      await peer.forget()
    })

    for (const step of ['operation', 'fetch']) {
      test(`${step} ${how} during a plan change event`, async () => {
        const { peer } = stage
        const { cookie, id } = await subscribe(port, peer)
        const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
        await peer.faults(step, ...always(fault))
        assert.equal((await peer.notify(port, operation)).status, 503)
        assert.equal(await planOf(port, cookie), 'starter')
        await peer.forget()
        const notified = await untilBack(() => peer.notify(port, operation))
        assert.equal(notified.body, '{"outcome":"applied"}')
        assert.equal(await planOf(port, cookie), 'pro')
      })
    }
  }

  test('the response to our answer is lost: the change is applied', async () => {
    const { peer } = stage
    const { cookie, id } = await subscribe(port, peer)
    const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    await peer.faults('acknowledge', { status: 500, afterwards: true })
    assert.equal((await peer.notify(port, operation)).body, '{"outcome":"applied"}')
    assert.equal(await answered(peer, operation.id), 'Succeeded')
    assert.equal(await planOf(port, cookie), 'pro')
    await peer.forget()
  })

  test('activate is 404 for an existing purchase: 503, and a retry completes', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await resolve(port, cookie, token))
    await peer.faults('activate', { status: 404 })
    assertUnavailable(await activate(port, cookie, id))
    assert.equal(viewIn(await untilBack(() => activate(port, cookie, id))).status, 'Subscribed')
  })

  test('the response to an activation is lost and the status lags: 503, and a retry completes', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await untilBack(() => resolve(port, cookie, token)))
    await peer.faults('activate', { drop: true, afterwards: true })
    await peer.lag(id, 1)
    assertUnavailable(await activate(port, cookie, id))
    assert.equal(await planOf(port, cookie), 'free')
    assert.equal(viewIn(await activate(port, cookie, id)).status, 'Subscribed')
    assert.equal(await planOf(port, cookie), 'starter')
  })

  test('plan or quantity changed before the activation: the reported values are confirmed', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await untilBack(() => resolve(port, cookie, token)))
    await peer.change(id, { planId: 'tin' })
    assertProblem(await activate(port, cookie, id), 409, 'subscription_conflict')
    await peer.change(id, { planId: 'gold', quantity: 7 })
    assertUnavailable(await activate(port, cookie, id))
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

  test('an activation succeeds without reading its term', async () => {
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

  test('a refused confirmation: cancelled is 409, suspended 403, an unknown state 502', async () => {
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

describe('a marketplace outage, on any database', () => {
  let stage: Stage
  let port: number
  let buyer: { cookie: string; id: string }
  before(async () => {
    stage = await enterQuick(null, { breakerPauseMs: OPEN_MS })
    port = stage.port
    buyer = await subscribe(port, stage.peer)
  })
  after(() => stage.leave())

  const suspension = () => stage.peer.operate({ subscriptionId: buyer.id, action: 'Suspend', status: 'Succeeded' })

  /** If the peer stops waiting, it has no status. */
  async function assertNotifiedAgain(operation: object): Promise<void> {
    assert.equal((await stage.peer.notify(port, operation, { waitMs: WAIT_MS })).status, 503)
    assert.equal(await planOf(port, buyer.cookie), 'starter')
  }

  test('the signing keys cannot be fetched: the webhook is 503, not 401', async () => {
    const { peer } = stage
    const location = `http://127.0.0.1:${peer.port}/redirected`
    for (const fault of [{ status: 500 }, { status: 307, headers: { location } }, { status: 200, body: 'x' }]) {
      await peer.faults('keys', fault)
      await assertNotifiedAgain(await suspension())
    }
    assert.ok(
      (await peer.calls()).every(({ path }) => path !== '/redirected'),
      'redirects are not followed',
    )
  })

  test('the signing keys stall, or are late before another stall: the webhook responds while the marketplace waits', async () => {
    const { peer } = stage
    const operation = await suspension()
    await peer.faults('keys', { hang: true })
    await assertNotifiedAgain(operation)
    await peer.faults('keys', { lateMs: QUICK_TIMING.keysMs - 200 })
    await peer.faults('operation', ...always({ hang: true }))
    await assertNotifiedAgain(operation)
    await peer.forget()
    assert.equal((await peer.notify(port, operation)).body, '{"outcome":"applied"}')
    assert.equal(await planOf(port, buyer.cookie), 'free')
  })

  test('our answer follows our response, which does not wait for it', async () => {
    const { peer } = stage
    const { id } = await subscribe(port, peer)
    const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    await peer.faults('acknowledge', { hang: true })
    assert.equal((await peer.notify(port, operation)).body, '{"outcome":"applied"}')
    assert.equal((await peer.operation(operation.id)).status, 'InProgress')
    assert.equal(await answered(peer, operation.id), 'Succeeded', 'repeated after the first attempt hung')
  })

  test('the authority stalls: the webhook responds while the marketplace waits', async () => {
    const { peer } = stage
    const { id } = await subscribe(port, peer)
    const operation = await peer.operate({ subscriptionId: id, action: 'Suspend' })
    await peer.expireTokens()
    await peer.faults('token', ...always({ hang: true }))
    assert.equal((await peer.notify(port, operation, { waitMs: WAIT_MS })).status, 503)
    await peer.forget()
  })

  test('the connection is refused: the circuit breaker opens, and closes again', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.close()
    for (let i = 0; i < 4; i++) assertUnavailable(await resolve(port, cookie, token))
    await peer.open()
    await peer.forget()
    assertUnavailable(await resolve(port, cookie, token))
    assert.deepEqual(await peer.calls(), [], 'no call while the breaker is open')
    viewIn(await untilBack(() => resolve(port, cookie, token)))
  })
})
