import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { createOutboxStore, type NewMail, type Outbox } from './outbox-store.ts'

const LEASE = { leaseMs: 60_000, max: 10 }
const DAY_MS = 24 * 60 * 60 * 1000

forEachDatabase('outbox', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let other: Database
  let outbox: Outbox
  let rival: Outbox
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    other = await openPlace(place)
    outbox = createOutboxStore(database)
    rival = createOutboxStore(other)
  })
  beforeEach(() => database.db.deleteFrom('mail_outbox').execute())
  after(async () => {
    await database.close()
    await other.close()
    await place.release()
  })

  const post = (mail: Partial<NewMail> = {}) =>
    database.db.transaction().execute((trx) => outbox.post(trx, { kind: 'notice', params: { n: 1 }, ...mail }))
  const rows = () => database.db.selectFrom('mail_outbox').selectAll().orderBy('id').execute()
  const set = (columns: { due_at?: number; claimed_until?: number; failed_at?: number; attempts?: number }) =>
    database.db.updateTable('mail_outbox').set(columns).execute()
  const claimOne = async () => {
    const [mail, ...more] = await outbox.claim(LEASE)
    assert.ok(mail && more.length === 0)
    return mail
  }

  test('mail is added with its transaction and rolled back with it', async () => {
    await post({ params: { name: 'ä "x"' } })
    await assert.rejects(
      database.db.transaction().execute(async (trx) => {
        await outbox.post(trx, { kind: 'undone', params: {} })
        throw new Error('undone')
      }),
      /undone/,
    )
    const mail = await claimOne()
    assert.equal(mail.kind, 'notice')
    assert.deepEqual(JSON.parse(mail.params), { name: 'ä "x"' })
    assert.equal(mail.attempts, 1)
    assert.ok(Math.abs(mail.createdAt - Date.now()) < 60_000)
  })

  test('mail with the dedupe value of queued mail is skipped', async () => {
    assert.equal(await post({ dedupe: 'a' }), true)
    assert.equal(await post({ dedupe: 'a' }), false)
    assert.equal(await post({ dedupe: 'b' }), true)
    assert.equal(await post(), true)
    assert.equal(await post(), true)
    assert.equal((await rows()).length, 4)
    for (const mail of await outbox.claim(LEASE)) await outbox.done(mail)
    assert.equal(await post({ dedupe: 'a' }), true)
  })

  test('concurrent transactions with the same dedupe value add one mail and do not fail', async () => {
    const posted = await Promise.all(
      Array.from({ length: 10 }, (_, i) => {
        const [db, store] = i % 2 === 0 ? [database.db, outbox] : [other.db, rival]
        return db.transaction().execute((trx) => store.post(trx, { kind: 'notice', params: {}, dedupe: 'raced' }))
      }),
    )
    assert.equal(posted.filter(Boolean).length, 1)
  })

  test('claimed mail is available to others only after its lease ended', async () => {
    await post()
    const first = await claimOne()
    assert.deepEqual(await rival.claim(LEASE), [])
    const [row] = await rows()
    assert.ok(Math.abs((row?.claimed_until ?? 0) - Date.now() - LEASE.leaseMs) < 60_000)
    await set({ claimed_until: Date.now() - 1 })
    const [second] = await rival.claim(LEASE)
    assert.equal(second?.id, first.id)
    assert.equal(second?.attempts, 2)
    assert.notEqual(second?.claim, first.claim)
  })

  test('a late process cannot change mail that another process took over', async () => {
    await post()
    const late = await claimOne()
    await set({ claimed_until: 1 })
    const [taken] = await rival.claim(LEASE)
    const before = await rows()
    assert.equal(await outbox.done(late), false)
    assert.equal(await outbox.retry(late, 0, 'late'), false)
    assert.equal(await outbox.giveBack(late), false)
    assert.equal(await outbox.giveUp(late, 'late'), false)
    assert.deepEqual(await rows(), before)
    assert.equal(await rival.done(taken!), true)
    assert.deepEqual(await rows(), [])
  })

  test('a process can still delete mail after its lease ended if no other process took it', async () => {
    await post()
    const mail = await claimOne()
    await set({ claimed_until: 1 })
    assert.equal(await outbox.done(mail), true)
    assert.equal(await outbox.done(mail), false)
  })

  test('claims the oldest mail first, up to the maximum', async () => {
    for (let n = 0; n < 5; n++) await post({ params: { n } })
    const all = await rows()
    for (const [n, { id }] of all.entries()) {
      await database.db
        .updateTable('mail_outbox')
        .set({ due_at: 1_000 - n })
        .where('id', '=', id)
        .execute()
    }
    const ids = async (max: number) => (await outbox.claim({ ...LEASE, max })).map(({ id }) => id).sort()
    assert.deepEqual(await ids(2), [all[3]!.id, all[4]!.id])
    assert.deepEqual(await ids(10), [all[0]!.id, all[1]!.id, all[2]!.id])
  })

  test('a retry is due after its delay', async () => {
    await post()
    await outbox.retry(await claimOne(), 30_000, 'away')
    const [row] = await rows()
    assert.ok(Math.abs(row!.due_at - Date.now() - 30_000) < 60_000)
    assert.equal(row?.last_error, 'away')
    assert.equal(row?.claimed_by, null)
    assert.deepEqual(await outbox.claim(LEASE), [])
    await set({ due_at: Date.now() - 1 })
    assert.equal((await claimOne()).attempts, 2)
  })

  test('returned mail is due at once and the attempt does not count', async () => {
    await post()
    await outbox.giveBack(await claimOne())
    assert.equal((await claimOne()).attempts, 1)
  })

  test('abandoned mail is not retried and frees its dedupe value', async () => {
    await post({ dedupe: 'a' })
    const mail = await claimOne()
    assert.equal(await outbox.giveUp(mail, 'no such mailbox'), true)
    const [row] = await rows()
    assert.equal(row?.last_error, 'no such mailbox')
    assert.ok(Math.abs((row?.failed_at ?? 0) - Date.now()) < 60_000)
    assert.deepEqual(await outbox.claim(LEASE), [])
    assert.equal(await outbox.done(mail), false)
    assert.equal(await post({ dedupe: 'a' }), true)
  })

  test('sweep deletes only old abandoned mail', async () => {
    for (const dedupe of ['old', 'young', 'waiting']) await post({ dedupe })
    const [old, young] = await outbox.claim({ ...LEASE, max: 2 })
    for (const mail of [old!, young!]) await outbox.giveUp(mail, 'x')
    const failedAt = (id: string, at: number) =>
      database.db.updateTable('mail_outbox').set({ failed_at: at }).where('id', '=', id).execute()
    await failedAt(old!.id, Date.now() - 7 * DAY_MS - 1)
    await failedAt(young!.id, Date.now() - 7 * DAY_MS + 10_000)
    assert.equal(await outbox.sweep(7 * DAY_MS), 1)
    assert.deepEqual((await rows()).map(({ id }) => id).includes(old!.id), false)
    assert.equal((await rows()).length, 2)
  })

  test('concurrent claims never return the same mail', async () => {
    await database.db.transaction().execute(async (trx) => {
      for (let n = 0; n < 200; n++) await outbox.post(trx, { kind: 'notice', params: { n, id: newId() } })
    })
    const taken: string[] = []
    const takeAll = async (store: Outbox) => {
      for (;;) {
        const mails = await store.claim({ ...LEASE, max: 3 })
        if (mails.length === 0) return
        assert.ok(mails.length <= 3)
        taken.push(...mails.map(({ id }) => id))
      }
    }
    await Promise.all([outbox, rival, outbox, rival, rival].map(takeAll))
    assert.equal(taken.length, 200)
    assert.equal(new Set(taken).size, 200)
  })
})
