import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Found } from './files.ts'
import { emptyResult } from './result.ts'
import { type Scan, scanFiles } from './scan-files.ts'

const FILES = 6
const LIMITS = { timeout: 60_000 }

function files(t: TestContext): string[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvet-scan-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const paths = Array.from({ length: FILES }, (_, i) => path.join(folder, `${i}.txt`))
  for (const file of paths) writeFileSync(file, file)
  return paths
}

async function* found(paths: readonly string[]): AsyncGenerator<Found> {
  for (const file of paths) yield { path: file }
}

test('results come in the order of completion, and few files are in memory', LIMITS, async (t) => {
  const paths = files(t)
  const others = Promise.withResolvers<void>()
  let [started, running, runningMax] = [0, 0, 0]
  let slow = ''
  const scan: Scan = async (file) => {
    const isFirst = started++ === 0
    // Files are read at once, so that any can be the first.
    if (isFirst) slow = file
    runningMax = Math.max(runningMax, ++running)
    if (started === FILES) others.resolve()
    if (isFirst) await others.promise
    running -= 1
    return emptyResult(file)
  }
  const results: string[] = []
  for await (const { result } of scanFiles(found(paths), { scan, workers: 1, signal: new AbortController().signal }))
    results.push(result.path)
  assert.deepEqual(results.toSorted(), paths)
  assert.ok(results.indexOf(slow) >= FILES - 2, `the slow file came as number ${results.indexOf(slow)}`)
  assert.ok(runningMax <= 2, `${runningMax} files were in memory`)
})

test('none of several results at once is lost', LIMITS, async (t) => {
  const paths = files(t)
  const scan: Scan = async (file) => emptyResult(file)
  const results: string[] = []
  for await (const { result } of scanFiles(found(paths), { scan, workers: 8, signal: new AbortController().signal }))
    results.push(result.path)
  assert.deepEqual(results.toSorted(), paths)
})

test('a failure of a scan ends it, and a signal ends it without results', LIMITS, async (t) => {
  const paths = files(t)
  const failing: Scan = async () => {
    throw new Error('on purpose')
  }
  const stop = new AbortController()
  await assert.rejects(scanFiles(found(paths), { scan: failing, workers: 2, signal: stop.signal }).next(), /on purpose/)
  const never: Scan = () => new Promise(() => {})
  const next = scanFiles(found(paths), { scan: never, workers: 2, signal: stop.signal }).next()
  stop.abort()
  assert.equal((await next).done, true)
})
