import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { temporaryFolder } from '#test/support/service.ts'

const ROOT = path.join(import.meta.dirname, '..')
const folder = temporaryFolder('arguments')
after(() => rmSync(folder, { recursive: true, force: true }))

function run(script: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(ROOT, script), ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout, stderr, files: readdirSync(folder) }
}

const PACK = 'Usage: npm run pack [-- FOLDER]\n'
const STABLE = 'Usage: npm run stable [-- DOCUMENTS [RUNS]]\n'
const CASES: [script: string, args: string[], status: number, stdout: string, stderr: RegExp][] = [
  ['scripts/pack.ts', ['--help'], 0, PACK, /^$/],
  ['scripts/pack.ts', ['--folder'], 2, '', /^Unknown option '--folder'.*\nUsage: npm run pack/],
  ['scripts/pack.ts', ['one', 'two'], 2, '', /^Unexpected argument 'two'\nUsage: /],
  ['test/perf/stable.ts', ['-h'], 0, STABLE, /^$/],
  ['test/perf/stable.ts', ['many'], 2, '', /^'many' is not a number\nUsage: /],
  ['scripts/release.ts', ['publish'], 2, '', /^There is no step 'publish'\nUsage: /],
]

for (const [script, args, status, stdout, stderr] of CASES)
  test(`${script} ${args.join(' ')}: the usage, and nothing is done`, () => {
    const result = run(script, ...args)
    assert.match(result.stderr, stderr)
    assert.deepEqual({ ...result, stderr: '' }, { status, stdout, stderr: '', files: [] })
  })

/** Only they have arguments of their own: those of the others go to the programs that they run. */
const PASSED_ON = new Set(['build', 'check', 'lint', 'format', 'typecheck', 'start', 'postinstall'])

test('every script of package.json reads its arguments', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  for (const [name, command] of Object.entries(scripts)) {
    if (PASSED_ON.has(name)) continue
    const [, file = ''] = /node (\S+\.ts)$/.exec(command) ?? assert.fail(`${name}: ${command}`)
    assert.match(readFileSync(path.join(ROOT, file), 'utf8'), /\breadArguments\(/, `npm run ${name}`)
  }
})
