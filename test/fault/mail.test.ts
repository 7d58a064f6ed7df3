/** Mail while processes are killed and the mail server is down: never lost, sent at most one extra time. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '#storage/database.ts'
import { deleteJobs } from '#test/support/jobs.ts'
import { eventually, makeDue, outboxRows, postReset } from '#test/support/mail.ts'
import type { MailOrder } from '#test/support/processes/mailer.ts'
import { openPlace } from '#test/support/seed.ts'
import { type MailServer, parseMail, startMailServer } from '#test/support/smtp.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

/** The lease is twice as long. */
const DEADLINE_MS = 1_000
/** So long that no mail is given up and sent again on a slow machine. */
const PATIENT_MS = 30_000
/** Leases of killed processes end first, one after the other, while other suites run. */
const EMPTY_MS_MAX = 60_000
const MAILS = 30
const KILLS = 6

forEachDatabase('mail from several processes', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let server: MailServer
  const workers = new Set<ChildProcess>()
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
  })
  beforeEach(async () => {
    await deleteJobs(database)
    server = await startMailServer()
  })
  afterEach(async () => {
    for (const child of workers) await end(child, 'SIGKILL')
    await server.stop()
  })
  after(async () => {
    await database.close()
    await place.release()
  })

  async function startWorker(deadlineMs = DEADLINE_MS): Promise<ChildProcess> {
    const order: MailOrder = { url: place.url, dataDir: place.dataDir, smtpUrl: server.url, deadlineMs }
    const child = fork(new URL('../support/processes/mailer.ts', import.meta.url), [JSON.stringify(order)])
    workers.add(child)
    const died = once(child, 'exit').then(([code, signal]) => {
      throw new Error(`a worker died: ${signal ?? code}`)
    })
    died.catch(() => {})
    await Promise.race([once(child, 'message'), died])
    return child
  }

  async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    workers.delete(child)
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  const empty = () =>
    eventually('the outbox is empty', async () => (await outboxRows(database)).length === 0, EMPTY_MS_MAX)
  const messageIds = () => server.received.map(({ raw }) => parseMail(raw).headers['message-id'])

  test('after a kill before sending, another process sends the mail once when the lease ends', async () => {
    server.behaviour = { slow: { at: 'rcpt', ms: 900 } }
    await postReset(database, { to: 'ada@example.com' })
    const worker = await startWorker()
    await eventually('sending has begun', () => server.asked.length === 1)
    await end(worker, 'SIGKILL')
    server.behaviour = {}
    const [held] = await outboxRows(database)
    // On a busy machine, the first attempt may have reached its deadline.
    assert.ok((held?.attempts ?? 0) >= 1)
    assert.equal(held?.state, 'running')

    await startWorker()
    await server.until(1, 15_000)
    await empty()
    await sleep(300)
    assert.equal(server.received.length, 1)
  })

  test('after a kill between sending and recording, the mail arrives twice with the same Message-ID', async () => {
    const accepted = Promise.withResolvers<void>()
    server.behaviour = { held: accepted.promise }
    await postReset(database, { to: 'ada@example.com' })
    const worker = await startWorker()
    await eventually('the server has read the mail', () => server.read() === 1)
    await end(worker, 'SIGKILL')
    accepted.resolve()
    await server.until(1)
    assert.equal((await outboxRows(database)).length, 1)
    server.behaviour = {}
    await startWorker()
    await empty()
    assert.equal(server.received.length, 2)
    assert.equal(new Set(messageIds()).size, 1)
  })

  test('mail survives a kill while the mail server is down, and arrives once', async () => {
    await server.stop()
    await postReset(database, { to: 'ada@example.com' })
    const worker = await startWorker()
    await eventually('an attempt failed', async () => typeof (await outboxRows(database))[0]?.lastError === 'string')
    await end(worker, 'SIGKILL')
    await server.start()
    await startWorker()
    await makeDue(database)
    await server.until(1, 15_000)
    await empty()
    await sleep(300)
    assert.equal(server.received.length, 1)
  })

  test('a process that is stopped while sending returns its mail, and none is sent twice', async () => {
    server.behaviour = { slow: { at: 'data', ms: 50 } }
    for (let n = 0; n < MAILS; n++) await postReset(database, { to: `n${n}@example.com` })
    for (let round = 0; round < 3; round++) {
      const worker = await startWorker(PATIENT_MS)
      await server.until(round * 8 + 4)
      await end(worker, 'SIGTERM')
      assert.ok((await outboxRows(database)).every(({ state }) => state === 'waiting'))
    }
    await startWorker(PATIENT_MS)
    await empty()
    assert.equal(server.received.length, MAILS)
    assert.equal(new Set(messageIds()).size, MAILS)
  })

  test(`${KILLS} kills while two processes send ${MAILS} mails lose none`, { timeout: 110_000 }, async () => {
    server.behaviour = { slow: { at: 'data', ms: 100 } }
    for (let n = 0; n < MAILS; n++) await postReset(database, { to: `n${n}@example.com` })
    for (let kills = 0; kills < KILLS; kills++) {
      const worker = await startWorker()
      await sleep(50 + Math.random() * 200)
      await end(worker, 'SIGKILL')
    }
    await Promise.all([startWorker(), startWorker()])
    await empty()
    const ids = messageIds()
    assert.equal(new Set(server.received.map(({ to }) => to[0])).size, MAILS)
    assert.equal(new Set(ids).size, MAILS)
    // Each killed process was sending at most four.
    assert.ok(ids.length <= MAILS + 4 * KILLS, `${ids.length} mails`)
    console.log(`  ${KILLS} kills, ${MAILS} mails, ${ids.length - MAILS} arrived twice`)
  })
})
