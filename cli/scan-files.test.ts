import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import type { Engine } from '#engines/engine.ts'
import { scanFiles } from './scan-files.ts'

const FILES = 6

test('a slow file delays the results of the files after it, but not their scans', { timeout: 20_000 }, async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'docvet-scan-files-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const paths = Array.from({ length: FILES }, (_, i) => path.join(folder, `${i}.txt`))
  for (const file of paths) writeFileSync(file, file)
  const others = Promise.withResolvers<void>()
  let [started, running, runningMax] = [0, 0, 0]
  const engine: Engine = {
    name: 'slow at first',
    async inspect() {
      const isFirst = started++ === 0
      runningMax = Math.max(runningMax, ++running)
      if (started === FILES) others.resolve()
      if (isFirst) await others.promise
      running -= 1
      return { kind: 'clean' }
    },
    version: () => ({ version: null, signatures: null }),
    health: () => assert.fail('not asked'),
    close: async () => {},
  }
  async function* found() {
    for (const file of paths) yield { path: file }
  }
  const scanner = { engine, workers: 1, password: undefined, signal: new AbortController().signal }
  const results: string[] = []
  for await (const result of scanFiles(found(), scanner)) results.push(result.path)
  assert.deepEqual(results, paths)
  assert.ok(runningMax <= 2, `${runningMax} files were in memory`)
})
