/** Durability of transactions, and failures of the disk. */
import assert from 'node:assert/strict'
import { type FileHandle, open } from 'node:fs/promises'
import { after, before, beforeEach, describe, type Mock, mock, test } from 'node:test'
import { sql } from 'kysely'
import { isStorageUnavailable } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import { createTableStore } from '#jobs/table-store.ts'
import { openPlace } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { forEachDatabase, sqlitePlace, useDatabase } from '#test/support/suite.ts'
import type { Database, Trx } from './database.ts'
import { query } from './prepared.ts'

const insert = (db: Database['db']) => query(db.insertInto('replicas').values({ id: newId(), seen_at: 1 }))
const write = (trx: Trx) => trx.insertInto('replicas').values({ id: newId(), seen_at: 1 }).execute()

/** In order. */
let events: string[] = []
let datasync: Mock<FileHandle['datasync']>
let handles: FileHandle

before(async () => {
  const file = await open(import.meta.filename)
  handles = Object.getPrototypeOf(file)
  await file.close()
  const real = handles.datasync
  datasync = mock.method(handles, 'datasync', async function (this: FileHandle) {
    await real.call(this)
    events.push('on disk')
  })
})
beforeEach(() => {
  events = []
})
after(() => mock.restoreAll())

forEachDatabase('transactions', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  /** PostgreSQL shows inside a transaction whether its commit will wait; SQLite calls datasync. */
  async function noted(name: string, run: (work: (trx: Trx) => Promise<unknown>) => Promise<unknown>): Promise<void> {
    await run(async (trx) => {
      await write(trx)
      if (database.kind === 'sqlite') return
      const { rows } = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(trx)
      if (rows[0]?.synchronous_commit !== 'off') events.push('on disk')
    })
    events.push(name)
  }
  const relaxed = () => noted('relaxed', database.relaxedTransaction)
  const durable = () => noted('durable', (work) => database.db.transaction().execute(work))

  test('are durable when they resolve, unless they are relaxed', async () => {
    for (const one of [relaxed, durable, relaxed, durable]) await one()
    assert.deepEqual(events, ['relaxed', 'on disk', 'durable', 'relaxed', 'on disk', 'durable'])
    events = []
    await Promise.all([relaxed(), durable(), relaxed(), durable()])
    assert.equal(events.filter((event) => event === 'on disk').length, 2)
  })

  test('a relaxed one that throws is rolled back, and the next one is durable again', async () => {
    const failing = database.relaxedTransaction(async (trx) => {
      await trx.insertInto('replicas').values({ id: 'undone', seen_at: 1 }).execute()
      throw new Error('undone')
    })
    await assert.rejects(failing, /undone/)
    await durable()
    assert.deepEqual(events, ['on disk', 'durable'])
    const left = await database.db.selectFrom('replicas').select('id').where('id', '=', 'undone').execute()
    assert.deepEqual(left, [])
  })
})

describe('durability on SQLite', () => {
  let database: Database
  useDatabase(sqlitePlace, (opened) => {
    database = opened
  })

  const insertOne = () => database.db.insertInto('replicas').values({ id: newId(), seen_at: 1 }).execute()

  test('a single write waits for the disk, a read does not', async () => {
    await insertOne()
    await database.db.selectFrom('replicas').selectAll().execute()
    assert.deepEqual(events, ['on disk'])
  })

  test('a procedure waits for the disk unless it is relaxed, and so does one with an asynchronous step', async () => {
    const [relaxed, { db }] = [{ relaxed: true }, database]
    await database.transact(() => insert(db), relaxed)
    await database.transact(function* () {
      yield write
    }, relaxed)
    assert.deepEqual(events, [])
    await database.transact(() => insert(db))
    assert.deepEqual(events, ['on disk'])
    await database.transact(function* () {
      yield write
    })
    assert.deepEqual(events, ['on disk', 'on disk'])
  })

  test('a claim of jobs does not wait for the disk, where uploads wait as well', async () => {
    const kind = { name: 'plain', deadlineMs: 1_000, attemptsMax: 1, delayMs: () => 0, parallelMax: 1 }
    const store = createTableStore(database, [kind])
    await database.db.transaction().execute((trx) => store.post(trx, kind, [{ id: newId(), data: {} }]))
    events = []
    assert.equal((await store.claim(kind, 1)).length, 1)
    assert.deepEqual(await store.claim(kind, 1), [])
    assert.deepEqual(events, [])
  })

  test('waiting for the disk does not block the event loop', async () => {
    const slow = Promise.withResolvers<void>()
    datasync.mock.mockImplementationOnce(() => slow.promise)
    const writing = insertOne()
    await new Promise((resolve) => setTimeout(resolve, 20))
    slow.resolve()
    await writing
  })

  test('after a failed sync, storage is unavailable until the next start', async () => {
    const dataDir = temporaryFolder('data')
    const failing = await openPlace({ url: null, dataDir })
    const write = (to: Database) => to.db.insertInto('replicas').values({ id: newId(), seen_at: 1 }).execute()
    datasync.mock.mockImplementationOnce(() => Promise.reject(new Error('EIO: i/o error, fdatasync')))
    await failing.ping()
    await assert.rejects(write(failing), isStorageUnavailable)
    await assert.rejects(write(failing), isStorageUnavailable)
    await assert.rejects(
      failing.transact(() => insert(failing.db)),
      isStorageUnavailable,
    )
    await assert.rejects(failing.ping(), isStorageUnavailable)
    await failing.close()
    const again = await openPlace({ url: null, dataDir })
    await write(again)
    await again.ping()
    await again.close()
  })

  test('the folder of a new write-ahead log is synced', async () => {
    const synced = mock.method(handles, 'sync')
    const fresh = await openPlace({ url: null, dataDir: temporaryFolder('data') })
    const before = synced.mock.callCount()
    for (let i = 0; i < 2; i++) await fresh.db.insertInto('replicas').values({ id: newId(), seen_at: 1 }).execute()
    assert.equal(synced.mock.callCount() - before, 1)
    await fresh.close()
  })
})
