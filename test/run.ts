/** `npm test [-- filter …]`: installs missing servers where possible, runs the static checks and all suites, prints totals. */

import { type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { compiledProgram } from '#base/compiled.ts'
import { installServers, missingServers } from '#test/support/install.ts'
import { postgresAvailable, startPostgres } from '#test/support/postgres.ts'
import { COMPILED_SERVICE, exitOf, GIVEN_PORTS, temporaryFolder } from '#test/support/service.ts'
import { IN_CI, SHARED_POSTGRES } from '#test/support/suite.ts'
import type { Tally } from '#test/support/tally-reporter.ts'
import { CORPUS_TESTS, type TestProcess, testProcesses } from '#test/support/test-processes.ts'
import { readArguments } from '../scripts/arguments.ts'

const ROOT = path.join(import.meta.dirname, '..')
const BIN = path.join(ROOT, 'node_modules/.bin')
// Tools run through `env node`, which must be the project's Node also without npm.
const ENVIRONMENT = {
  ...process.env,
  PATH: `${BIN}${path.delimiter}${process.env.PATH}`,
  // Hundreds of processes load the same modules; the cache cuts their start-up by a third.
  NODE_COMPILE_CACHE: temporaryFolder('compiled'),
}

const STATIC_CHECKS: [string, ...string[]][] = [
  ['node', 'scripts/biome.ts', 'check', '--error-on-warnings', '.'],
  ['tsc'],
  ['tsc', '-p', 'web'],
  ['node', 'scripts/check-imports.ts'],
  ['node', 'scripts/check-facts.ts'],
  ['node', 'scripts/check-exports.ts'],
  ['node', 'scripts/check-docs.ts'],
  // Not checks, but the suites use object stores, and start the compiled service with its dashboard.
  ['node', 'test/support/peers.ts', 'object-stores', 'mcp-peers', 'oidc-peers'],
  ['node', 'scripts/build-web.ts'],
  ['node', 'scripts/compile.ts'],
]
const TEST_FILES = [
  '{server,inspect,cli,packages}/**/*.test.ts',
  'scripts/*.test.ts',
  'test/{contract,fault,support,web}/**/*.test.ts',
]

const RUN_TIMEOUT_MS = 45 * 60_000
/** A test file uses less than half a core on average, because it waits for timeouts and for processes that it started. Eight on two cores took longer than fewer. */
const CONCURRENCY = Math.min(8, availableParallelism() + 4)

/** More failed files than this are not run again: the cause is then no chance. */
const SECOND_RUNS_MAX = 3
const POSTGRES_CONNECTIONS_MAX = 400

const SLOWEST_SHOWN = 10

const startedAt = performance.now()
const total = { passed: 0, failed: 0, skipped: 0 }
/** Files that failed first and passed alone. */
const unstable: string[] = []

function reportMissingServers(): void {
  for (const { title, aptPackage } of missingServers()) {
    const lines = [
      `${title} IS NOT INSTALLED. ${IN_CI ? 'This counts as a failure.' : 'Suites that need it are SKIPPED.'}`,
      `To install it: apt-get install ${aptPackage}`,
    ]
    const rule = '!'.repeat(Math.max(...lines.map((line) => line.length)) + 6)
    console.log(['', rule, ...lines.map((line) => `!! ${line}`), rule, ''].join('\n'))
    if (IN_CI) total.failed++
  }
}

async function runStaticCheck([command, ...args]: [string, ...string[]]): Promise<void> {
  const started = performance.now()
  const { code, output } = await run(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const passed = code === 0
  total[passed ? 'passed' : 'failed']++
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`${passed ? '✔' : '✖'} ${[command, ...args].join(' ')} (${seconds} s)`)
  if (!passed) console.log(output)
}

/** As many at once as there are cores: most of them use one. */
async function runStaticChecks(): Promise<void> {
  const waiting = [...STATIC_CHECKS]
  const runInTurn = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) await runStaticCheck(check)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, runInTurn))
}

async function runTests(filters: readonly string[]): Promise<void> {
  const hasCorpus = existsSync(path.join(ROOT, '../shared/corpus/documents.tar.xz'))
  if (!hasCorpus) console.log('SKIPPED: the document corpus is not next to the checkout.')
  const all = globSync(TEST_FILES, { cwd: ROOT })
    .filter((file) => hasCorpus || !CORPUS_TESTS.includes(file))
    .sort()
  const files = filters.length === 0 ? all : all.filter((file) => filters.some((each) => file.includes(each)))
  if (filters.length > 0) console.log(`Running ${files.length} of ${all.length} test files: "${filters.join('", "')}".`)
  if (files.length === 0) return addTally(NOTHING, 0)
  await using postgres = postgresAvailable() ? await startPostgres({ connectionsMax: POSTGRES_CONNECTIONS_MAX }) : null
  const env = {
    ...ENVIRONMENT,
    [SHARED_POSTGRES]: postgres?.serverUrl,
    [COMPILED_SERVICE]: compiledProgram('service') ?? undefined,
    [GIVEN_PORTS]: temporaryFolder('ports'),
  }
  const folder = temporaryFolder('together')
  const processes = testProcesses(files, folder)
  const first = await runFiles(
    processes.map(({ entry }) => entry),
    CONCURRENCY,
    env,
  )
  addTally(first.tally, first.code)
  addUnheardOf(processes, first.tally)
  printSlowest(first.tally.fileMs)
  await runFailedAgain(first.tally.fileFailures, env)
  for (const each of [folder, env[GIVEN_PORTS]]) rmSync(each, { recursive: true, force: true })
}

/** A process that ends without an error before its last file would hide the others. */
function addUnheardOf(processes: TestProcess[], { fileMs, fileFailures }: Tally): void {
  const isKnown = (file: string) => path.resolve(ROOT, file) in fileMs
  for (const { entry, files } of processes) {
    if (path.resolve(ROOT, entry) in fileFailures) continue
    for (const file of files.filter((each) => !isKnown(each))) {
      console.log(`✖ No result of ${file}`)
      total.failed++
    }
  }
}

/**
 * Some tests measure what a loaded machine can falsify, such as which of two timers ends first. A file that fails in
 * the whole run and passes alone does not fail the run, but is reported.
 */
async function runFailedAgain(fileFailures: Tally['fileFailures'], env: NodeJS.ProcessEnv): Promise<void> {
  const failed = Object.keys(fileFailures).filter((file) => existsSync(file))
  if (failed.length === 0 || failed.length > SECOND_RUNS_MAX) return
  for (const file of failed) {
    const name = path.relative(ROOT, file)
    console.log(`Running ${name} again, alone.`)
    const { code, tally } = await runFiles([file], 1, env)
    if (code !== 0 || tally.failed > 0 || tally.passed === 0) continue
    total.failed -= fileFailures[file] ?? 0
    total.passed += fileFailures[file] ?? 0
    unstable.push(name)
  }
}

async function runFiles(files: string[], concurrency: number, env: NodeJS.ProcessEnv) {
  const folder = temporaryFolder('tally')
  const tallyFile = path.join(folder, 'tally.json')
  const args = ['test/support/run-files.ts', String(concurrency), tallyFile, ...files]
  const stdio: SpawnOptions['stdio'] = ['ignore', 'inherit', 'inherit']
  const { code } = await run(process.execPath, args, { stdio, env, timeout: RUN_TIMEOUT_MS })
  const tally = readTally(tallyFile)
  rmSync(folder, { recursive: true, force: true })
  return { code, tally }
}

const NOTHING: Tally = { passed: 0, failed: 0, skipped: 0, emptyFiles: [], fileMs: {}, fileFailures: {} }

function readTally(file: string): Tally {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    console.log('✖ The test runner exited without totals')
    return NOTHING
  }
}

function addTally({ passed, failed, skipped, emptyFiles }: Tally, code: number | null): void {
  for (const file of emptyFiles) console.log(`✖ No test in ${file}`)
  const nothingRan = passed + failed + skipped === 0
  if (nothingRan) console.log('✖ No test ran')
  // The runner can also fail outside of any test.
  const runnerFailed = failed === 0 && code !== 0
  if (runnerFailed) console.log(`✖ The test runner exited with ${code ?? 'a signal'}`)
  total.passed += passed
  total.failed += nothingRan || runnerFailed ? 1 : failed
  total.skipped += skipped
}

function printSlowest(fileMs: Tally['fileMs']): void {
  const slowest = Object.entries(fileMs).sort(([, a], [, b]) => b - a)
  const lines = slowest
    .slice(0, SLOWEST_SHOWN)
    .map(([file, ms]) => `  ${(ms / 1_000).toFixed(0)} s ${path.relative(ROOT, file)}`)
  if (lines.length > 0) console.log(`Slowest files:\n${lines.join('\n')}`)
}

async function run(command: string, args: string[], options: SpawnOptions) {
  const child = spawn(command, args, { cwd: ROOT, env: ENVIRONMENT, ...options })
  let output = ''
  const collect = (text: string) => {
    output += text
  }
  child.stdout?.setEncoding('utf8').on('data', collect)
  child.stderr?.setEncoding('utf8').on('data', collect)
  const { code } = await exitOf(child)
  return { code, output }
}

const filters = readArguments('npm test [-- FILTER …]', { max: Number.POSITIVE_INFINITY }).positionals
// The checks need no server, and most of an installation is waiting for the network and the disk.
const installing = installServers()
await runStaticChecks()
await installing
reportMissingServers()
await runTests(filters)

rmSync(ENVIRONMENT.NODE_COMPILE_CACHE, { recursive: true, force: true })
process.exitCode = total.failed > 0 || (IN_CI && total.skipped > 0) ? 1 : 0
for (const file of unstable) console.log(`! UNSTABLE: ${file} failed in the whole run and passed alone. Mend it.`)
console.log(`Finished in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes`)
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
