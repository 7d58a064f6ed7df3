import assert from 'node:assert/strict'
import { test } from 'node:test'
import { preferenceOf, WAIT_SECONDS_MAX } from './preference.ts'

const MAX_MS = WAIT_SECONDS_MAX * 1_000

for (const [header, waitMs] of [
  [undefined, null],
  ['', null],
  ['wait=10', null],
  ['return=minimal', null],
  ['respond-asynchronous', null],
  ['x; respond-async', null],
  ['x="a, respond-async, b"', null],
  ['x="a\\", respond-async, b"', null],
  ['wait="3, respond-async', null],
  ['x="a, b", respond-async; y="c, wait=1, d", wait=2', 2_000],
  ['respond-async', 0],
  ['Respond-Async', 0],
  ['respond-async, wait=10', 10_000],
  ['wait=10,respond-async', 10_000],
  ['wait = "10" , respond-async', 10_000],
  ['respond-async; foo=bar, wait=2; x', 2_000],
  ['return=minimal, , respond-async, =, wait=3', 3_000],
  [['respond-async', 'wait=4'], 4_000],
  ['respond-async, wait=1, wait=9', 1_000],
  ['respond-async, wait=-1', 0],
  ['respond-async, wait=1.5', 0],
  ['respond-async, wait=soon', 0],
  ['respond-async, wait', 0],
  [`respond-async, wait=${WAIT_SECONDS_MAX}`, MAX_MS],
  [`respond-async, wait=${WAIT_SECONDS_MAX + 1}`, MAX_MS],
  ['respond-async, wait=999999999999', 0],
] as const)
  test(`Prefer: ${JSON.stringify(header)}`, () => {
    const given = header as string | string[] | undefined
    assert.deepEqual(preferenceOf(given), waitMs === null ? null : { waitMs })
  })
