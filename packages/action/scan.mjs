/** The scan of the GitHub Action: writes the SARIF log, outputs and annotations, and leaves the exit code to a later step. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const OUTPUT_BYTES_MAX = 500_000_000
/** As many as GitHub shows of a step. */
const ANNOTATIONS_MAX = 10
const NOT_STARTED = 2

const { env } = process
const lines = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
const repeated = (option, values) => values.flatMap((value) => [option, value])

const sarifFile = path.resolve(env.INPUT_SARIF_FILE || 'docvet.sarif')
const args = [
  'scan',
  '--sarif',
  ...['--fail-on', env.INPUT_FAIL_ON || 'infected'],
  ...(env.INPUT_STRICT === 'true' ? ['--strict'] : []),
  ...(env.INPUT_POLICY ? ['--policy', env.INPUT_POLICY] : []),
  ...repeated('--include', lines(env.INPUT_INCLUDE)),
  ...repeated('--exclude', lines(env.INPUT_EXCLUDE)),
  // What follows is a path, whatever it looks like.
  '--',
  ...lines(env.INPUT_PATH || '.'),
]
const { status, stdout, stderr } = spawnSync(process.execPath, [env.DOCVET ?? '', ...args], {
  encoding: 'utf8',
  maxBuffer: OUTPUT_BYTES_MAX,
  stdio: ['ignore', 'pipe', 'pipe'],
})
process.stdout.write(stderr ?? '')

/** Names of files are not ours: a line break or a percent sign must not begin a command. */
const data = (text) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
const annotate = (level, uri, text) =>
  process.stdout.write(`::${level} file=${property(decodeURIComponent(uri))},line=1::${data(text)}\n`)
const LEVELS = { error: 'error', warning: 'warning', note: 'notice' }
const uriOf = ({ locations }) => locations?.[0]?.physicalLocation.artifactLocation.uri ?? ''

function report() {
  const [run] = JSON.parse(stdout).runs
  const notScanned = run.invocations[0].toolExecutionNotifications.filter(({ descriptor }) => descriptor)
  const errors = run.results.filter(
    ({ level }) => level === 'error' || (level === 'warning' && env.INPUT_STRICT === 'true'),
  )
  writeFileSync(sarifFile, stdout)
  for (const result of run.results.slice(0, ANNOTATIONS_MAX))
    annotate(LEVELS[result.level], uriOf(result), result.message.text)
  for (const each of notScanned.slice(0, ANNOTATIONS_MAX)) annotate('warning', uriOf(each), each.message.text)
  return { infected: new Set(errors.map(uriOf)).size, unscannable: notScanned.length }
}

function attempt() {
  try {
    return report()
  } catch {
    // It printed no log: what it said is above.
    return null
  }
}

const counts = attempt()
const code = counts === null ? status || NOT_STARTED : status
const outputs = {
  code: code ?? NOT_STARTED,
  infected: counts?.infected ?? '',
  unscannable: counts?.unscannable ?? '',
  sarif: counts ? sarifFile : '',
}
for (const [name, value] of Object.entries(outputs))
  if (env.GITHUB_OUTPUT) appendFileSync(env.GITHUB_OUTPUT, `${name}=${value}\n`)
