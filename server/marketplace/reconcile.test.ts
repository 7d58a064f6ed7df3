/** Repairs of drifted subscriptions and lost events, against a peer that speaks Microsoft's protocol. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '#storage/database.ts'
import { type MarketplaceHarness, useMarketplace } from '#test/support/marketplace-service.ts'
import type { MarketplacePeer } from '#test/support/microsoft-marketplace.ts'
import { seedAccount } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { UNAVAILABLE_MAX } from './reconcile.ts'
import { createReconcileStore } from './reconcile-store.ts'
import { SETTLING_MS } from './state.ts'

const HOUR_MS = 3_600_000
/** Attempts per call. */
const ATTEMPTS = 3

/** Faults for all attempts of one call for each subscription. */
const failing = (subscriptions: number) => Array.from({ length: ATTEMPTS * subscriptions }, () => ({ status: 500 }))

forEachDatabase('a reconciliation pass', (openUrl) => {
  let database: Database
  let peer: MarketplacePeer
  let harness: MarketplaceHarness
  useMarketplace(openUrl, (suite) => {
    ;({ database, peer, harness } = suite)
  })

  async function dueInMs(): Promise<number> {
    const { due_at } = await database.db.selectFrom('marketplace_rounds').select('due_at').executeTakeFirstOrThrow()
    return due_at - Date.now()
  }

  test('repairs missed events: suspended, cancelled, plan changed, reinstated', async () => {
    const [suspended, cancelled, changed, same] = [
      await harness.subscribed(),
      await harness.subscribed(),
      await harness.subscribed(),
      await harness.subscribed(),
    ]
    await harness.age(SETTLING_MS + 1_000)
    await peer.change(suspended.id, { saasSubscriptionStatus: 'Suspended' })
    await peer.change(cancelled.id, { saasSubscriptionStatus: 'Unsubscribed' })
    await peer.change(changed.id, { planId: 'gold' })
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 4, repaired: 3, failed: 0 })
    const plans = await Promise.all([suspended, cancelled, changed, same].map((each) => harness.plan(each.accountId)))
    assert.deepEqual(plans, ['free', 'free', 'pro', 'starter'])

    await database.db.deleteFrom('marketplace_rounds').execute()
    await peer.change(suspended.id, { saasSubscriptionStatus: 'Subscribed' })
    assert.deepEqual(
      await harness.open().reconcile.pass(),
      { checked: 3, repaired: 1, failed: 0 },
      'a cancelled subscription is not checked again',
    )
    assert.equal(await harness.plan(suspended.accountId), 'starter')
  })

  test('does not revert a recent activation while the reported state may lag', async () => {
    const { accountId, id } = await harness.subscribed()
    await peer.lag(id, 100)
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 0, failed: 0 })
    assert.equal(await harness.plan(accountId), 'starter')
    await database.db.deleteFrom('marketplace_rounds').execute()
    await harness.age(SETTLING_MS + 1_000)
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 1, failed: 0 })
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['PendingFulfillmentStart', 'free'])
    await peer.lag(id, 0)
  })

  test('does not revert an activation that was first reported by resolve', async () => {
    const accountId = await seedAccount(database)
    const { id, token } = await peer.sell()
    const { service, reconcile } = harness.open()
    await service.resolve(accountId, token)
    await peer.change(id, { saasSubscriptionStatus: 'Subscribed' })
    assert.equal((await service.resolve(accountId, token)).status, 'Subscribed')
    await peer.lag(id, 100)
    assert.deepEqual(await reconcile.pass(), { checked: 1, repaired: 0, failed: 0 })
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Subscribed', 'starter'])
    await peer.lag(id, 0)
  })

  test('an activation followed at once by a cancellation is 409', async () => {
    const accountId = await seedAccount(database)
    const { id, token } = await peer.sell()
    const { service } = harness.open()
    await service.resolve(accountId, token)
    const ended = { ...(await peer.purchase(id)), saasSubscriptionStatus: 'Unsubscribed' }
    await peer.faults('fetch', { status: 200, body: JSON.stringify(ended) })
    await assert.rejects(service.activate(accountId, id), /was cancelled/)
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Unsubscribed', 'free'])
  })

  test('processes a waiting operation whose webhook call never arrived', async () => {
    const { accountId, id } = await harness.subscribed()
    const wanted = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'platinum' })
    const unwanted = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'tin' })
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 1, failed: 0 })
    assert.equal(await harness.plan(accountId), 'business')
    assert.equal((await peer.operation(wanted.id)).status, 'Succeeded')
    assert.equal((await peer.operation(unwanted.id)).status, 'Failed')
  })

  test('skips a subscription that it cannot parse and continues with the others', async () => {
    const [odd, unknown, drifted] = [await harness.subscribed(), await harness.subscribed(), await harness.subscribed()]
    await harness.age(SETTLING_MS + 1_000)
    await peer.change(odd.id, { saasSubscriptionStatus: 'Paused', offerId: null })
    await peer.change(unknown.id, { planId: 'tin' })
    await peer.change(drifted.id, { saasSubscriptionStatus: 'Suspended' })
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 3, repaired: 1, failed: 1 })
    assert.deepEqual(await Promise.all([odd, unknown, drifted].map((each) => harness.plan(each.accountId))), [
      'starter',
      'starter',
      'free',
    ])
  })

  test('rejects operations of another subscription', async () => {
    const [one, other] = [await harness.subscribed(), await harness.subscribed()]
    const theirs = await peer.operate({ subscriptionId: other.id, action: 'ChangePlan', planId: 'gold' })
    await database.db.deleteFrom('subscriptions').where('external_id', '=', other.id).execute()
    await peer.forget()
    await peer.faults('operations', { status: 200, body: JSON.stringify({ operations: [theirs] }) })
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 0, failed: 1 })
    assert.deepEqual(await peer.calls('operation'), [])
    assert.equal(await harness.plan(one.accountId), 'starter')
  })

  test('refreshes a purchase that a buyer links while its event is processed', async () => {
    const accountId = await seedAccount(database)
    const { id, token } = await peer.sell({ saasSubscriptionStatus: 'Subscribed' })
    const store = harness.newStore()
    // Resolve looks for events just before this one is recorded, and the event looked for the purchase before its link.
    const tooEarly = harness.open({ store: { ...store, countEarly: async () => 0 } }).service
    const { service } = harness.open({
      store: {
        ...store,
        async changeOnce(notice, decide) {
          const outcome = await store.changeOnce(notice, decide)
          await tooEarly.resolve(accountId, token)
          await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
          return outcome
        },
      },
    })
    const operation = await peer.operate({ subscriptionId: id, action: 'Suspend', status: 'Succeeded' })
    const { outcome } = await service.receive(`Bearer ${await peer.sign()}`, operation)
    assert.equal(outcome, 'unknown_subscription')
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Suspended', 'free'])
  })

  test('refreshes a purchase whose event arrives just before the link', async () => {
    const accountId = await seedAccount(database)
    const { id, token } = await peer.sell({ saasSubscriptionStatus: 'Subscribed' })
    const store = harness.newStore()
    const operation = await peer.operate({ subscriptionId: id, action: 'Suspend', status: 'Succeeded' })
    const authorization = `Bearer ${await peer.sign()}`
    const { service } = harness.open({
      store: {
        ...store,
        async link(...given) {
          await peer.change(id, { saasSubscriptionStatus: 'Suspended' })
          const { outcome } = await harness.open().service.receive(authorization, operation)
          assert.equal(outcome, 'unknown_subscription')
          return await store.link(...given)
        },
      },
    })
    assert.equal((await service.resolve(accountId, token)).status, 'Suspended')
    assert.equal(await harness.plan(accountId), 'free')
  })

  test('confirms the current plan, not the one read before the claim', async () => {
    const accountId = await seedAccount(database)
    const { id, token } = await peer.sell()
    const store = harness.newStore()
    const { service } = harness.open({
      store: {
        ...store,
        async find(externalId) {
          const found = await store.find(externalId)
          await peer.change(id, { planId: 'gold' })
          await store.change(externalId, () => ({ planId: 'gold', planKey: 'pro' }))
          return found
        },
      },
    })
    await service.resolve(accountId, token)
    assert.equal((await service.activate(accountId, id)).planKey, 'pro')
    assert.equal((await peer.calls('activate')).length, 1)
  })

  test('runs on one replica at a time and only when due; sooner after a failure', async () => {
    await harness.subscribed()
    await peer.forget()
    const passes = await Promise.all(Array.from({ length: 5 }, () => harness.open().reconcile.pass()))
    assert.equal(passes.filter((pass) => pass !== null).length, 1)
    assert.equal((await peer.calls('fetch')).length, 1)
    assert.equal(await harness.open().reconcile.pass(), null)

    assert.ok((await dueInMs()) > HOUR_MS)
    await database.db.updateTable('marketplace_rounds').set({ due_at: 0 }).execute()
    await peer.faults('operations', ...failing(1))
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 0, failed: 1 })
    const dueAgain = await dueInMs()
    assert.ok(dueAgain < 11 * 60_000 && dueAgain > 0, 'no subscription could be compared')
  })

  test('a subscription that always fails neither stops the pass nor makes the next one due sooner', async () => {
    const [bad, ...others] = [await harness.subscribed(), await harness.subscribed(), await harness.subscribed()]
    await harness.age(SETTLING_MS + 1_000)
    for (const { id } of others) await peer.change(id, { saasSubscriptionStatus: 'Unsubscribed' })
    await peer.faults('operations', ...failing(1))
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 3, repaired: 2, failed: 1 })
    for (const { accountId } of others) assert.equal(await harness.plan(accountId), 'free')
    assert.equal(await harness.plan(bad.accountId), 'starter')
    assert.ok((await dueInMs()) > HOUR_MS)
  })

  test('a contradictory operation does not count as an unavailable marketplace', async () => {
    const bought: { id: string; accountId: string }[] = []
    for (let i = 0; i <= UNAVAILABLE_MAX; i++) bought.push(await harness.subscribed())
    for (const { id } of bought) await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    await peer.forget()
    await peer.faults('acknowledge', ...bought.map(() => ({ status: 409 })))
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 4, repaired: 4, failed: 0 })
    assert.equal((await peer.calls('fetch')).length, 2 * bought.length, 'the subscriptions are still compared')
  })

  test('stops after three failures in a row, and the next pass continues after them', async () => {
    const bought: { id: string; accountId: string }[] = []
    for (let i = 0; i < UNAVAILABLE_MAX + 2; i++) bought.push(await harness.subscribed())
    await harness.age(SETTLING_MS + 1_000)
    for (const { id } of bought) await peer.change(id, { saasSubscriptionStatus: 'Unsubscribed' })
    const plans = () => Promise.all(bought.map(({ accountId }) => harness.plan(accountId)))

    await peer.faults('operations', ...failing(UNAVAILABLE_MAX))
    await assert.rejects(harness.open().reconcile.pass(), /is not responding/)
    assert.deepEqual(new Set(await plans()), new Set(['starter']))
    assert.ok((await dueInMs()) < 11 * 60_000)

    await database.db.updateTable('marketplace_rounds').set({ due_at: 0 }).execute()
    await peer.forget()
    await peer.faults('operations', ...failing(UNAVAILABLE_MAX - 1))
    const rest = { checked: bought.length, repaired: bought.length - 2, failed: 2 }
    assert.deepEqual(await harness.open().reconcile.pass(), rest, 'two failures do not stop it')
    assert.deepEqual(await plans(), ['free', 'free', 'free', 'starter', 'starter'], 'it began after the third')
    assert.ok((await dueInMs()) > HOUR_MS)

    await database.db.updateTable('marketplace_rounds').set({ due_at: 0 }).execute()
    await peer.forget()
    await harness.open().reconcile.pass()
    assert.equal(
      (await peer.calls('operations'))[0]?.path.includes(bought[3]?.id ?? ''),
      true,
      'a complete pass wraps around to the first',
    )
    assert.deepEqual(new Set(await plans()), new Set(['free']))
  })

  test('an expired lease is taken over, and not before', async () => {
    const lease = createReconcileStore(database, 'microsoft')
    assert.deepEqual(await lease.acquire('dead', 60_000), { afterId: '' })
    assert.equal(await lease.acquire('other', 60_000), null)
    await database.db
      .updateTable('marketplace_rounds')
      .set({ held_until: Date.now() - 1_000 })
      .execute()
    assert.notEqual(await lease.acquire('other', 60_000), null)
    assert.equal(await lease.renew('dead', 60_000), false)
    await lease.finish('dead', 0, '')
    assert.equal(await lease.renew('other', 60_000), true, 'an expired holder cannot finish the pass')
  })
})
