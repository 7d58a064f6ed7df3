/** Parsing of plans files. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BUILT_IN_PLANS, fallBackToFree, INTERNAL_PLAN, parsePlans, shownPlans } from './plan.ts'

const FREE = { scansPerMonth: 500, keysPerMonth: 5, scansPerSecond: 1, burst: 10 }

function accepted(value: unknown) {
  const result = parsePlans(value)
  assert.ok('plans' in result, 'problems' in result ? result.problems.join('\n') : '')
  return result.plans
}

function refused(value: unknown): readonly string[] {
  const result = parsePlans(value)
  assert.ok('problems' in result, 'the table should have been refused')
  assert.ok(result.problems.length > 0)
  return result.problems
}

function refusedOnce(value: unknown, pattern: RegExp) {
  const problems = refused(value)
  assert.equal(problems.length, 1, problems.join('\n'))
  assert.match(problems[0] ?? '', pattern)
}

test('the internal plan has the largest quota that a plan may have, and is shown only where new accounts get it', () => {
  const { scansPerMonth, scansPerSecond } = BUILT_IN_PLANS[INTERNAL_PLAN] ?? FREE
  assert.equal(scansPerMonth, 1_000_000_000)
  refusedOnce({ free: { ...FREE, scansPerMonth: scansPerMonth + 1 } }, /"scansPerMonth"/)
  assert.ok(scansPerSecond > (BUILT_IN_PLANS.enterprise?.scansPerSecond ?? 0))
  assert.deepEqual(Object.keys(shownPlans(BUILT_IN_PLANS, 'free')), [
    ...['free', 'starter', 'pro', 'business', 'enterprise'],
  ])
  assert.ok(INTERNAL_PLAN in shownPlans(BUILT_IN_PLANS, INTERNAL_PLAN))
})

describe('parsePlans', () => {
  test('accepts the built-in plans', () => {
    assert.deepEqual({ ...accepted(BUILT_IN_PLANS) }, BUILT_IN_PLANS)
  })

  test('accepts the free plan alone, and copies it', () => {
    const source = { free: { ...FREE } }
    const plans = accepted(source)
    source.free.burst = 99
    assert.deepEqual({ ...plans }, { free: FREE })
  })

  test('rejects a value that is not an object', () => {
    for (const value of [null, undefined, [], 'free', 5, true, [FREE]]) refusedOnce(value, /must be a JSON object/)
  })

  test('requires the free plan', () => {
    refusedOnce({}, /"free"/)
    refusedOnce({ pro: FREE }, /"free"/)
  })

  test('validates plan names', () => {
    for (const name of ['a', 'a1', 'a-b', 'a-', `a${'b'.repeat(31)}`]) {
      assert.deepEqual(accepted({ free: FREE, [name]: FREE })[name], FREE)
    }
    for (const name of ['', 'A', '1a', '-a', 'a_b', 'a b', 'ä', 'a\n', `a${'b'.repeat(32)}`]) {
      refusedOnce({ free: FREE, [name]: FREE }, /plan name/)
    }
  })

  test('rejects a plan that is not an object', () => {
    for (const plan of [null, [], 1, 'x', true]) refusedOnce({ free: FREE, pro: plan }, /^plan "pro" must be an object/)
  })

  test('requires exactly four fields', () => {
    for (const field of Object.keys(FREE)) {
      const rest = Object.fromEntries(Object.entries(FREE).filter(([name]) => name !== field))
      refusedOnce({ free: rest }, new RegExp(`^plan "free": "${field}" is missing`))
    }
    refusedOnce({ free: { ...FREE, scansPerDay: 5 } }, /^plan "free": "scansPerDay" is not a recognised field/)
  })

  test('accepts whole numbers up to the limit', () => {
    for (const field of ['scansPerMonth', 'keysPerMonth', 'burst']) {
      for (const good of [1, 1e9]) assert.ok(accepted({ free: { ...FREE, [field]: good } }))
      for (const bad of [0, -1, 0.5, 1.5, 1e9 + 1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, true, [5]]) {
        refusedOnce(
          { free: { ...FREE, [field]: bad } },
          new RegExp(`^plan "free": "${field}" .*whole number from 1 to`),
        )
      }
    }
  })

  test('accepts a fraction for scansPerSecond only', () => {
    for (const good of [0.5, 0.001, 1, 1e9]) assert.ok(accepted({ free: { ...FREE, scansPerSecond: good } }))
    for (const bad of [0, -0.5, 1e9 + 0.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null]) {
      refusedOnce({ free: { ...FREE, scansPerSecond: bad } }, /^plan "free": "scansPerSecond" .*above 0/)
    }
  })

  test('reports every problem at once', () => {
    const problems = refused({ Pro: FREE, team: { ...FREE, burst: 0, extra: 1 }, solo: { scansPerMonth: 'many' } })
    assert.equal(problems.length, 8, problems.join('\n'))
  })

  test('does not find plans named like properties of Object.prototype', () => {
    refusedOnce(JSON.parse(`{"free":${JSON.stringify(FREE)},"__proto__":${JSON.stringify(FREE)}}`), /"__proto__"/)
    refused(JSON.parse(`{"__proto__":{"free":${JSON.stringify(FREE)}}}`))
    refused(JSON.parse(`{"free":{"__proto__":${JSON.stringify(FREE)}}}`))
    refused(Object.create({ free: FREE }))
    refused({ free: Object.create(FREE) })
    const plans = accepted({ free: FREE })
    for (const name of ['constructor', 'toString', '__proto__']) assert.equal(plans[name], undefined)
    assert.deepEqual(accepted({ free: FREE, constructor: FREE }).constructor, FREE)
  })

  test('truncates quoted values', () => {
    for (const problem of refused({ free: { ...FREE, burst: 'x'.repeat(5000) }, ['Y'.repeat(5000)]: FREE })) {
      assert.ok(problem.length < 300, problem)
    }
  })
})

test('an undefined plan becomes the free plan, and is logged once per account', () => {
  const lines: unknown[] = []
  const log = { error: (fields: object) => lines.push(fields) }
  const withKnownPlan = fallBackToFree(BUILT_IN_PLANS, log)
  const principal = (accountId: string, plan: string) => ({ kind: 'key', keyId: 'k', accountId, plan }) as const
  assert.deepEqual(withKnownPlan(principal('a', 'pro')), principal('a', 'pro'))
  for (const plan of ['legacy', 'legacy', 'toString']) {
    assert.deepEqual(withKnownPlan(principal('a', plan)), principal('a', 'free'))
  }
  assert.deepEqual(withKnownPlan(principal('b', 'legacy')), principal('b', 'free'))
  assert.deepEqual(lines, [
    { accountId: 'a', plan: 'legacy' },
    { accountId: 'b', plan: 'legacy' },
  ])
})
