/** What the marketplace tells, against what it says when it is asked: only what is a fact changes something. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MarketplaceHarness, useMarketplace } from '#test/support/marketplace-service.ts'
import type { MarketplacePeer } from '#test/support/microsoft-marketplace.ts'
import { sqlitePlace } from '#test/support/suite.ts'
import { SETTLING_MS } from './state.ts'

let peer: MarketplacePeer
let harness: MarketplaceHarness
useMarketplace(sqlitePlace, (suite) => {
  ;({ peer, harness } = suite)
})

const UNAVAILABLE = { code: 'marketplace_unavailable' }

describe('an operation that the marketplace has not finished, and that does not wait for us', () => {
  const UNFINISHED: [string, object, string][] = [
    ['Unsubscribe', { saasSubscriptionStatus: 'Unsubscribed' }, 'Unsubscribed'],
    ['Suspend', { saasSubscriptionStatus: 'Suspended' }, 'Suspended'],
    ['Renew', { term: { termUnit: 'P1M', startDate: '2026-12-15', endDate: '2027-01-14' } }, 'Subscribed'],
  ]
  for (const [action, truth, status] of UNFINISHED) {
    test(`${action}: 503 and nothing kept, until the subscription itself says so`, async () => {
      const { accountId, id } = await harness.subscribed()
      const { term_end } = (await harness.rowOf(id)) ?? assert.fail()
      const operation = await peer.operate({ subscriptionId: id, action, status: 'NotStarted' })
      await assert.rejects(harness.notify(operation), UNAVAILABLE)
      assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
      assert.deepEqual(await harness.outcomesOf(operation.id), [])
      await peer.change(id, truth)
      assert.equal(await harness.notify(operation), 'applied')
      assert.equal(await harness.statusOf(id), status)
      assert.equal((await harness.rowOf(id))?.term_end !== term_end, action === 'Renew')
      assert.deepEqual(await peer.calls('acknowledge'), [], 'it is not ours to answer')
    })

    test(`${action}: a round leaves it to the truth`, async () => {
      const { id } = await harness.subscribed()
      await harness.age(SETTLING_MS + 1_000)
      const operation = await peer.operate({ subscriptionId: id, action, status: 'InProgress' })
      assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 0, failed: 0 })
      assert.deepEqual([await harness.statusOf(id), await harness.outcomesOf(operation.id)], ['Subscribed', []])
    })
  }

  test('of a purchase that we do not have: it comes again too', async () => {
    const { id } = await peer.sell()
    const operation = await peer.operate({ subscriptionId: id, action: 'Suspend' })
    await assert.rejects(harness.notify(operation), UNAVAILABLE)
    assert.deepEqual(await harness.outcomesOf(operation.id), [])
  })
})

describe('an activation of which we are told', () => {
  for (const status of ['InProgress', 'Succeeded']) {
    test(`${status}: counts only when the subscription is active there, and billing is confirmed by us`, async () => {
      const { accountId, id } = await harness.resolved()
      const operation = await peer.operate({ subscriptionId: id, action: 'Subscribe', status })
      await assert.rejects(harness.notify(operation), UNAVAILABLE)
      assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['PendingFulfillmentStart', 'free'])
      assert.deepEqual(await harness.outcomesOf(operation.id), [])
      assert.equal((await harness.open().service.activate(accountId, id)).status, 'Subscribed')
      assert.equal((await peer.calls('activate')).length, 1)
      assert.equal(await harness.notify(operation), 'applied')
    })
  }

  test('that happened elsewhere gives the plan', async () => {
    const { accountId, id } = await harness.resolved()
    await peer.change(id, { saasSubscriptionStatus: 'Subscribed' })
    const operation = await peer.operate({ subscriptionId: id, action: 'Subscribe', status: 'Succeeded' })
    assert.equal(await harness.notify(operation), 'applied')
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
  })

  test('after which it was suspended or cancelled gives none', async () => {
    for (const saasSubscriptionStatus of ['Suspended', 'Unsubscribed']) {
      const { accountId, id } = await harness.resolved()
      await peer.change(id, { saasSubscriptionStatus })
      const operation = await peer.operate({ subscriptionId: id, action: 'Subscribe', status: 'Succeeded' })
      assert.equal(await harness.notify(operation), 'superseded')
      assert.equal(await harness.plan(accountId), 'free')
    }
  })

  test('that is ours, while the marketplace still tells the old state, changes nothing', async () => {
    const { accountId, id } = await harness.subscribed()
    await peer.lag(id, 100)
    const operation = await peer.operate({ subscriptionId: id, action: 'Subscribe', status: 'Succeeded' })
    assert.equal(await harness.notify(operation), 'applied')
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
    await peer.lag(id, 0)
  })
})

describe('a change to a plan that we do not sell', () => {
  const wish = (id: string, fields: object = {}) =>
    peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'tin', ...fields })

  test('is refused while it waits for us', async () => {
    const { id } = await harness.subscribed()
    const operation = await wish(id)
    assert.equal(await harness.notify(operation), 'refused')
    assert.equal((await peer.operation(operation.id)).status, 'Failed')
  })

  test('503 and nothing kept when our refusal is not taken and it still waits', async () => {
    const { id } = await harness.subscribed()
    const operation = await wish(id)
    await peer.faults('acknowledge', { status: 409 })
    await assert.rejects(harness.notify(operation), UNAVAILABLE)
    assert.deepEqual(await harness.outcomesOf(operation.id), [])
    assert.equal(await harness.notify(operation), 'refused')
  })

  test('that has happened is no refusal: kept as it is, with an error in the log', async () => {
    const { accountId, id } = await harness.subscribed()
    const done = await wish(id, { status: 'Succeeded' })
    assert.equal(await harness.notify(done), 'unmapped')
    assert.match(harness.errors().join(), /Plan changed to an unmapped plan/)
    // The marketplace goes on by itself between our question and our answer.
    const gone = await wish(id)
    await peer.faults(
      'operation',
      { lateMs: 0 },
      { status: 200, body: JSON.stringify({ ...gone, status: 'Succeeded' }) },
    )
    await peer.faults('acknowledge', { status: 409 })
    assert.equal(await harness.notify(gone), 'unmapped')
    assert.match(harness.errors().join(), /Plan changed to an unmapped plan/)
    assert.equal(await harness.plan(accountId), 'starter', 'what is paid for stays until somebody maps the plan')
  })

  test('that the marketplace gave up meanwhile is void', async () => {
    const { id } = await harness.subscribed()
    const gone = await wish(id)
    await peer.faults('operation', { lateMs: 0 }, { status: 200, body: JSON.stringify({ ...gone, status: 'Failed' }) })
    await peer.faults('acknowledge', { status: 409 })
    assert.equal(await harness.notify(gone), 'void')
  })
})

describe('an event without a time of its own', () => {
  const timeless = (id: string, action: string, fields: object = {}) =>
    peer.operate({ subscriptionId: id, action, status: 'Succeeded', timeStamp: null, ...fields })

  test('does not outvote what the subscription says', async () => {
    const { accountId, id } = await harness.subscribed()
    assert.equal(await harness.notify(await timeless(id, 'Suspend')), 'superseded')
    assert.equal(await harness.notify(await timeless(id, 'ChangePlan', { planId: 'gold' })), 'superseded')
    assert.equal(
      await harness.notify(await timeless(id, 'ChangeQuantity', { quantity: 9 })),
      'applied',
      'it says nothing',
    )
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
    await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
    assert.equal(await harness.notify(await timeless(id, 'Suspend')), 'applied')
    assert.equal(await harness.notify(await timeless(id, 'Reinstate')), 'superseded')
    assert.equal(await harness.plan(accountId), 'free')
  })

  test('has that of the call which told of it', async () => {
    const { accountId, id } = await harness.subscribed()
    const operation = await timeless(id, 'Suspend')
    assert.equal(await harness.notify({ ...operation, timeStamp: new Date().toISOString() }), 'applied')
    assert.equal(await harness.plan(accountId), 'free')
    await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
    const older = await timeless(id, 'Reinstate')
    assert.equal(
      await harness.notify({ ...older, timeStamp: new Date(Date.now() - 60_000).toISOString() }),
      'superseded',
    )
  })

  test('that waits for our answer is not there yet, so that nothing can contradict it', async () => {
    const { accountId, id } = await harness.subscribed()
    assert.equal(
      await harness.notify(await timeless(id, 'ChangePlan', { planId: 'gold', status: 'InProgress' })),
      'applied',
    )
    assert.equal(await harness.plan(accountId), 'pro')
  })

  test('that cancels is final all the same', async () => {
    const { id } = await harness.subscribed()
    assert.equal(await harness.notify(await timeless(id, 'Unsubscribe')), 'applied')
    assert.equal(await harness.statusOf(id), 'Unsubscribed')
  })
})

test('a change of plan that can be asked for two seconds after it was told is not refused', async () => {
  const { accountId, id } = await harness.subscribed()
  const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
  await peer.faults('operation', { status: 404 }, { status: 404 })
  assert.equal(await harness.notify(operation), 'applied')
  assert.equal(await harness.plan(accountId), 'pro')
})

test('the plan is what the marketplace confirms: one that only the call names is none', async () => {
  const { accountId, id } = await harness.subscribed()
  const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: null })
  for (const planId of ['gold', null]) {
    await assert.rejects(harness.notify({ ...operation, planId }), { code: 'invalid_request' })
  }
  assert.deepEqual(await harness.outcomesOf(operation.id), ['unconfirmed'])
  assert.equal((await peer.operation(operation.id)).status, 'InProgress')
  assert.equal(await harness.plan(accountId), 'starter')
})

test('a change of what is over is refused to the marketplace', async () => {
  const { id } = await harness.subscribed({ quantity: 1 })
  await harness.notify(await peer.operate({ subscriptionId: id, action: 'Unsubscribe', status: 'Succeeded' }))
  for (const wish of [
    { action: 'ChangePlan', planId: 'gold' },
    { action: 'ChangeQuantity', quantity: 3 },
  ]) {
    const operation = await peer.operate({ subscriptionId: id, ...wish })
    assert.equal(await harness.notify(operation), 'unchanged')
    assert.equal((await peer.operation(operation.id)).status, 'Failed')
  }
})

test('a genuine call that does not say what it is about is kept too, once', async () => {
  const { id } = await harness.subscribed()
  for (const body of [{ subscriptionId: id, operationType: 'Reinstate' }, { action: 'Suspend' }, {}]) {
    for (let times = 0; times < 2; times++) await assert.rejects(harness.notify(body), { code: 'invalid_request' })
  }
  assert.deepEqual(await harness.outcomesOf(''), ['unconfirmed', 'unconfirmed', 'unconfirmed'])
  assert.equal(await harness.statusOf(id), 'Subscribed')
})
