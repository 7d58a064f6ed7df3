/** The term of a sandbox purchase. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monthFrom } from './rules.ts'

test('a month ends the day before the same day of the next month, or on its last day if that is shorter', () => {
  const TERMS: [string, string][] = [
    ['2026-11-15', '2026-12-14'],
    ['2026-12-01', '2026-12-31'],
    ['2027-01-28', '2027-02-27'],
    ['2027-01-29', '2027-02-28'],
    ['2027-01-31', '2027-02-28'],
    ['2028-01-29', '2028-02-28'],
    ['2028-01-30', '2028-02-29'],
    ['2027-03-31', '2027-04-30'],
    ['2026-12-31', '2027-01-30'],
  ]
  for (const [startDate, endDate] of TERMS) {
    assert.deepEqual(monthFrom(new Date(startDate)), { startDate, endDate, termUnit: 'P1M' })
  }
})
