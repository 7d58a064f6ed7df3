/** The short form of `npm run fault`. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startFaultRig } from '#test/support/fault-rig.ts'
import { runSeed } from '#test/support/fault-run.ts'
import { needs } from '#test/support/suite.ts'

const SEED = 18
const QUOTA = 250
const FAULTS = [
  ...['replica killed', 'replica clock moved', 'workers killed', 'clamd replies spoiled', 'PostgreSQL crashed'],
  ...['disk full', 'Redis killed', 'SMTP stopped', 'assistant killed', 'marketplace stopped', 'PostgreSQL link'],
]

test('two replicas under faults break no promise', { ...needs('postgres', 'redis', 'clamd') }, async () => {
  await using rig = await startFaultRig(QUOTA)
  const short = FAULTS.filter((name) => name in rig.faults)
  const { outcomes, violations, ...done } = await runSeed(rig, { seed: SEED, scans: 1, quota: QUOTA, short })
  console.log(`  seed ${SEED}: ${JSON.stringify({ ...done, outcomes })}`)
  assert.deepEqual(violations, [])
  assert.ok((outcomes['200 clean'] ?? 0) > 5 && (outcomes['200 infected'] ?? 0) > 5, 'verdicts')
  assert.ok(done.members > 0 && done.purchases > 0 && done.replies > 0, 'sign-ups, purchases and replies')
})
