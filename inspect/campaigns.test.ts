/** Macro documents after the ways of real campaigns are met, and the macros of offices are not accused. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { businessMacros } from './testing/campaigns/business.ts'
import { CAMPAIGNS, VARIANTS } from './testing/campaigns/campaigns.ts'
import { useInspector } from './testing/inspector.ts'

const { outcome } = useInspector()

suite('campaigns', () => {
  for (const [name, write] of Object.entries(CAMPAIGNS))
    test(name, () => {
      const passed = Array.from({ length: VARIANTS }, (_, i) => i).filter((i) => outcome(write(i)) === undefined)
      assert.deepEqual(passed, [])
    })
})

test('macros of offices are neither accused nor refused', () => {
  const documents = businessMacros()
  assert.equal(documents.length, 100)
  const accused = documents.flatMap(({ name, bytes }) => {
    const found = outcome(bytes)
    return found === undefined ? [] : [`${name}: ${found}`]
  })
  assert.deepEqual(accused, [])
})
