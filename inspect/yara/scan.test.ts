/** A rule engine that breaks down in the middle of a document. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initSync } from '@virustotal/yara-x'
import { createSight } from '../sight.ts'
import { readRules, readWasm } from '../testing/inspector.ts'
import { EICAR } from '../testing/samples.ts'
import { compileRules } from './compile.ts'
import { createSweep } from './scan.ts'

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
