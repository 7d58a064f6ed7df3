/** Failed deliveries: retried, abandoned, and logged without personal data. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { composers, eventually, makeDue, outboxRows, postReset, resetLink, useMailRig } from '#test/support/mail.ts'
import { parseMail } from '#test/support/smtp.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { ATTEMPTS_MAX, MAIL } from './outbox.ts'

forEachDatabase('delivery', (openUrl) => {
  const rig = useMailRig(openUrl)
  const { open, post, row, empty, failed, recipients } = rig

  test('mail for a server that is down is sent once when it is back', async () => {
    await rig.server.stop()
    await post('ada@example.com')
    const { createdAt } = (await row())!
    await open()
    await failed()
    const waiting = (await row())!
    assert.equal(waiting.attempts, 1)
    const delayMs = waiting.dueAt - createdAt
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
    await open({ deadlineMs: 300 })
    await failed()
    assert.equal((await row())?.lastError, 'The attempt took too long')
    rig.server.behaviour = {}
    await makeDue(rig.database)
    await rig.server.until(1)
    await empty()
  })

  test('a composer that never resolves fails the attempt at the deadline', async () => {
    await post('ada@example.com')
    await open({ compose: { reset: () => new Promise(() => {}) }, deadlineMs: 100 })
    await failed()
    assert.equal((await row())?.lastError, 'The attempt took too long')
  })

  test('mail to a permanently rejected recipient is abandoned at once and logged without the address', async () => {
    const text = `no <gone@example.com> here, seen in ${resetLink()}`
    rig.server.behaviour = { refuse: { code: 550, address: 'gone@example.com', text } }
    await post('gone@example.com')
    await post('ada@example.com')
    await open()
    await rig.server.until(1)
    await eventually('the mail is abandoned', async () => (await row())?.failedAt !== null)
    assert.equal((await row())?.attempts, 1)
    await sleep(100)
    assert.deepEqual(rig.server.asked.sort(), ['ada@example.com', 'gone@example.com'])
    const errors = rig.recording.lines().filter(({ level }) => level === 'error')
    assert.equal(errors.length, 1)
    assert.equal(errors[0]?.kind, 'mail')
    assert.match(String(errors[0]?.reason), /550/)
    const logged = `${rig.recording.text()} ${(await row())?.lastError}`
    assert.doesNotMatch(logged, /gone@example|secret-/)
  })

  test('mail to a temporarily rejected recipient is retried', async () => {
    rig.server.behaviour = { refuse: { code: 451 } }
    await post('ada@example.com')
    await open()
    await failed()
    assert.equal((await row())?.failedAt, null)
    rig.server.behaviour = {}
    await makeDue(rig.database)
    await rig.server.until(1)
  })

  test('composer errors and unknown kinds fail the attempt and do not block other mail', async () => {
    const compose: typeof composers = {
      reset: async (params, row_) => {
        if (params.to === 'broken@example.com') throw new Error('away')
        return composers.reset(params, row_)
      },
    }
    await post('broken@example.com')
    await postReset(rig.database, { to: 'ada@example.com' }, 'toString')
    await post('ada@example.com')
    await open({ compose })
    await rig.server.until(1)
    await eventually('all failed', async () => (await outboxRows(rig.database)).every(({ lastError }) => lastError))
    const rows = await outboxRows(rig.database)
    assert.deepEqual(
      rows.map(({ attempts, failedAt }) => ({ attempts, failedAt })),
      Array.from({ length: 2 }, () => ({ attempts: 1, failedAt: null })),
    )
    assert.deepEqual(recipients(), ['ada@example.com'])
  })

  test('mail is composed again for each attempt, with the number of the attempt', async () => {
    rig.server.behaviour = { refuse: { code: 451 } }
    const seen: number[] = []
    const compose: typeof composers = {
      reset: (params, mail) => {
        const { attempts, createdAt } = mail
        seen.push(attempts)
        assert.ok(Math.abs(createdAt - Date.now()) < 60_000)
        return composers.reset({ ...params, n: attempts }, mail)
      },
    }
    await post('ada@example.com')
    await open({ compose })
    await failed()
    rig.server.behaviour = {}
    await makeDue(rig.database)
    await rig.server.until(1)
    assert.deepEqual(seen, [1, 2])
    assert.ok(parseMail(rig.server.received[0]!.raw).parts['text/plain']?.includes(resetLink(2)))
  })
})

test('delays start at 5 seconds, double, and stay at 15 minutes', () => {
  const seconds = Array.from({ length: 10 }, (_, i) => MAIL.delayMs(i + 1) / 1_000)
  assert.deepEqual(seconds, [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
})

test('all attempts together take about a day', () => {
  let totalMs = 0
  for (let attempts = 1; attempts < ATTEMPTS_MAX; attempts++) totalMs += MAIL.delayMs(attempts)
  const hours = totalMs / 3_600_000
  assert.ok(hours > 22 && hours < 25, `${hours} hours`)
})
