/** The state machine: every state with every event, and with every reported state. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  EVENT_RULES,
  type EventKind,
  isLive,
  isSettling,
  nextStatus,
  planInForce,
  SETTLING_MS,
  STATUSES,
  type Status,
  statusFromRemote,
} from './state.ts'

/** U is Suspended, X is Unsubscribed, and a dash has no effect. */
const STATUS_CODES: Record<string, Status> = {
  P: 'PendingFulfillmentStart',
  S: 'Subscribed',
  U: 'Suspended',
  X: 'Unsubscribed',
}
const TABLE: Record<EventKind, string> = {
  //                from P S U X
  activated: /*       */ 'S S - -',
  plan_changed: /*    */ 'P S U -',
  quantity_changed: /**/ 'P S U -',
  renewed: /*         */ '- S U -',
  suspended: /*       */ 'U U U -',
  reinstated: /*      */ 'S S S -',
  cancelled: /*       */ 'X X X -',
}

describe('events', () => {
  for (const kind of Object.keys(EVENT_RULES) as EventKind[]) {
    for (const [index, status] of STATUSES.entries()) {
      const expected = STATUS_CODES[TABLE[kind].split(' ')[index]!] ?? null
      test(`${kind} in ${status}: ${expected ?? 'no effect'}`, () => assert.equal(nextStatus(status, kind), expected))
    }
  }

  test('every status but Unsubscribed is live, and only Subscribed gives the plan', () => {
    for (const status of STATUSES) {
      assert.equal(isLive(status), status !== 'Unsubscribed')
      assert.equal(planInForce({ status, planKey: 'pro' }), status === 'Subscribed' ? 'pro' : null)
    }
  })
})

describe('a reported state', () => {
  // Rows: the known state. Columns: the reported state.
  const SETTLED: Record<Status, string> = {
    PendingFulfillmentStart: 'P S U X',
    Subscribed: 'P S U X',
    Suspended: 'U S U X',
    Unsubscribed: 'X X X X',
  }
  const SETTLING: Record<Status, string> = {
    PendingFulfillmentStart: 'P P P X',
    Subscribed: 'S S S X',
    Suspended: 'U U U X',
    Unsubscribed: 'X X X X',
  }
  /** A suspension after our activation is news; after a status event it may be the old state. */
  const ACTIVATED: Record<Status, string> = { ...SETTLING, Subscribed: 'S S U X' }
  const NEVER = { status: null, plan: null, quantity: null }
  for (const [when, settling, eventAt, table] of [
    ['', false, NEVER, SETTLED],
    [' after a recent event', true, { ...NEVER, status: 1 }, SETTLING],
    [' after a recent event without a timestamp', true, { ...NEVER, status: 0 }, SETTLING],
    [' after a recent activation', true, NEVER, ACTIVATED],
  ] as const) {
    for (const known of STATUSES) {
      test(`for ${known}${when}`, () => {
        const found = STATUSES.map((remote) => statusFromRemote({ status: known, eventAt }, remote, settling))
        assert.deepEqual(
          found,
          table[known].split(' ').map((letter) => STATUS_CODES[letter]),
        )
        assert.equal(
          statusFromRemote({ status: known, eventAt }, null, settling),
          known,
          'an unknown state changes nothing',
        )
      })
    }
  }

  test('counts again exactly when the settling time is over', () => {
    assert.equal(isSettling(null, 1), false)
    assert.equal(isSettling(1_000, 1_000 + SETTLING_MS - 1), true)
    assert.equal(isSettling(1_000, 1_000 + SETTLING_MS), false)
  })
})
