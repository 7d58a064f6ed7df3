import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isoTime } from './iso-time.ts'

test('isoTime is toISOString, within a second and across its ends', () => {
  const start = Date.UTC(2026, 11, 31, 23, 59, 58)
  const times = [0, 1, 9, 10, 99, 100, 999, 1_000, 1_001, 1_999, 2_000, 999, 0].map((ms) => start + ms)
  for (const ms of [...times, 0, -1, -1_000, 253_402_300_799_999]) assert.equal(isoTime(ms), new Date(ms).toISOString())
})
