/** The steps of the GitHub Action, with the flags of its shell, and the examples for GitLab and pre-commit as printed. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { commandFolder, DOCVET } from '#test/support/command.ts'

const ACTION = path.join(import.meta.dirname, '../../packages/action')
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])

interface Step {
  name?: string
  id?: string
  shell?: string
  run?: string
  env?: Record<string, string>
}
const action = parse(readFileSync(path.join(ACTION, 'action.yml'), 'utf8')) as {
  inputs: Record<string, { default: string }>
  outputs: Record<string, { value: string }>
  runs: { steps: Step[] }
}

/** Runs the steps of shells as the runner does, without those that install and upload. */
function runAction(folder: string, inputs: Record<string, string> = {}) {
  const runner = path.join(folder, '../runner')
  const bin = path.join(runner, 'docvet/node_modules/docvet/bin')
  rmSync(runner, { recursive: true, force: true })
  mkdirSync(bin, { recursive: true })
  symlinkSync(DOCVET, path.join(bin, 'docvet.cjs'))
  const given = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, each]) => [name, each.default])),
    ...inputs,
  }
  const outputs: Record<string, string> = {}
  const filled = (text: string) =>
    text.replaceAll(
      /\$\{\{ (?:inputs|steps\.scan\.outputs)\.([\w-]+) \}\}/g,
      (_, name: string) => given[name] ?? outputs[name] ?? '',
    )
  let log = ''
  let code: number | null = null
  for (const { name, run, shell, env = {} } of action.runs.steps) {
    if (run === undefined || name === 'Install') continue
    assert.equal(shell, 'bash')
    const script = path.join(runner, 'step.sh')
    const output = path.join(runner, 'output')
    writeFileSync(script, run)
    writeFileSync(output, '')
    const step = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
        ...{ RUNNER_TEMP: runner, GITHUB_ACTION_PATH: ACTION, GITHUB_OUTPUT: output },
        ...Object.fromEntries(Object.entries(env).map(([key, text]) => [key, filled(text)])),
      },
    })
    log += step.stdout + step.stderr
    for (const line of readFileSync(output, 'utf8').split('\n').filter(Boolean)) {
      const [key = '', value = ''] = line.split('=')
      outputs[key] = value
    }
    code = step.status
    if (code !== 0) break
  }
  return { code, log, outputs }
}

/** As a pull request may bring them. */
const ODD_NAMES = [
  'a b.html',
  'a\n::error::b.html',
  '--exclude=*.html',
  '-i.html',
  '%0A::notice::c.html',
  '$(exit 9).html',
]

describe('the GitHub Action', () => {
  const { at, file } = commandFolder('action')
  file('clean/a.txt', 'Dear reader')
  file('locked/a.txt', 'Dear reader')
  file('locked/b.zip', LOCKED)
  file('infected/docs/e, 100%.txt', EICAR)
  file('infected/node_modules/e.txt', EICAR)
  for (const name of ODD_NAMES) file(`odd/${name}`, EICAR)

  test('a clean tree passes', () => {
    const { code, outputs } = runAction(at('clean'))
    const sarif = at('clean/docvet.sarif')
    assert.deepEqual([code, outputs], [0, { code: '0', infected: '0', unscannable: '0', sarif }])
    assert.equal(JSON.parse(readFileSync(sarif, 'utf8')).version, '2.1.0')
  })

  test('an encrypted file passes with a warning at the file, and fails where any file counts', () => {
    const { code, log, outputs } = runAction(at('locked'))
    assert.deepEqual([code, outputs.infected, outputs.unscannable], [0, '0', '1'])
    assert.match(log, /^::warning file=b\.zip,line=1::Not scanned: /m)
    assert.equal(runAction(at('locked'), { 'fail-on': 'any' }).code, 2)
  })

  test('an infected file fails at the end, with outputs, the log and an error at the file', () => {
    const { code, log, outputs } = runAction(at('infected'))
    assert.deepEqual([code, outputs.infected], [1, '1'])
    assert.match(log, /^::error file=docs\/e%2C 100%25\.txt,line=1::/m)
    assert.ok(existsSync(outputs.sarif ?? ''))
    assert.equal(runAction(at('infected'), { 'fail-on': 'never' }).code, 0)
    assert.equal(runAction(at('infected'), { exclude: 'docs\nnode_modules' }).outputs.infected, '0')
  })

  test('names of files are neither options nor commands of the log', () => {
    const { code, log, outputs } = runAction(at('odd'))
    assert.deepEqual([code, outputs.infected], [1, String(ODD_NAMES.length)])
    const commands = log.split('\n').filter((line) => line.startsWith('::'))
    assert.ok(commands.every((line) => /^::error file=[^:]+\.html,line=1::EICAR/.test(line)))
    assert.equal(commands.length, ODD_NAMES.length)
  })

  test('a scan that cannot start fails, and a path that looks like an option is a path', () => {
    assert.equal(runAction(at('clean'), { policy: 'missing.json' }).code, 2)
    assert.equal(runAction(at('clean'), { path: '--help', 'fail-on': 'any' }).code, 2)
  })
})

describe('docs/ci.md', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/ci.md'), 'utf8')
  const blockOf = (title: string) =>
    parse(new RegExp(`## ${title}\n.*?\`\`\`yaml\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '')
  const { at, file } = commandFolder('ci')
  const names = Array.from({ length: 200 }, (_, n) => `docs/a ${n}.html`)
  for (const name of names) file(name, '<p>Dear reader</p>')
  file('bad/e.html', EICAR)
  /** The command is that of the sources. */
  const shell = (script: string, ...args: string[]) => {
    const command = script.replace(/^(?:npx --yes )?docvet /, `"${process.execPath}" "${DOCVET}" `)
    const flags = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', `${command} "$@"`, 'bash']
    return spawnSync('bash', [...flags, ...args], { cwd: at('.'), encoding: 'utf8' })
  }

  test('pre-commit: one process for 200 files, which fails for infected ones only', () => {
    const [hook] = blockOf('pre-commit').repos[0].hooks
    assert.equal(hook.require_serial, true)
    const pattern = new RegExp(hook.files)
    assert.ok([...names, 'bad/e.html'].every((name) => pattern.test(name)) && !pattern.test('a.ts'))
    const clean = shell(hook.entry, ...names)
    assert.deepEqual([clean.status, clean.stdout], [0, ''])
    const infected = shell(hook.entry, ...names, 'bad/e.html')
    assert.deepEqual([infected.status, infected.stdout], [1, 'bad/e.html: Docvet.Test.Eicar FOUND\n'])
    for (const name of ODD_NAMES) file(name, EICAR)
    const odd = shell(hook.entry, ...ODD_NAMES)
    for (const name of ODD_NAMES) rmSync(at(name))
    assert.deepEqual([odd.status, odd.stdout.split('\n').length - 1], [1, ODD_NAMES.length])
  })

  test('GitLab: the report is of a job that succeeds, the gate fails', () => {
    const { 'docvet:report': report, 'docvet:gate': gate } = blockOf('GitLab')
    assert.equal(shell(report.script[0]).status, 0)
    const log = JSON.parse(readFileSync(at(report.artifacts.reports.sarif), 'utf8'))
    assert.equal(log.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri, 'bad/e.html')
    assert.equal(shell(gate.script[0]).status, 1)
  })
})
