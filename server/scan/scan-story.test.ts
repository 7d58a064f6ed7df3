/** The turns of a scan: who is refused, who has left, whose time is up, and what none of them is charged for. */
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { createSample, type Sample } from '#engines/sample.ts'
import { quietLog } from '#test/support/seed.ts'
import { createBudget } from './budget.ts'
import { createClaims } from './claims.ts'
import { UploadAborted } from './pump.ts'
import { createScan, type ScanOptions, type ScanRequest } from './scan.ts'
import type { ScanStore } from './store.ts'

const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code
const FORM =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n' +
  'Content-Type: text/plain\r\n\r\nA letter.\r\n--b--\r\n'
const CLEAN = [{ engine: 'embedded', outcome: { kind: 'clean' as const } }]

interface Seen {
  charges: number
  inspections: number
}

type Parts = Partial<Omit<ScanOptions<Sample>, 'panel'>> & {
  inspect?: ScanOptions<Sample>['panel']['inspect']
  claimed?: Awaited<ReturnType<ScanStore['claim']>>
}

/** A scan that comes out clean, but for what is given. */
function stage({ inspect, claimed = { state: 'ours' }, ...parts }: Parts = {}) {
  const seen: Seen = { charges: 0, inspections: 0 }
  const store = { claim: async () => claimed, abandon: async () => {}, record: async () => {} } as never
  const claims = createClaims(store, quietLog)
  claims.close()
  const scan = createScan<Sample>({
    reserve: async () => ({ charge: async () => void seen.charges++, [Symbol.asyncDispose]: async () => {} }),
    budget: createBudget(),
    createSample,
    panel: {
      async inspect(sample, signal) {
        seen.inspections++
        await sample.whole()
        return inspect ? await inspect(sample, signal) : CLEAN
      },
      health: () => [{ name: 'embedded', version: null, signatures: null }],
    },
    sniff: () => ({ kind: 'text', type: 'text/plain' }),
    store,
    claims,
    deadlineMs: 5_000,
    unscannable: 'refuse',
    log: quietLog,
    ...parts,
  })
  const send = (more: Partial<Omit<ScanRequest, 'headers'>> & { body?: string; name?: string } = {}) => {
    const { body = FORM, name, ...rest } = more
    return scan({
      keyId: 'key',
      accountId: 'account',
      plan: 'free',
      requestId: 'request',
      gone: new AbortController().signal,
      headers: { 'content-type': 'multipart/form-data; boundary=b', ...(name && { 'idempotency-key': name }) },
      stream: Readable.from([Buffer.from(body)]),
      ...rest,
    })
  }
  return { seen, send }
}

describe('a scan', () => {
  test('is charged with its verdict', async () => {
    const { seen, send } = stage()
    assert.equal((await send()).status, 'clean')
    assert.deepEqual(seen, { charges: 1, inspections: 1 })
  })

  test('is not charged when the client leaves while the engines work, whatever they say', async () => {
    const gone = new AbortController()
    const { seen, send } = stage({
      inspect: async () => {
        gone.abort()
        return CLEAN
      },
    })
    await assert.rejects(send({ gone: gone.signal }), UploadAborted)
    assert.deepEqual(seen, { charges: 0, inspections: 1 })
  })

  test('tells the engines of its deadline by a name that they know, and is not charged', async () => {
    let reason: unknown
    const { seen, send } = stage({
      deadlineMs: 20,
      inspect: async (_sample, signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        reason = signal.reason
        return [{ engine: 'embedded', outcome: { kind: 'failed', late: true, detail: 'late' } }]
      },
    })
    await assert.rejects(send(), refusal('scan_timeout'))
    assert.equal((reason as Error).name, 'TimeoutError')
    assert.equal(seen.charges, 0)
  })

  test('of a type that is not accepted is not begun', async () => {
    const { seen, send } = stage()
    await assert.rejects(send({ body: FORM.replace('text/plain', 'video/mp4') }), refusal('unsupported_content_type'))
    assert.deepEqual(seen, { charges: 0, inspections: 0 })
  })

  test('with a malformed Idempotency-Key is not begun', async () => {
    const { seen, send } = stage()
    await assert.rejects(send({ name: 'two words' }), refusal('invalid_request'))
    assert.deepEqual(seen, { charges: 0, inspections: 0 })
  })

  test('with something else wrong in the request is not begun, and a repeated one is no better', async () => {
    const invalid = new AppError('invalid_request', 'No query.')
    const answered = { state: 'answered', sha256: 'x', response: '{}' } as const
    for (const { seen, send } of [stage(), stage({ claimed: answered })]) {
      await assert.rejects(send({ invalid, name: 'a' }), invalid)
      assert.deepEqual(seen, { charges: 0, inspections: 0 })
    }
  })
})

describe('a repeated request', () => {
  const sha256 = '7c3c0bd7b0a2ee8a4a2ca9b0a7c8ad0ff5a5a8b5d7a8c1a1e1c1c0b8a8b8c8d8'

  test('needs a place like any other, because its document is in memory too', async () => {
    const budget = createBudget({ bytesMax: 26_214_400, scansMax: 1 })
    const { send } = stage({ budget, claimed: { state: 'answered', sha256, response: '{}' } })
    const other = budget.enter('another account', 1)
    await assert.rejects(send({ name: 'a' }), refusal('busy'))
    other.release()
    await assert.rejects(send({ name: 'a' }), refusal('idempotency_key_reused'))
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('that does not tell its length is given room as it comes', async () => {
    const budget = createBudget({ bytesMax: 27_262_976, scansMax: 3 })
    const { send } = stage({ budget, claimed: { state: 'answered', sha256, response: '{}' } })
    using _other = budget.enter('another account', 26_214_400)
    const large = FORM.replace('A letter.', 'A letter. '.repeat(110_000))
    await assert.rejects(send({ name: 'a', body: large }), refusal('busy'))
    await assert.rejects(send({ name: 'a' }), refusal('idempotency_key_reused'))
  })
})

test('a scan that does not tell its length is given room as it comes', async () => {
  const budget = createBudget({ bytesMax: 27_262_976, scansMax: 3 })
  const { seen, send } = stage({ budget })
  using _other = budget.enter('another account', 26_214_400)
  await assert.rejects(send({ body: FORM.replace('A letter.', 'A letter. '.repeat(110_000)) }), refusal('busy'))
  assert.equal((await send()).status, 'clean')
  assert.equal(seen.charges, 1)
  assert.deepEqual(budget.inFlight(), { bytes: 26_214_400, scans: 1 })
})
