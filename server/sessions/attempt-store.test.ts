/** Sign-in attempts in a real database. Tests move the rows instead of the clock. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { openPlace } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { type AttemptStore, createAttemptStore } from './attempt-store.ts'
import { attemptKey, FORGOTTEN_MS } from './attempts.ts'

forEachDatabase('sign-in attempts', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let store: AttemptStore
  let otherReplica: Database
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    otherReplica = await openPlace(place)
    store = createAttemptStore(database)
  })
  after(async () => {
    await database.close()
    await otherReplica.close()
    await place.release()
  })

  const newAddress = () => `${newId()}@example.com`

  async function beginTimes(times: number, email: string, on = store): Promise<boolean[]> {
    const allowed: boolean[] = []
    for (let i = 0; i < times; i++) allowed.push((await on.begin(email)).allowed)
    return allowed
  }

  const rowOf = (email: string) =>
    database.db
      .selectFrom('sign_in_attempts')
      .select(['count', 'last_at as lastAt'])
      .where('email_hash', '=', attemptKey(email))
      .executeTakeFirst()

  async function passTime(email: string, ms: number): Promise<void> {
    await database.db
      .updateTable('sign_in_attempts')
      .set((eb) => ({ last_at: eb('last_at', '-', ms) }))
      .where('email_hash', '=', attemptKey(email))
      .execute()
  }

  /** As after `count` attempts, the last of them just now. */
  async function seed(email: string, count: number): Promise<void> {
    await store.begin(email)
    await database.db
      .updateTable('sign_in_attempts')
      .set({ count })
      .where('email_hash', '=', attemptKey(email))
      .execute()
  }

  /** A busy machine may have spent some of the wait already. */
  async function assertWaits(email: string, seconds: number): Promise<void> {
    const decision = await store.begin(email)
    assert.ok(!decision.allowed)
    const { retryAfterSeconds } = decision
    assert.ok(retryAfterSeconds <= seconds && retryAfterSeconds > seconds - 10, `${retryAfterSeconds} of ${seconds}`)
  }

  test('five attempts are free, the sixth waits a second', async () => {
    const email = newAddress()
    assert.deepEqual(await beginTimes(5, email), [true, true, true, true, true])
    await passTime(email, -100_000)
    await assertWaits(email, 101)
    await passTime(email, 101_000)
    assert.deepEqual(await beginTimes(1, email), [true])
    assert.equal((await rowOf(email))?.count, 6)
  })

  test('a refused attempt neither counts nor extends the wait', async () => {
    const email = newAddress()
    await seed(email, 10)
    const before = await rowOf(email)
    for (let i = 0; i < 10; i++) await assertWaits(email, 32)
    assert.deepEqual(await rowOf(email), before)
  })

  test('after the wait one attempt is allowed, and the next wait is twice as long', async () => {
    const email = newAddress()
    await seed(email, 12)
    await assertWaits(email, 128)
    await passTime(email, 128_000)
    assert.deepEqual(await store.begin(email), { allowed: true })
    assert.equal((await rowOf(email))?.count, 13)
    await assertWaits(email, 256)
  })

  test('the wait never exceeds 15 minutes', async () => {
    const email = newAddress()
    await seed(email, 1_000_000)
    await assertWaits(email, 900)
    await passTime(email, 900_000)
    assert.deepEqual(await store.begin(email), { allowed: true })
  })

  test('of 50 concurrent attempts for a new address on two replicas, five are allowed', async () => {
    const email = newAddress()
    const other = createAttemptStore(otherReplica)
    const start = performance.now()
    const all = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? store : other).begin(email)))
    const tookMs = performance.now() - start
    const allowed = all.filter((decision) => decision.allowed).length
    // On a slow machine the first waits may end meanwhile and allow more.
    const waitsOver = Math.floor(Math.log2(tookMs / 1_000 + 1))
    assert.ok(allowed >= 5 && allowed <= 5 + waitsOver, `${allowed} in ${tookMs} ms`)
    assert.equal((await rowOf(email))?.count, allowed)
  })

  test('of 50 concurrent attempts after the free ones, none is allowed during the wait and one after it', async () => {
    const email = newAddress()
    const other = createAttemptStore(otherReplica)
    const flood = async () => {
      const all = await Promise.all(Array.from({ length: 50 }, (_, i) => (i % 2 ? store : other).begin(email)))
      return all.filter(({ allowed }) => allowed).length
    }
    await seed(email, 10)
    assert.equal(await flood(), 0)
    await passTime(email, 32_000)
    assert.equal(await flood(), 1)
    assert.equal((await rowOf(email))?.count, 11)
    assert.equal(await flood(), 0)
  })

  test('a success resets the count of this address only, ignoring letter case', async () => {
    const [mine, theirs] = [newAddress(), newAddress()]
    await seed(mine, 10)
    await seed(theirs, 10)
    await store.clear(mine.toUpperCase())
    assert.equal(await rowOf(mine), undefined)
    assert.deepEqual(await beginTimes(5, mine), [true, true, true, true, true])
    assert.deepEqual(await beginTimes(1, theirs), [false])
    await store.clear(newAddress())
  })

  test('a password reset clears the count only if its transaction commits', async () => {
    const email = newAddress()
    await seed(email, 10)
    const reset = (fails: boolean) =>
      database.db.transaction().execute(async (trx) => {
        await store.clear(email, trx)
        if (fails) throw new Error('undone')
      })
    await assert.rejects(reset(true), /undone/)
    assert.equal((await store.begin(email)).allowed, false)
    await reset(false)
    assert.equal((await store.begin(email)).allowed, true)
  })

  test('an attempt that was not verified is uncounted, never below zero', async () => {
    const email = newAddress()
    assert.deepEqual(await beginTimes(2, email), [true, true])
    await store.untried(email)
    assert.equal((await rowOf(email))?.count, 1)
    await store.untried(email)
    await store.untried(email)
    assert.equal((await rowOf(email))?.count, 0)
    await store.untried(newAddress())
  })

  test('failures expire a day after the last one, even before the sweep', async () => {
    const email = newAddress()
    await seed(email, 50)
    await passTime(email, FORGOTTEN_MS)
    assert.deepEqual(await beginTimes(5, email), [true, true, true, true, true])
    assert.equal((await rowOf(email))?.count, 5)
  })

  test('sweep deletes only rows older than a day', async () => {
    const [old, young] = [newAddress(), newAddress()]
    await store.begin(old)
    await store.begin(young)
    await passTime(old, FORGOTTEN_MS + 1_000)
    await passTime(young, FORGOTTEN_MS - 60_000)
    assert.equal(await store.sweep(FORGOTTEN_MS), 1)
    assert.equal(await rowOf(old), undefined)
    assert.equal((await rowOf(young))?.count, 1)
    assert.equal(await store.sweep(FORGOTTEN_MS), 0)
  })

  test('the table contains no readable address', async () => {
    await store.begin('ada.lovelace@example.com')
    const rows = await database.db.selectFrom('sign_in_attempts').selectAll().execute()
    assert.ok(rows.every((row) => /^[0-9a-f]{64}$/.test(row.email_hash)))
    assert.ok(!JSON.stringify(rows).includes('lovelace'))
  })
})
