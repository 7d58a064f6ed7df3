/** `npm run fault -- [--seeds 20] [--scans 500] [--seed N]`: two replicas under random faults; see docs/development.md. */
import { startFaultRig } from '#test/support/fault-rig.ts'
import { runSeed } from '#test/support/fault-run.ts'
import { installServers } from '#test/support/install.ts'
import { readArguments } from '../../scripts/arguments.ts'

const { values } = readArguments('npm run fault [-- [--seeds N] [--scans N] [--seed N]]', {
  options: {
    seeds: { type: 'string', default: '5' },
    scans: { type: 'string', default: '200' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
  },
})
const [seeds, scans, first] = [Number(values.seeds), Number(values.scans), Number(values.seed)]
// Not all documents get a verdict, so that a smaller quota is reached in most runs.
const quota = Math.ceil(scans * 0.7)

installServers()
await using rig = await startFaultRig(quota)
const totals = { requests: 0, charged: 0, violations: 0 }
for (let seed = first; seed < first + seeds; seed++) {
  const started = performance.now()
  const { faults, outcomes, requests, charged, violations, ...done } = await runSeed(rig, { seed, scans, quota })
  const seconds = Math.round((performance.now() - started) / 1_000)
  const others = `${done.members} sign-ups, ${done.purchases} purchases, ${done.replies} replies`
  console.log(
    `--seed ${seed}: ${scans} scans, ${requests} requests, ${charged} charged (quota ${quota}), ${others}, ${seconds} s`,
  )
  console.log(`  faults ${JSON.stringify(faults)}\n  outcomes ${JSON.stringify(outcomes)}`)
  for (const violation of violations) console.log(`  VIOLATION: ${violation}`)
  totals.requests += requests
  totals.charged += charged
  totals.violations += violations.length
}
const { requests, charged, violations } = totals
console.log(
  `${seeds} seeds, ${seeds * scans} scans, ${requests} requests, ${charged} charged, ${violations} violations`,
)
if (violations > 0) process.exitCode = 1
