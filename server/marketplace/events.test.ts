/** Events against the state that the marketplace reports: only confirmed facts change a subscription. */
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

describe('an unfinished operation that does not wait for our answer', () => {
  const UNFINISHED: [string, object, string][] = [
    ['Unsubscribe', { saasSubscriptionStatus: 'Unsubscribed' }, 'Unsubscribed'],
    ['Suspend', { saasSubscriptionStatus: 'Suspended' }, 'Suspended'],
    ['Renew', { term: { termUnit: 'P1M', startDate: '2026-12-15', endDate: '2027-01-14' } }, 'Subscribed'],
  ]
  for (const [action, truth, status] of UNFINISHED) {
    test(`${action}: 503 and not recorded until the subscription shows it`, async () => {
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
      assert.deepEqual(await peer.calls('acknowledge'), [], 'no acknowledgement is sent')
    })

    test(`${action}: the reconciliation relies on the reported subscription`, async () => {
      const { id } = await harness.subscribed()
      await harness.age(SETTLING_MS + 1_000)
      const operation = await peer.operate({ subscriptionId: id, action, status: 'InProgress' })
      assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 0, failed: 0 })
      assert.deepEqual([await harness.statusOf(id), await harness.outcomesOf(operation.id)], ['Subscribed', []])
    })
  }

  test('of an unknown purchase is 503 too', async () => {
    const { id } = await peer.sell()
    const operation = await peer.operate({ subscriptionId: id, action: 'Suspend' })
    await assert.rejects(harness.notify(operation), UNAVAILABLE)
    assert.deepEqual(await harness.outcomesOf(operation.id), [])
  })
})

describe('an activation event', () => {
  for (const status of ['InProgress', 'Succeeded']) {
    test(`${status}: counts only once the subscription is active, and billing is confirmed by us`, async () => {
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

  test('of a subscription activated by another party grants the plan', async () => {
    const { accountId, id } = await harness.resolved()
    await peer.change(id, { saasSubscriptionStatus: 'Subscribed' })
    const operation = await peer.operate({ subscriptionId: id, action: 'Subscribe', status: 'Succeeded' })
    assert.equal(await harness.notify(operation), 'applied')
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
  })

  test('followed by a suspension or cancellation grants no plan', async () => {
    for (const saasSubscriptionStatus of ['Suspended', 'Unsubscribed']) {
      const { accountId, id } = await harness.resolved()
      await peer.change(id, { saasSubscriptionStatus })
      const operation = await peer.operate({ subscriptionId: id, action: 'Subscribe', status: 'Succeeded' })
      assert.equal(await harness.notify(operation), 'superseded')
      assert.equal(await harness.plan(accountId), 'free')
    }
  })

  test('caused by us changes nothing while the reported state lags', async () => {
    const { accountId, id } = await harness.subscribed()
    await peer.lag(id, 100)
    const operation = await peer.operate({ subscriptionId: id, action: 'Subscribe', status: 'Succeeded' })
    assert.equal(await harness.notify(operation), 'applied')
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
    await peer.lag(id, 0)
  })
})

describe('a change to an unmapped plan', () => {
  const request = (id: string, fields: object = {}) =>
    peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'tin', ...fields })

  test('is refused while it waits for our answer', async () => {
    const { id } = await harness.subscribed()
    const operation = await request(id)
    assert.equal(await harness.notify(operation), 'refused')
    assert.equal((await peer.operation(operation.id)).status, 'Failed')
  })

  test('is refused again if the refusal is rejected and it still waits', async () => {
    const { id } = await harness.subscribed()
    const operation = await request(id)
    await peer.faults('acknowledge', { status: 409 })
    assert.equal(await harness.notify(operation), 'refused')
    assert.equal((await peer.operation(operation.id)).status, 'InProgress')
    await harness.makeDue()
    await harness.open().reconcile.followUp()
    assert.equal((await peer.operation(operation.id)).status, 'Failed')
  })

  test('that has already happened is recorded as unmapped and logged as an error', async () => {
    const { accountId, id } = await harness.subscribed()
    const done = await request(id, { status: 'Succeeded' })
    assert.equal(await harness.notify(done), 'unmapped')
    assert.match(harness.errors().join(), /Plan changed to an unmapped plan/)
    // The marketplace completes the operation between our request and our answer.
    const gone = await request(id)
    await peer.faults(
      'operation',
      { lateMs: 0 },
      { status: 200, body: JSON.stringify({ ...gone, status: 'Succeeded' }) },
    )
    await peer.faults('acknowledge', { status: 409 })
    assert.equal(await harness.notify(gone), 'refused')
    assert.deepEqual(await harness.outcomesOf(gone.id), ['unmapped'])
    assert.match(harness.errors().join(), /Plan changed to an unmapped plan/)
    assert.equal(await harness.plan(accountId), 'starter', 'the old plan stays until the new one is mapped')
  })

  test('that the marketplace abandons before our answer stays refused', async () => {
    const { id } = await harness.subscribed()
    const gone = await request(id)
    await peer.faults('operation', { lateMs: 0 }, { status: 200, body: JSON.stringify({ ...gone, status: 'Failed' }) })
    await peer.faults('acknowledge', { status: 409 })
    assert.equal(await harness.notify(gone), 'refused')
    assert.deepEqual(await harness.outcomesOf(gone.id), ['refused'])
  })

  test('that the publisher started cannot be refused', async () => {
    const { id } = await harness.subscribed()
    const operation = await request(id, { operationRequestSource: 'Partner' })
    assert.equal(await harness.notify(operation), 'unmapped')
    assert.deepEqual(await peer.calls('acknowledge'), [])
  })
})

describe('an event without a timestamp', () => {
  const undated = (id: string, action: string, fields: object = {}) =>
    peer.operate({ subscriptionId: id, action, status: 'Succeeded', timeStamp: null, ...fields })

  test('does not override the reported state', async () => {
    const { accountId, id } = await harness.subscribed()
    assert.equal(await harness.notify(await undated(id, 'Suspend')), 'superseded')
    assert.equal(await harness.notify(await undated(id, 'ChangePlan', { planId: 'gold' })), 'superseded')
    assert.equal(
      await harness.notify(await undated(id, 'ChangeQuantity', { quantity: 9 })),
      'applied',
      'the marketplace reports no quantity',
    )
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
    await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
    assert.equal(await harness.notify(await undated(id, 'Suspend')), 'applied')
    assert.equal(await harness.notify(await undated(id, 'Reinstate')), 'superseded')
    assert.equal(await harness.plan(accountId), 'free')
  })

  test('uses the timestamp of the webhook call', async () => {
    const { accountId, id } = await harness.subscribed()
    const operation = await undated(id, 'Suspend')
    assert.equal(await harness.notify({ ...operation, timeStamp: new Date().toISOString() }), 'applied')
    assert.equal(await harness.plan(accountId), 'free')
    await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
    const older = await undated(id, 'Reinstate')
    assert.equal(
      await harness.notify({ ...older, timeStamp: new Date(Date.now() - 60_000).toISOString() }),
      'superseded',
    )
  })

  test('that waits for our answer cannot be contradicted by the reported state', async () => {
    const { accountId, id } = await harness.subscribed()
    assert.equal(
      await harness.notify(await undated(id, 'ChangePlan', { planId: 'gold', status: 'InProgress' })),
      'applied',
    )
    assert.equal(await harness.plan(accountId), 'pro')
  })

  test('that cancels is final', async () => {
    const { id } = await harness.subscribed()
    assert.equal(await harness.notify(await undated(id, 'Unsubscribe')), 'applied')
    assert.equal(await harness.statusOf(id), 'Unsubscribed')
  })
})

test('a plan change that becomes readable two seconds after its notice is applied', async () => {
  const { accountId, id } = await harness.subscribed()
  const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
  await peer.faults('operation', { status: 404 }, { status: 404 })
  assert.equal(await harness.notify(operation), 'applied')
  assert.equal(await harness.plan(accountId), 'pro')
})

test('only the plan in the confirmed operation counts, not the one in the call', async () => {
  const { accountId, id } = await harness.subscribed()
  const operation = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: null })
  for (const planId of ['gold', null]) {
    await assert.rejects(harness.notify({ ...operation, planId }), { code: 'invalid_request' })
  }
  assert.deepEqual(await harness.outcomesOf(operation.id), ['unconfirmed'])
  assert.equal((await peer.operation(operation.id)).status, 'InProgress')
  assert.equal(await harness.plan(accountId), 'starter')
})

test('a change of a cancelled subscription is refused', async () => {
  const { id } = await harness.subscribed({ quantity: 1 })
  await harness.notify(await peer.operate({ subscriptionId: id, action: 'Unsubscribe', status: 'Succeeded' }))
  for (const change of [
    { action: 'ChangePlan', planId: 'gold' },
    { action: 'ChangeQuantity', quantity: 3 },
  ]) {
    const operation = await peer.operate({ subscriptionId: id, ...change })
    assert.equal(await harness.notify(operation), 'unchanged')
    assert.equal((await peer.operation(operation.id)).status, 'Failed')
  }
})

test('a signed call without ids is recorded once', async () => {
  const { id } = await harness.subscribed()
  for (const body of [{ subscriptionId: id, operationType: 'Reinstate' }, { action: 'Suspend' }, {}]) {
    for (let times = 0; times < 2; times++) await assert.rejects(harness.notify(body), { code: 'invalid_request' })
  }
  assert.deepEqual(await harness.outcomesOf(''), ['unconfirmed', 'unconfirmed', 'unconfirmed'])
  assert.equal(await harness.statusOf(id), 'Subscribed')
})
