import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Result } from './result.ts'
import { createSarif, RESULTS_MAX } from './sarif.ts'

const finding = (id: string, path: string[]): Result['findings'][number] => ({
  ...{ id, severity: 'malicious', title: 'Title', reason: 'Reason.', technique: 'T1000', path, detail: 'detail' },
})
const result = (path: string, findings: Result['findings']): Result => ({
  ...{ path, verdict: 'infected', threat: 'Own.Rule', sha256: 'a'.repeat(64), size: 1, detectedType: 'text/plain' },
  ...{ durationMs: 1, findings, error: null },
})

test('odd names become valid URIs, and each file is one artifact', () => {
  const sarif = createSarif({ notices: true })
  const odd = ['//a?#%.zip', '\ud800', '../x y']
  sarif.add(
    result('/tmp/a b.zip', [finding('Own.Rule', odd), finding('Own.Other', odd.slice(0, 1)), finding('Own.Rule', [])]),
  )
  sarif.add(result('../c:d.zip', [finding('Own.Rule', ['a'])]))
  const [run] = sarif.log().runs
  assert.deepEqual(
    run?.artifacts.map(({ location, parentIndex }) => [location.uri, parentIndex]),
    [
      ['../c%3Ad.zip', undefined],
      ['file:///tmp/a%20b.zip', undefined],
      ['/a', 0],
      ['/a%3F%23%25.zip', 1],
      ['/%EF%BF%BD', 3],
      ['/../x%20y', 4],
    ],
  )
  assert.deepEqual(
    run?.tool.driver.rules.map(({ id }) => id),
    ['Own.Rule', 'Own.Other'],
  )
})

test('past the limit the worst findings stay, and a notice says how many are left out', () => {
  const sarif = createSarif({ notices: true })
  const count = RESULTS_MAX + 7
  for (let i = 0; i < count; i++) sarif.add(result(`${String(i).padStart(5, '0')}.txt`, [finding('Own.Rule', [])]))
  const notice: Result['findings'][number] = { ...finding('Own.Notice', []), severity: 'notice' }
  sarif.add(result('a.txt', [notice]))
  const [run] = sarif.log().runs
  assert.equal(run?.results.length, RESULTS_MAX)
  assert.ok(run?.results.every(({ level }) => level === 'error'))
  assert.match(JSON.stringify(run?.invocations), /"8 more findings are left out/)
})

test('at the limit nothing is left out', () => {
  const sarif = createSarif({ notices: true })
  for (let i = 0; i < RESULTS_MAX; i++) sarif.add(result(`${i}.txt`, [finding('Own.Rule', [])]))
  const [run] = sarif.log().runs
  assert.deepEqual([run?.results.length, run?.invocations[0]?.toolExecutionNotifications.length], [RESULTS_MAX, 0])
})
