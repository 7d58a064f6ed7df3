/** Enumerates the decision tables: every kind of event, age and reported state. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type ConfirmedEvent, isLate, isUnfinished, isUnpaidActivation } from './lateness.ts'
import type { Operation } from './ports.ts'
import { EVENT_RULES, type EventKind, type Purchase, STATUSES, type Status, type Subscription } from './state.ts'

const EVENT_KINDS = Object.keys(EVENT_RULES) as EventKind[]
const NEWEST_MS = 500

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
  termEnd: 100,
  beneficiaryEmail: null,
  settledAt: null,
  eventAt: { status: NEWEST_MS, plan: NEWEST_MS, quantity: NEWEST_MS },
}

const eventOf = (kind: EventKind, atMs: number | null, isOpen: boolean): ConfirmedEvent => ({
  kind,
  atMs,
  isOpen,
  plan: kind === 'plan_changed' ? { planId: 'gold', planKey: 'pro' } : null,
  quantity: kind === 'quantity_changed' ? 7 : null,
})

const AGES = { newer: NEWEST_MS + 1, equal: NEWEST_MS, older: NEWEST_MS - 1, undated: null }

/** The state after each event, for a subscription that is Subscribed. */
const AFTER: Record<EventKind, Partial<Purchase>> = {
  activated: { status: 'Subscribed' },
  plan_changed: { planId: 'gold' },
  quantity_changed: { quantity: 7 },
  renewed: { termEnd: 200 },
  suspended: { status: 'Suspended' },
  reinstated: { status: 'Subscribed' },
  cancelled: { status: 'Unsubscribed' },
}
const SILENT: Purchase = { ...KNOWN, status: null, planId: 'tin', quantity: null }
const OTHERWISE: Purchase = { ...KNOWN, status: 'PendingFulfillmentStart', planId: 'tin', quantity: 1 }

const REPORTS: Record<string, (kind: EventKind) => Purchase | null> = {
  agrees: (kind) => ({ ...SILENT, ...AFTER[kind] }),
  differs: () => OTHERWISE,
  missing: () => null,
}

describe('an event is late', () => {
  /** L: late. Columns: the marketplace agrees, differs, reports nothing. */
  const TABLE: Record<string, string> = {
    //               agrees differs missing
    'newer         ': '- - -',
    'equal         ': '- - -',
    'older         ': '- L L',
    'undated       ': '- L -',
    'newer   open  ': '- - -',
    'equal   open  ': '- - -',
    'older   open  ': '- L L',
    'undated open  ': '- - -',
  }
  const NEVER_LATE: EventKind[] = ['renewed', 'cancelled']

  for (const kind of EVENT_KINDS) {
    for (const [row, columns] of Object.entries(TABLE)) {
      const [age = '', open] = row.trim().split(/\s+/)
      for (const [index, [report, remoteOf]] of Object.entries(REPORTS).entries()) {
        const expected = columns.split(' ')[index] === 'L' && !NEVER_LATE.includes(kind)
        const name = `${kind}, ${age}${open ? ', waiting for our answer' : ''}, report ${report}`
        test(`${name}: ${expected ? 'late' : 'not late'}`, () => {
          const event = eventOf(kind, AGES[age as keyof typeof AGES], open !== undefined)
          assert.equal(isLate(KNOWN, event, remoteOf(kind)), expected)
        })
      }
    }
  }

  test('never, if no event of the same concern was applied before', () => {
    const fresh: Subscription = { ...KNOWN, eventAt: { status: null, plan: null, quantity: null } }
    for (const kind of EVENT_KINDS) assert.equal(isLate(fresh, eventOf(kind, 0, false), OTHERWISE), false, kind)
  })

  test('by the order of its own concern only', () => {
    for (const kind of EVENT_KINDS) {
      const { concern } = EVENT_RULES[kind]
      if (concern === null) continue
      const others: Subscription = { ...KNOWN, eventAt: { ...KNOWN.eventAt, [concern]: null } }
      assert.equal(isLate(others, eventOf(kind, AGES.older, false), null), false, kind)
    }
  })

  test('if the marketplace reports an unknown state or no quantity, exactly as if it reports nothing', () => {
    for (const kind of ['activated', 'suspended', 'reinstated', 'quantity_changed'] as const) {
      assert.equal(isLate(KNOWN, eventOf(kind, AGES.older, false), SILENT), true, kind)
      assert.equal(isLate(KNOWN, eventOf(kind, null, false), SILENT), false, kind)
    }
  })
})

describe('an operation is unfinished', () => {
  /** Whether an operation of this kind waits for our answer instead of becoming a fact by itself. */
  const ANSWERED: EventKind[] = ['plan_changed', 'quantity_changed', 'reinstated']
  const STAGES: Operation['stage'][] = ['waiting', 'done']

  for (const kind of EVENT_KINDS) {
    for (const stage of STAGES) {
      for (const [report, remoteOf] of Object.entries(REPORTS)) {
        const expected = stage === 'waiting' && report !== 'agrees' && !ANSWERED.includes(kind)
        test(`${kind}, ${stage}, report ${report}: ${expected}`, () =>
          assert.equal(isUnfinished({ kind, stage }, KNOWN, remoteOf(kind)), expected))
      }
    }
  }

  test('if it renews a subscription that we do not know', () =>
    assert.equal(isUnfinished({ kind: 'renewed', stage: 'waiting' }, null, { ...SILENT, termEnd: 200 }), true))
})

describe('an activation of a pending subscription', () => {
  const pending: Subscription = { ...KNOWN, status: 'PendingFulfillmentStart' }
  const ACTIVATED = eventOf('activated', AGES.newer, false)
  /** Reported status → unfinished, unpaid. */
  const TABLE: [Status | null, boolean, boolean][] = [
    ['PendingFulfillmentStart', true, true],
    ['Subscribed', false, false],
    ['Suspended', false, true],
    ['Unsubscribed', false, true],
    [null, true, true],
  ]
  for (const [status, unfinished, unpaid] of TABLE) {
    test(`reported as ${status ?? 'unknown'}: unfinished ${unfinished}, unpaid ${unpaid}`, () => {
      const remote: Purchase = { ...KNOWN, status }
      assert.equal(isUnfinished({ kind: 'activated', stage: 'done' }, pending, remote), unfinished)
      assert.equal(isUnpaidActivation(pending, ACTIVATED, remote), unpaid)
    })
  }

  test('without a report is unfinished and unpaid', () => {
    assert.equal(isUnfinished({ kind: 'activated', stage: 'done' }, pending, null), true)
    assert.equal(isUnpaidActivation(pending, ACTIVATED, null), true)
  })

  test('is the only event with that rule', () => {
    for (const kind of EVENT_KINDS) {
      for (const status of STATUSES) {
        const isActivation = kind === 'activated' && status === 'PendingFulfillmentStart'
        assert.equal(isUnpaidActivation({ ...KNOWN, status }, eventOf(kind, 1, false), null), isActivation)
      }
    }
  })
})
