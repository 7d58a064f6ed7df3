/** `npm run stable [documents [runs]]`: inspects documents at the edge of limits again and again, on a quiet and on a busy machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { differing, type Edge, edgesFrom, traceOf } from '#inspect/testing/edges.ts'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { readArguments } from '../../scripts/arguments.ts'

const SEED = 1
const { positionals } = readArguments('npm run stable [-- DOCUMENTS [RUNS]]', { max: 2, numbers: 2 })
const [documents = 200, runs = 10] = positionals.map(Number)

function startLoad(): ChildProcess[] {
  // Each ends with this process, also where that is killed.
  const busy = [
    '-e',
    'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e7; i++) Math.sqrt(i)',
  ]
  return Array.from({ length: availableParallelism() }, () => spawn(process.execPath, busy, { stdio: 'ignore' }))
}

const measuring = await ourInspector()
const edges = edgesFrom(SEED, documents, measuring)
measuring.dispose()
const traces = new Map<Edge, string>()
const random = randomFrom(SEED)
let failed = 0
for (let run = 0; run < runs; run++) {
  const isBusy = run % 2 === 1
  const load = isBusy ? startLoad() : []
  // A new one for each run, and every second loads the rule engine when a document first needs it.
  const inspector = await ourInspector()
  const names = differing(edges, traces, (edge) => traceOf(inspector, edge), random)
  inspector.dispose()
  for (const child of load) child.kill('SIGKILL')
  failed += names.length
  console.log(`Run ${run + 1}, ${isBusy ? 'busy' : 'quiet'}: ${names.length} of ${edges.length} differ`)
  for (const name of names) console.log(`  ${name}`)
}
const refused = [...traces.values()].filter((trace) => JSON.parse(trace).obstacle !== null).length
console.log(`${edges.length} documents, ${refused} of them refused, ${runs} runs: ${failed} differences`)
process.exitCode = failed === 0 ? 0 : 1
