/** Repairing what drifted or fell in between, against a marketplace that speaks Microsoft's protocol. */
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
/** As often as one call is tried. */
const ATTEMPTS = 3

/** Calls for so many subscriptions, however often each is tried. */
const failing = (subscriptions: number) => Array.from({ length: ATTEMPTS * subscriptions }, () => ({ status: 500 }))

forEachDatabase('a round', (openUrl) => {
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

  test('repairs what was missed: suspended, cancelled, another plan, paid again', async () => {
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
      'what was cancelled is over',
    )
    assert.equal(await harness.plan(suspended.accountId), 'starter')
  })

  test('does not take back what was just activated, until the marketplace has had time to notice', async () => {
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

  test('does not take back an activation that the marketplace told elsewhere first', async () => {
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

  test('an activation after which all is over already is none', async () => {
    const accountId = await seedAccount(database)
    const { id, token } = await peer.sell()
    const { service } = harness.open()
    await service.resolve(accountId, token)
    const ended = { ...(await peer.purchase(id)), saasSubscriptionStatus: 'Unsubscribed' }
    await peer.faults('fetch', { status: 200, body: JSON.stringify(ended) })
    await assert.rejects(service.activate(accountId, id), /was cancelled/)
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Unsubscribed', 'free'])
  })

  test('answers an operation of which no call ever came', async () => {
    const { accountId, id } = await harness.subscribed()
    const wanted = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'platinum' })
    const unwanted = await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'tin' })
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 1, failed: 0 })
    assert.equal(await harness.plan(accountId), 'business')
    assert.equal((await peer.operation(wanted.id)).status, 'Succeeded')
    assert.equal((await peer.operation(unwanted.id)).status, 'Failed')
  })

  test('leaves alone what it cannot understand, and goes on with the others', async () => {
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

  test('is told of nobody else’s operations', async () => {
    const [one, other] = [await harness.subscribed(), await harness.subscribed()]
    const theirs = await peer.operate({ subscriptionId: other.id, action: 'ChangePlan', planId: 'gold' })
    await database.db.deleteFrom('subscriptions').where('external_id', '=', other.id).execute()
    await peer.forget()
    await peer.faults('operations', { status: 200, body: JSON.stringify({ operations: [theirs] }) })
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 0, failed: 1 })
    assert.deepEqual(await peer.calls('operation'), [])
    assert.equal(await harness.plan(one.accountId), 'starter')
  })

  test('what a buyer brings while we are told of it is looked at again', async () => {
    const accountId = await seedAccount(database)
    const { id, token } = await peer.sell({ saasSubscriptionStatus: 'Subscribed' })
    const store = harness.newStore()
    // The buyer's side looks for events a moment before this one is there, and we looked for his purchase before it was.
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
    assert.equal(await service.receive(`Bearer ${await peer.sign()}`, operation), 'unknown_subscription')
    assert.deepEqual([await harness.statusOf(id), await harness.plan(accountId)], ['Suspended', 'free'])
  })

  test('what we are told between our last look and the link is looked at again', async () => {
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
          assert.equal(await harness.open().service.receive(authorization, operation), 'unknown_subscription')
          return await store.link(...given)
        },
      },
    })
    assert.equal((await service.resolve(accountId, token)).status, 'Suspended')
    assert.equal(await harness.plan(accountId), 'free')
  })

  test('what is confirmed is the plan of the moment, not the one that was looked at before', async () => {
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

  test('one process at a time, and not before it is due again; after a failure it is due soon', async () => {
    await harness.subscribed()
    await peer.forget()
    const rounds = await Promise.all(Array.from({ length: 5 }, () => harness.open().reconcile.pass()))
    assert.equal(rounds.filter((round) => round !== null).length, 1)
    assert.equal((await peer.calls('fetch')).length, 1)
    assert.equal(await harness.open().reconcile.pass(), null)

    assert.ok((await dueInMs()) > HOUR_MS)
    await database.db.updateTable('marketplace_rounds').set({ due_at: 0 }).execute()
    await peer.faults('operations', ...failing(1))
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 1, repaired: 0, failed: 1 })
    const dueAgain = await dueInMs()
    assert.ok(dueAgain < 11 * 60_000 && dueAgain > 0, 'nothing at all could be compared')
  })

  test('one that always fails does not keep the others from being looked at, nor makes it due soon', async () => {
    const [bad, ...others] = [await harness.subscribed(), await harness.subscribed(), await harness.subscribed()]
    await harness.age(SETTLING_MS + 1_000)
    for (const { id } of others) await peer.change(id, { saasSubscriptionStatus: 'Unsubscribed' })
    await peer.faults('operations', ...failing(1))
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 3, repaired: 2, failed: 1 })
    for (const { accountId } of others) assert.equal(await harness.plan(accountId), 'free')
    assert.equal(await harness.plan(bad.accountId), 'starter')
    assert.ok((await dueInMs()) > HOUR_MS)
  })

  test('what contradicts itself for ever is one that fails, not a marketplace that is away', async () => {
    const bought: { id: string; accountId: string }[] = []
    for (let i = 0; i <= UNAVAILABLE_MAX; i++) bought.push(await harness.subscribed())
    for (const { id } of bought) await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' })
    await peer.forget()
    await peer.faults('acknowledge', ...bought.map(() => ({ status: 409 })))
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 4, repaired: 0, failed: 0 })
    assert.equal((await peer.calls('fetch')).length, 2 * bought.length, 'the truth is asked for all the same')
  })

  test('three that fail in a row are a marketplace that is away: the next round goes on behind them', async () => {
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
    assert.deepEqual(await harness.open().reconcile.pass(), rest, 'one less is not')
    assert.deepEqual(await plans(), ['free', 'free', 'free', 'starter', 'starter'], 'it began behind the third')
    assert.ok((await dueInMs()) > HOUR_MS)

    await database.db.updateTable('marketplace_rounds').set({ due_at: 0 }).execute()
    await peer.forget()
    await harness.open().reconcile.pass()
    assert.equal(
      (await peer.calls('operations'))[0]?.path.includes(bought[3]?.id ?? ''),
      true,
      'after all, from the first',
    )
    assert.deepEqual(new Set(await plans()), new Set(['free']))
  })

  test('a lease whose holder died is taken over when it ends, and not before', async () => {
    const lease = createReconcileStore(database)
    assert.deepEqual(await lease.acquire('dead', 60_000), { afterId: '' })
    assert.equal(await lease.acquire('other', 60_000), null)
    await database.db
      .updateTable('marketplace_rounds')
      .set({ held_until: Date.now() - 1_000 })
      .execute()
    assert.notEqual(await lease.acquire('other', 60_000), null)
    assert.equal(await lease.renew('dead', 60_000), false)
    await lease.finish('dead', 0, '')
    assert.equal(await lease.renew('other', 60_000), true, 'the dead one ends nothing')
  })
})
