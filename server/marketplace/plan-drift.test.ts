/** Plans that left the table or the map, or came onto it, between a purchase and what happens to it. */
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

/** From a time when "tin" was sold, as a plan that there is no more. */
const BEFORE = { plans: { ...PLAN_MAP, 'docvet/tin': 'team' } }

test('what left the map before it was activated is 409, and nothing is billed', async () => {
  const { accountId, id } = await harness.resolved({ planId: 'tin' }, BEFORE)
  await assert.rejects(
    harness.open().service.activate(accountId, id),
    /does not offer the plan "tin".*Nothing was billed/,
  )
  assert.deepEqual(await peer.calls('activate'), [])
  assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['PendingFulfillmentStart', 'free'])
  assert.equal(harness.errors().length, 1)
  const mended = { plans: { ...PLAN_MAP, 'docvet/tin': 'pro' } }
  assert.equal(
    (await harness.open(mended).service.activate(accountId, id)).planKey,
    'pro',
    'and it can be had at once then',
  )
})

test('a map that was corrected since counts, also when the marketplace tells nothing after the activation', async () => {
  const { accountId, id } = await harness.resolved({ planId: 'gold' }, { plans: { 'docvet/gold': 'starter' } })
  await peer.faults('fetch', { status: 404 })
  assert.equal((await harness.open().service.activate(accountId, id)).planKey, 'pro')
  assert.equal(await harness.plan(accountId), 'pro')
})

/** Suspended, on the plan that is not there any more. */
async function suspended() {
  const bought = await harness.resolved({ planId: 'tin' }, BEFORE)
  await peer.change(bought.id, { saasSubscriptionStatus: 'Suspended' })
  await harness.newStore().change(bought.id, () => ({ status: 'Suspended' }))
  harness.errors()
  return bought
}

test('what is reinstated on a plan that left gives no plan, with an error in the log', async () => {
  const { accountId, id } = await suspended()
  assert.equal(await harness.notify(await peer.operate({ subscriptionId: id, action: 'Reinstate' })), 'applied')
  assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'free'])
  assert.match(harness.errors().join(), /on an unmapped plan/)
})

test('the same when a round finds it paid again, until the map has it', async () => {
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

test('what is reinstated after its map was corrected has the plan of now', async () => {
  const { accountId, id } = await suspended()
  const operation = await peer.operate({ subscriptionId: id, action: 'Reinstate' })
  assert.equal(await harness.notify(operation, { plans: { 'docvet/tin': 'business' } }), 'applied')
  assert.equal(await harness.plan(accountId), 'business')
})

test('no account is given a plan that is not in the table, whoever asks for it', async () => {
  const { accountId, id } = await harness.resolved()
  const store = harness.newStore()
  await store.change(id, () => ({ status: 'Subscribed', planKey: 'team' }))
  assert.equal(await harness.plan(accountId), 'free')
  await store.change(id, () => ({ planKey: 'constructor' }))
  assert.equal(await harness.plan(accountId), 'free')
  assert.match(harness.errors().join(), /not in the plan table/)
  assert.deepEqual(await store.plansOfLive(), ['constructor'])
})

test('a buyer who comes back on a plan that is not on the map hears of it, and his state is known all the same', async () => {
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

test('whoever brings a purchase of somebody else learns nothing of its plan', async () => {
  const { token } = await harness.resolved({ planId: 'tin' }, BEFORE)
  await assert.rejects(harness.open().service.resolve(await seedAccount(database), token), /belongs to another account/)
})
