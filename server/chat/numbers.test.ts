/** Only numbers that we gave, or were asked about, come back. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hasForeignNumber } from './numbers.ts'
import { STATUSES } from './testing/facts.ts'
import { GOOD, judge } from './testing/judge.ts'

const SOURCES =
  '5 keys, up to 25 MB (26,214,400 bytes), 500 scans a month, 10 minutes, 30 seconds, 75 %, SHA-256, port 8080, 0.5.'

describe('numbers', () => {
  const GIVEN = [
    'up to 25 MB',
    '25MB, 25 megabytes, 25-MB files',
    '26,214,400 bytes or 26214400',
    '500 scans, 5 keys, 5 API keys',
    '10 minutes, a 10-minute link, 10 min',
    '30 s, 30 seconds',
    '75% and 75 percent',
    'SHA-256 on port 8080',
    '0.5 a second',
    // One digit says nothing, nor does its place in a list.
    'step 2 of 3, UTF-8',
    '11. first\n12) second',
  ]
  for (const text of GIVEN)
    test(`given: ${text}`, () => assert.equal(hasForeignNumber(text, { sources: SOURCES }), false))

  const FOREIGN = [
    'up to 50 MB',
    'up to 25 GB',
    'up to 5 MB',
    '26,214,401 bytes',
    '5000 scans',
    '9 scans',
    '9 keys',
    '500 keys',
    '10 hours',
    '10 days',
    '3 minutes',
    '30 ms',
    '7 %',
    '$5 a month',
    '5 € a month',
    'EUR 25',
    'since 2019',
    '1.5 seconds',
    'the answer is 42',
    'a million scans a month',
    'five thousand scans',
    'five dollars a month',
    '413 scans',
  ]
  for (const text of FOREIGN)
    test(`foreign: ${text}`, () => assert.equal(hasForeignNumber(text, { sources: SOURCES }), true))

  test('statuses of our problems may always come back, as statuses', () => {
    for (const text of ['413, 422 or 503', 'status 429'])
      assert.equal(hasForeignNumber(text, { sources: '', statuses: STATUSES }), false, text)
    for (const text of ['418', '503 scans', '422 MB'])
      assert.equal(hasForeignNumber(text, { sources: '', statuses: STATUSES }), true, text)
  })

  test('a plan has its own numbers, and not those of another', () => {
    const plans =
      'Plans: `free` has 500 scans a month per key, 5 keys in one month. `team` has 900 scans a month per key, 40 keys.'
    for (const text of [
      'The free plan has 500 scans.',
      'On the plan `team` there are 900 scans and 40 keys.',
      'The free plan has 500 scans, the team plan 900 scans.',
      'A failed scan is free. 900 scans are for others.',
    ])
      assert.equal(hasForeignNumber(text, { sources: plans }), false, text)
    for (const text of [
      'The free plan has 900 scans.',
      'The plan team has 5 keys.',
      'On the free plan: 500 scans, 40 keys.',
    ])
      assert.equal(hasForeignNumber(text, { sources: plans }), true, text)
  })

  test('what the question has may come back', () => {
    assert.equal(hasForeignNumber('418 is not one of ours.', { sources: SOURCES }), true)
    assert.equal(hasForeignNumber('418 is not one of ours.', { sources: SOURCES, question: 'What is 418?' }), false)
  })

  test('a reply with a number of its own is not what we have written', () => {
    assert.deepEqual(judge(`${GOOD} On the plan free that is 500.`), {
      kind: 'answer',
      text: `${GOOD} On the plan free that is 500.`,
    })
    assert.deepEqual(judge(`${GOOD} On the plan free that is 600.`), { kind: 'ungrounded', by: 'number' })
  })
})
