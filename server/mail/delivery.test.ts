/** Failed deliveries: retried, abandoned, and logged without personal data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { composers, eventually, makeDue, outboxRows, postReset, resetLink, useMailRig } from '#test/support/mail.ts'
import { parseMail } from '#test/support/smtp.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { ATTEMPTS_MAX } from './delivery.ts'
import { createOutboxStore } from './outbox-store.ts'

forEachDatabase('delivery', (openUrl) => {
  const rig = useMailRig(openUrl)
  const { open, post, row, empty, failed, recipients } = rig

  test('mail for a server that is down is sent once when it is back', async () => {
    await rig.server.stop()
    await post('ada@example.com')
    const { created_at } = (await row())!
    open()
    await failed()
    const waiting = (await row())!
    assert.equal(waiting.attempts, 1)
    const delayMs = waiting.due_at - created_at
    assert.ok(delayMs >= 5_000, `due after ${delayMs} ms`)
    await rig.server.start()
    await sleep(200)
    assert.equal(rig.server.received.length, 0, 'it was sent before it was due')
    await makeDue(rig.database)
    await rig.server.until(1)
    await empty()
    await sleep(200)
    assert.deepEqual(recipients(), ['ada@example.com'])
  })

  test('a mail server that is too slow fails the attempt at the deadline; the next attempt succeeds', async () => {
    rig.server.behaviour = { slow: { at: 'rcpt', ms: 3_000 } }
    await post('ada@example.com')
    open({ times: { deadlineMs: 300, leaseMs: 2_000 } })
    await failed()
    assert.equal((await row())?.last_error, 'The attempt took too long')
    rig.server.behaviour = {}
    await makeDue(rig.database)
    await rig.server.until(1)
    await empty()
  })

  test('a composer that never resolves fails the attempt at the deadline', async () => {
    await post('ada@example.com')
    open({ compose: { reset: () => new Promise(() => {}) }, times: { deadlineMs: 100, leaseMs: 2_000 } })
    await failed()
    assert.equal((await row())?.last_error, 'The attempt took too long')
  })

  test('mail to a permanently rejected recipient is abandoned at once and logged without the address', async () => {
    const text = `no <gone@example.com> here, seen in ${resetLink()}`
    rig.server.behaviour = { refuse: { code: 550, address: 'gone@example.com', text } }
    await post('gone@example.com')
    await post('ada@example.com')
    open()
    await rig.server.until(1)
    await eventually('the mail is abandoned', async () => (await row())?.failed_at !== null)
    assert.equal((await row())?.attempts, 1)
    await sleep(100)
    assert.deepEqual(rig.server.asked.sort(), ['ada@example.com', 'gone@example.com'])
    const errors = rig.recording.lines().filter(({ level }) => level === 'error')
    assert.equal(errors.length, 1)
    assert.equal(errors[0]?.kind, 'reset')
    assert.match(String(errors[0]?.reason), /550/)
    const logged = `${rig.recording.text()} ${(await row())?.last_error}`
    assert.doesNotMatch(logged, /gone@example|secret-/)
  })

  test('mail to a temporarily rejected recipient is retried', async () => {
    rig.server.behaviour = { refuse: { code: 451 } }
    await post('ada@example.com')
    open()
    await failed()
    assert.equal((await row())?.failed_at, null)
    rig.server.behaviour = {}
    await makeDue(rig.database)
    await rig.server.until(1)
  })

  test(`attempt ${ATTEMPTS_MAX} is the last`, async () => {
    rig.server.behaviour = { refuse: { code: 451 } }
    await post('ada@example.com')
    const setAttempts = (attempts: number) => rig.database.db.updateTable('mail_outbox').set({ attempts }).execute()
    await setAttempts(ATTEMPTS_MAX - 2)
    open()
    await failed()
    assert.equal((await row())?.attempts, ATTEMPTS_MAX - 1)
    assert.equal((await row())?.failed_at, null)
    await makeDue(rig.database)
    await eventually('the mail is abandoned', async () => (await row())?.failed_at !== null)
    assert.equal((await row())?.attempts, ATTEMPTS_MAX)
    assert.equal(rig.server.asked.length, 2)
  })

  test('mail whose process ended during the last attempt is abandoned without another attempt', async () => {
    await post('ada@example.com')
    await rig.database.db.updateTable('mail_outbox').set({ attempts: ATTEMPTS_MAX }).execute()
    open()
    await eventually('the mail is abandoned', async () => (await row())?.failed_at !== null)
    assert.equal(rig.server.connections(), 0)
  })

  test('composer errors, unknown kinds and invalid parameters fail the attempt and do not block other mail', async () => {
    const compose: typeof composers = {
      reset: async (params, row_) => {
        if (params.to === 'broken@example.com') throw new Error('away')
        return composers.reset(params, row_)
      },
    }
    await post('broken@example.com')
    await postReset(rig.database, { to: 'ada@example.com' }, 'toString')
    await post('garbled@example.com')
    await rig.database.db.updateTable('mail_outbox').set({ params: '{' }).where('params', 'like', '%garbled%').execute()
    await post('ada@example.com')
    open({ compose })
    await rig.server.until(1)
    await eventually('all failed', async () => (await outboxRows(rig.database)).every(({ last_error }) => last_error))
    const rows = await outboxRows(rig.database)
    assert.deepEqual(
      rows.map(({ attempts, failed_at }) => ({ attempts, failed_at })),
      Array.from({ length: 3 }, () => ({ attempts: 1, failed_at: null })),
    )
    assert.deepEqual(recipients(), ['ada@example.com'])
  })

  test('mail is composed again for each attempt, with the number of the attempt', async () => {
    rig.server.behaviour = { refuse: { code: 451 } }
    const seen: number[] = []
    const compose: typeof composers = {
      reset: (params, mail) => {
        const { attempts, kind, createdAt } = mail
        seen.push(attempts)
        assert.equal(kind, 'reset')
        assert.ok(Math.abs(createdAt - Date.now()) < 60_000)
        return composers.reset({ ...params, n: attempts }, mail)
      },
    }
    await post('ada@example.com')
    open({ compose })
    await failed()
    rig.server.behaviour = {}
    await makeDue(rig.database)
    await rig.server.until(1)
    assert.deepEqual(seen, [1, 2])
    assert.ok(parseMail(rig.server.received[0]!.raw).parts['text/plain']?.includes(resetLink(2)))
  })

  test('mail is not sent again if recording its delivery fails at first', async () => {
    const outbox = createOutboxStore(rig.database)
    let refused = 0
    const flaky = {
      ...outbox,
      async done(mail: Parameters<typeof outbox.done>[0]) {
        if (refused++ < 3) throw new Error('away')
        return outbox.done(mail)
      },
    }
    await post('ada@example.com')
    open({ outbox: flaky })
    await empty()
    assert.equal(refused, 4)
    assert.deepEqual(recipients(), ['ada@example.com'])
  })
})
