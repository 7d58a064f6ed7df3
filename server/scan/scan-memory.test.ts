/** Memory is returned early only when every engine has read the whole document. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import type { Outcome } from '#engines/engine.ts'
import type { EngineReport } from '#engines/panel.ts'
import { createSample } from '#engines/sample.ts'
import { quietLog } from '#test/support/seed.ts'
import { createInFlightBudget } from './in-flight.ts'
import { formSource } from './intake.ts'
import { createScan } from './scan.ts'
import type { UnscannablePolicy } from './verdict.ts'

const CLEAN: Outcome = { kind: 'clean' }
const UNSCANNABLE: Outcome = { kind: 'unscannable', obstacle: 'encrypted', detail: 'It is locked.' }
const DETECTED: Outcome = { kind: 'detected', threat: 'Eicar', path: [] }
const FAILED: Outcome = { kind: 'failed', late: false, detail: 'away' }

const FORM = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nA letter.\r\n--b--\r\n'

const NAMES = ['embedded', 'clamd']

async function fateOf(inspect: () => Promise<EngineReport[]>, unscannable: UnscannablePolicy) {
  const fate = { freed: false, disposed: false }
  const scan = createScan({
    reserve: async () => ({ charge: async () => {}, [Symbol.asyncDispose]: async () => {} }),
    inFlight: createInFlightBudget({ bytesMax: 30_000_000 }),
    signReceipt: () => null,
    createSample() {
      const writer = createSample()
      const free = () => {
        fate.freed = true
        writer.free(() => {})
      }
      const dispose = () => {
        fate.disposed = true
        writer.dispose()
      }
      return { ...writer, free, dispose }
    },
    panel: { inspect, versions: () => NAMES.map((name) => ({ name, version: null, signatures: null })) },
    sniff: () => ({ kind: 'text', type: 'text/plain' }),
    store: { record: async () => {}, unrecord: async () => {} } as never,
    openScans: {} as never,
    during: (run) => run(),
    findings: { encode: () => null },
    reviewThreat: async (outcome) => outcome,
    idempotency: {
      begin: async () => ({ claim: null, replay: null, keep() {}, [Symbol.asyncDispose]: async () => {} }),
    } as never,
    noteRefused: async () => {},
    deadlineMs: 1_000,
    unscannable,
    log: quietLog,
  })
  const headers = { 'content-type': 'multipart/form-data; boundary=b' }
  const request = {
    source: formSource(headers, Readable.from([Buffer.from(FORM)])),
    principal: { keyId: 'key', accountId: 'account', plan: 'free', address: '203.0.113.7' },
    requestId: 'request',
    gone: new AbortController().signal,
    logFields: { verdict: null, threat: null, engineMs: null, sizeBytes: null },
  }
  await scan(request).catch(() => {})
  return fate
}

describe('memory of a document', () => {
  const cases: [string, Outcome[], UnscannablePolicy, boolean][] = [
    ['is freed when all engines report clean', [CLEAN, CLEAN], 'refuse', true],
    ['is kept after a detection, because the other engine may be reading', [CLEAN, DETECTED], 'refuse', false],
    ['is kept when an engine failed', [CLEAN, FAILED], 'refuse', false],
    ['is kept when an engine could not scan it', [UNSCANNABLE, CLEAN], 'refuse', false],
    ['is kept when the policy treats that as clean', [UNSCANNABLE, CLEAN], 'clean', false],
  ]
  for (const [name, outcomes, policy, expected] of cases) {
    test(name, async () => {
      const reports = outcomes.map((outcome, index) => ({ engine: NAMES[index] ?? '', outcome }))
      assert.deepEqual(await fateOf(async () => reports, policy), { freed: expected, disposed: true })
    })
  }
  test('is overwritten when the inspection fails unexpectedly', async () => {
    const fail = () => Promise.reject(new Error('unexpected'))
    assert.deepEqual(await fateOf(fail, 'refuse'), { freed: false, disposed: true })
  })
})
