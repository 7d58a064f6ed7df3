/** Keys in a real database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { openPlace, seedAccount } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { mint } from './key.ts'
import { createKeyStore, type KeyStore } from './store.ts'

const use = (at: number) => ({ at, address: null })

forEachDatabase('keys', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let store: KeyStore
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    store = createKeyStore(database)
  })
  after(async () => {
    await database.close()
    await place.release()
  })

  function newKey(accountId: string) {
    const { secret: _shown, ...kept } = mint()
    return { id: newId(), accountId, name: 'Test', ...kept }
  }

  test('an active key is found with its account and plan; an unknown and a revoked one are not', async () => {
    const accountId = await seedAccount(database, 'pro')
    const [active, revoked] = [newKey(accountId), newKey(accountId)]
    assert.ok(await store.insertBelow(5, active))
    assert.ok(await store.insertBelow(5, revoked))
    assert.ok(await store.revoke(accountId, revoked.id))
    const found = await store.findActive([active.hash, revoked.hash, mint().hash])
    assert.deepEqual(
      found.map((owner) => ({ ...owner })),
      [
        {
          ...{ hash: active.hash, keyId: active.id, secretId: active.id, accountId, plan: 'pro' },
          ...{
            scopes: null,
            expiresAt: null,
            allowedAddresses: null,
            isExpired: 0,
            meterId: null,
            test: 0,
            createdBy: null,
          },
        },
      ],
    )
  })

  test('the limit counts active keys and keys revoked this month', async () => {
    const accountId = await seedAccount(database)
    const [one, two, three, four] = [newKey(accountId), newKey(accountId), newKey(accountId), newKey(accountId)]
    assert.ok(await store.insertBelow(2, one))
    assert.ok(await store.insertBelow(2, two))
    await store.revoke(accountId, one.id)
    assert.equal(await store.insertBelow(2, three), false)
    const now = new Date()
    const lastMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) - 1
    await database.db.updateTable('api_keys').set({ revoked_at: lastMonth }).where('id', '=', one.id).execute()
    assert.ok(await store.insertBelow(2, three))
    await database.db
      .updateTable('api_keys')
      .set({ revoked_at: lastMonth + 1 })
      .where('id', '=', two.id)
      .execute()
    assert.equal(await store.insertBelow(2, four), false)
  })

  test('30 parallel creations with a limit of 5 create exactly 5', async () => {
    const accountId = await seedAccount(database)
    const made = await Promise.all(Array.from({ length: 30 }, () => store.insertBelow(5, newKey(accountId))))
    assert.equal(made.filter(Boolean).length, 5)
    assert.equal((await store.list(accountId)).length, 5)
  })

  test('a key is revoked once, and only by its own account', async () => {
    const [mine, other] = [await seedAccount(database), await seedAccount(database)]
    const key = newKey(mine)
    await store.insertBelow(5, key)
    assert.equal(await store.revoke(other, key.id), false)
    assert.equal(await store.revoke(mine, key.id), true)
    assert.equal(await store.revoke(mine, key.id), false)
  })

  test('the time of last use only moves forward', async () => {
    const accountId = await seedAccount(database)
    const key = newKey(accountId)
    await store.insertBelow(5, key)
    const lastUsed = async () => (await store.list(accountId))[0]?.lastUsedAt
    assert.equal(await lastUsed(), null)
    await store.touch(new Map([[key.id, use(2_000)]]))
    await store.touch(new Map([[key.id, use(1_000)]]))
    assert.equal(await lastUsed(), 2_000)
    await store.touch(
      new Map([
        [key.id, use(3_000)],
        [newId(), use(1)],
      ]),
    )
    assert.equal(await lastUsed(), 3_000)
  })
})
