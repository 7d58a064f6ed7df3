/** The checker of `npm run fault` finds every kind of violation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Operation, violationsOf } from '#test/support/fault-checker.ts'

type Attempt = Operation['attempts'][number]

const verdict = (scanId: string, said = 'clean', infected = false): Attempt => ({
  ...{ kind: 'text', infected, sha256: '', outcome: 'ok', status: 200, ms: 1, said, scanId, retryAfter: null },
})
const refusal = (status: number, said: string, retryAfter: string | null = '1'): Attempt => ({
  ...verdict('', said),
  ...{ outcome: 'refused', status, scanId: null, retryAfter },
})
const unknown: Attempt = { ...refusal(0, 'ECONNRESET'), outcome: 'unknown' }
const once = (...attempts: Attempt[]): Operation => ({ isIdempotent: false, attempts })
const keyed = (...attempts: Attempt[]): Operation => ({ isIdempotent: true, attempts })
const problems = (operations: Operation[], charged: string[], used = charged.length, quota = 10) =>
  violationsOf({ operations, charged: new Set(charged), used, quota }).join()

test('a history without violations', () => {
  const operations = [
    ...[once(verdict('a')), once(verdict('b', 'infected', true)), keyed(unknown, verdict('c'), verdict('c'))],
    ...[once(unknown), once(refusal(503, 'busy')), once(refusal(402, 'quota_exhausted')), keyed(unknown, unknown)],
  ]
  assert.equal(problems(operations, ['a', 'b', 'c']), '')
  // One charge for each scan whose answer is unknown.
  assert.equal(problems(operations, ['a', 'b', 'c', 'd', 'e']), '')
  assert.equal(problems([once(refusal(503, 'storage_unavailable'))], ['a']), '')
})

test('every kind of violation', () => {
  assert.match(problems([once(verdict('a', 'clean', true))], ['a']), /An infected document is clean/)
  assert.match(problems([once(verdict('a', 'infected'))], ['a']), /A harmless document is infected/)
  assert.match(problems([once(verdict('a'))], []), /The verdict of a is not charged/)
  assert.match(problems([once(refusal(503, 'busy'))], ['a']), /1 charges for 0 verdicts and 0 scans/)
  assert.match(problems([keyed(unknown, unknown)], ['a', 'b']), /2 charges for 0 verdicts and 1 scans/)
  assert.match(problems([keyed(verdict('a'), verdict('b'))], ['a', 'b']), /One Idempotency-Key has 2 verdicts/)
  assert.match(problems([once(verdict('a'))], ['a'], 1, 0), /1 scans are charged, the quota is 0/)
  assert.match(problems([once(verdict('a'))], ['a'], 2), /The ledger has 1 rows, the counter 2/)
  assert.match(problems([once(refusal(500, 'internal_error'))], []), /Unexpected response: 500/)
  assert.match(problems([once(refusal(503, 'busy', null))], []), /A 503 has no Retry-After/)
})
