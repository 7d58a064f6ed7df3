/** The worker on a real database with a real mail server: once each, in the end, and nothing lost. */
import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import {
  composers,
  eventually,
  makeDue,
  openMailer,
  outboxRows,
  postReset,
  recordingLog,
  resetLink,
  type TestMailerOptions,
} from '#test/support/mail.ts'
import { openPlace } from '#test/support/seed.ts'
import { type MailServer, parseMail, startMailServer } from '#test/support/smtp.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { ATTEMPTS_MAX } from './backoff.ts'
import { createMailer, FAILED_KEPT_MS, MAILER_TIMES, type Mailer, PARALLEL_MAX } from './mailer.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createSmtpTransport } from './smtp.ts'

const HOUR_MS = 60 * 60 * 1000

forEachDatabase('mailer', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let server: MailServer
  let mailers: Mailer[]
  let recording: ReturnType<typeof recordingLog>
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
  })
  beforeEach(async () => {
    await database.db.deleteFrom('mail_outbox').execute()
    server = await startMailServer()
    mailers = []
    recording = recordingLog()
  })
  afterEach(async () => {
    await Promise.all(mailers.map((mailer) => mailer.close()))
    await server.stop()
  })
  after(async () => {
    await database.close()
    await place.release()
  })

  function open(options: Partial<TestMailerOptions> = {}): Mailer {
    const transport = options.transport ?? createSmtpTransport(server.url)
    const mailer = openMailer({ database, log: recording.log, ...options, transport })
    mailers.push(mailer)
    return mailer
  }
  const post = (to: string | null, n?: number) => postReset(database, n === undefined ? { to } : { to, n })
  const empty = () => eventually('the outbox is empty', async () => (await outboxRows(database)).length === 0)
  const row = async () => (await outboxRows(database))[0]
  const recipients = () => server.received.flatMap(({ to }) => to).sort()
  const failed = () => eventually('it failed', async () => (await row())?.last_error !== null)

  test('woken, it sends at once and leaves nothing behind', async () => {
    const mailer = open({ times: { lookEveryMs: HOUR_MS } })
    await sleep(50)
    await post('ada@example.com')
    const { id } = (await row())!
    await sleep(100)
    assert.equal(server.received.length, 0, 'it was not woken yet')
    mailer.wake()
    await server.until(1)
    await empty()
    const { headers, parts } = parseMail(server.received[0]!.raw)
    assert.equal(headers['message-id'], `<${id}@scan.example.org>`)
    assert.equal(headers.from, 'Docvet <no-reply@scan.example.org>')
    assert.ok(Math.abs(Date.parse(headers.date!) - Date.now()) < 5_000)
    assert.ok(parts['text/plain']?.includes(resetLink()))
  })

  test('not woken, it finds what waits, from before its start too', async () => {
    await post('before@example.com')
    open()
    await server.until(1)
    await post('after@example.com')
    await server.until(2)
    assert.deepEqual(recipients(), ['after@example.com', 'before@example.com'])
  })

  test('what is posted while it looks is not overlooked', async () => {
    const mailer = open({ times: { lookEveryMs: HOUR_MS } })
    for (let n = 0; n < 30; n++) {
      await post(`n${n}@example.com`)
      mailer.wake()
    }
    await server.until(30)
    await empty()
    assert.equal(new Set(recipients()).size, 30)
  })

  test('four workers and 60 mails: each arrives exactly once', async () => {
    const more = await Promise.all([1, 2, 3].map(() => openPlace(place)))
    for (let n = 0; n < 60; n++) await post(`n${n}@example.com`, n)
    for (const each of [database, ...more]) open({ database: each })
    await server.until(60, 20_000)
    await empty()
    await sleep(200)
    assert.equal(server.received.length, 60)
    assert.equal(new Set(recipients()).size, 60)
    await Promise.all(mailers.map((mailer) => mailer.close()))
    for (const each of more) await each.close()
  })

  test(`at most ${PARALLEL_MAX} are on their way at once`, async () => {
    server.behaviour = { slow: { at: 'data', ms: 100 } }
    for (let n = 0; n < 3 * PARALLEL_MAX; n++) await post('ada@example.com')
    open()
    await empty()
    assert.equal(server.mostAtOnce(), PARALLEL_MAX)
  })

  test('when there is nobody to send to, the mail is done', async () => {
    await post(null)
    open()
    await empty()
    assert.equal(server.connections(), 0)
  })

  test('a mail server that is down at first gets the mail when it is up, once', async () => {
    await server.stop()
    await post('ada@example.com')
    const { created_at } = (await row())!
    open()
    await failed()
    const waiting = (await row())!
    assert.equal(waiting.attempts, 1)
    const delayMs = waiting.due_at - created_at
    assert.ok(delayMs >= 5_000 && delayMs < 9_000, `due after ${delayMs} ms`)
    await server.start()
    await sleep(200)
    assert.equal(server.received.length, 0, 'it was sent before it was due')
    await makeDue(database)
    await server.until(1)
    await empty()
    await sleep(200)
    assert.deepEqual(recipients(), ['ada@example.com'])
  })

  test('a mail server that is too slow fails the attempt at the deadline, and the next one arrives', async () => {
    server.behaviour = { slow: { at: 'rcpt', ms: 3_000 } }
    await post('ada@example.com')
    const start = performance.now()
    open({ times: { deadlineMs: 300, leaseMs: 2_000 } })
    await failed()
    const tookMs = performance.now() - start
    assert.ok(tookMs >= 290 && tookMs < 1_500, `took ${tookMs} ms`)
    assert.equal((await row())?.last_error, 'The attempt took too long')
    server.behaviour = {}
    await makeDue(database)
    await server.until(1)
    await empty()
  })

  test('a composer that never answers fails the attempt at the deadline too', async () => {
    await post('ada@example.com')
    open({ compose: { reset: () => new Promise(() => {}) }, times: { deadlineMs: 100, leaseMs: 2_000 } })
    await failed()
    assert.equal((await row())?.last_error, 'The attempt took too long')
  })

  test('a recipient who is refused for good is given up at once, and the log says so without telling who', async () => {
    const text = `no <gone@example.com> here, seen in ${resetLink()}`
    server.behaviour = { refuse: { code: 550, address: 'gone@example.com', text } }
    await post('gone@example.com')
    await post('ada@example.com')
    open()
    await server.until(1)
    await eventually('it is given up', async () => (await row())?.failed_at !== null)
    assert.equal((await row())?.attempts, 1)
    await sleep(100)
    assert.deepEqual(server.asked.sort(), ['ada@example.com', 'gone@example.com'])
    const errors = recording.lines().filter(({ level }) => level === 'error')
    assert.equal(errors.length, 1)
    assert.equal(errors[0]?.kind, 'reset')
    assert.match(String(errors[0]?.reason), /550/)
    const told = `${recording.text()} ${(await row())?.last_error}`
    assert.doesNotMatch(told, /gone@example|secret-/)
  })

  test('a recipient who is refused for now is tried again', async () => {
    server.behaviour = { refuse: { code: 451 } }
    await post('ada@example.com')
    open()
    await failed()
    assert.equal((await row())?.failed_at, null)
    server.behaviour = {}
    await makeDue(database)
    await server.until(1)
  })

  test(`the attempt number ${ATTEMPTS_MAX} is the last`, async () => {
    server.behaviour = { refuse: { code: 451 } }
    await post('ada@example.com')
    const setAttempts = (attempts: number) => database.db.updateTable('mail_outbox').set({ attempts }).execute()
    await setAttempts(ATTEMPTS_MAX - 2)
    open()
    await failed()
    assert.equal((await row())?.attempts, ATTEMPTS_MAX - 1)
    assert.equal((await row())?.failed_at, null)
    await makeDue(database)
    await eventually('it is given up', async () => (await row())?.failed_at !== null)
    assert.equal((await row())?.attempts, ATTEMPTS_MAX)
    assert.equal(server.asked.length, 2)
  })

  test('a mail whose last attempt killed its process is given up without another', async () => {
    await post('ada@example.com')
    await database.db.updateTable('mail_outbox').set({ attempts: ATTEMPTS_MAX }).execute()
    open()
    await eventually('it is given up', async () => (await row())?.failed_at !== null)
    assert.equal(server.connections(), 0)
  })

  test('errors of a composer, unknown kinds and broken params are failed attempts, and hold up nobody', async () => {
    const compose: typeof composers = {
      reset: async (params, row_) => {
        if (params.to === 'broken@example.com') throw new Error('away')
        return composers.reset(params, row_)
      },
    }
    await post('broken@example.com')
    await postReset(database, { to: 'ada@example.com' }, 'toString')
    await post('garbled@example.com')
    await database.db.updateTable('mail_outbox').set({ params: '{' }).where('params', 'like', '%garbled%').execute()
    await post('ada@example.com')
    open({ compose })
    await server.until(1)
    await eventually('all failed', async () => (await outboxRows(database)).every(({ last_error }) => last_error))
    const rows = await outboxRows(database)
    assert.deepEqual(
      rows.map(({ attempts, failed_at }) => ({ attempts, failed_at })),
      Array.from({ length: 3 }, () => ({ attempts: 1, failed_at: null })),
    )
    assert.deepEqual(recipients(), ['ada@example.com'])
  })

  test('a mail is composed anew for each attempt, and told which one it is', async () => {
    server.behaviour = { refuse: { code: 451 } }
    const seen: number[] = []
    const compose: typeof composers = {
      reset: (params, { attempts, kind, createdAt }) => {
        seen.push(attempts)
        assert.equal(kind, 'reset')
        assert.ok(Math.abs(createdAt - Date.now()) < 10_000)
        return composers.reset({ ...params, n: attempts }, { id: '', kind, createdAt, attempts })
      },
    }
    await post('ada@example.com')
    open({ compose })
    await failed()
    server.behaviour = {}
    await makeDue(database)
    await server.until(1)
    assert.deepEqual(seen, [1, 2])
    assert.ok(parseMail(server.received[0]!.raw).parts['text/plain']?.includes(resetLink(2)))
  })

  test('a mail that was sent and could not be crossed off at first is not sent again', async () => {
    const outbox = createOutboxStore(database)
    let refused = 0
    const flaky = {
      ...outbox,
      async done(mail: Parameters<typeof outbox.done>[0]) {
        if (refused++ < 3) throw new Error('away')
        return outbox.done(mail)
      },
    }
    await post('ada@example.com')
    const transport = createSmtpTransport(server.url)
    const times = { ...MAILER_TIMES, lookEveryMs: 20, settleEveryMs: 20 }
    const from = { name: '', address: 'a@b.example' }
    mailers.push(createMailer({ outbox: flaky, compose: composers, transport, from, log: recording.log, times }))
    await empty()
    assert.equal(refused, 4)
    assert.deepEqual(recipients(), ['ada@example.com'])
  })

  test('close() lets a mail that is on its way arrive', async () => {
    server.behaviour = { slow: { at: 'data', ms: 400 } }
    await post('ada@example.com')
    const mailer = open()
    await eventually('it is on its way', () => server.asked.length === 1)
    await mailer.close()
    assert.deepEqual(recipients(), ['ada@example.com'])
    assert.deepEqual(await outboxRows(database), [])
  })

  test('close() gives back a mail that takes too long, and the next worker sends it at once', async () => {
    server.behaviour = { slow: { at: 'rcpt', ms: 2_000 } }
    await post('ada@example.com')
    const mailer = open({ times: { closeMs: 100, giveBackMs: 1_500 } })
    await eventually('it is on its way', () => server.asked.length === 1)
    const start = performance.now()
    await mailer.close()
    assert.ok(performance.now() - start < 1_000)
    const { claimed_by, attempts, last_error } = (await row())!
    assert.deepEqual({ claimed_by, attempts, last_error }, { claimed_by: null, attempts: 0, last_error: null })
    server.behaviour = {}
    open()
    await server.until(1)
    await empty()
  })

  test('after close() nothing is begun, however often it is woken', async () => {
    const mailer = open()
    await mailer.close()
    await post('ada@example.com')
    mailer.wake()
    await sleep(200)
    assert.equal(server.connections(), 0)
    assert.equal((await row())?.attempts, 0)
  })

  test('what was given up longer ago than it is kept is swept, at the start and in rounds', async () => {
    const giveUp = (ms: number) =>
      database.db
        .updateTable('mail_outbox')
        .set({ failed_at: Date.now() - ms })
        .execute()
    await post('ada@example.com')
    await giveUp(FAILED_KEPT_MS + 5_000)
    open({ times: { sweepEveryMs: 50 } })
    await empty()
    await database.db.transaction().execute(async (trx) => {
      await createOutboxStore(database).post(trx, { kind: 'reset', params: {} })
      await trx
        .updateTable('mail_outbox')
        .set({ failed_at: Date.now() - FAILED_KEPT_MS + 600_000 })
        .execute()
    })
    await sleep(200)
    assert.equal((await outboxRows(database)).length, 1)
    await giveUp(FAILED_KEPT_MS + 5_000)
    await empty()
  })
})

test('the lease is twice the deadline, and the end is short enough for the process', () => {
  assert.equal(MAILER_TIMES.leaseMs, 2 * MAILER_TIMES.deadlineMs)
  assert.ok(MAILER_TIMES.closeMs + MAILER_TIMES.giveBackMs < 5_000)
})
