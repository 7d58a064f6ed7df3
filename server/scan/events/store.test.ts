import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { openPlace, seedAccount, seedKey } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { createEventStore } from './store.ts'

const START = { finishedAt: 0, id: '' }
const HOUR_MS = 60 * 60 * 1_000

forEachDatabase('scans that have ended', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
  })
  after(async () => {
    await database.close()
    await place.release()
  })

  test('are listed up to the first that may still end before them', async () => {
    const accountId = await seedAccount(database)
    const keyId = await seedKey(database, accountId)
    const now = Date.now() - HOUR_MS
    const insert = async (finishedAt: number, open: { state: 'running'; lease_until: number } | null = null) => {
      const id = newId()
      const row = {
        ...{ id, key_id: keyId, account_id: accountId, verdict: 'clean' as const, obstacle: null, file_name: null },
        ...{ content_type: null, threat: null, engine: null, path: null, sha256: '', size: 1, type: '', engines: '[]' },
        ...{ findings: null, started_at: finishedAt, finished_at: finishedAt, reference: null },
        ...{ problem: null, problem_detail: null, state: open?.state ?? null, lease_until: open?.lease_until ?? null },
      }
      await database.db.insertInto('scans').values(row).execute()
      return id
    }
    const list = async (position = START, count = 10, lagMs = 0) =>
      (await createEventStore(database).list(accountId, position, count, lagMs)).map(({ id }) => id)

    // Of one time they come in the order of their ids, which may be random within a millisecond.
    const [first = '', sameTime = ''] = [await insert(now), await insert(now)].sort()
    const open = await insert(now, { state: 'running', lease_until: now + 10 })
    const second = await insert(now + 20)
    assert.deepEqual(await list(), [first, sameTime])
    // Given up: it gets the time at which its lease ended.
    const given = { state: 'failed' as const, finished_at: now + 10, lease_until: null }
    await database.db.updateTable('scans').set(given).where('id', '=', open).execute()
    assert.deepEqual(await list(), [first, sameTime, open, second])
    assert.deepEqual(await list({ finishedAt: now, id: first }, 2), [sameTime, open])
    assert.deepEqual(await list(START, 10, HOUR_MS + 60_000), [])
    assert.deepEqual(await createEventStore(database).list(newId(), START, 10, 0), [])
  })
})
