/** Odd input from buyers and odd responses of the marketplace: parsed leniently, or rejected with a clear problem. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import { createKey, signUp, UNKNOWN_ID, withKey } from '#test/support/client.ts'
import { activate, enter, live, planOf, resolve, type Stage, viewIn } from '#test/support/marketplace-client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'

describe('purchases', () => {
  let stage: Stage
  let port: number
  before(async () => {
    stage = await enter(null)
    port = stage.service.port
  })
  after(() => stage.leave())

  test('the marketplace receives the original token, however it was encoded', async () => {
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

  test('400 for an invalid token, with a detail that helps the buyer', async () => {
    const { cookie } = await signUpPerson(port)
    await stage.peer.forget()
    for (const bad of ['%', '%zz', '%2541', 'a\r\nx-evil: 1', 'ä', 'a%00b', 'x'.repeat(4_097)]) {
      assertProblem(await resolve(port, cookie, bad), 400, 'invalid_request')
    }
    assert.deepEqual(await stage.peer.calls(), [], 'no call reaches the marketplace')
    for (const unknown of ['expired', 'x'.repeat(4_096)]) {
      const { detail } = assertProblem(await resolve(port, cookie, unknown), 400, 'invalid_request')
      assert.match(detail, /couldn't identify this purchase.*"Manage account" again/)
    }
    for (const body of [{}, { token: 1 }, { token: '' }, { token: 'a', more: 1 }]) {
      assertProblem(await asPage(port, cookie, 'POST', '/api/v1/marketplace/resolve', body), 400, 'invalid_request')
    }
    assertProblem(await activate(port, cookie, 'not-a-uuid'), 400, 'invalid_request')
  })

  test('409 for an unmapped plan: nothing is linked or billed, and no plan is guessed', async () => {
    const { cookie } = await signUpPerson(port)
    for (const fields of [{ planId: 'tin' }, { offerId: 'other' }, { planId: 'Silver' }, { planId: 'constructor' }]) {
      const { token, id } = await stage.peer.sell(fields)
      const { detail } = assertProblem(await resolve(port, cookie, token), 409, 'subscription_conflict')
      assert.match(detail, /does not offer the plan ".*Nothing was billed/)
      assertProblem(await activate(port, cookie, id), 404, 'no_live_subscription')
    }
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
  })

  const ODD: [string, object, object][] = [
    ['a numeric quantity', { quantity: 20 }, { planId: 'silver', quantity: '20' }],
    ['an empty quantity', { quantity: '' }, { planId: 'silver' }],
    ['a quantity of null', { quantity: null }, { planId: 'silver' }],
    ['no email address, term or trial', { beneficiary: null, term: null, autoRenew: null }, { planId: 'silver' }],
    ['a trial', { isFreeTrial: true }, { planId: 'silver' }],
    [
      'a status in another case with padding',
      { saasSubscriptionStatus: '\tpendingfulfillmentstart ' },
      { planId: 'silver' },
    ],
    ['the status NotStarted', { saasSubscriptionStatus: 'NotStarted' }, { planId: 'silver' }],
  ]
  for (const [what, fields, confirmed] of ODD) {
    test(`a purchase with ${what}`, async () => {
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

  test('a lagging status does not revert the activation', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    viewIn(await resolve(port, cookie, token))
    await peer.lag(id, 3)
    assert.equal(viewIn(await activate(port, cookie, id)).status, 'Subscribed')
    // Returning through the landing page fetches the purchase again.
    await peer.change(id, { saasSubscriptionStatus: 'PendingFulfillmentStart' })
    assert.equal(viewIn(await resolve(port, cookie, token)).status, 'Subscribed')
    assert.equal(await planOf(port, cookie), 'starter')
  })

  test('429 and 5xx are retried, with one request id per attempt and one correlation id', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    await peer.forget()
    await peer.faults('resolve', { status: 500 }, { status: 429, headers: { 'retry-after': '1' } })
    viewIn(await resolve(port, cookie, token))
    await peer.faults('activate', { status: 503 }, { drop: true })
    viewIn(await activate(port, cookie, id))
    for (const step of ['resolve', 'activate']) {
      const ids = (await peer.calls(step)).map(({ headers }) => headers)
      assert.equal(new Set(ids.map((each) => each['x-ms-requestid'])).size, 3)
      assert.equal(new Set(ids.map((each) => each['x-ms-correlationid'])).size, 1)
    }
  })

  test('concurrent calls share one access token, and a refused one is replaced once', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token } = await peer.sell()
    await peer.forget()
    await Promise.all(Array.from({ length: 5 }, () => resolve(port, cookie, token).then(viewIn)))
    assert.equal((await peer.calls('token')).length, 0, 'the cached token is still valid')
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
  const INVALID: [string, object][] = [
    ['no JSON', { status: 200, body: 'welcome' }],
    ['an empty body', { status: 200 }],
    ['no id', { status: 200, body: '{"offerId":"docvet","planId":"silver"}' }],
    ['two different ids', { status: 200, body: JSON.stringify(TWO_IDS) }],
    ['an oversized body', { status: 200, body: `{"x":"${'y'.repeat(1_100_000)}"}` }],
    ['an unknown HTTP status', { status: 418 }],
  ]
  for (const [what, fault] of INVALID) {
    test(`502 for ${what}, and the next call works`, async () => {
      const { peer } = stage
      const { cookie } = await signUpPerson(port)
      const { token } = await peer.sell()
      await peer.faults('resolve', fault, fault, fault)
      assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
      await peer.forget()
      viewIn(await resolve(port, cookie, token))
    })
  }

  test('502 for a redirect, which is not followed, so that no token or secret leaks', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const { token, id } = await peer.sell()
    await peer.forget()
    const location = `http://127.0.0.1:${peer.port}/redirected`
    const moved = [301, 302, 303, 307, 308].map((status) => ({ status, headers: { location } }))
    await peer.faults('resolve', ...moved)
    for (const _each of moved) assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    viewIn(await resolve(port, cookie, token))
    await peer.faults('activate', ...moved.slice(-1))
    assertProblem(await activate(port, cookie, id), 502, 'upstream_error')
    await peer.expireTokens()
    await peer.faults('token', ...moved.slice(-1))
    assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    assert.ok((await peer.calls()).every(({ path }) => path !== '/redirected'))
  })

  test('502 for an unknown subscription state, which grants nothing', async () => {
    const { cookie } = await signUpPerson(port)
    const { token } = await stage.peer.sell({ saasSubscriptionStatus: 'Paused' })
    assertProblem(await resolve(port, cookie, token), 502, 'upstream_error')
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
  })

  test('API keys are rejected, and sessions from another site too', async () => {
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
