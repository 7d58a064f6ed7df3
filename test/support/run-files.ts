/** Runs test files in the given order: `node --test` would sort them by name. Arguments: how many at once, a file for the totals, test files. */
import { createWriteStream } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import tally from '#test/support/tally-reporter.ts'

/** For a test that hangs. The slowest take half a minute, and ten times as long where others use the cores. */
const TEST_TIMEOUT_MS = 300_000

const [concurrency, tallyFile = '', ...files] = process.argv.slice(2)
const events = run({
  files,
  concurrency: Number(concurrency),
  timeout: TEST_TIMEOUT_MS,
  execArgv: ['--import=./test/support/open-handles.ts'],
})
events.on('test:fail', () => {
  process.exitCode = 1
})
events.compose(spec()).pipe(process.stdout)
events.compose(tally).pipe(createWriteStream(tallyFile))
