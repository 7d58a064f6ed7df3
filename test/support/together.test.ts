import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, describe, it } from 'node:test'
import { temporaryFolder } from '#test/support/service.ts'
import type { Tally } from '#test/support/tally-reporter.ts'
import { testProcesses } from '#test/support/test-processes.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const IMPORT = "import assert from 'node:assert/strict'; import { after, before, describe, test } from 'node:test';"

const FILES = {
  'good.test.ts':
    "let ready = 0; before(() => { ready++ }); test('a', () => assert.equal(ready, 1)); test('b', () => {})",
  'hooked.test.ts':
    "globalThis.order = []; before(() => order.push('before')); after(() => order.push('after')); test('a', () => {})",
  'next.test.ts': "test('a', () => assert.deepEqual(order, ['before', 'after']))",
  'late.test.ts':
    "await new Promise((resolve) => setTimeout(resolve, 20)); describe('s', () => { test('a', () => {}) })",
  'bad.test.ts': "describe('s', () => { test('a', () => assert.fail()); test('b', () => {}) })",
  'hook.test.ts': "before(() => assert.fail()); test('a', () => {})",
  'thrown.test.ts': "throw new Error('while loading')",
  'empty.test.ts': '',
  'skipped.test.ts': "describe('s', { skip: 'missing' }, () => {})",
  'quits.test.ts': "test('a', () => process.exit(0))",
}

describe('test files in one process', () => {
  const folder = temporaryFolder('files')
  after(() => rmSync(folder, { recursive: true, force: true }))
  const place = (name: string) => path.join(folder, name)
  for (const [name, text] of Object.entries(FILES)) writeFileSync(place(name), `${IMPORT}\n${text}\n`)

  function run(...names: (keyof typeof FILES)[]): { tally: Tally; code: number | null } {
    const processes = testProcesses(names.map(place), folder)
    assert.equal(processes.length, 1)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const args = ['test/support/run-files.ts', '1', place('tally'), ...processes.map(({ entry }) => entry)]
    const { status } = spawnSync(process.execPath, args, { cwd: ROOT, env })
    return { code: status, tally: JSON.parse(readFileSync(place('tally'), 'utf8')) }
  }
  const known = ({ fileMs }: Tally) => Object.keys(fileMs).map((file) => path.basename(file))

  it('each keep their hooks and tests to themselves, and are told apart', () => {
    const { code, tally } = run('good.test.ts', 'hooked.test.ts', 'next.test.ts', 'late.test.ts')
    assert.equal(code, 0)
    assert.deepEqual(known(tally), ['good.test.ts', 'hooked.test.ts', 'next.test.ts', 'late.test.ts'])
    assert.deepEqual(
      { ...tally, fileMs: {} },
      { passed: 5, failed: 0, skipped: 0, emptyFiles: [], fileMs: {}, fileFailures: {} },
    )
  })

  it('fail one by one', () => {
    const { code, tally } = run('good.test.ts', 'bad.test.ts', 'hook.test.ts', 'thrown.test.ts', 'skipped.test.ts')
    assert.equal(code, 1)
    assert.equal(tally.skipped, 1)
    assert.equal(tally.passed, 3)
    assert.deepEqual(Object.keys(tally.fileFailures), ['bad.test.ts', 'hook.test.ts', 'thrown.test.ts'].map(place))
    assert.equal(tally.fileFailures[place('bad.test.ts')], 1)
  })

  for (const names of [['empty.test.ts'], ['good.test.ts', 'empty.test.ts', 'next.test.ts']] as const) {
    it(`without a test are named, ${names.length} at once`, () => {
      const { tally } = run(...names)
      assert.deepEqual(
        tally.emptyFiles.map((file) => path.basename(file)),
        ['empty.test.ts'],
      )
      assert.equal(tally.fileFailures[place('empty.test.ts')], 1)
    })
  }

  it('after one that ends the process have no result', () => {
    const { tally } = run('good.test.ts', 'quits.test.ts', 'late.test.ts')
    assert.ok(!known(tally).includes('late.test.ts'))
  })
})

describe('the order of test files', () => {
  it('has the slow ones first and alone, and lets busy and waiting ones take turns', () => {
    const folder = temporaryFolder('order')
    const unit = Array.from({ length: 30 }, (_, index) => `server/base/${index}.test.ts`)
    const slow = [
      ...['server/engines/a.test.ts', 'server/engines/embedded/sandbox.test.ts', 'test/contract/a.test.ts'],
      ...['test/contract/scan-async.test.ts', 'test/fault/a.test.ts', 'test/web/pages.test.ts'],
    ]
    const processes = testProcesses([...unit, ...slow], folder)
    assert.deepEqual(
      processes.map(({ files: [first], files }) => `${first} ${files.length}`),
      [
        ...['test/web/pages.test.ts 1', 'test/contract/scan-async.test.ts 1'],
        ...['server/engines/embedded/sandbox.test.ts 1', 'server/base/0.test.ts 12', 'test/fault/a.test.ts 1'],
        ...['server/base/12.test.ts 12', 'server/base/24.test.ts 6', 'test/contract/a.test.ts 1'],
        'server/engines/a.test.ts 1',
      ],
    )
    assert.deepEqual(processes.flatMap(({ files }) => files).sort(), [...unit, ...slow].sort())
    rmSync(folder, { recursive: true })
  })

  it('has every file once', () => {
    const folder = temporaryFolder('order')
    const all = globSync('{cli,inspect,packages,scripts,server,test}/**/*.test.ts', { cwd: ROOT }).sort()
    const running = testProcesses(all, folder).flatMap(({ files }) => files)
    assert.deepEqual(running.toSorted(), all)
    rmSync(folder, { recursive: true })
  })
})
