/** Two purchases of one account: only one may be billed, and if both are, the larger quota applies. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import { type MarketplaceHarness, useMarketplace } from '#test/support/marketplace-service.ts'
import type { MarketplacePeer } from '#test/support/microsoft-marketplace.ts'
import { seedAccount } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { WAITING_MAX } from './activate.ts'

forEachDatabase('two purchases', (openUrl) => {
  let database: Database
  let peer: MarketplacePeer
  let harness: MarketplaceHarness
  useMarketplace(openUrl, (suite) => {
    ;({ database, peer, harness } = suite)
  })

  async function both(firstPlan: string, secondPlan: string) {
    const first = await harness.resolved({ planId: firstPlan })
    const second = await harness.resolved({ planId: secondPlan }, { accountId: first.accountId })
    return { ...first, second }
  }

  test('both paid: the larger quota applies, not the newer purchase, and an error is logged', async () => {
    for (const plans of [
      ['platinum', 'silver'],
      ['silver', 'platinum'],
    ] as const) {
      const { accountId, id, second } = await both(plans[0], plans[1])
      for (const each of [id, second.id]) await peer.change(each, { saasSubscriptionStatus: 'Subscribed' })
      await harness.open().reconcile.pass()
      assert.equal(await harness.plan(accountId), 'business')
      assert.match(harness.errors().join(), /more than one paid subscription/)
      const { service } = harness.open()
      assert.equal((await service.live(accountId)).planKey, 'business')
      const better = plans[0] === 'platinum' ? id : second.id
      const over = await peer.operate({ subscriptionId: better, action: 'Unsubscribe', status: 'Succeeded' })
      assert.equal(await harness.notify(over), 'applied')
      assert.equal(await harness.plan(accountId), 'starter', 'the other one is still paid')
      await harness.reset()
    }
  })

  /** A claim whose process died before it recorded the confirmation. */
  async function died(id: string, accountId: string) {
    const claimed = await harness.newStore().claim(id, accountId, 'dead', -31_000)
    assert.equal(typeof claimed === 'object' && 'externalId' in claimed && claimed.externalId, id)
  }

  test('one possibly billed: it is checked with the marketplace before the other is confirmed', async () => {
    const { accountId, id, second } = await both('silver', 'gold')
    await died(id, accountId)
    await peer.change(id, { saasSubscriptionStatus: 'Subscribed' })
    await peer.forget()
    await assert.rejects(harness.open().service.activate(accountId, second.id), { code: 'subscription_conflict' })
    assert.deepEqual(await peer.calls('activate'), [])
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
  })

  test('one whose claim expired less than 30 seconds ago: it may still be confirmed, so the other is 409', async () => {
    const { accountId, id, second } = await both('silver', 'gold')
    await harness.newStore().claim(id, accountId, 'delayed', -29_000)
    await assert.rejects(harness.open().service.activate(accountId, second.id), { code: 'subscription_conflict' })
    assert.deepEqual(await peer.calls('activate'), [])
    assert.equal((await harness.open().service.activate(accountId, id)).status, 'Subscribed', 'itself can be repeated')
  })

  test('one whose confirmation response was lost: it is checked first too', async () => {
    const { accountId, id, second } = await both('silver', 'gold')
    await peer.faults('activate', ...Array.from({ length: 3 }, () => ({ drop: true, afterwards: true })))
    await assert.rejects(harness.open().service.activate(accountId, id), { code: 'marketplace_unavailable' })
    await assert.rejects(harness.open().service.activate(accountId, second.id), { code: 'subscription_conflict' })
    assert.equal((await peer.purchase(second.id)).saasSubscriptionStatus, ' PendingFulfillmentStart ')
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
  })

  test('503 while the check fails, then the other one can be activated', async () => {
    const { accountId, id, second } = await both('silver', 'gold')
    await died(id, accountId)
    await peer.faults('fetch', { status: 500 }, { status: 500 }, { status: 500 })
    await assert.rejects(harness.open().service.activate(accountId, second.id), { code: 'marketplace_unavailable' })
    assert.deepEqual(await peer.calls('activate'), [])
    assert.equal((await harness.open().service.activate(accountId, second.id)).status, 'Subscribed')
    assert.equal(await harness.plan(accountId), 'pro')
    assert.equal((await peer.purchase(id)).saasSubscriptionStatus, ' PendingFulfillmentStart ')
  })

  test('a few requests wait for a running activation and share its result; more are 429', async () => {
    const { accountId, id } = await harness.resolved()
    const store = harness.newStore()
    await store.claim(id, accountId, 'another process', 60_000)
    const { service } = harness.open()
    const waiting = Array.from({ length: WAITING_MAX }, () => service.activate(accountId, id))
    await sleep(200)
    await assert.rejects(service.activate(accountId, id), { code: 'rate_limited' })
    const other = await harness.resolved()
    assert.equal((await service.activate(other.accountId, other.id)).status, 'Subscribed', 'other accounts do not wait')
    await store.release(id, 'another process')
    for (const { status } of await Promise.all(waiting)) assert.equal(status, 'Subscribed')
    assert.equal((await peer.calls('activate')).length, 2)
    assert.equal((await service.activate(accountId, id)).status, 'Subscribed')
  })

  test('a purchase linked to the wrong account can be given to the right one', async () => {
    const { accountId, id, token } = await harness.subscribed()
    const right = await seedAccount(database)
    await assert.rejects(harness.open().service.resolve(right, token), { code: 'subscription_conflict' })
    const linked = await database.audit.change((trx) => harness.newStore().relink(trx, id, right))
    assert.ok(typeof linked === 'object' && linked.accountId === right)
    assert.equal(await harness.plan(accountId), 'free')
    assert.equal((await harness.open().service.resolve(right, token)).status, 'Subscribed')
    assert.equal(await harness.plan(right), 'starter')
    assert.equal((await peer.calls('activate')).length, 1, 'nothing is billed again')
  })

  test('an interrupted activation can be repeated', async () => {
    const { accountId, id } = await both('silver', 'gold')
    await died(id, accountId)
    assert.equal((await harness.open().service.activate(accountId, id)).status, 'Subscribed')
  })
})
