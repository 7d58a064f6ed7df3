/** How many deliveries are listed, and how long they are kept. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { firstIdAt, newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { DELETED_MAX } from '#storage/delete-all.ts'
import { countChangedRows } from '#test/support/changed-rows.ts'
import { seedAccount } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createWebhookStore, DELIVERIES_LISTED, KEPT_MS } from './store.ts'

forEachDatabase('the store of callbacks', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  async function setUp() {
    const store = createWebhookStore(database, async () => {})
    const endpoint = {
      ...{ id: newId(), account_id: await seedAccount(database), url: 'x', shown_url: 'x', events: '[]' },
      ...{ description: null, keys: 'x', public_key: 'x' },
    }
    await store.create(endpoint)
    async function add() {
      const added = await store.addDelivery(endpoint.account_id, endpoint.id, 'webhook.test', '{}')
      // Ids of one millisecond have no order.
      while (firstIdAt(Date.now()) <= added.id) await sleep(1)
      return added
    }
    return { store, endpointId: endpoint.id, accountId: endpoint.account_id, add }
  }

  test('the newest hundred are listed', async () => {
    const { store, endpointId, add } = await setUp()
    const first = await add()
    for (let n = 1; n < DELIVERIES_LISTED; n++) await add()
    assert.equal((await store.deliveries(endpointId)).at(-1)?.id, first.id)
    const last = await add()
    const listed = await store.deliveries(endpointId)
    assert.deepEqual([listed.length, listed[0]?.id], [DELIVERIES_LISTED, last.id])
    assert.ok(listed.every(({ id }) => id !== first.id))
  })

  test('ended ones are deleted after a week, waiting ones are not', async () => {
    const { store, endpointId, add } = await setUp()
    const waiting = await add()
    const ended = await add()
    await store.fail(ended.id, 'status 500')
    const idTime = Number.parseInt(ended.id.replace('-', '').slice(0, 12), 16)
    assert.ok(firstIdAt(idTime) <= ended.id && ended.id < firstIdAt(idTime + 1))
    const ids = async () => (await store.deliveries(endpointId)).map(({ id }) => id)
    await store.sweep(idTime + KEPT_MS)
    assert.deepEqual(await ids(), [ended.id, waiting.id])
    await store.sweep(idTime + 1 + KEPT_MS)
    assert.deepEqual(await ids(), [waiting.id])
  })

  for (const [what, remove] of [
    ['an endpoint', (on, accountId, id) => createWebhookStore(on, async () => {}).delete(accountId, id)],
    [
      'an account',
      ({ db }, accountId) =>
        db.transaction().execute((trx) => createWebhookStore(database, async () => {}).erase(trx, accountId)),
    ],
  ] as readonly [string, (on: Database, accountId: string, id: string) => Promise<unknown>][])
    test(`more deliveries of ${what} than one statement may delete are deleted in several`, async () => {
      const { add, endpointId, accountId } = await setUp()
      const { id } = await add()
      const { db } = database
      const digits = sql.raw(`(${Array.from({ length: 10 }, (_, n) => `select '${n}' as d`).join(' union all ')})`)
      await sql`insert into webhook_deliveries (id, endpoint_id, event, body, state, created_at, attempts)
        select id || '-' || a.d || b.d || c.d || e.d, endpoint_id, event, body, state, created_at, attempts
        from webhook_deliveries, ${digits} a, ${digits} b, ${digits} c, ${digits} e
        where webhook_deliveries.id = ${id}`.execute(db)
      const { changed, counted } = countChangedRows(database)
      await remove(counted, accountId, endpointId)
      assert.deepEqual(
        await db.selectFrom('webhook_deliveries').select('id').where('endpoint_id', '=', endpointId).execute(),
        [],
      )
      assert.deepEqual(
        changed.filter((rows) => rows > 1),
        [DELETED_MAX, DELETED_MAX],
      )
      assert.deepEqual(await createWebhookStore(database, async () => {}).list(accountId), [])
    })
})
