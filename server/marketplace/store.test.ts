/** Subscriptions in the database: events applied once and recorded, and claims that expire. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Database } from '#storage/database.ts'
import { openPlace, quietLog, seedAccount } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { BUILT_IN_PLANS } from '#usage/plan.ts'
import type { Notice } from './ports.ts'
import type { Outcome } from './schema.ts'
import type { Purchase, Status } from './state.ts'
import { createSubscriptionStore, type SubscriptionStore as Store } from './store.ts'
import type { Change } from './subscription.ts'

const STORE_OPTIONS = { provider: 'microsoft', freePlan: 'free', plans: BUILT_IN_PLANS, log: quietLog }
/** Enough for both orders to occur. */
const RACES = 30

forEachDatabase('the subscription store', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let store: Store
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    store = createSubscriptionStore(database, STORE_OPTIONS)
  })
  after(async () => {
    await database.close()
    await place.release()
  })

  async function linked() {
    const accountId = await seedAccount(database)
    const purchase: Purchase & { status: Status } = {
      externalId: randomUUID(),
      offerId: 'docvet',
      planId: 'silver',
      quantity: null,
      status: 'PendingFulfillmentStart',
      freeTrial: false,
      autoRenew: true,
      termStart: null,
      termEnd: null,
      beneficiaryEmail: null,
    }
    const plan = { planId: 'silver', planKey: 'starter' }
    assert.equal(typeof (await store.link(accountId, purchase, plan)), 'object')
    return { accountId, externalId: purchase.externalId }
  }

  const plan = async (accountId: string) =>
    (await database.db.selectFrom('accounts').select('plan').where('id', '=', accountId).executeTakeFirstOrThrow()).plan

  const notice = (externalId: string, action = 'ChangePlan'): Notice => ({
    operationId: randomUUID(),
    externalId,
    kind: 'plan_changed',
    action,
    planId: 'gold',
    atMs: null,
    isByPublisher: false,
  })

  test('an event is applied once, even if another process applies it at the same time', async () => {
    const { accountId, externalId } = await linked()
    const to = (planKey: string) => (): { outcome: Outcome; change: Change } => ({
      outcome: 'applied',
      change: { status: 'Subscribed', planId: planKey, planKey, settles: true },
    })
    const first = notice(externalId)
    assert.equal(await store.changeOnce(first, to('pro')), 'applied')
    assert.equal(await store.changeOnce(notice(externalId), to('business')), 'applied')
    assert.equal(await store.changeOnce(first, to('pro')), 'repeated')
    assert.equal(await plan(accountId), 'business')
    const many = notice(externalId)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => store.changeOnce(many, to('starter'))))
    assert.equal(outcomes.filter((outcome) => outcome === 'applied').length, 1)
  })

  /** Two processes at once, many times: the cancellation must win. */
  async function race(status: Status, cancel: (own: Store, id: string) => Promise<unknown>, other: typeof cancel) {
    const second = await openPlace(place)
    try {
      const there = createSubscriptionStore(second, STORE_OPTIONS)
      for (let race = 0; race < RACES; race++) {
        const { accountId, externalId } = await linked()
        await store.change(externalId, () => ({ status }))
        const [one, two] = race % 2 === 0 ? [store, there] : [there, store]
        await Promise.all([cancel(one, externalId), other(two, externalId)])
        const after = (await store.find(externalId)) ?? assert.fail()
        assert.deepEqual([after.status, await plan(accountId)], ['Unsubscribed', 'free'], `race ${race}`)
      }
    } finally {
      await second.close()
    }
  }

  test('a cancellation event during an activation wins', () =>
    race(
      'PendingFulfillmentStart',
      (own, id) =>
        own.changeOnce(notice(id, 'Unsubscribe'), () => ({ outcome: 'applied', change: { status: 'Unsubscribed' } })),
      (own, id) =>
        own.change(id, ({ status }) => (status === 'PendingFulfillmentStart' ? { status: 'Subscribed' } : null)),
    ))

  test('a cancellation found by a refresh wins over a concurrent event', () =>
    race(
      'Suspended',
      (own, id) => own.change(id, () => ({ status: 'Unsubscribed' })),
      (own, id) =>
        own.changeOnce(notice(id, 'Reinstate'), (known) =>
          known?.status === 'Suspended'
            ? { outcome: 'applied', change: { status: 'Subscribed' } }
            : { outcome: 'unchanged' },
        ),
    ))

  test('every event is recorded with its outcome, and an unconfirmed one does not block the confirmed one', async () => {
    const { externalId } = await linked()
    const one = notice(externalId, 'Suspend')
    await store.record(one, 'unconfirmed')
    await store.record(one, 'unconfirmed')
    assert.equal(await store.outcomeOf(one), null)
    assert.equal(await store.changeOnce(one, () => ({ outcome: 'unchanged' })), 'unchanged')
    assert.equal(await store.outcomeOf(one), 'unchanged')
    assert.equal(await store.outcomeOf({ ...one, externalId: randomUUID() }), null)
    const kept = await database.db
      .selectFrom('marketplace_events')
      .select(['action', 'outcome', 'plan_id'])
      .where('external_id', '=', externalId)
      .execute()
    assert.deepEqual(kept.map(({ action, outcome, plan_id }) => `${action} ${plan_id} ${outcome}`).sort(), [
      'Suspend gold unchanged',
      'Suspend gold unconfirmed',
    ])
  })

  test('a claim is exclusive until released or expired, and only its holder can release it', async () => {
    const { accountId, externalId } = await linked()
    const claim = (by: string, ms = 60_000) => store.claim(externalId, accountId, by, ms)
    const first = await claim('first')
    assert.equal(
      typeof first === 'object' && 'externalId' in first && first.externalId,
      externalId,
      'returns the claimed subscription',
    )
    assert.equal(await claim('second'), 'busy')
    await store.release(externalId, 'second')
    assert.equal(await claim('second'), 'busy')
    await store.release(externalId, 'first')
    assert.notEqual(await claim('dead', -1_000), 'busy')
    assert.notEqual(await claim('third'), 'busy', 'the claim had expired')
    await store.change(externalId, () => ({ status: 'Suspended' }))
    assert.equal(await claim('fourth', 1), 'busy', 'only a pending purchase can be claimed')
  })

  test('a plan set by hand stays until a subscription grants another one or ends', async () => {
    const byHand = (accountId: string) =>
      database.db.updateTable('accounts').set({ plan: 'enterprise' }).where('id', '=', accountId).execute()
    const { accountId, externalId } = await linked()
    const after = async (change: Change) => {
      await byHand(accountId)
      await store.change(externalId, () => change)
      return await plan(accountId)
    }
    assert.equal(await after({ autoRenew: false }), 'enterprise')
    assert.equal(await after({ planId: 'gold', planKey: 'pro' }), 'enterprise', 'a pending purchase grants no plan')
    assert.equal(await after({ status: 'Subscribed' }), 'pro')
    assert.equal(await after({ status: 'Subscribed', planKey: 'pro', autoRenew: true }), 'enterprise')
    assert.equal(await after({ planId: 'silver', planKey: 'starter' }), 'starter')
    assert.equal(await after({ status: 'Suspended' }), 'free')
    assert.equal(await after({ status: 'Unsubscribed' }), 'enterprise', 'the suspension had already removed the plan')
  })

  test('counts the recent events of a subscription that is not linked yet', async () => {
    const externalId = randomUUID()
    const [seen, other] = [notice(externalId), notice(randomUUID())]
    for (const each of [seen, notice(externalId)]) {
      await store.changeOnce(each, () => ({ outcome: 'unknown_subscription' }))
    }
    await store.changeOnce(other, () => ({ outcome: 'unchanged' }))
    assert.equal(await store.countEarly(externalId, 60_000), 2)
    assert.equal(await store.countEarly(other.externalId, 60_000), 0)
    await database.db
      .updateTable('marketplace_events')
      .set((eb) => ({ received_at: eb('received_at', '-', 61_000) }))
      .where('external_id', '=', externalId)
      .execute()
    assert.equal(await store.countEarly(externalId, 60_000), 0)
  })
})
