/** The short form of `npm run listener-fault`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runStreams } from '#test/support/listener-fault.ts'
import { needs } from '#test/support/suite.ts'

test('no stream that was not completely inspected is answered with OK', { ...needs('clamd') }, async () => {
  const tally = await runStreams({ streams: 400, secondsMax: 10, everyMs: 500 })
  console.log(`  ${JSON.stringify(tally)}`)
  assert.deepEqual(tally.wrong, [])
  assert.ok(tally.ok > 0 && tally.found > 0 && tally.errors > 0, 'replies of every kind')
})
