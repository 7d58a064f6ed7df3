/** `npm run fuzz mutants [seed [executions [folder …]]]`: inspects randomly changed documents, of samples or of each folder. */

import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Job, type Message, mutantOf, sourcesOf } from '#test/perf/mutant-runner.ts'

const RUNNER = path.join(import.meta.dirname, 'mutant-runner.ts')
/** As in a worker. */
const HEAP_MB = 256
/** A process that is still busy with the same mutant is ended. */
const HANGS_AFTER_MS = 60_000
const FAILURES_MAX = 100
/** After so many documents a worker is replaced too. */
const PROCESS_EXECUTIONS_MAX = 20_000

interface Tally {
  executions: number
  slowestMs: number
  residentBytesMax: number
  failures: Map<number, string>
}

/** Ends when the process ends. Adds what it reports, and the mutant that ended it. */
async function runFrom(job: Job, tally: Tally): Promise<void> {
  const child = fork(RUNNER, [JSON.stringify(job)], { execArgv: [`--max-old-space-size=${HEAP_MB}`] })
  const position = () => Number.parseInt(readFileSync(job.positionFile, 'utf8'), 10) || job.from
  let last = -1
  const watch = setInterval(() => {
    if (position() === last) child.kill('SIGKILL')
    last = position()
  }, HANGS_AFTER_MS)
  child.on('message', (message: Message) => {
    if (message.type === 'failure') tally.failures.set(message.at, message.reason)
    else {
      tally.executions = message.at
      tally.slowestMs = Math.max(tally.slowestMs, message.slowestMs)
      tally.residentBytesMax = Math.max(tally.residentBytesMax, message.residentBytes)
      console.log(describe(tally))
    }
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.on('close', (...ended) => resolve(ended)),
  )
  clearInterval(watch)
  if (code === 0) return
  tally.failures.set(position(), `the process ended (${code ?? signal})`)
  tally.executions = position() + 1
}

const describe = ({ executions, failures, slowestMs, residentBytesMax }: Tally): string =>
  `${executions} executions, ${failures.size} failures, slowest ${slowestMs.toFixed(0)} ms of CPU time, at most ${Math.round(residentBytesMax / 1e6)} MB`

function keepFailures(folder: string | null, seed: number, failures: ReadonlyMap<number, string>): void {
  if (failures.size === 0) return
  const sources = sourcesOf(folder)
  for (const [at, reason] of failures) {
    const { name, mutant } = mutantOf(sources, seed, at)
    const file = path.join(tmpdir(), `mutant-${path.basename(folder ?? 'samples')}-${seed}-${at}`)
    writeFileSync(file, mutant)
    console.log(`${name}: ${reason}; kept as ${file}`)
  }
}

async function fuzzFolder(folder: string | null, seed: number, executions: number): Promise<boolean> {
  const scratch = mkdtempSync(path.join(tmpdir(), 'docvet-mutants-'))
  const positionFile = path.join(scratch, 'position')
  const tally: Tally = { executions: 0, slowestMs: 0, residentBytesMax: 0, failures: new Map() }
  console.log(`${folder ?? 'Samples'}, seed ${seed}:`)
  while (tally.executions < executions && tally.failures.size < FAILURES_MAX) {
    writeFileSync(positionFile, '')
    const to = Math.min(executions, tally.executions + PROCESS_EXECUTIONS_MAX)
    await runFrom({ seed, folder, from: tally.executions, to, positionFile }, tally)
  }
  rmSync(scratch, { recursive: true })
  keepFailures(folder, seed, tally.failures)
  return tally.failures.size === 0
}

export async function fuzzMutants(seed: number, executions: number, folders: readonly string[]): Promise<boolean> {
  let isGood = true
  for (const folder of folders.length === 0 ? [null] : folders)
    isGood = (await fuzzFolder(folder, seed, executions)) && isGood
  return isGood
}
