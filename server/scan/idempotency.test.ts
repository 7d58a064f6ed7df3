/** Idempotency keys: claims, replayed answers, and claims of dead processes. */
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { AppError, type ErrorCode } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedKey } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createReplicaStore } from '#usage/replicas.ts'
import { checkIdempotencyKey, createIdempotency, type Idempotency } from './idempotency.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from './schema.ts'
import { createScanStore } from './store.ts'

const refusal = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code
const SILENT_MS = 60_000
const HOUR_AGO = Date.now() - 3_600_000

forEachDatabase('idempotency', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  const opened: Idempotency[] = []
  after(() => {
    for (const idempotency of opened) idempotency.close()
  })

  /** A live process. */
  async function replica() {
    const id = newId()
    const signs = createReplicaStore(database, id)
    await signs.beat()
    const store = createScanStore(database, id)
    const idempotency = createIdempotency(store, quietLog)
    opened.push(idempotency)
    return { id, signs, store, idempotency }
  }
  const silence = (id: string) =>
    database.db.updateTable('replicas').set({ seen_at: HOUR_AGO }).where('id', '=', id).execute()

  test('a claim of a dead process is taken over once the process was swept', async () => {
    const keyId = await seedKey(database)
    const [dead, living] = [await replica(), await replica()]
    await dead.idempotency.begin(keyId, 'a')
    await living.idempotency.begin(keyId, 'b')
    await silence(dead.id)
    await assert.rejects(living.idempotency.begin(keyId, 'a'), refusal('request_in_progress'))
    await living.signs.sweep(SILENT_MS)
    assert.ok((await living.idempotency.begin(keyId, 'a')).claim)
    for (const name of ['a', 'b']) {
      await assert.rejects(living.idempotency.begin(keyId, name), refusal('request_in_progress'))
    }
  })

  test('a process that was swept while it slept does not take over its own claim', async () => {
    const keyId = await seedKey(database)
    const [asleep, living] = [await replica(), await replica()]
    await asleep.idempotency.begin(keyId, 'a')
    await silence(asleep.id)
    await living.signs.sweep(SILENT_MS)
    await assert.rejects(asleep.idempotency.begin(keyId, 'a'), refusal('request_in_progress'))
  })

  test('a claim without a process expires after ten minutes', async () => {
    const keyId = await seedKey(database)
    const { idempotency } = await replica()
    await idempotency.begin(keyId, 'a')
    const rows = database.db.updateTable('idempotency_keys').where('key_id', '=', keyId)
    await rows.set({ replica_id: null }).execute()
    await assert.rejects(idempotency.begin(keyId, 'a'), refusal('request_in_progress'))
    await rows.set({ claimed_at: HOUR_AGO }).execute()
    assert.ok((await idempotency.begin(keyId, 'a')).claim)
  })

  test('an answer outlives its process and is replayed for the same document only', async () => {
    const keyId = await seedKey(database)
    const [dead, living] = [await replica(), await replica()]
    const { claim } = await dead.idempotency.begin(keyId, 'a')
    const [sha256, response] = [hash('sha256', 'a document'), { scanId: newId(), status: 'clean' }]
    const scan = {
      id: response.scanId,
      key_id: keyId,
      verdict: 'clean',
      threat: null,
      engine: null,
      path: null,
      account_id: null,
      obstacle: null,
      file_name: 'a.txt',
      content_type: null,
    } as const
    const rest = {
      sha256,
      size: 10,
      type: 'text/plain',
      engines: '[]',
      findings: null,
      reference: null,
      started_at: 1,
      finished_at: 2,
    }
    await database.transact(() =>
      dead.store.record([{ scan: { ...scan, ...rest }, claim, response: JSON.stringify(response), receipt: null }]),
    )
    await silence(dead.id)
    await living.signs.sweep(SILENT_MS)
    const { replay } = await living.idempotency.begin(keyId, 'a')
    assert.deepEqual(replay?.(sha256), response)
    assert.throws(() => replay?.(hash('sha256', 'another')), refusal('idempotency_key_reused'))
  })
})

describe('the format of an Idempotency-Key', () => {
  test('is validated', () => {
    for (const good of [undefined, 'a', '"a"', 'x'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX)]) checkIdempotencyKey(good)
    for (const bad of ['', 'two words', 'x'.repeat(IDEMPOTENCY_KEY_LENGTH_MAX + 1), 'caf\xe9', ['a', 'b']]) {
      assert.throws(() => checkIdempotencyKey(bad), refusal('invalid_request'))
    }
  })
})

test('a claim that is given up while it is read can be made again, but not without end', async () => {
  const OPEN = { state: 'answered', sha256: 'a', response: '{"scanId":"1","state":"queued"}' }
  const beginWith = async (...states: object[]) => {
    const given = [...states]
    const fake = {
      claim: async () => given.shift() ?? { state: 'gone' },
      isUnfinished: async () => false,
      forget: async () => {},
    }
    const idempotency = createIdempotency(fake as never, quietLog)
    idempotency.close()
    return await idempotency.begin('key', 'a')
  }
  assert.ok((await beginWith({ state: 'gone' }, { state: 'ours' })).claim)
  assert.ok((await beginWith(OPEN, { state: 'ours' })).claim)
  assert.ok((await beginWith(OPEN, { state: 'gone' }, { state: 'ours' })).claim)
  await assert.rejects(beginWith(OPEN, OPEN, OPEN, { state: 'ours' }), refusal('request_in_progress'))
})
