/** The flow of a scan: refusals, disconnects and deadlines, none of which is charged. */
import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { createSample } from '#engines/sample.ts'
import { quietLog } from '#test/support/seed.ts'
import { createIdempotency } from './idempotency.ts'
import { createInFlightBudget } from './in-flight.ts'
import { formSource } from './intake.ts'
import type { OpenScan } from './open-scans.ts'
import { createScan, ENDING_COST, type ScanOptions, type ScanRequest } from './scan.ts'
import type { ScanStore } from './store.ts'
import { UploadAborted } from './upload.ts'

const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code
const FORM =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n' +
  'Content-Type: text/plain\r\n\r\nA letter.\r\n--b--\r\n'
const CLEAN = [{ engine: 'embedded', outcome: { kind: 'clean' as const } }]

interface Seen {
  charges: number
  refused: number
  inspections: number
}

type Parts = Partial<Omit<ScanOptions, 'panel'>> & {
  inspect?: ScanOptions['panel']['inspect']
  claimed?: Awaited<ReturnType<ScanStore['claim']>>
}

/** A scan with a clean verdict, unless overridden. */
function setUp({ inspect, claimed = { state: 'ours' }, ...parts }: Parts = {}) {
  const seen: Seen = { charges: 0, refused: 0, inspections: 0 }
  // A refusal is delivered even if its report cannot be stored.
  const recordRefused = async () => Promise.reject(new Error('The disk is full'))
  const store = {
    ...{ claim: async () => claimed, abandon: async () => {}, record: async () => {} },
    ...{ recordRefused, recordUnscanned: recordRefused },
  } as never
  const idempotency = createIdempotency(store, quietLog)
  idempotency.close()
  const scan = createScan({
    reserve: async () => ({ charge: async () => void seen.charges++, [Symbol.asyncDispose]: async () => {} }),
    inFlight: createInFlightBudget({ bytesMax: 30_000_000 }),
    signReceipt: () => null,
    createSample,
    panel: {
      async inspect(document, stop, accountId) {
        seen.inspections++
        return inspect ? await inspect(document, stop, accountId) : CLEAN
      },
      versions: () => [{ name: 'embedded', version: null, signatures: null }],
    },
    sniff: () => ({ kind: 'text', type: 'text/plain' }),
    store,
    openScans: {} as never,
    during: (run) => run(),
    findings: { encode: () => null },
    reviewThreat: async (outcome) => outcome,
    idempotency,
    noteRefused: async (_account, _plan, count) => {
      seen.refused += count
    },
    deadlineMs: 5_000,
    unscannable: 'refuse',
    log: quietLog,
    ...parts,
  })
  const send = (more: Partial<ScanRequest> & { body?: string; name?: string; invalid?: Error } = {}) => {
    const { body = FORM, name, invalid, ...rest } = more
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    return scan({
      source: formSource(headers, Readable.from([Buffer.from(body)]), invalid),
      principal: { keyId: 'key', accountId: 'account', plan: 'free', address: '203.0.113.7' },
      idempotencyKey: name,
      requestId: 'request',
      gone: new AbortController().signal,
      logFields: { verdict: null, threat: null, engineMs: null, sizeBytes: null },
      ...rest,
    })
  }
  return { seen, send }
}

describe('a scan', () => {
  test('that is refused keeps its place until that is stored; one that is charged does not', async () => {
    const inFlight = createInFlightBudget({ bytesMax: 30_000_000 })
    const counts: number[] = []
    const note = async () => void counts.push(inFlight.inFlight().scans)
    const effectOf = () => ({ kind: { *write() {} }, of: null })
    const open: Partial<OpenScan> = { scanId: 'scan', refuse: note, fail: note, effectOf }
    const openScans = { isFull: () => false, open: async () => ({ ...open, charged: note }) } as never
    const accepted = { onAccepted: () => {} }
    const unsupported = setUp({ inFlight, openScans, sniff: () => ({ kind: null, type: 'image/png' }) })
    await assert.rejects(unsupported.send(accepted), refusal('unsupported_content_type'))
    // As refused, and then as failed, twice, which has no effect any more.
    assert.deepEqual(counts.splice(0), [1, 1, 0])
    const clean = setUp({ inFlight, openScans })
    await clean.send(accepted)
    assert.deepEqual(counts, [0])
  })

  test('of an account with too many unfinished ones is refused before its document is read, if nobody would wait', async () => {
    const openScans = { isFull: (accountId: string) => accountId === 'account' } as never
    const { seen, send } = setUp({ openScans })
    await assert.rejects(send({ onAccepted: () => {} }), refusal('busy'))
    assert.deepEqual(seen, { charges: 0, refused: 0, inspections: 0 })
    assert.equal((await send()).status, 'clean')
  })

  test('is charged with its verdict', async () => {
    const { seen, send } = setUp()
    assert.equal((await send()).status, 'clean')
    assert.deepEqual(seen, { charges: 1, refused: 0, inspections: 1 })
  })

  test('counts as one for which somebody waits only when its document has arrived', async () => {
    let waits = 0
    const { send } = setUp({
      async during(run) {
        waits++
        return await run()
      },
    })
    const form = new PassThrough()
    const source = formSource({ 'content-type': 'multipart/form-data; boundary=b' }, form)
    const scanned = send({ source })
    form.write(FORM.slice(0, -10))
    await sleep(20)
    assert.equal(waits, 0)
    form.end(FORM.slice(-10))
    await scanned
    assert.equal(waits, 1)
  })

  test('is not charged when the client disconnects during inspection', async () => {
    const gone = new AbortController()
    const { seen, send } = setUp({
      inspect: async () => {
        gone.abort()
        return CLEAN
      },
    })
    await assert.rejects(send({ gone: gone.signal }), UploadAborted)
    assert.deepEqual(seen, { charges: 0, refused: 1, inspections: 1 })
  })

  test('aborts the engines with a TimeoutError at the deadline, and is not charged', async () => {
    let reason: unknown
    const { seen, send } = setUp({
      deadlineMs: 20,
      inspect: async (_document, { signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        reason = signal.reason
        return [{ engine: 'embedded', outcome: { kind: 'failed', late: true, detail: 'late' } }]
      },
    })
    await assert.rejects(send(), refusal('scan_timeout'))
    assert.equal((reason as Error).name, 'TimeoutError')
    assert.deepEqual([seen.charges, seen.refused], [0, 0])
  })

  test('is not inspected when its declared type is refused', async () => {
    const { seen, send } = setUp()
    await assert.rejects(send({ body: FORM.replace('text/plain', 'video/mp4') }), refusal('unsupported_content_type'))
    assert.deepEqual(seen, { charges: 0, refused: 1, inspections: 0 })
  })

  test('is not inspected with a malformed Idempotency-Key', async () => {
    const { seen, send } = setUp()
    await assert.rejects(send({ name: 'two words' }), refusal('invalid_request'))
    assert.deepEqual(seen, { charges: 0, refused: 1, inspections: 0 })
  })

  test('is not inspected when the request is invalid, nor replayed', async () => {
    const invalid = new AppError('invalid_request', 'No query.')
    const answered = { state: 'answered', sha256: 'x', response: '{}' } as const
    for (const { seen, send } of [setUp(), setUp({ claimed: answered })]) {
      await assert.rejects(send({ invalid, name: 'a' }), invalid)
      assert.deepEqual([seen.charges, seen.inspections], [0, 0])
    }
  })

  test('counts toward the rate of the account when the document is refused, not when an engine fails', async () => {
    const complex = { kind: 'unscannable', obstacle: 'too_complex', detail: 'Deep.' } as const
    const refused = setUp({ inspect: async () => [{ engine: 'embedded', outcome: complex }] })
    await assert.rejects(refused.send(), refusal('document_too_complex'))
    assert.deepEqual(refused.seen, { charges: 0, refused: 1, inspections: 1 })
    const down = { kind: 'failed', late: false, detail: 'down' } as const
    const failed = setUp({ inspect: async () => [{ engine: 'embedded', outcome: down }] })
    await assert.rejects(failed.send(), refusal('engine_unavailable'))
    assert.deepEqual(failed.seen, { charges: 0, refused: 0, inspections: 1 })
  })
})

describe('a document that ended a worker', () => {
  const ended = { kind: 'unscannable', obstacle: 'too_complex', detail: 'Stopped.', isCrash: true } as const
  const inspect = (endedWorker: boolean) => async () => [{ engine: 'embedded', outcome: { ...ended, endedWorker } }]

  test('counts as several refused ones, but only when it cost a worker', async () => {
    for (const [endedWorker, count] of [
      [true, ENDING_COST],
      [false, 1],
    ] as const) {
      const { seen, send } = setUp({ inspect: inspect(endedWorker) })
      await assert.rejects(send(), refusal('document_too_complex'))
      assert.deepEqual(seen, { charges: 0, refused: count, inspections: 1 })
    }
  })

  test('is never clean, whatever the policy', async () => {
    const { send } = setUp({ inspect: inspect(true), unscannable: 'clean' })
    await assert.rejects(send(), refusal('document_too_complex'))
  })
})

describe('a repeated request', () => {
  const sha256 = '7c3c0bd7b0a2ee8a4a2ca9b0a7c8ad0ff5a5a8b5d7a8c1a1e1c1c0b8a8b8c8d8'

  test('needs the in-flight budget, because its document is in memory too', async () => {
    const budget = createInFlightBudget({ bytesMax: 26_214_400, scansMax: 1 })
    const { send } = setUp({ inFlight: budget, claimed: { state: 'answered', sha256, response: '{}' } })
    const other = budget.enter({ accountId: 'another account', address: '198.51.100.9' }, 1)
    await assert.rejects(send({ name: 'a' }), refusal('busy'))
    other[Symbol.dispose]()
    await assert.rejects(send({ name: 'a' }), refusal('idempotency_key_reused'))
    assert.deepEqual(budget.inFlight(), { bytes: 0, scans: 0 })
  })

  test('without a declared length takes its budget as bytes arrive', async () => {
    const budget = createInFlightBudget({ bytesMax: 27_262_976, scansMax: 3 })
    const { send } = setUp({ inFlight: budget, claimed: { state: 'answered', sha256, response: '{}' } })
    using _other = budget.enter({ accountId: 'another account', address: '198.51.100.9' }, 26_214_400)
    const large = FORM.replace('A letter.', 'A letter. '.repeat(110_000))
    await assert.rejects(send({ name: 'a', body: large }), refusal('busy'))
    await assert.rejects(send({ name: 'a' }), refusal('idempotency_key_reused'))
  })
})

test('a scan without a declared length takes its budget as bytes arrive', async () => {
  const budget = createInFlightBudget({ bytesMax: 27_262_976, scansMax: 3 })
  const { seen, send } = setUp({ inFlight: budget })
  using _other = budget.enter({ accountId: 'another account', address: '198.51.100.9' }, 26_214_400)
  await assert.rejects(send({ body: FORM.replace('A letter.', 'A letter. '.repeat(110_000)) }), refusal('busy'))
  assert.equal((await send()).status, 'clean')
  assert.equal(seen.charges, 1)
  assert.deepEqual(budget.inFlight(), { bytes: 26_214_400, scans: 1 })
})
