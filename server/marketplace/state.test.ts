/** The state machine, every state with every event, and what the truth makes of a state. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  EVENT_KINDS,
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

/** P, S, U for Suspended, X for Unsubscribed; a dash changes nothing. */
const LETTERS: Record<string, Status> = {
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
  for (const kind of EVENT_KINDS) {
    for (const [index, status] of STATUSES.entries()) {
      const expected = LETTERS[TABLE[kind].split(' ')[index]!] ?? null
      test(`${kind} makes ${expected ?? 'nothing'} of ${status}`, () =>
        assert.equal(nextStatus(status, kind), expected))
    }
  }

  test('no event leads out of Unsubscribed, and only Subscribed gives the plan', () => {
    for (const status of STATUSES) {
      assert.equal(isLive(status), status !== 'Unsubscribed')
      assert.equal(planInForce(status, 'pro', 'free'), status === 'Subscribed' ? 'pro' : 'free')
    }
  })
})

describe('the truth', () => {
  // Rows: what we know; columns: what the marketplace says.
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
  for (const [settling, table] of [
    [false, SETTLED],
    [true, SETTLING],
  ] as const) {
    for (const known of STATUSES) {
      test(`about ${known}${settling ? ', which has just changed' : ''}`, () => {
        const found = STATUSES.map((truth) => statusFromRemote(known, truth, settling))
        assert.deepEqual(
          found,
          table[known].split(' ').map((letter) => LETTERS[letter]),
        )
        assert.equal(statusFromRemote(known, null, settling), known, 'a word that we do not know changes nothing')
      })
    }
  }

  test('counts again when the time to settle is over, and not a millisecond before', () => {
    assert.equal(isSettling(null, 1), false)
    assert.equal(isSettling(1_000, 1_000 + SETTLING_MS - 1), true)
    assert.equal(isSettling(1_000, 1_000 + SETTLING_MS), false)
  })
})
