/** Follows the walkthroughs in CONTRIBUTING.md in a copy of the analyser, and runs their tests. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, suite, test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '..')
const DOCUMENT = readFileSync(path.join(ROOT, 'CONTRIBUTING.md'), 'utf8')
/** A new file, or what is inserted below the first line with a text. */
const STEP = /^( *)```ts (\S+?)(?: below: (.+))?\n([\s\S]*?)^ *```$/gm

interface Step {
  file: string
  below: string | undefined
  code: string
}

const steps: Step[] = [...DOCUMENT.matchAll(STEP)].map(([, indent = '', file = '', below, code = '']) => ({
  file,
  below,
  code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
}))

function follow(folder: string, { file, below, code }: Step): void {
  const target = path.join(folder, file)
  if (below === undefined) {
    writeFileSync(target, code, { flag: 'wx' })
    return
  }
  const lines = readFileSync(target, 'utf8').split('\n')
  const at = lines.findIndex((line) => line.includes(below))
  assert.notEqual(at, -1, `${file} has no ${below}`)
  writeFileSync(target, [...lines.slice(0, at + 1), code.trimEnd(), ...lines.slice(at + 1)].join('\n'))
}

const tests = steps.map(({ file }) => file).filter((file) => file.endsWith('.test.ts'))

suite('CONTRIBUTING.md', () => {
  let folder = ''
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'docvet-contributing-'))
    for (const name of ['inspect', 'package.json', 'tsconfig.json'])
      cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  })
  after(() => rmSync(folder, { recursive: true }))

  /** Both forms of the result: whether the test of a walkthrough passes. */
  const passes = (file: string): boolean => {
    try {
      const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
      execFileSync(process.execPath, ['--test', file], { cwd: folder, stdio: 'pipe', env })
      return true
    } catch {
      return false
    }
  }

  test('has a walkthrough for a format, a command and a construct', () => {
    assert.equal(tests.length, 3)
  })

  for (const file of tests)
    test(`the walkthrough of ${file} works, and its test fails without it`, () => {
      const last = steps.findIndex((step) => step.file === file)
      const first = steps.findLastIndex((step, index) => index < last && step.file.endsWith('.test.ts')) + 1
      const [own = assert.fail(), ...others] = steps.slice(first, last + 1).reverse()
      follow(folder, own)
      assert.equal(passes(file), false)
      for (const step of others.reverse()) follow(folder, step)
      assert.equal(passes(file), true)
    })
})
