/** A rule engine that breaks down in the middle of a document, and how much is spent on the place of a match. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initSync } from '@virustotal/yara-x'
import { createSight } from '#inspect/core/literal-scan.ts'
import { readRules, readWasm } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { compileRules } from './compile.ts'
import { createSweep, NARROWING_SCANS_MAX } from './scan.ts'

test('the first failure is kept, and nothing more is scanned', () => {
  initSync({ module: readWasm() })
  const rules = compileRules(readRules(), [])
  const found: string[] = []
  const sweep = createSweep(rules, createSight(rules.gate?.literals ?? [])(), {
    add: ({ id }) => found.push(id),
    hinder: () => assert.fail('no obstacle'),
  })
  sweep.show(['a'], Buffer.from(EICAR))
  sweep.finish()
  assert.equal(sweep.failure(), null)
  // A scanner that was freed fails at each scan.
  rules.dispose()
  sweep.show(['b'], Buffer.from(EICAR))
  sweep.finish()
  const first = sweep.failure()
  assert.ok(first instanceof Error)
  sweep.show(['c'], Buffer.from(EICAR))
  sweep.finish()
  assert.equal(sweep.failure(), first)
  assert.deepEqual(found, ['Docvet.Test.Eicar'])
})

/** Every member has both patterns of the rule, so that only halving tells where it matched: two scans for each half. */
function placesIn(members: number): (readonly string[])[] {
  initSync({ module: readWasm() })
  const text = 'rule both { strings: $a = "first" $b = "second" condition: all of them }'
  const rules = compileRules([{ name: 'a.yar', text }], [])
  const paths: (readonly string[])[] = []
  const notes = { add: ({ path }: { path: readonly string[] }) => paths.push(path), hinder: () => assert.fail() }
  const sweep = createSweep(rules, createSight(rules.gate?.literals ?? [])(), notes)
  for (let i = 0; i < members; i++) sweep.show([`${i}`], Buffer.from('first and second'))
  sweep.finish()
  rules.dispose()
  assert.equal(sweep.failure(), null)
  return paths
}

test('a match is traced to its member while scans for it are left, and then told without a place', () => {
  const most = NARROWING_SCANS_MAX / 2 + 1
  const named = (paths: (readonly string[])[]) => new Set(paths.filter(({ length }) => length > 0).flat()).size
  const whole = placesIn(most)
  assert.deepEqual([whole.length, named(whole)], [most, most])
  const cut = placesIn(most + 1)
  assert.deepEqual([cut.length, named(cut)], [most, most - 1])
})
