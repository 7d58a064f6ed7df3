/** `npm run bench [name …]`: measures each benchmark next to its baseline and prints the ratio. */
import { cpus } from 'node:os'
import { measureAnalyser } from '#test/perf/analyser.ts'
import { measureCallbacks } from '#test/perf/callbacks.ts'
import { measureChat } from '#test/perf/chat.ts'
import { measureCommand } from '#test/perf/command.ts'
import { measureGrowth } from '#test/perf/growth.ts'
import { measureJobs } from '#test/perf/jobs.ts'
import { measureLargeFetch } from '#test/perf/large-fetch.ts'
import { measureListeners } from '#test/perf/listeners.ts'
import { measureProcesses } from '#test/perf/processes.ts'
import { measureQueuedObjects } from '#test/perf/queued-objects.ts'
import { measureReal } from '#test/perf/real/real.ts'
import { measureRealService } from '#test/perf/real/service.ts'
import { describe, type Measurement } from '#test/perf/report.ts'
import { measureReservations } from '#test/perf/reservations.ts'
import { measureRules } from '#test/perf/rules.ts'
import { measureScans } from '#test/perf/scans.ts'
import { measureSignIns } from '#test/perf/sign-ins.ts'
import { measureStart, measureUsage } from '#test/perf/usage.ts'
import { readArguments, refuse } from '../../scripts/arguments.ts'

type Bench = (args: readonly string[]) => Promise<Measurement[]> | AsyncIterable<Measurement>

const BENCHES: Record<string, Bench> = {
  usage: measureUsage,
  start: measureStart,
  reservations: measureReservations,
  jobs: measureJobs,
  objects: measureQueuedObjects,
  callbacks: measureCallbacks,
  'large-fetch': measureLargeFetch,
  scans: measureScans,
  listeners: measureListeners,
  command: measureCommand,
  analyser: measureAnalyser,
  rules: measureRules,
  'sign-ins': measureSignIns,
  chat: measureChat,
  growth: measureGrowth,
  processes: measureProcesses,
}

/** Their arguments are kinds, sizes and groups of documents, not other benchmarks. */
const WITH_ARGUMENTS: Record<string, Bench> = { real: measureReal, 'real-service': measureRealService }

const ALL = { ...WITH_ARGUMENTS, ...BENCHES }
const USAGE = `npm run bench [-- NAME …]
Benchmarks: ${Object.keys(ALL).join(', ')}`
const [first = '', ...rest] = process.argv.slice(2)
const takesArguments = Object.hasOwn(WITH_ARGUMENTS, first)
const wanted = takesArguments ? [first] : readArguments(USAGE, { max: Number.POSITIVE_INFINITY }).positionals
const unknown = wanted.filter((name) => !Object.hasOwn(ALL, name))
if (unknown.length > 0) refuse(`Unknown benchmark: ${unknown}`, USAGE)

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
for (const [name, measure] of Object.entries(ALL)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for await (const measurement of await measure(takesArguments ? rest : [])) console.log(`${describe(measurement)}\n`)
}
