/** Changes of the plan table or the plan map between a purchase and its later events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '#storage/database.ts'
import { type MarketplaceHarness, useMarketplace } from '#test/support/marketplace-service.ts'
import { type MarketplacePeer, PLAN_MAP } from '#test/support/microsoft-marketplace.ts'
import { seedAccount } from '#test/support/seed.ts'
import { sqlitePlace } from '#test/support/suite.ts'
import { SETTLING_MS } from './state.ts'

let database: Database
let peer: MarketplacePeer
let harness: MarketplaceHarness
useMarketplace(sqlitePlace, (suite) => {
  ;({ database, peer, harness } = suite)
})

/** An earlier plan map, in which "tin" was sold as a plan that no longer exists. */
const BEFORE = { plans: { ...PLAN_MAP, 'docvet/tin': 'team' } }

test('activating a plan that was unmapped since is 409, and nothing is billed', async () => {
  const { accountId, id } = await harness.resolved({ planId: 'tin' }, BEFORE)
  await assert.rejects(
    harness.open().service.activate(accountId, id),
    /does not offer the plan "tin".*Nothing was billed/,
  )
  assert.deepEqual(await peer.calls('activate'), [])
  assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['PendingFulfillmentStart', 'free'])
  assert.equal(harness.errors().length, 1)
  const corrected = { plans: { ...PLAN_MAP, 'docvet/tin': 'pro' } }
  assert.equal(
    (await harness.open(corrected).service.activate(accountId, id)).planKey,
    'pro',
    'works once the plan is mapped',
  )
})

test('an activation uses the current plan map, even if the term cannot be read', async () => {
  const { accountId, id } = await harness.resolved({ planId: 'gold' }, { plans: { 'docvet/gold': 'starter' } })
  await peer.faults('fetch', { status: 404 })
  assert.equal((await harness.open().service.activate(accountId, id)).planKey, 'pro')
  assert.equal(await harness.plan(accountId), 'pro')
})

/** A suspended subscription on the removed plan. */
async function suspended() {
  const bought = await harness.resolved({ planId: 'tin' }, BEFORE)
  await peer.change(bought.id, { saasSubscriptionStatus: 'Suspended' })
  await harness.newStore().change(bought.id, () => ({ status: 'Suspended' }))
  harness.errors()
  return bought
}

test('reinstating a subscription on an unmapped plan grants no plan and logs an error', async () => {
  const { accountId, id } = await suspended()
  assert.equal(await harness.notify(await peer.operate({ subscriptionId: id, action: 'Reinstate' })), 'applied')
  assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'free'])
  assert.match(harness.errors().join(), /on an unmapped plan/)
})

test('a reconciliation that finds it paid again grants no plan until it is mapped', async () => {
  const { accountId, id } = await suspended()
  await peer.change(id, { saasSubscriptionStatus: 'Subscribed' })
  await harness.open().reconcile.pass()
  assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'free'])
  assert.match(harness.errors().join(), /on an unmapped plan/)
  await database.db.deleteFrom('marketplace_rounds').execute()
  await harness.age(SETTLING_MS + 1_000)
  await harness.open({ plans: { ...PLAN_MAP, 'docvet/tin': 'business' } }).reconcile.pass()
  assert.equal(await harness.plan(accountId), 'business')
})

test('reinstating uses the current plan map', async () => {
  const { accountId, id } = await suspended()
  const operation = await peer.operate({ subscriptionId: id, action: 'Reinstate' })
  assert.equal(await harness.notify(operation, { plans: { 'docvet/tin': 'business' } }), 'applied')
  assert.equal(await harness.plan(accountId), 'business')
})

test('no account gets a plan that is not in the plan table', async () => {
  const { accountId, id } = await harness.resolved()
  const store = harness.newStore()
  await store.change(id, () => ({ status: 'Subscribed', planKey: 'team' }))
  assert.equal(await harness.plan(accountId), 'free')
  await store.change(id, () => ({ planKey: 'constructor' }))
  assert.equal(await harness.plan(accountId), 'free')
  assert.match(harness.errors().join(), /not in the plan table/)
  assert.deepEqual(await store.plansOfLive(), ['constructor'])
})

test('resolving again on an unmapped plan is 409, but updates the status', async () => {
  const { accountId, id, token } = await harness.subscribed()
  await harness.age(SETTLING_MS + 1_000)
  await peer.change(id, { planId: 'tin' })
  const resolve = () => harness.open().service.resolve(accountId, token)
  const isBilled = ({ code, message }: { code?: string; message: string }) =>
    code === 'subscription_conflict' && /"tin"/.test(message) && !/Nothing was billed/.test(message)
  await assert.rejects(resolve(), isBilled)
  assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
  await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
  await assert.rejects(resolve(), isBilled)
  assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Suspended', 'free'])
  await peer.change(id, { saasSubscriptionStatus: 'Unsubscribed' })
  assert.equal((await resolve()).status, 'Unsubscribed')
  assert.equal(await harness.statusOf(id), 'Unsubscribed')
})

test('resolving another account’s purchase does not reveal its plan', async () => {
  const { token } = await harness.resolved({ planId: 'tin' }, BEFORE)
  await assert.rejects(harness.open().service.resolve(await seedAccount(database), token), /belongs to another account/)
})
