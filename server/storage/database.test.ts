/** Opening, migrating and losing the database. */
import assert from 'node:assert/strict'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, beforeEach, describe, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isStorageUnavailable } from '#base/errors.ts'
import { openPlace, seedAccount } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { SQLITE_FILE } from './database.ts'
import { BUSY_WAIT_MS } from './sqlite-connection.ts'

forEachDatabase('opening', (openUrl) => {
  test('five processes at once migrate an empty database once', async () => {
    const place = await openUrl()
    const opened = await Promise.all(Array.from({ length: 5 }, () => openPlace(place)))
    for (const database of opened) await database.ping()
    const rows = await sql<{ name: string }>`select name from kysely_migration`.execute(opened[0]!.db)
    assert.deepEqual(
      rows.rows.map((row) => row.name),
      [
        '0001-foundation',
        '0002-scans',
        '0003-mail',
        '0004-sessions',
        '0005-sign-in-attempts',
        '0006-marketplace',
        '0007-chat',
        '0008-event-times',
        '0009-round-position',
        '0010-claim-replicas',
        '0011-marketplace-follow-up',
        '0012-proven-address',
        '0013-narrow-rows',
        '0014-scan-reports',
        '0015-usage-days',
        '0016-account-pages',
        '0017-invites',
        '0018-disabled-accounts',
        '0019-scan-findings',
        '0020-audit-log',
        '0021-allowed-documents',
        '0022-rare-verdicts',
        ...(place.url === null ? [] : ['0023-audit-truncate']),
        '0024-worker-endings',
        '0025-allow-list-details',
        '0026-open-scans',
        '0027-jobs',
        '0028-webhooks',
        '0029-scan-requests',
        '0030-object-storage',
        '0031-test-keys',
        '0032-key-limits',
        '0033-queued-quota',
        '0034-receipts',
        '0035-identities',
        '0036-scan-events',
        '0037-job-groups',
        '0038-passkeys',
        '0039-members',
        '0040-alerts',
        '0041-named-receipts',
        '0042-ownership-offers',
        '0043-secret-keys',
        '0044-object-verdicts',
      ],
    )
    for (const database of opened) await database.close()
    await place.release()
  })

  test('the clock of the database returns time, month and day', async () => {
    const place = await openUrl()
    const { db, clock, close } = await openPlace(place)
    const before = Date.now()
    const { now, period, start, day } = await db
      .selectNoFrom([
        clock.nowMs.as('now'),
        clock.period.as('period'),
        clock.periodStartMs.as('start'),
        clock.day.as('day'),
      ])
      .executeTakeFirstOrThrow()
    // The clocks round differently.
    assert.ok(now >= before - 2 && now <= Date.now() + 2, `${now}`)
    assert.equal(period, new Date(now).toISOString().slice(0, 7))
    assert.equal(start, Date.parse(`${period}-01T00:00:00Z`))
    assert.equal(day, new Date(now).toISOString().slice(0, 10))
    await close()
    await place.release()
  })

  test('a transaction that throws is rolled back, and the next one works', async () => {
    const place = await openUrl()
    const { db, close } = await openPlace(place)
    const insert = (id: string) =>
      db.transaction().execute(async (trx) => {
        await trx.insertInto('replicas').values({ id, seen_at: 1 }).execute()
        if (id === 'bad') throw new Error('undone')
      })
    await assert.rejects(insert('bad'), /undone/)
    await insert('good')
    const rows = await db.selectFrom('replicas').select('id').execute()
    assert.deepEqual(
      rows.map((row) => row.id),
      ['good'],
    )
    await close()
    await place.release()
  })
})

describe('SQLite', () => {
  const folders: string[] = []
  const folder = () => {
    const made = temporaryFolder('data')
    folders.push(made)
    return made
  }
  after(() => {
    for (const made of folders) rmSync(made, { recursive: true, force: true })
  })

  test('is in WAL mode, with foreign keys, and readable by its owner only', async () => {
    const dataDir = join(folder(), 'made', 'here')
    const before = process.umask(0o077)
    const { db, close } = await openPlace({ url: null, dataDir })
    process.umask(before)
    const pragma = async (name: string) =>
      Object.values((await sql.raw<object>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0]
    assert.equal(await pragma('journal_mode'), 'wal')
    assert.equal(await pragma('synchronous'), 1)
    assert.equal(await pragma('foreign_keys'), 1)
    for (const path of [dataDir, join(dataDir, 'docvet.sqlite')]) assert.equal(statSync(path).mode & 0o077, 0, path)
    await close()
  })

  test('waiting for the lock of another process does not block the event loop', async () => {
    const dataDir = folder()
    const database = await openPlace({ url: null, dataDir })
    const other = new DatabaseSync(join(dataDir, 'docvet.sqlite'))
    other.exec('begin immediate')
    let ticks = 0
    const ticking = setInterval(() => ticks++, 10)
    const writing = database.db.insertInto('replicas').values({ id: 'r', seen_at: 1 }).execute()
    await sleep(300)
    other.exec('commit')
    await writing
    clearInterval(ticking)
    assert.ok(ticks > 0, 'the event loop was blocked')
    other.close()
    await database.close()
  })

  describe('a lock that is held too long', () => {
    let nowMs = 0
    beforeEach(() => {
      nowMs = Date.now()
      mock.method(Date, 'now', () => nowMs)
    })
    afterEach(() => mock.restoreAll())

    /** In steps, because queries that were not refused for a second start a new wait. Then the clock stops. */
    async function passBusyWait(): Promise<void> {
      for (const end = nowMs + BUSY_WAIT_MS; nowMs <= end; nowMs += 500) await sleep(20)
    }

    async function openLocked() {
      const dataDir = folder()
      const database = await openPlace({ url: null, dataDir })
      const other = new DatabaseSync(join(dataDir, 'docvet.sqlite'))
      other.exec('begin immediate')
      const write = (id: string) => database.db.insertInto('replicas').values({ id, seen_at: 1 }).execute()
      const close = () => {
        other.close()
        return database.close()
      }
      return { database, other, write, close }
    }

    test('refuses all queued queries together, and recovers', async () => {
      const { database, other, write, close } = await openLocked()
      const results = Promise.allSettled([write('a'), write('b'), write('c')])
      await passBusyWait()
      for (const result of await results) {
        assert.ok(result.status === 'rejected' && isStorageUnavailable(result.reason))
      }
      other.exec('rollback')
      await write('d')
      const rows = await database.db.selectFrom('replicas').select('id').execute()
      assert.deepEqual(
        rows.map((row) => row.id),
        ['d'],
      )
      await close()
    })

    test('is measured across reads, and a later lock gets the full wait again', async () => {
      const { database, other, write, close } = await openLocked()
      const results = Promise.allSettled([write('a'), database.ping(), write('b'), database.ping(), write('c')])
      await passBusyWait()
      assert.deepEqual(
        (await results).map(({ status }) => status),
        ['rejected', 'fulfilled', 'rejected', 'fulfilled', 'rejected'],
      )
      nowMs += 1_100
      const patient = write('d')
      await sleep(100)
      other.exec('rollback')
      await patient
      await close()
    })
  })

  test('ping fails when the file was removed', async () => {
    const dataDir = folder()
    const database = await openPlace({ url: null, dataDir })
    await database.ping()
    rmSync(join(dataDir, 'docvet.sqlite'))
    await assert.rejects(database.ping(), isStorageUnavailable)
    await database.close()
  })

  test('a full disk inside a transaction is storage_unavailable, and existing data stays readable', async () => {
    const database = await openPlace({ url: null, dataDir: folder() })
    const { db } = database
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 1}`).execute(db)
    const fill = () =>
      db.transaction().execute(async (trx) => {
        for (let i = 0; i < 50; i++)
          await trx
            .insertInto('replicas')
            .values({ id: 'x'.repeat(4_000) + i, seen_at: 1 })
            .execute()
      })
    await assert.rejects(fill(), isStorageUnavailable)
    await database.ping()
    assert.deepEqual(await db.selectFrom('replicas').select('id').execute(), [])
    await sql.raw('pragma max_page_count = 100000').execute(db)
    await fill()
    await database.close()
  })
})

test('deleted rows are overwritten in the SQLite file', async () => {
  const dataDir = temporaryFolder('deleted')
  const { db, ...database } = await openPlace({ url: null, dataDir })
  const id = await seedAccount({ db, ...database })
  const inFile = () => readFileSync(join(dataDir, SQLITE_FILE)).includes(`${id}@example.com`)
  const checkpoint = () => sql`pragma wal_checkpoint(truncate)`.execute(db)
  await checkpoint()
  assert.ok(inFile())
  await db.deleteFrom('accounts').where('id', '=', id).execute()
  await checkpoint()
  assert.ok(!inFile())
  await database.close()
  rmSync(dataDir, { recursive: true })
})
