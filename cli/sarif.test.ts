import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from './result.ts'
import { createSarif } from './sarif.ts'

const finding = (id: string, path: string[]): Result['findings'][number] => ({
  ...{ id, severity: 'malicious', title: 'Title', reason: 'Reason.', technique: 'T1000', path, detail: 'detail' },
})
const result = (path: string, findings: Result['findings']): Result => ({
  ...{ path, verdict: 'infected', threat: 'Own.Rule', sha256: 'a'.repeat(64), size: 1, detectedType: 'text/plain' },
  ...{ durationMs: 1, findings, error: null },
})

test('odd names become valid URIs, and each file is one artifact', () => {
  const sarif = createSarif()
  const odd = ['//a?#%.zip', '\ud800', '../x y']
  sarif.add(
    result('/tmp/a b.zip', [finding('Own.Rule', odd), finding('Own.Other', odd.slice(0, 1)), finding('Own.Rule', [])]),
  )
  sarif.add(result('../c:d.zip', [finding('Own.Rule', ['a'])]))
  const [run] = sarif.log().runs
  assert.deepEqual(
    run?.artifacts.map(({ location, parentIndex }) => [location.uri, parentIndex]),
    [
      ['file:///tmp/a%20b.zip', undefined],
      ['/a%3F%23%25.zip', 0],
      ['/%EF%BF%BD', 1],
      ['/../x%20y', 2],
      ['../c%3Ad.zip', undefined],
      ['/a', 4],
    ],
  )
  assert.deepEqual(
    run?.tool.driver.rules.map(({ id }) => id),
    ['Own.Rule', 'Own.Other'],
  )
})
