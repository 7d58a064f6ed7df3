/** Processes of one database whose keys for stored secrets differ. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { newId } from '#base/ids.ts'
import { createSeal } from '#base/seal.ts'
import type { Database } from '#storage/database.ts'
import { seedAccount } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createSecretKeyCheck, SEEN_MS, startSecretKeyChecks } from './secret-key-check.ts'

forEachDatabase('keys for stored secrets', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })
  beforeEach(async () => {
    await database.db.deleteFrom('secret_keys').execute()
    await database.db.deleteFrom('webhook_endpoints').execute()
  })
  const [ours, theirs] = [randomBytes(32), randomBytes(32)]
  const checkOf = (key: Buffer | null) => createSecretKeyCheck(database, () => key)
  const seenAgo = (ms: number) =>
    database.db
      .updateTable('secret_keys')
      .set({ seen_at: Date.now() - ms })
      .execute()

  test('the same ones are no problem, nor none at all', async () => {
    assert.equal(await checkOf(null).problem(), null)
    await checkOf(ours).say()
    assert.equal(await checkOf(Buffer.from(ours)).problem(), null)
  })

  test('another one is a problem while a process has it, also for one without any', async () => {
    await checkOf(theirs).say()
    assert.match((await checkOf(ours).problem()) ?? '', /another secret key.*the same DOCVET_SECRET_KEY/)
    assert.match((await checkOf(null).conflict()) ?? '', /this one has none/)
    await seenAgo(SEEN_MS - 5_000)
    assert.notEqual(await checkOf(ours).problem(), null)
    await seenAgo(SEEN_MS + 5_000)
    assert.equal(await checkOf(ours).problem(), null)
  })

  test('another one is a problem while an endpoint needs it, which stops no list of objects', async () => {
    const endpoint = {
      ...{ account_id: await seedAccount(database), url: '', shown_url: '', events: '[]', description: null },
      ...{ old_keys: null, old_keys_until: null, public_key: '', created_at: 1 },
      ...{ disabled_at: null, disabled_by: null, failing_since: null },
    }
    const [first, last] = [newId(), newId()]
    for (const [id, key] of [
      [first, ours],
      [last, theirs],
    ] as const)
      await database.db
        .insertInto('webhook_endpoints')
        .values({ ...endpoint, id, keys: createSeal(key).close('x', id) })
        .execute()
    for (const key of [ours, theirs, null]) assert.match((await checkOf(key).problem()) ?? '', /cannot be called/)
    assert.equal(await checkOf(ours).conflict(), null)
    await database.db.deleteFrom('webhook_endpoints').where('id', '=', last).execute()
    assert.equal(await checkOf(ours).problem(), null)
    assert.notEqual(await checkOf(theirs).problem(), null)
  })

  test('is found at the start and logged', async () => {
    await checkOf(theirs).say()
    const logged: unknown[] = []
    const log = { error: (text: unknown) => logged.push(text), info() {}, warn() {} } as never
    const checks = await startSecretKeyChecks(checkOf(ours), log)
    assert.match(checks.problem() ?? '', /another secret key/)
    assert.deepEqual(logged, [checks.problem()])
    await checks.close()
    // The others learn it too.
    assert.match((await checkOf(theirs).problem()) ?? '', /another secret key/)
  })
})
