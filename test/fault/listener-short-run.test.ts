/** The short form of `npm run listener-fault`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runDocuments } from '#test/support/listener-fault.ts'
import { needs } from '#test/support/suite.ts'

test('no document that was not completely inspected is taken for clean', { ...needs('clamd', 'pyclamd') }, async () => {
  const tally = await runDocuments({ documents: 300, secondsMax: 60, everyMs: 500, endsMax: 1 })
  console.log(`  ${JSON.stringify(tally)}`)
  assert.deepEqual(tally.wrong, [])
  const { ok, infected, uninspected, error } = tally.answers
  assert.ok(ok > 0 && infected > 0 && uninspected > 0 && error > 0, 'answers of every kind')
})
