import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, Outcome } from './engine.ts'
import { createPanel } from './panel.ts'
import { createSample } from './sample.ts'

function engine(name: string, inspect: Engine['inspect']): Engine {
  const health = () => ({
    name,
    status: 'UP' as const,
    version: null,
    signatures: null,
    signaturesAt: null,
    detail: null,
  })
  return { name, inspect, health, version: () => ({ version: null, signatures: null }), close: async () => {} }
}
const says =
  (outcome: Outcome, ms = 0): Engine['inspect'] =>
  async () => {
    await sleep(ms)
    return outcome
  }
const clean: Outcome = { kind: 'clean' }
const threat: Outcome = { kind: 'detected', threat: 'T', path: [] }
const document = createSample().end('')

function stopAfter(ms: number): AbortController {
  const stop = new AbortController()
  setTimeout(() => stop.abort(), ms).unref()
  return stop
}

test('returns one report per engine, in their order', async () => {
  const panel = createPanel([
    engine('slow', says(clean, 30)),
    engine('fast', says({ kind: 'failed', late: false, detail: '' })),
  ])
  const reports = await panel.inspect(document, stopAfter(1_000), 'account')
  assert.deepEqual(
    reports.map((report) => [report.engine, report.outcome.kind]),
    [
      ['slow', 'clean'],
      ['fast', 'failed'],
    ],
  )
})

test('an engine that throws has failed', async () => {
  const panel = createPanel([
    engine('bad', async () => {
      throw new Error('oops')
    }),
  ])
  const [report] = await panel.inspect(document, stopAfter(1_000), 'account')
  assert.equal(report?.outcome.kind, 'failed')
})

test('an engine that ignores its signal has failed', async () => {
  const panel = createPanel([engine('deaf', () => new Promise(() => {})), engine('good', says(clean))])
  const reports = await panel.inspect(document, stopAfter(100), 'account')
  assert.deepEqual(reports[0]?.outcome, { kind: 'failed', late: true, detail: 'did not stop at its deadline' })
  assert.equal(reports[1]?.outcome.kind, 'clean')
})

test('a threat stops the other engines without waiting for them', async () => {
  let stopped = false
  const stubborn: Engine['inspect'] = (_document, signal) => {
    signal.addEventListener('abort', () => {
      stopped = true
    })
    return new Promise(() => {})
  }
  const panel = createPanel([engine('stubborn', stubborn), engine('quick', says(threat))])
  // No deadline: waiting for the other engine would never end.
  const reports = await panel.inspect(document, new AbortController(), 'account')
  assert.ok(stopped)
  assert.deepEqual(
    reports.map((report) => report.outcome.kind),
    ['failed', 'detected'],
  )
})
