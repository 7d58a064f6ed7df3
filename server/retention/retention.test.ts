/** Retention on both databases: rows at the limit stay, rows beyond it go. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstIdAt } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedKey } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { startRetention } from './retention.ts'
import { createRetentionStore } from './store.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

forEachDatabase('retention', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  const now = Date.UTC(2026, 10, 16, 12)
  async function sweep(ledgerMonths = 2): Promise<void> {
    const store = { ...createRetentionStore(database), nowMs: async () => now }
    const retention = startRetention({ store, auditDays: 10, ledgerMonths, log: quietLog })
    await retention.sweep()
    await retention.close()
  }

  test('the ledger and its notices are kept for whole months', async () => {
    const { db } = database
    const keyId = await seedKey(database)
    const chargedAt = [Date.UTC(2026, 8, 1), Date.UTC(2026, 8, 1) - 1, now]
    const rows = chargedAt.map((at) => ({
      ...{ scan_id: firstIdAt(at), key_id: keyId, charged_at: at },
      period: new Date(at).toISOString().slice(0, 7),
    }))
    // Started in August, charged in September.
    const late = { ...rows[0], scan_id: firstIdAt(Date.UTC(2026, 8, 1) - 2) } as (typeof rows)[number]
    await db
      .insertInto('usage_ledger')
      .values([...rows, late])
      .execute()
    await db
      .insertInto('usage_notices')
      .values(['2026-08', '2026-09'].map((period) => ({ key_id: keyId, period, share: 75 })))
      .execute()
    await sweep(0)
    assert.equal((await db.selectFrom('usage_ledger').select('scan_id').execute()).length, 4)
    await sweep()
    const kept = await db.selectFrom('usage_ledger').select('period').orderBy('period').execute()
    assert.deepEqual(
      kept.map(({ period }) => period),
      ['2026-09', '2026-09', '2026-11'],
    )
    const notices = await db.selectFrom('usage_notices').select('period').execute()
    assert.deepEqual([notices.length, notices[0]?.period], [1, '2026-09'])
  })

  test('marketplace events, invites and days of the assistant are deleted after their time', async () => {
    const { db } = database
    const event = (at: number, answer: string | null) => ({
      ...{
        id: firstIdAt(at),
        provider: 'sandbox',
        dedupe: `${at}`,
        operation_id: 'o',
        external_id: 'e',
        action: 'Renew',
      },
      ...{ plan_id: null, outcome: 'applied', received_at: at, answer, answer_at: null, answer_attempts: 0 },
    })
    const limit = now - 10 * DAY_MS
    await db
      .insertInto('marketplace_events')
      .values([event(limit, null), event(limit - 1, null), event(limit - 2, 'accept')])
      .execute()
    const inviteLimit = now - 90 * DAY_MS
    const invite = (id: string, expires: number) => ({
      id,
      hash: id,
      created_at: 0,
      expires_at: expires,
      used_at: null,
      account_id: null,
    })
    await db
      .insertInto('invites')
      .values([invite('kept', inviteLimit), invite('old', inviteLimit - 1)])
      .execute()
    await db
      .insertInto('chat_days')
      .values(['2026-10-16', '2026-10-15'].map((day) => ({ day, requests: 1 })))
      .execute()
    await sweep()
    const events = await db.selectFrom('marketplace_events').select('received_at').orderBy('id').execute()
    assert.deepEqual(
      events.map((row) => row.received_at - limit),
      [-2, 0],
    )
    const invites = await db.selectFrom('invites').select('id').execute()
    assert.deepEqual([invites.length, invites[0]?.id], [1, 'kept'])
    const days = await db.selectFrom('chat_days').select('day').execute()
    assert.deepEqual([days.length, days[0]?.day], [1, '2026-10-16'])
  })

  test('the audit log is kept for its days', async () => {
    const { db } = database
    const newest = await db.selectFrom('audit_log').select('at').orderBy('seq', 'desc').executeTakeFirstOrThrow()
    const store = createRetentionStore(database)
    assert.equal(await store.auditLog(newest.at), false)
    const kept = await db.selectFrom('audit_log').select('at').execute()
    assert.ok(kept.length > 0 && kept.every(({ at }) => at >= newest.at))
  })
})
