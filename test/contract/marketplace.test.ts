/** From the landing token to the end of a subscription, against a marketplace that speaks Microsoft's protocol. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import { UNKNOWN_ID, usage, withKey } from '#test/support/client.ts'
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
import { assertApiHeaders, assertProblem } from '#test/support/problem.ts'
import { forEachDatabase } from '#test/support/suite.ts'

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
    assert.match(refused.detail, /already has another subscription/)
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
