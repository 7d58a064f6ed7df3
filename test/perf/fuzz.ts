/**
 * `npm run fuzz [seed [documents [shape …]]]`: measures a worker on hostile documents. With shapes, every token alone first.
 * `npm run fuzz mutants [seed [executions [folder …]]]`: see mutants.ts.
 */
import { everyToken, type HostileDocument, randomDocuments } from '#inspect/testing/hostile.ts'
import { fuzzMutants } from '#test/perf/mutants.ts'
import { createMeasuredWorker } from '#test/support/embedded/measured-worker.ts'
import { readArguments } from '../../scripts/arguments.ts'

const CPU_SECONDS_MAX = 3
const RESIDENT_BYTES_MAX = 1_000_000_000

const SEED = Date.now() % 2 ** 31
const USAGE = `npm run fuzz [-- SEED [DOCUMENTS [SHAPE …]]]
       npm run fuzz mutants [-- SEED [EXECUTIONS [FOLDER …]]]`

const isMutants = process.argv[2] === 'mutants'
const given = process.argv.slice(isMutants ? 3 : 2)
const { positionals } = readArguments(USAGE, { max: Number.POSITIVE_INFINITY, numbers: 2 }, given)
const others = positionals.slice(2)
const [seed = SEED, count = isMutants ? 20_000 : 200] = positionals.slice(0, 2).map(Number)
if (isMutants) process.exit((await fuzzMutants(seed, count, others)) ? 0 : 1)

function* documents(): Generator<HostileDocument> {
  for (const shape of others) yield* everyToken(shape)
  const random = randomDocuments(seed)
  for (let i = 0; i < count; i++) yield random.next().value
}

const worker = await createMeasuredWorker()
const slowest: { cpuSeconds: number; line: string }[] = []
let tried = 0
let failed = 0
console.log(`Seed ${seed}`)
for (const { name, create } of documents()) {
  const { outcome, detail, cpuSeconds, residentBytesMax } = await worker.measure(create())
  const megabytes = Math.round(residentBytesMax / 1e6)
  const line = `${cpuSeconds.toFixed(2)} s, ${megabytes} MB, ${outcome}: ${name} ${detail}`
  tried += 1
  slowest.push({ cpuSeconds, line })
  if (cpuSeconds <= CPU_SECONDS_MAX && residentBytesMax <= RESIDENT_BYTES_MAX) continue
  failed += 1
  console.log(`Over the limit: ${line}`)
}
await worker.close()
slowest.sort((one, other) => other.cpuSeconds - one.cpuSeconds)
console.log(
  `\nThe slowest:\n${slowest
    .slice(0, 10)
    .map(({ line }) => line)
    .join('\n')}`,
)
console.log(
  `\n${failed} of ${tried} documents took more than ${CPU_SECONDS_MAX} s or ${RESIDENT_BYTES_MAX} bytes, or ended the worker`,
)
process.exitCode = failed === 0 ? 0 : 1
