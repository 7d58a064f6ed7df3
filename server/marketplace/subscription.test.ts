/** The change that an event makes: each concern has its own order, and the reported state takes precedence. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConfirmedEvent } from './lateness.ts'
import type { Purchase, Subscription } from './state.ts'
import { type Change, changeFromEvent } from './subscription.ts'

const NOW = 1_000_000

const KNOWN: Subscription = {
  id: 'ours',
  externalId: 'theirs',
  accountId: 'account',
  offerId: 'docvet',
  planId: 'silver',
  planKey: 'starter',
  quantity: 5,
  status: 'Subscribed',
  freeTrial: false,
  autoRenew: true,
  termStart: null,
  termEnd: null,
  beneficiaryEmail: null,
  settledAt: null,
  eventAt: { status: null, plan: null, quantity: null },
}

const REMOTE: Purchase = { ...KNOWN, status: 'Subscribed' }

const event = (kind: ConfirmedEvent['kind'], atMs: number | null, more: Partial<ConfirmedEvent> = {}) => ({
  kind,
  atMs,
  plan: null,
  quantity: null,
  isOpen: false,
  ...more,
})

const gold = { plan: { planId: 'gold', planKey: 'pro' } }

const choosePlan = (_offerId: string, planId: string) => (planId === 'silver' ? { planId, planKey: 'starter' } : null)

/** The subscription after an event, or the outcome if it did not change. */
function after(known: Subscription, given: ConfirmedEvent, remote: Purchase | null = REMOTE): Subscription | string {
  const effect = changeFromEvent(known, given, remote, NOW, choosePlan)
  if (effect.outcome !== 'applied') return effect.outcome
  const { eventAt, settles: _settles, planKey, ...rest }: Change = effect.change
  return {
    ...known,
    ...rest,
    planKey: planKey === undefined ? known.planKey : (planKey ?? 'none'),
    eventAt: { ...known.eventAt, ...eventAt },
  }
}

function applied(known: Subscription, given: ConfirmedEvent, remote: Purchase | null = REMOTE): Subscription {
  const found = after(known, given, remote)
  assert.ok(typeof found === 'object', String(found))
  return found
}

describe('an event older than the newest one applied', () => {
  test('counts if the newest one had another concern', () => {
    let known = applied(KNOWN, event('renewed', 900))
    assert.deepEqual(known.eventAt, KNOWN.eventAt, 'a renewal has no order')
    known = applied(known, event('quantity_changed', 800, { quantity: 7 }))
    known = applied(known, event('plan_changed', 700, gold))
    known = applied(known, event('suspended', 600))
    assert.deepEqual([known.status, known.planKey, known.quantity], ['Suspended', 'pro', 7])
    assert.deepEqual(known.eventAt, { status: 600, plan: 700, quantity: 800 })
  })

  const LATE: [ConfirmedEvent, Partial<Purchase>][] = [
    [event('suspended', 499), { status: 'Suspended' }],
    [event('activated', 499), { status: 'Subscribed' }],
    [event('reinstated', 499), { status: 'Subscribed' }],
    [event('plan_changed', 499, gold), { planId: 'gold' }],
    [event('quantity_changed', 499, { quantity: 7 }), { quantity: 7 }],
  ]
  const known: Subscription = { ...KNOWN, eventAt: { status: 500, plan: 500, quantity: 500 } }
  for (const [given, agreeing] of LATE) {
    test(`${given.kind}: late by a millisecond, unless the marketplace reports it as current`, () => {
      const others: Purchase = { ...REMOTE, status: null, planId: 'tin', quantity: null }
      assert.equal(after(known, given, others), 'superseded')
      assert.equal(after(known, given, null), 'superseded')
      applied(known, { ...given, atMs: 500 }, others)
      const found = applied(known, given, { ...others, ...agreeing })
      assert.deepEqual(found.eventAt, known.eventAt, 'the newest timestamp stays')
    })
  }

  for (const [given] of LATE) {
    test(`${given.kind} without a timestamp: does not override the reported state, unless it waits for our answer`, () => {
      const undated = { ...given, atMs: null }
      const otherwise: Purchase = { ...REMOTE, status: 'PendingFulfillmentStart', planId: 'tin', quantity: 1 }
      assert.equal(after(KNOWN, undated, otherwise), 'superseded')
      applied(KNOWN, undated, null)
      applied(KNOWN, { ...undated, isOpen: true }, otherwise)
    })
  }

  test('a cancellation is never late; an event without a quantity never agrees', () => {
    assert.equal(applied(known, event('cancelled', 1)).status, 'Unsubscribed')
    assert.equal(after(known, event('quantity_changed', 499), { ...REMOTE, quantity: null }), 'superseded')
  })
})

test('a timestamp in the future counts as now, so that it makes no later event late', () => {
  const at = (atMs: number) => applied(KNOWN, event('suspended', atMs)).eventAt.status
  assert.deepEqual([at(NOW), at(NOW + 1), at(NOW * 2)], [NOW, NOW, NOW])
  const suspended = applied(KNOWN, event('suspended', NOW * 2))
  assert.equal(applied(suspended, event('reinstated', NOW)).status, 'Subscribed')
})

test('a renewal does not delay the reported state', () => {
  const settles = (given: ConfirmedEvent) => {
    const effect = changeFromEvent(KNOWN, given, REMOTE, NOW, choosePlan)
    return effect.outcome === 'applied' && effect.change.settles === true
  }
  assert.deepEqual([settles(event('renewed', 1)), settles(event('suspended', 1))], [false, true])
})
