/** Work left after a call: activations in doubt, changes that settle, and answers that follow our response. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database } from '#storage/database.ts'
import { type MarketplaceHarness, useMarketplace } from '#test/support/marketplace-service.ts'
import type { MarketplacePeer } from '#test/support/microsoft-marketplace.ts'
import { seedAccount } from '#test/support/seed.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { ANSWER_MS_MAX, ANSWERS_MAX } from './operations.ts'
import { RECHECKS_MAX, UNAVAILABLE_MAX } from './reconcile.ts'
import { RECHECK_MS, SETTLING_MS } from './state.ts'

/** Faults for all attempts of one call. */
const failing = (fault: object = { status: 500 }, calls = 1) => Array.from({ length: 3 * calls }, () => fault)
const LOST = failing({ drop: true, afterwards: true })

forEachDatabase('follow-up work', (openUrl) => {
  let database: Database
  let peer: MarketplacePeer
  let harness: MarketplaceHarness
  useMarketplace(openUrl, (suite) => {
    ;({ database, peer, harness } = suite)
  })

  const followUp = () => harness.open().reconcile.followUp()

  async function followUpWhenDue(): Promise<void> {
    await harness.makeDue()
    await followUp()
  }

  async function recheckInMs(id: string): Promise<number | null> {
    const at = (await harness.rowOf(id))?.recheck_at ?? null
    return at === null ? null : at - Date.now()
  }

  async function assertRecheckedNextMinute(id: string): Promise<void> {
    const inMs = (await recheckInMs(id)) ?? 0
    assert.ok(inMs > 0 && inMs <= RECHECK_MS, `${inMs} ms`)
  }

  /** A purchase that the marketplace bills, without our knowing. */
  async function inDoubt() {
    const bought = await harness.resolved()
    await peer.faults('activate', ...LOST)
    await assert.rejects(harness.open().service.activate(bought.accountId, bought.id), /is not responding/)
    await peer.forget()
    return bought
  }

  const stateOf = async ({ id, accountId }: { id: string; accountId: string }) => [
    await harness.statusOf(id),
    await harness.plan(accountId),
  ]

  test('a lost response to an activation is repaired by a recheck after a minute', async () => {
    const bought = await inDoubt()
    await assertRecheckedNextMinute(bought.id)
    await followUp()
    assert.deepEqual(await peer.calls(), [], 'not due yet')
    await followUpWhenDue()
    assert.deepEqual(await stateOf(bought), ['Subscribed', 'starter'])
    assert.equal((await harness.rowOf(bought.id))?.activating_by, null)
  })

  test('an activation in doubt is rechecked every minute for as long as reports may lag', async () => {
    const bought = await inDoubt()
    await peer.lag(bought.id, 2)
    for (let minute = 0; minute < 2; minute++) {
      await followUpWhenDue()
      assert.deepEqual(await stateOf(bought), ['PendingFulfillmentStart', 'free'])
      await assertRecheckedNextMinute(bought.id)
    }
    await followUpWhenDue()
    assert.deepEqual(await stateOf(bought), ['Subscribed', 'starter'])
  })

  test('an activation that stays pending for 15 minutes did not happen, and the doubt ends', async () => {
    const { id, accountId } = await harness.resolved()
    await harness.newStore().claim(id, accountId, 'dead', -SETTLING_MS + 5_000)
    await followUpWhenDue()
    assert.equal((await harness.rowOf(id))?.activating_by, 'dead')
    await database.db
      .updateTable('subscriptions')
      .set((eb) => ({ activating_until: eb('activating_until', '-', 5_000) }))
      .execute()
    await followUpWhenDue()
    assert.deepEqual([(await harness.rowOf(id))?.activating_by, await recheckInMs(id)], [null, null])
  })

  test('an outage stops after three failures, and all are rechecked a minute later', async () => {
    const all = []
    for (let i = 0; i <= UNAVAILABLE_MAX; i++) all.push(await inDoubt())
    await peer.faults('operations', ...failing({ status: 500 }, UNAVAILABLE_MAX))
    await followUpWhenDue()
    assert.equal((await peer.calls('operations')).length, 3 * UNAVAILABLE_MAX)
    const inMs = await Promise.all(all.map(({ id }) => recheckInMs(id)))
    assert.equal(inMs.filter((ms) => ms !== null && ms > 0).length, UNAVAILABLE_MAX)
    await peer.forget()
    await followUpWhenDue()
    for (const each of all) assert.deepEqual(await stateOf(each), ['Subscribed', 'starter'])
  })

  test('an invalid response postpones the recheck by ten minutes', async () => {
    const { id } = await inDoubt()
    await peer.change(id, { offerId: null })
    await followUpWhenDue()
    const inMs = (await recheckInMs(id)) ?? 0
    assert.ok(inMs > 9 * 60_000 && inMs <= 10 * 60_000, `${inMs} ms`)
  })

  test('two replicas never recheck a subscription at the same time', async () => {
    for (let i = 0; i < 4; i++) await inDoubt()
    await harness.makeDue()
    await Promise.all([followUp(), followUp(), followUp()])
    assert.equal((await peer.calls('fetch')).length, 4)
  })

  test('at most 50 subscriptions are rechecked at once', async () => {
    const { id } = await harness.resolved()
    const { id: _id, external_id: _external, ...row } = (await harness.rowOf(id)) ?? assert.fail()
    for (let i = 0; i < RECHECKS_MAX; i++) {
      const copy = { ...row, id: `copy ${i}`, external_id: crypto.randomUUID() }
      await database.db.insertInto('subscriptions').values(copy).execute()
    }
    await database.db.updateTable('subscriptions').set({ recheck_at: 0 }).execute()
    await followUp()
    const waiting = () =>
      database.db.selectFrom('subscriptions').select('id').where('recheck_at', 'is not', null).execute()
    assert.equal((await waiting()).length, 1)
    await followUp()
    assert.equal((await waiting()).length, 0)
  })

  test('a suspension or plan change missed right after the activation is repaired by the next pass', async () => {
    const [suspended, changed] = [await harness.subscribed(), await harness.subscribed()]
    await peer.change(suspended.id, { saasSubscriptionStatus: 'Suspended' })
    await peer.change(changed.id, { planId: 'gold', quantity: 3 })
    assert.deepEqual(await harness.open().reconcile.pass(), { checked: 2, repaired: 2, failed: 0 })
    assert.deepEqual(await stateOf(suspended), ['Suspended', 'free'])
    assert.deepEqual(await stateOf(changed), ['Subscribed', 'pro'])
    assert.equal((await harness.rowOf(changed.id))?.quantity, 3)
  })

  test('a change missed while an event settles is repaired as soon as it has settled', async () => {
    const bought = await harness.subscribed()
    const { id } = bought
    for (const action of ['Suspend', 'Reinstate'])
      await harness.notify(await peer.operate({ subscriptionId: id, action, status: 'Succeeded' }))
    await harness.notify(await peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold' }))
    await peer.change(id, { saasSubscriptionStatus: 'Suspended', planId: 'platinum' })
    await followUpWhenDue()
    assert.deepEqual(await stateOf(bought), ['Subscribed', 'pro'], 'the report may be the state before the events')
    const { settled_at, recheck_at } = (await harness.rowOf(id)) ?? assert.fail()
    assert.equal(recheck_at, (settled_at ?? 0) + SETTLING_MS)
    await harness.age(SETTLING_MS)
    await followUpWhenDue()
    assert.deepEqual(await stateOf(bought), ['Suspended', 'free'])
    assert.equal((await harness.rowOf(id))?.plan_key, 'business')
  })

  test('an undated event is not undone by a stale report either', async () => {
    const bought = await harness.subscribed()
    const change = { subscriptionId: bought.id, action: 'ChangePlan', planId: 'gold', timeStamp: null }
    const operation = await peer.operate(change)
    assert.equal(await harness.notify(operation), 'applied')
    await peer.change(bought.id, { planId: 'silver' })
    await harness.open().reconcile.pass()
    assert.equal(await harness.plan(bought.accountId), 'pro')
  })

  const planChange = (id: string, fields: object = {}) =>
    peer.operate({ subscriptionId: id, action: 'ChangePlan', planId: 'gold', ...fields })

  const receive = async (operation: object) => harness.open().service.receive(`Bearer ${await peer.sign()}`, operation)

  test('an answer is stored with the event and sent by another process if this one ends', async () => {
    const { accountId, id } = await harness.subscribed()
    const operation = await planChange(id)
    assert.equal((await receive(operation)).outcome, 'applied')
    assert.equal(await harness.plan(accountId), 'pro')
    await followUp()
    assert.deepEqual(await peer.calls('acknowledge'), [], 'our response is sent first')
    await harness.makeDue()
    await Promise.all([followUp(), followUp()])
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, 1)
    assert.equal((await peer.operation(operation.id)).status, 'Succeeded')
  })

  test('an answer is sent once, however often its event arrives', async () => {
    const { id } = await harness.subscribed()
    const operation = await planChange(id)
    const received = await Promise.all([1, 2, 3].map(() => receive(operation)))
    await Promise.all([...received.map(({ sendAnswer }) => sendAnswer()), followUp()])
    assert.equal((await peer.calls('acknowledge')).length, 1)
    assert.deepEqual(received.map(({ outcome }) => outcome).sort(), ['applied', 'repeated', 'repeated'])
  })

  test('an event that arrives during a reconciliation pass is applied and answered once', async () => {
    const { accountId, id } = await harness.subscribed()
    const operation = await planChange(id)
    await Promise.all([harness.notify(operation), harness.open().reconcile.pass(), followUp()])
    assert.equal((await peer.calls('acknowledge')).length, 1)
    assert.deepEqual([await harness.plan(accountId), await harness.outcomesOf(operation.id)], ['pro', ['applied']])
  })

  test('an answer that fails is repeated until the operation has ended by itself', async () => {
    const { accountId, id } = await harness.subscribed()
    const operation = await planChange(id)
    // The real marketplace responds 500 to an answer to an operation that the publisher started.
    await peer.faults('acknowledge', ...failing({ status: 500 }, 2))
    assert.equal(await harness.notify(operation), 'applied')
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, 6)
    await peer.changeOperation(operation.id, { status: 'Succeeded' })
    await peer.change(id, { planId: 'gold' })
    await followUpWhenDue()
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, 6, 'no answer is needed any more')
    assert.deepEqual([await harness.plan(accountId), await harness.outcomesOf(operation.id)], ['pro', ['applied']])
  })

  test('an operation of the publisher is applied without an answer', async () => {
    for (const where of ['operation', 'notice']) {
      const { accountId, id } = await harness.subscribed()
      const source = { operationRequestSource: 'Partner' }
      const operation = await planChange(id, where === 'operation' ? source : {})
      assert.equal(await harness.notify({ ...operation, ...source }), 'applied')
      assert.equal(await harness.plan(accountId), 'pro')
    }
    await followUpWhenDue()
    assert.deepEqual(await peer.calls('acknowledge'), [])
  })

  test('a change that the marketplace abandons before our answer is taken back', async () => {
    const { accountId, id } = await harness.subscribed()
    const operation = await planChange(id)
    const { sendAnswer } = await receive(operation)
    assert.equal(await harness.plan(accountId), 'pro')
    await peer.changeOperation(operation.id, { status: 'Failed' })
    await sendAnswer()
    assert.deepEqual([await harness.plan(accountId), await harness.outcomesOf(operation.id)], ['starter', ['void']])
  })

  test('a newer plan is not taken back with an abandoned one', async () => {
    const { accountId, id } = await harness.subscribed()
    const older = await planChange(id)
    const { sendAnswer } = await receive(older)
    assert.equal(await harness.notify(await planChange(id, { planId: 'platinum' })), 'applied')
    await peer.changeOperation(older.id, { status: 'Conflict' })
    await peer.change(id, { planId: 'silver' })
    await sendAnswer()
    assert.equal(await harness.plan(accountId), 'business', 'the report may be older than the newer event')
  })

  test('an answer is given up after eight hours', async () => {
    const { id } = await harness.subscribed()
    const operation = await planChange(id)
    await receive(operation)
    const age = (ms: number) =>
      database.db
        .updateTable('marketplace_events')
        .set((eb) => ({ received_at: eb('received_at', '-', ms) }))
        .execute()
    await age(ANSWER_MS_MAX - 30_000)
    await peer.faults('acknowledge', ...failing())
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, 3)
    await age(30_001)
    harness.errors()
    await followUpWhenDue()
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, 3)
    assert.match(harness.errors().join(), /Answer given up/)
  })

  test('at most 20 answers are sent at once, and an outage stops after the first', async () => {
    const { id } = await harness.subscribed()
    const operation = await planChange(id)
    await receive(operation)
    const row = await database.db.selectFrom('marketplace_events').selectAll().executeTakeFirstOrThrow()
    for (let i = 0; i < ANSWERS_MAX; i++) {
      const dedupe = (await planChange(id)).id
      const copy = { ...row, id: `copy ${i}`, dedupe, operation_id: dedupe }
      await database.db.insertInto('marketplace_events').values(copy).execute()
    }
    // A recheck would send the answers of its subscription too.
    await database.db.updateTable('subscriptions').set({ recheck_at: null }).execute()
    await peer.faults('acknowledge', ...failing())
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, 3)
    await peer.forget()
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, ANSWERS_MAX)
    await followUpWhenDue()
    assert.equal((await peer.calls('acknowledge')).length, ANSWERS_MAX + 1)
  })

  test('seats are listed with every purchase of the account, ended ones too', async () => {
    const { service } = harness.open()
    assert.deepEqual(await service.list(await seedAccount(database)), { items: [] })
    const { accountId, id } = await harness.subscribed({ quantity: '20' })
    await harness.notify(await peer.operate({ subscriptionId: id, action: 'ChangeQuantity', quantity: 7 }))
    const view = await service.live(accountId)
    assert.deepEqual(await service.list(accountId), { items: [{ ...view, quantity: 7 }] })
    await harness.notify(await peer.operate({ subscriptionId: id, action: 'Unsubscribe', status: 'Succeeded' }))
    const next = await harness.resolved({}, { accountId })
    const { items } = await service.list(accountId)
    const shown = items.map(({ subscriptionId, status, quantity }) => [subscriptionId, status, quantity])
    assert.deepEqual(shown, [
      [next.id, 'PendingFulfillmentStart', null],
      [id, 'Unsubscribed', 7],
    ])
  })
})
