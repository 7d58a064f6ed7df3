/** The mailer on a real database with a real mail server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, outboxRows, resetLink, useMailRig } from '#test/support/mail.ts'
import { openPlace } from '#test/support/seed.ts'
import { parseMail } from '#test/support/smtp.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { MAIL } from './outbox.ts'

const { parallelMax: PARALLEL_MAX } = MAIL

const HOUR_MS = 60 * 60 * 1000

forEachDatabase('mailer', (openUrl) => {
  const rig = useMailRig(openUrl)
  const { open, post, row, empty, recipients } = rig

  test('sends at once when woken, and empties the outbox', async () => {
    const mailer = await open({ times: { pollEveryMs: HOUR_MS } })
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
    await open()
    await rig.server.until(1)
    await post('after@example.com')
    await rig.server.until(2)
    assert.deepEqual(recipients(), ['after@example.com', 'before@example.com'])
  })

  test('four mailers deliver 60 mails exactly once each', async () => {
    const more = await Promise.all([1, 2, 3].map(() => openPlace(rig.place)))
    for (let n = 0; n < 60; n++) await post(`n${n}@example.com`, n)
    // Within the deadline of the service: on a busy machine, a short one ends while a mail is delivered.
    for (const each of [rig.database, ...more]) await open({ database: each, deadlineMs: MAIL.deadlineMs })
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
    await open()
    await empty()
    assert.equal(rig.server.mostAtOnce(), PARALLEL_MAX)
  })

  test('deletes mail without a recipient', async () => {
    await post(null)
    await open()
    await empty()
    assert.equal(rig.server.connections(), 0)
  })

  test('close() waits for a running delivery', async () => {
    rig.server.behaviour = { slow: { at: 'data', ms: 400 } }
    await post('ada@example.com')
    const mailer = await open()
    await eventually('the delivery has begun', () => rig.server.asked.length === 1)
    await mailer.close()
    assert.deepEqual(recipients(), ['ada@example.com'])
    assert.deepEqual(await outboxRows(rig.database), [])
  })

  test('close() returns mail that takes too long, and the next mailer sends it at once', async () => {
    rig.server.behaviour = { slow: { at: 'rcpt', ms: 2_000 } }
    await post('ada@example.com')
    const mailer = await open({ times: { closeMs: 100, giveBackMs: 1_500 } })
    await eventually('the delivery has begun', () => rig.server.asked.length === 1)
    await mailer.close()
    const { state, attempts, lastError } = (await row())!
    assert.deepEqual({ state, attempts, lastError }, { state: 'waiting', attempts: 0, lastError: null })
    rig.server.behaviour = {}
    await open()
    await rig.server.until(1)
    await empty()
  })

  test('sends nothing after close(), even when woken', async () => {
    const mailer = await open()
    await mailer.close()
    await post('ada@example.com')
    mailer.wake()
    await sleep(200)
    assert.equal(rig.server.connections(), 0)
    assert.equal((await row())?.attempts, 0)
  })
})
