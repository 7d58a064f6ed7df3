/** From the landing token to the end of a subscription, against a marketplace that speaks Microsoft's protocol. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertApiHeaders, assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { asPage, signUpPerson } from './auth-client.ts'
import { createKey, signUp, UNKNOWN_ID, usage, withKey } from './client.ts'
import { activate, enter, live, planOf, resolve, type Stage, subscribe, viewIn } from './marketplace-client.ts'

forEachDatabase('a subscription', (openUrl) => {
  let stage: Stage
  let port: number
  before(async () => {
    stage = await enter(await openUrl())
    port = stage.service.port
  })
  after(() => stage.leave())

  test('every field: resolved without billing, activated with billing, and then live', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { id, token } = await peer.sell({ quantity: '20' })
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')

    const resolved = await resolve(port, cookie, token)
    assertApiHeaders(resolved)
    const pending = {
      subscriptionId: id,
      offerId: 'docvet',
      marketplacePlanId: 'silver',
      planKey: 'starter',
      status: 'PendingFulfillmentStart',
      freeTrial: false,
      autoRenew: true,
      termStart: null,
      termEnd: null,
      beneficiaryEmail: 'buyer@contoso.example',
    }
    assert.deepEqual(viewIn(resolved), pending)
    assert.deepEqual(viewIn(await live(port, cookie)), pending)
    assert.deepEqual(viewIn(await resolve(port, cookie, token)), pending, 'it can be repeated')
    assert.equal(await planOf(port, cookie), 'free')
    assert.deepEqual(await peer.calls('activate'), [])

    const active = viewIn(await activate(port, cookie, id))
    assert.deepEqual(active, {
      ...pending,
      status: 'Subscribed',
      termStart: '2026-11-15T00:00:00.000Z',
      termEnd: '2026-12-14T00:00:00.000Z',
    })
    assert.deepEqual(viewIn(await live(port, cookie)), active)
    assert.equal(await planOf(port, cookie), 'starter')

    assert.deepEqual(viewIn(await activate(port, cookie, id.toUpperCase())), active, 'it can be repeated')
    const confirmations = await peer.calls('activate')
    assert.equal(confirmations.length, 1, 'billing is confirmed once')
    assert.deepEqual(JSON.parse(confirmations[0]?.body ?? ''), { planId: 'silver', quantity: '20' })
  })

  test('suspended, reinstated, changed, renewed, cancelled: the plan follows at once', async () => {
    const { peer } = stage
    const { cookie, id } = await subscribe(port, peer)
    const told = async (action: string, status: string, fields: object = {}) => {
      const operation = await peer.operate({ subscriptionId: id, action, status, ...fields })
      const { status: answered, body } = await peer.notify(port, operation)
      return [answered, JSON.parse(body), (await peer.operation(operation.id)).status]
    }
    const applied = { outcome: 'applied' }

    assert.deepEqual(await told('Suspend', 'Succeeded'), [200, applied, 'Succeeded'])
    assert.equal(viewIn(await live(port, cookie)).status, 'Suspended')
    assert.equal(await planOf(port, cookie), 'free')
    assertProblem(await activate(port, cookie, id), 403, 'subscription_suspended')

    assert.deepEqual(await told('Reinstate', 'InProgress'), [200, applied, 'Succeeded'])
    assert.equal(await planOf(port, cookie), 'starter')

    assert.deepEqual(await told('ChangePlan', 'InProgress', { planId: 'gold' }), [200, applied, 'Succeeded'])
    const { planKey, marketplacePlanId } = viewIn(await live(port, cookie))
    assert.deepEqual([planKey, marketplacePlanId, await planOf(port, cookie)], ['pro', 'gold', 'pro'])

    const lead = await told('ChangePlan', 'InProgress', { planId: 'lead' })
    assert.deepEqual(
      lead,
      [200, { outcome: 'refused' }, 'Failed'],
      'a plan that we do not sell is refused to the marketplace',
    )
    assert.equal(await planOf(port, cookie), 'pro')

    assert.deepEqual(await told('ChangeQuantity', 'InProgress', { quantity: 7 }), [200, applied, 'Succeeded'])
    await peer.change(id, { term: { startDate: '2026-12-15', endDate: '2027-01-14T00:00:00Z' } })
    assert.deepEqual(await told('Renew', 'Succeeded'), [200, applied, 'Succeeded'])
    assert.equal(viewIn(await live(port, cookie)).termEnd, '2027-01-14T00:00:00.000Z')

    assert.deepEqual(await told('Explode', 'Succeeded'), [200, { outcome: 'unknown_action' }, 'Succeeded'])
    assert.equal(await planOf(port, cookie), 'pro')

    assert.deepEqual(await told('Unsubscribe', 'Succeeded'), [200, applied, 'Succeeded'])
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
    assert.equal(await planOf(port, cookie), 'free')
    assert.match(assertProblem(await activate(port, cookie, id), 409, 'subscription_conflict').detail, /Buy it again/)
    assert.deepEqual(await told('Reinstate', 'InProgress'), [200, { outcome: 'unchanged' }, 'Succeeded'], 'it is final')
    assert.equal(await planOf(port, cookie), 'free')
  })

  test('an event that comes after a newer one changes nothing, but a cancellation always counts', async () => {
    const { peer } = stage
    const { cookie, id } = await subscribe(port, peer)
    const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString()
    const suspend = await peer.operate({
      subscriptionId: id,
      action: 'Suspend',
      status: 'Succeeded',
      timeStamp: at(60),
    })
    const reinstate = await peer.operate({ subscriptionId: id, action: 'Reinstate', timeStamp: at(30) })
    assert.equal((await peer.notify(port, reinstate)).body, '{"outcome":"applied"}')
    assert.equal((await peer.notify(port, suspend)).body, '{"outcome":"superseded"}')
    assert.equal(await planOf(port, cookie), 'starter')
    const cancel = await peer.operate({
      subscriptionId: id,
      action: 'Unsubscribe',
      status: 'Succeeded',
      timeStamp: at(90),
    })
    assert.equal((await peer.notify(port, cancel)).body, '{"outcome":"applied"}')
    assert.equal(await planOf(port, cookie), 'free')
  })

  test('a running key has the quota of the plan from the next request on', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const created = await asPage(port, cookie, 'POST', '/api/v1/keys', {})
    const { apiKey } = created.json() as { apiKey: string }
    const quota = async () => ((await usage(port, withKey(apiKey))).json() as { scansQuota: number }).scansQuota
    assert.equal(await quota(), 500)
    const { id, token } = await peer.sell({ planId: 'gold' })
    viewIn(await resolve(port, cookie, token))
    assert.equal(await quota(), 500)
    viewIn(await activate(port, cookie, id))
    assert.equal(await quota(), 50_000)
    await peer.notify(port, await peer.operate({ subscriptionId: id, action: 'Suspend', status: 'Succeeded' }))
    assert.equal(await quota(), 500)
  })

  test('what belongs to somebody else is not there, and an account has one subscription at a time', async () => {
    const { peer } = stage
    const { id, token, cookie } = await subscribe(port, peer)
    const other = await signUpPerson(port)
    assertProblem(await activate(port, other.cookie, id), 404, 'no_live_subscription')
    assertProblem(await activate(port, other.cookie, UNKNOWN_ID), 404, 'no_live_subscription')
    assert.match(
      assertProblem(await resolve(port, other.cookie, token), 409, 'subscription_conflict').detail,
      /another account/,
    )
    assertProblem(await live(port, other.cookie), 404, 'no_live_subscription')

    const second = await peer.sell()
    const refused = assertProblem(await resolve(port, cookie, second.token), 409, 'subscription_conflict')
    assert.match(refused.detail, /another subscription already/)
    viewIn(await resolve(port, other.cookie, second.token))
  })

  test('of two purchases that wait, the second cannot be activated beside the first', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const [one, two] = [await peer.sell(), await peer.sell({ planId: 'gold' })]
    for (const { token } of [one, two]) viewIn(await resolve(port, cookie, token))
    await peer.forget()
    const answers = await Promise.all([one, two].map(({ id }) => activate(port, cookie, id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await peer.calls('activate')).length, 1)
  })

  test('what is active already when it is first seen, as after "Manage account", has its plan at once', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell({ saasSubscriptionStatus: 'Subscribed', planId: ' gold ' })
    assert.equal(viewIn(await resolve(port, cookie, token)).status, 'Subscribed')
    assert.equal(await planOf(port, cookie), 'pro')
    viewIn(await activate(port, cookie, id))
    const gone = await peer.sell({ saasSubscriptionStatus: 'Unsubscribed' })
    const dead = await signUpPerson(port)
    assert.equal(viewIn(await resolve(port, dead.cookie, gone.token)).status, 'Unsubscribed')
    assertProblem(await activate(port, dead.cookie, gone.id), 409, 'subscription_conflict')
  })
})

describe('purchases', () => {
  let stage: Stage
  let port: number
  before(async () => {
    stage = await enter(null)
    port = stage.service.port
  })
  after(() => stage.leave())

  test('a token arrives at the marketplace as it was sold, however the buyer brings it', async () => {
    const { peer } = stage
    const { token } = await peer.sell()
    const { cookie } = await signUpPerson(port)
    const ways = [token, encodeURIComponent(token), token.replaceAll('+', ' '), `${token}\n`]
    for (const way of ways) viewIn(await resolve(port, cookie, way))
    const seen = (await peer.calls('resolve')).map(({ headers }) => headers['x-ms-marketplace-token'])
    assert.deepEqual(
      seen,
      ways.map(() => token),
    )
  })

  test('400 for a token that is none, with words that a buyer can act on', async () => {
    const { cookie } = await signUpPerson(port)
    await stage.peer.forget()
    for (const bad of ['%', '%zz', '%2541', 'a\r\nx-evil: 1', 'ä', 'a%00b', 'x'.repeat(4_097)]) {
      assertProblem(await resolve(port, cookie, bad), 400, 'invalid_request')
    }
    assert.deepEqual(await stage.peer.calls(), [], 'none of them reaches the marketplace')
    for (const unknown of ['expired', 'x'.repeat(4_096)]) {
      const { detail } = assertProblem(await resolve(port, cookie, unknown), 400, 'invalid_request')
      assert.match(detail, /couldn't identify this purchase.*"Manage account" again/)
    }
    for (const body of [{}, { token: 1 }, { token: '' }, { token: 'a', more: 1 }]) {
      assertProblem(await asPage(port, cookie, 'POST', '/api/v1/marketplace/resolve', body), 400, 'invalid_request')
    }
    assertProblem(await activate(port, cookie, 'not-a-uuid'), 400, 'invalid_request')
  })

  test('409 for a plan that nobody mapped: nothing is linked, nothing is billed, no plan is guessed', async () => {
    const { cookie } = await signUpPerson(port)
    for (const fields of [{ planId: 'tin' }, { offerId: 'other' }, { planId: 'Silver' }, { planId: 'constructor' }]) {
      const { token, id } = await stage.peer.sell(fields)
      const { detail } = assertProblem(await resolve(port, cookie, token), 409, 'subscription_conflict')
      assert.match(detail, /does not know the plan ".*Nothing was billed/)
      assertProblem(await activate(port, cookie, id), 404, 'no_live_subscription')
    }
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
  })

  const ODD: [string, object, object][] = [
    ['a quantity that is a number', { quantity: 20 }, { planId: 'silver', quantity: '20' }],
    ['an empty quantity', { quantity: '' }, { planId: 'silver' }],
    ['a quantity of null', { quantity: null }, { planId: 'silver' }],
    ['no mail, no term and no trial', { beneficiary: null, term: null, autoRenew: null }, { planId: 'silver' }],
    ['a trial', { isFreeTrial: true }, { planId: 'silver' }],
    ['another case and padding', { saasSubscriptionStatus: '\tpendingfulfillmentstart ' }, { planId: 'silver' }],
    ['a state before the first', { saasSubscriptionStatus: 'NotStarted' }, { planId: 'silver' }],
  ]
  for (const [what, fields, confirmed] of ODD) {
    test(`bought with ${what}`, async () => {
      const { peer } = stage
      const { cookie } = await signUpPerson(port)
      const { token, id } = await peer.sell(fields)
      const view = viewIn(await resolve(port, cookie, token))
      assert.equal(view.status, 'PendingFulfillmentStart')
      assert.equal(view.freeTrial, 'isFreeTrial' in fields)
      if ('beneficiary' in fields) assert.deepEqual([view.beneficiaryEmail, view.autoRenew], [null, false])
      if (view.status !== String(Object(fields).saasSubscriptionStatus ?? view.status)) {
        await peer.change(id, { saasSubscriptionStatus: 'PendingFulfillmentStart' })
      }
      await peer.forget()
      assert.equal(viewIn(await activate(port, cookie, id)).status, 'Subscribed')
      assert.deepEqual(JSON.parse((await peer.calls('activate'))[0]?.body ?? ''), confirmed)
    })
  }

  test('the status that lags behind after the activation does not take it back', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await resolve(port, cookie, token))
    await peer.lag(id, 3)
    assert.equal(viewIn(await activate(port, cookie, id)).status, 'Subscribed')
    // Coming back through the landing page asks the marketplace again.
    await peer.change(id, { saasSubscriptionStatus: 'PendingFulfillmentStart' })
    assert.equal(viewIn(await resolve(port, cookie, token)).status, 'Subscribed')
    assert.equal(await planOf(port, cookie), 'starter')
  })

  test('429 and 500 in between are waited out, with a request id for each try and one for the whole', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    await peer.forget()
    await peer.faults('resolve', { status: 500 }, { status: 429, headers: { 'retry-after': '1' } })
    const started = Date.now()
    viewIn(await resolve(port, cookie, token))
    assert.ok(Date.now() - started >= 1000, 'Retry-After is honoured')
    await peer.faults('activate', { status: 503 }, { drop: true })
    viewIn(await activate(port, cookie, id))
    for (const step of ['resolve', 'activate']) {
      const ids = (await peer.calls(step)).map(({ headers }) => headers)
      assert.equal(new Set(ids.map((each) => each['x-ms-requestid'])).size, 3)
      assert.equal(new Set(ids.map((each) => each['x-ms-correlationid'])).size, 1)
    }
  })

  test('the token of the publisher is fetched once for many, and once again when it is refused', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.forget()
    await Promise.all(Array.from({ length: 5 }, () => resolve(port, cookie, token).then(viewIn)))
    assert.equal((await peer.calls('token')).length, 0, 'the one from before is still good')
    await peer.expireTokens()
    await Promise.all(Array.from({ length: 5 }, () => resolve(port, cookie, token).then(viewIn)))
    assert.equal((await peer.calls('token')).length, 1)
    await peer.faults('resolve', { status: 401 }, { status: 401 })
    assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    viewIn(await resolve(port, cookie, token))
  })

  const TWO_IDS = {
    id: UNKNOWN_ID,
    subscription: {
      id: '5d0f1a52-9f1c-4f3b-8d56-0a6f3a1f7c11',
      offerId: 'docvet',
      planId: 'silver',
      saasSubscriptionStatus: 'Subscribed',
    },
  }
  const NONSENSE: [string, object][] = [
    ['no JSON', { status: 200, body: 'welcome' }],
    ['an empty body', { status: 200 }],
    ['no id', { status: 200, body: '{"offerId":"docvet","planId":"silver"}' }],
    ['two ids that differ', { status: 200, body: JSON.stringify(TWO_IDS) }],
    ['a body without end', { status: 200, body: `{"x":"${'y'.repeat(1_100_000)}"}` }],
    ['a status that nobody knows', { status: 418 }],
  ]
  for (const [what, fault] of NONSENSE) {
    test(`502 for ${what}, and then it goes on`, async () => {
      const { peer } = stage
      const { cookie } = await signUpPerson(port)
      const { token } = await peer.sell()
      await peer.faults('resolve', fault, fault, fault)
      assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
      await peer.forget()
      viewIn(await resolve(port, cookie, token))
    })
  }

  test('502 for a redirect, which is not followed: nobody else is sent a token or our secret', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    await peer.forget()
    const location = `http://127.0.0.1:${peer.port}/elsewhere`
    const moved = [301, 302, 303, 307, 308].map((status) => ({ status, headers: { location } }))
    await peer.faults('resolve', ...moved)
    for (const _each of moved) assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    viewIn(await resolve(port, cookie, token))
    await peer.faults('activate', ...moved.slice(-1))
    assertProblem(await activate(port, cookie, id), 502, 'upstream_error')
    await peer.expireTokens()
    await peer.faults('token', ...moved.slice(-1))
    assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    assert.ok((await peer.calls()).every(({ path }) => path !== '/elsewhere'))
  })

  test('502 for a state that we do not know: it gives no access', async () => {
    const { cookie } = await signUpPerson(port)
    const { token } = await stage.peer.sell({ saasSubscriptionStatus: 'Paused' })
    assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
  })

  test('a key is no session, and a session changes nothing from another site', async () => {
    const { apiKey } = await signUp(port)
    await createKey(port, apiKey)
    const answer = await request(port, 'GET', '/api/v1/marketplace/subscription', { headers: withKey(apiKey) })
    assertProblem(answer, 401, 'unauthenticated')
    const { cookie } = await signUpPerson(port)
    const headers = { cookie, origin: 'https://evil.example' }
    for (const [name, body] of Object.entries({ resolve: { token: 'x' }, activate: { subscriptionId: UNKNOWN_ID } })) {
      assertProblem(await request(port, 'POST', `/api/v1/marketplace/${name}`, { headers, body }), 403, 'cross_site')
    }
  })
})
