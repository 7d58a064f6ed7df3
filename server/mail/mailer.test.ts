/** The mailer on a real database with a real mail server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, outboxRows, resetLink, useMailRig } from '#test/support/mail.ts'
import { openPlace } from '#test/support/seed.ts'
import { parseMail } from '#test/support/smtp.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { FAILED_KEPT_MS, MAILER_TIMES, PARALLEL_MAX } from './mailer.ts'
import { createOutboxStore } from './outbox-store.ts'

const HOUR_MS = 60 * 60 * 1000

forEachDatabase('mailer', (openUrl) => {
  const rig = useMailRig(openUrl)
  const { open, post, row, empty, recipients } = rig

  test('sends at once when woken, and empties the outbox', async () => {
    const mailer = open({ times: { pollEveryMs: HOUR_MS } })
    await sleep(50)
    await post('ada@example.com')
    const { id } = (await row())!
    await sleep(100)
    assert.equal(rig.server.received.length, 0, 'sent before it was woken')
    mailer.wake()
    await rig.server.until(1)
    await empty()
    const { headers, parts } = parseMail(rig.server.received[0]!.raw)
    assert.equal(headers['message-id'], `<${id}@scan.example.org>`)
    assert.equal(headers.from, 'Docvet <no-reply@scan.example.org>')
    assert.ok(Math.abs(Date.parse(headers.date!) - Date.now()) < 60_000)
    assert.ok(parts['text/plain']?.includes(resetLink()))
  })

  test('finds queued mail by polling, including mail from before its start', async () => {
    await post('before@example.com')
    open()
    await rig.server.until(1)
    await post('after@example.com')
    await rig.server.until(2)
    assert.deepEqual(recipients(), ['after@example.com', 'before@example.com'])
  })

  test('does not miss mail that is added while a poll runs', async () => {
    const outbox = createOutboxStore(rig.database)
    const looked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const late: typeof outbox = {
      ...outbox,
      async claim(options) {
        const mails = await outbox.claim(options)
        looked.resolve()
        await goOn.promise
        return mails
      },
    }
    const mailer = open({ outbox: late, times: { pollEveryMs: HOUR_MS } })
    await looked.promise
    await post('ada@example.com')
    mailer.wake()
    goOn.resolve()
    await rig.server.until(1)
    await empty()
  })

  test('four mailers deliver 60 mails exactly once each', async () => {
    const more = await Promise.all([1, 2, 3].map(() => openPlace(rig.place)))
    for (let n = 0; n < 60; n++) await post(`n${n}@example.com`, n)
    for (const each of [rig.database, ...more]) open({ database: each })
    await rig.server.until(60, 20_000)
    await empty()
    await sleep(200)
    assert.equal(rig.server.received.length, 60)
    assert.equal(new Set(recipients()).size, 60)
    await Promise.all(rig.mailers.map((mailer) => mailer.close()))
    for (const each of more) await each.close()
  })

  test(`delivers at most ${PARALLEL_MAX} mails at once`, async () => {
    rig.server.behaviour = { slow: { at: 'data', ms: 100 } }
    for (let n = 0; n < 3 * PARALLEL_MAX; n++) await post('ada@example.com')
    open()
    await empty()
    assert.equal(rig.server.mostAtOnce(), PARALLEL_MAX)
  })

  test('deletes mail without a recipient', async () => {
    await post(null)
    open()
    await empty()
    assert.equal(rig.server.connections(), 0)
  })

  test('close() waits for a running delivery', async () => {
    rig.server.behaviour = { slow: { at: 'data', ms: 400 } }
    await post('ada@example.com')
    const mailer = open()
    await eventually('the delivery has begun', () => rig.server.asked.length === 1)
    await mailer.close()
    assert.deepEqual(recipients(), ['ada@example.com'])
    assert.deepEqual(await outboxRows(rig.database), [])
  })

  test('close() returns mail that takes too long, and the next mailer sends it at once', async () => {
    rig.server.behaviour = { slow: { at: 'rcpt', ms: 2_000 } }
    await post('ada@example.com')
    const mailer = open({ times: { closeMs: 100, giveBackMs: 1_500 } })
    await eventually('the delivery has begun', () => rig.server.asked.length === 1)
    await mailer.close()
    const { claimed_by, attempts, last_error } = (await row())!
    assert.deepEqual({ claimed_by, attempts, last_error }, { claimed_by: null, attempts: 0, last_error: null })
    rig.server.behaviour = {}
    open()
    await rig.server.until(1)
    await empty()
  })

  test('sends nothing after close(), even when woken', async () => {
    const mailer = open()
    await mailer.close()
    await post('ada@example.com')
    mailer.wake()
    await sleep(200)
    assert.equal(rig.server.connections(), 0)
    assert.equal((await row())?.attempts, 0)
  })

  test('deletes old abandoned mail at the start and periodically', async () => {
    const abandon = (ms: number) =>
      rig.database.db
        .updateTable('mail_outbox')
        .set({ failed_at: Date.now() - ms })
        .execute()
    await post('ada@example.com')
    await abandon(FAILED_KEPT_MS + 5_000)
    open({ times: { sweepEveryMs: 50 } })
    await empty()
    await rig.database.db.transaction().execute(async (trx) => {
      await createOutboxStore(rig.database).post(trx, { kind: 'reset', params: {} })
      await trx
        .updateTable('mail_outbox')
        .set({ failed_at: Date.now() - FAILED_KEPT_MS + 600_000 })
        .execute()
    })
    await sleep(200)
    assert.equal((await outboxRows(rig.database)).length, 1)
    await abandon(FAILED_KEPT_MS + 5_000)
    await empty()
  })
})

test('the lease is twice the deadline, and closing fits into the grace period of the process', () => {
  assert.equal(MAILER_TIMES.leaseMs, 2 * MAILER_TIMES.deadlineMs)
  assert.ok(MAILER_TIMES.closeMs + MAILER_TIMES.giveBackMs < 5_000)
})
