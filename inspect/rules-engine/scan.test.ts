/** Failures of the rule engine, and the limit for locating a match. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initSync } from '@virustotal/yara-x'
import { readWasm } from '#inspect/testing/inspector.ts'
import { compileRules } from './compile.ts'
import { createRuleScan, NARROWING_SCANS_MAX } from './scan.ts'

test('the first failure is kept, and nothing more is scanned', () => {
  initSync({ module: readWasm() })
  const rules = compileRules([{ name: 'a.yar', text: 'rule greeting { strings: $a = "morning" condition: $a }' }])
  const found: string[] = []
  let fails = false
  const scannerFor: typeof rules.scannerFor = (...some) => (fails ? assert.fail('broken') : rules.scannerFor(...some))
  const failing = { ...rules, scannerFor }
  const ruleScan = createRuleScan(failing, {
    addFinding: ({ id }) => found.push(id),
    addObstacle: () => assert.fail('no obstacle'),
  })
  ruleScan.scan(['a'], Buffer.from('Good morning'))
  ruleScan.finish()
  assert.equal(ruleScan.failure(), null)
  fails = true
  ruleScan.scan(['b'], Buffer.from('Good morning'))
  ruleScan.finish()
  const first = ruleScan.failure()
  assert.ok(first instanceof Error)
  ruleScan.scan(['c'], Buffer.from('Good morning'))
  ruleScan.finish()
  assert.equal(ruleScan.failure(), first)
  assert.deepEqual(found, ['Operator.greeting'])
  rules.dispose()
})

/** Every member has both patterns of the rule, so only bisection locates the match, with two scans per step. */
function placesIn(members: number): (readonly string[])[] {
  initSync({ module: readWasm() })
  const text = 'rule both { strings: $a = "first" $b = "second" condition: all of them }'
  const rules = compileRules([{ name: 'a.yar', text }])
  const paths: (readonly string[])[] = []
  const sink = {
    addFinding: ({ path }: { path: readonly string[] }) => paths.push(path),
    addObstacle: () => assert.fail(),
  }
  const ruleScan = createRuleScan(rules, sink)
  for (let i = 0; i < members; i++) ruleScan.scan([`${i}`], Buffer.from('first and second'))
  ruleScan.finish()
  rules.dispose()
  assert.equal(ruleScan.failure(), null)
  return paths
}

test('a match is located until the scan limit, then reported without a path', () => {
  const most = NARROWING_SCANS_MAX / 2 + 1
  const named = (paths: (readonly string[])[]) => new Set(paths.filter(({ length }) => length > 0).flat()).size
  const whole = placesIn(most)
  assert.deepEqual([whole.length, named(whole)], [most, most])
  const cut = placesIn(most + 1)
  assert.deepEqual([cut.length, named(cut)], [most, most - 1])
})
