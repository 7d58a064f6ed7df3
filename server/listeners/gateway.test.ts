/** The scan behind the protocols: it waits instead of refusing, and every ending has an outcome. */
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { AppError, type ErrorCode } from '#base/errors.ts'
import type { StreamScanResult } from '#scan/stream-scan.ts'
import { quietLog } from '#test/support/seed.ts'
import { type Client, createGateway, type GatewayOptions, type ScanFacts } from './gateway.ts'
import { parseListeners } from './specification.ts'

const KEY = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'
const OWNER = { keyId: KEY, accountId: 'account', plan: 'free' }
const logFields = { verdict: null, threat: null, engineMs: null, sizeBytes: null }
const CLEAN: StreamScanResult = { kind: 'clean', logFields }
const refused = (code: ErrorCode, isUnread = true): StreamScanResult => ({
  ...{ kind: 'refused', code, retryAfterSeconds: 1, isUnread, logFields },
})

function clientOf(options = '', more: Partial<Client> = {}): Client {
  const parsed = parseListeners('clamd', `tcp://127.0.0.1:3310?key=${KEY}${options}`)
  const [listener] = 'value' in parsed ? parsed.value : []
  assert.ok(listener)
  return { listener, address: '203.0.113.7', gone: new AbortController().signal, isRefused: false, ...more }
}

const incoming = () => ({ stream: Readable.from([Buffer.from('A letter.')]), fileName: 'stream' })

function setUp(parts: Partial<GatewayOptions> & { results?: StreamScanResult[] } = {}) {
  const { results = [CLEAN], ...rest } = parts
  const seen = { scans: 0, facts: [] as ScanFacts[], requests: [] as Parameters<GatewayOptions['scan']>[0][] }
  const gateway = createGateway({
    async scan(request) {
      seen.requests.push(request)
      return results[Math.min(seen.scans++, results.length - 1)] as StreamScanResult
    },
    findKey: async () => OWNER,
    takeRate: async () => null,
    hasPlace: () => true,
    checkQuota: async () => {},
    problem: async () => null,
    readsAnyFile: false,
    onScanned: (facts) => void seen.facts.push(facts),
    log: quietLog,
    waitMs: 2_000,
    ...rest,
  })
  return { gateway, seen }
}

describe('a scan', () => {
  test('is made for the key of the listener and the address of the client', async () => {
    const { gateway, seen } = setUp()
    assert.deepEqual(await gateway.scan(clientOf(), incoming()), { name: 'clean' })
    assert.deepEqual(seen.requests[0]?.principal, { ...OWNER, meterId: undefined, address: '203.0.113.7' })
    assert.deepEqual(
      seen.facts.map(({ protocol, outcome, code }) => [protocol, outcome, code]),
      [['clamd', 'clean', null]],
    )
  })

  test('without an active key fails, without reading anything', async () => {
    const { gateway, seen } = setUp({ findKey: async () => null })
    assert.equal((await gateway.scan(clientOf(), incoming()))?.name, 'failed')
    assert.equal(seen.scans, 0)
  })

  test('of a connection above the limit of its address fails', async () => {
    const { gateway, seen } = setUp()
    assert.equal((await gateway.scan(clientOf('', { isRefused: true }), incoming()))?.name, 'failed')
    assert.equal(seen.scans, 0)
  })

  test('leaves no listener on the signal of its connection, which may have thousands of scans', async () => {
    const client = clientOf()
    const { gateway } = setUp({
      async scan({ gone }) {
        gone.addEventListener('abort', () => {}, { once: true })
        return CLEAN
      },
    })
    for (let count = 0; count < 3; count++) await gateway.scan(client, incoming())
    assert.deepEqual(getEventListeners(client.gone, 'abort'), [])
  })

  test('has the threat of an infected document', async () => {
    const { gateway } = setUp({ results: [{ kind: 'infected', threat: 'Eicar', logFields }] })
    assert.deepEqual(await gateway.scan(clientOf(), incoming()), { name: 'infected', threat: 'Eicar' })
  })

  test('has no outcome when its client is gone', async () => {
    const { gateway, seen } = setUp({ results: [{ kind: 'aborted', logFields }] })
    assert.equal(await gateway.scan(clientOf(), incoming()), null)
    assert.deepEqual(seen.facts, [])
  })

  for (const [what, parts] of Object.entries({
    'the database': { findKey: () => Promise.reject(new AppError('storage_unavailable', 'Down.')) },
    'the rate limiter': { takeRate: () => Promise.reject(new Error('unexpected')) },
    'the scan': { scan: () => Promise.reject(new Error('unexpected')) },
  } satisfies Record<string, Partial<GatewayOptions>>)) {
    test(`fails when ${what} throws`, async () => {
      assert.equal((await setUp(parts).gateway.scan(clientOf(), incoming()))?.name, 'failed')
    })
  }
})

describe('content that passes by its first bytes', () => {
  const passed = () => ({ ...incoming(), hasPassed: true })

  test('is neither scanned nor counted in the rate, but reported', async () => {
    const { gateway, seen } = setUp({ takeRate: () => Promise.reject(new Error('unexpected')) })
    assert.deepEqual(await gateway.scan(clientOf(), passed()), { name: 'passed' })
    assert.deepEqual([seen.scans, seen.facts.map(({ outcome }) => outcome)], [0, ['passed']])
  })

  test('fails without an active key, above the limit of its address, and without the database', async () => {
    const failing = async () => Promise.reject(new AppError('storage_unavailable', 'Down.'))
    for (const [parts, more] of [
      [{ findKey: async () => null }, {}],
      [{}, { isRefused: true }],
      [{ findKey: failing }, {}],
    ] as const)
      assert.equal((await setUp(parts).gateway.scan(clientOf('', more), passed()))?.name, 'failed')
  })
})

describe('instead of refusing, a scan waits', () => {
  test('for the rate of its key', async () => {
    const answers = [1, null]
    const { gateway, seen } = setUp({ takeRate: async () => answers.shift() ?? null })
    assert.equal((await gateway.scan(clientOf(), incoming()))?.name, 'clean')
    assert.equal(seen.scans, 1)
  })

  test('not for a rate that it would not reach in time', async () => {
    const { gateway, seen } = setUp({ takeRate: async () => 3 })
    const outcome = await gateway.scan(clientOf(), incoming())
    assert.deepEqual(outcome, { name: 'failed', retryAfterSeconds: 3 })
    assert.equal(seen.scans, 0)
  })

  test('for a place', async () => {
    let asked = 0
    const { gateway } = setUp({ hasPlace: () => ++asked > 3 })
    assert.equal((await gateway.scan(clientOf(), incoming()))?.name, 'clean')
    assert.equal(asked, 4)
  })

  test('for memory, as long as nothing of it was read', async () => {
    const { gateway, seen } = setUp({ results: [refused('busy'), refused('busy'), CLEAN] })
    assert.equal((await gateway.scan(clientOf(), incoming()))?.name, 'clean')
    assert.equal(seen.scans, 3)
    const half = setUp({ results: [refused('busy', false), CLEAN] })
    assert.equal((await half.gateway.scan(clientOf(), incoming()))?.name, 'failed')
  })

  test('no longer than it may', async () => {
    const { gateway } = setUp({ results: [refused('busy')], waitMs: 150 })
    assert.equal((await gateway.scan(clientOf(), incoming()))?.name, 'failed')
  })

  test('not for a quota', async () => {
    const { gateway, seen } = setUp({ results: [refused('quota_exhausted'), CLEAN] })
    assert.equal((await gateway.scan(clientOf(), incoming()))?.name, 'failed')
    assert.equal(seen.scans, 1)
  })

  test('not after its client is gone', async () => {
    const gone = new AbortController()
    const { gateway } = setUp({ takeRate: async () => 1 })
    const scanned = gateway.scan(clientOf('', { gone: gone.signal }), incoming())
    gone.abort()
    assert.equal(await scanned, null)
  })
})

describe('content that is no document', () => {
  const cases: [options: string, readsAnyFile: boolean, expected: object][] = [
    ['', false, { pass: [], isInspected: false }],
    ['', true, { pass: [], isInspected: true }],
    ['&other=error', true, { pass: [], isInspected: false }],
    ['&other=clamd', true, { pass: [], isInspected: true }],
    ['&other=pass:image', false, { pass: ['image'], isInspected: false }],
    ['&other=pass:image', true, { pass: ['image'], isInspected: true }],
  ]
  for (const [options, readsAnyFile, expected] of cases) {
    test(`with "${options}"${readsAnyFile ? ' and clamd' : ''}`, async () => {
      const { gateway, seen } = setUp({ readsAnyFile })
      await gateway.scan(clientOf(options), incoming())
      assert.deepEqual(seen.requests[0]?.other, expected)
    })
  }
})

describe('a listener', () => {
  test('has no problem while its scans would be accepted', async () => {
    assert.equal(await setUp().gateway.problem({ keyId: KEY }), null)
  })
  for (const [what, parts] of Object.entries({
    'an engine is down': { problem: async () => 'Not available: embedded.' },
    'its key is not active': { findKey: async () => null },
    'its quota is used up': { checkQuota: () => Promise.reject(new AppError('quota_exhausted', 'Used up.')) },
    'the database is down': { findKey: () => Promise.reject(new AppError('storage_unavailable', 'Down.')) },
  } satisfies Record<string, Partial<GatewayOptions>>)) {
    test(`has a problem when ${what}`, async () => {
      assert.equal(typeof (await setUp(parts).gateway.problem({ keyId: KEY })), 'string')
    })
  }
})
