/** What an event changes: each concern has an order of its own, and the truth outvotes it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ConfirmedEvent } from './lateness.ts'
import type { Purchase } from './ports.ts'
import type { Subscription } from './state.ts'
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

const TRUTH: Purchase = { ...KNOWN, status: 'Subscribed' }

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

/** The subscription after an event, or the word for why it stayed as it was. */
function after(known: Subscription, told: ConfirmedEvent, truth: Purchase | null = TRUTH): Subscription | string {
  const effect = changeFromEvent(known, told, truth, NOW, choosePlan)
  if (effect.outcome !== 'applied') return effect.outcome
  const { eventAt, settles: _settles, planKey, ...rest }: Change = effect.change
  return {
    ...known,
    ...rest,
    planKey: planKey === undefined ? known.planKey : (planKey ?? 'none'),
    eventAt: { ...known.eventAt, ...eventAt },
  }
}

function applied(known: Subscription, told: ConfirmedEvent, truth: Purchase | null = TRUTH): Subscription {
  const found = after(known, told, truth)
  assert.ok(typeof found === 'object', String(found))
  return found
}

describe('an event that was dated before one that is known', () => {
  test('counts when that one was about something else', () => {
    let known = applied(KNOWN, event('renewed', 900))
    assert.deepEqual(known.eventAt, KNOWN.eventAt, 'a renewal makes nothing old')
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
  for (const [told, agreeing] of LATE) {
    test(`${told.kind}: too late by a millisecond, unless the marketplace says that it is so`, () => {
      const others: Purchase = { ...TRUTH, status: null, planId: 'tin', quantity: null }
      assert.equal(after(known, told, others), 'superseded')
      assert.equal(after(known, told, null), 'superseded')
      applied(known, { ...told, atMs: 500 }, others)
      const found = applied(known, told, { ...others, ...agreeing })
      assert.deepEqual(found.eventAt, known.eventAt, 'what was newest stays so')
    })
  }

  for (const [told] of LATE) {
    test(`${told.kind} without a time: not against what the marketplace says, unless it waits for us`, () => {
      const undated = { ...told, atMs: null }
      const otherwise: Purchase = { ...TRUTH, status: 'PendingFulfillmentStart', planId: 'tin', quantity: 1 }
      assert.equal(after(KNOWN, undated, otherwise), 'superseded')
      applied(KNOWN, undated, null)
      applied(KNOWN, { ...undated, isOpen: true }, otherwise)
    })
  }

  test('a cancellation is final whenever it is heard of; without a quantity there is nothing to agree about', () => {
    assert.equal(applied(known, event('cancelled', 1)).status, 'Unsubscribed')
    assert.equal(after(known, event('quantity_changed', 499), { ...TRUTH, quantity: null }), 'superseded')
  })
})

test('a time that is yet to come counts as now, so that it makes nothing old that happens later', () => {
  const at = (atMs: number) => applied(KNOWN, event('suspended', atMs)).eventAt.status
  assert.deepEqual([at(NOW), at(NOW + 1), at(NOW * 2)], [NOW, NOW, NOW])
  const suspended = applied(KNOWN, event('suspended', NOW * 2))
  assert.equal(applied(suspended, event('reinstated', NOW)).status, 'Subscribed')
})

test('what changes nothing but the term does not hold the truth back', () => {
  const settles = (told: ConfirmedEvent) => {
    const effect = changeFromEvent(KNOWN, told, TRUTH, NOW, choosePlan)
    return effect.outcome === 'applied' && effect.change.settles === true
  }
  assert.deepEqual([settles(event('renewed', 1)), settles(event('suspended', 1))], [false, true])
})
