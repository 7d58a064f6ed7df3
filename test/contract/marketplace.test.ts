/** The life cycle of a subscription, against a peer that speaks Microsoft's protocol. */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asPage, signUpPerson } from '#test/support/auth-client.ts'
import { UNKNOWN_ID, usage, withKey } from '#test/support/client.ts'
import {
  activate,
  answered,
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

  test('is resolved without billing, activated with billing, and then live', async () => {
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
    assert.deepEqual(viewIn(await resolve(port, cookie, token)), pending, 'repeatable')
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

    assert.deepEqual(viewIn(await activate(port, cookie, id.toUpperCase())), active, 'repeatable')
    const confirmations = await peer.calls('activate')
    assert.equal(confirmations.length, 1, 'billing is confirmed once')
    assert.deepEqual(JSON.parse(confirmations[0]?.body ?? ''), { planId: 'silver', quantity: '20' })
  })

  test('changes the plan at once when suspended, reinstated, changed, renewed or cancelled', async () => {
    const { peer } = stage
    const { cookie, id } = await subscribe(port, peer)
    const notify = async (action: string, status: string, fields: object = {}) => {
      const operation = await peer.operate({ subscriptionId: id, action, status, ...fields })
      const { status: responded, body } = await peer.notify(port, operation)
      return [responded, JSON.parse(body), await answered(peer, operation.id)]
    }
    const applied = { outcome: 'applied' }

    assert.deepEqual(await notify('Suspend', 'Succeeded'), [200, applied, 'Succeeded'])
    assert.equal(viewIn(await live(port, cookie)).status, 'Suspended')
    assert.equal(await planOf(port, cookie), 'free')
    assertProblem(await activate(port, cookie, id), 403, 'subscription_suspended')

    assert.deepEqual(await notify('Reinstate', 'InProgress'), [200, applied, 'Succeeded'])
    assert.equal(await planOf(port, cookie), 'starter')

    assert.deepEqual(await notify('ChangePlan', 'InProgress', { planId: 'gold' }), [200, applied, 'Succeeded'])
    const { planKey, marketplacePlanId } = viewIn(await live(port, cookie))
    assert.deepEqual([planKey, marketplacePlanId, await planOf(port, cookie)], ['pro', 'gold', 'pro'])

    const lead = await notify('ChangePlan', 'InProgress', { planId: 'lead' })
    assert.deepEqual(lead, [200, { outcome: 'refused' }, 'Failed'], 'a change to an unmapped plan is refused')
    assert.equal(await planOf(port, cookie), 'pro')

    assert.deepEqual(await notify('ChangeQuantity', 'InProgress', { quantity: 7 }), [200, applied, 'Succeeded'])
    await peer.change(id, { term: { startDate: '2026-12-15', endDate: '2027-01-14T00:00:00Z' } })
    assert.deepEqual(await notify('Renew', 'Succeeded'), [200, applied, 'Succeeded'])
    assert.equal(viewIn(await live(port, cookie)).termEnd, '2027-01-14T00:00:00.000Z')

    assert.deepEqual(await notify('Explode', 'Succeeded'), [200, { outcome: 'unknown_action' }, 'Succeeded'])
    assert.equal(await planOf(port, cookie), 'pro')

    assert.deepEqual(await notify('Unsubscribe', 'Succeeded'), [200, applied, 'Succeeded'])
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
    assert.equal(await planOf(port, cookie), 'free')
    assert.match(assertProblem(await activate(port, cookie, id), 409, 'subscription_conflict').detail, /Buy it again/)
    assert.deepEqual(
      await notify('Reinstate', 'InProgress'),
      [200, { outcome: 'unchanged' }, 'Succeeded'],
      'a cancellation is final',
    )
    assert.equal(await planOf(port, cookie), 'free')
  })

  test('ignores an event older than the newest one, except a cancellation', async () => {
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

  test('gives existing keys the quota of the plan from the next request on', async () => {
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

  test('is invisible to other accounts, and an account has one at a time', async () => {
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

  test('of two pending purchases only one can be activated', async () => {
    const { peer } = stage
    const { cookie } = await signUpPerson(port)
    const [one, two] = [await peer.sell(), await peer.sell({ planId: 'gold' })]
    for (const { token } of [one, two]) viewIn(await resolve(port, cookie, token))
    await peer.forget()
    const answers = await Promise.all([one, two].map(({ id }) => activate(port, cookie, id)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await peer.calls('activate')).length, 1)
  })

  test('grants its plan at once if it is already active when first resolved', async () => {
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
