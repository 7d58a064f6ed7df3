/** The plan map from the marketplace's plans to ours. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parsePlanMap, planKeyOf, sandboxPlans } from './choice.ts'

test('finds mapped plans only', () => {
  const map = { 'docvet/gold': 'pro' }
  assert.equal(planKeyOf(map, 'docvet', 'gold'), 'pro')
  for (const [offer, plan] of [
    ['docvet', 'silver'],
    ['other', 'gold'],
    ['docvet', 'Gold'],
    ['', ''],
    ['constructor', ''],
  ]) {
    assert.equal(planKeyOf(map, offer!, plan!), null)
  }
  assert.equal(planKeyOf(JSON.parse('{"__proto__/a":"pro"}'), '__proto__', 'a'), 'pro')
  assert.equal(planKeyOf({}, '__proto__', ''), null)
})

test('accepts names of up to 100 characters', () => {
  const name = (length: number) => 'x'.repeat(length)
  const map = (offer: number, plan: number) =>
    parsePlanMap(JSON.stringify({ [`${name(offer)}/${name(plan)}`]: 'pro' }), ['pro'])
  assert.ok('plans' in map(100, 100))
  assert.ok(
    'problems' in map(101, 1) && 'problems' in map(1, 101) && 'problems' in map(0, 1) && 'problems' in map(1, 0),
  )
})

test('the sandbox sells every plan but the free one', () => {
  assert.deepEqual(sandboxPlans(['free', 'pro', 'internal'], ['free', 'internal']), { 'docvet/pro': 'pro' })
})
