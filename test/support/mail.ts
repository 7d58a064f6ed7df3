/** A mailer on a real database, and what its suites need around it. */

import { after, afterEach, before, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createLog, type Log } from '#base/log.ts'
import type { Composers } from '#mail/delivery.ts'
import { createMailer, MAILER_TIMES, type Mailer } from '#mail/mailer.ts'
import { passwordReset } from '#mail/messages.ts'
import { createOutboxStore, type Outbox } from '#mail/outbox-store.ts'
import { createSmtpTransport } from '#mail/smtp.ts'
import type { Transport } from '#mail/transport.ts'
import type { Database } from '#storage/database.ts'
import { openPlace } from '#test/support/seed.ts'
import { type MailServer, startMailServer } from '#test/support/smtp.ts'
import type { DatabasePlace } from '#test/support/suite.ts'

const SENDER = { name: 'Docvet', address: 'no-reply@scan.example.org' }

/** A mail that says for itself to whom it goes. */
export interface TestKinds {
  reset: { to: string | null; n?: number }
}

export const resetLink = (n = 0): string => `https://scan.example.org/reset#token=secret-${n}`

export const composers: Composers<TestKinds> = {
  reset: async ({ to, n }) =>
    to === null ? null : { to, message: passwordReset({ link: resetLink(n), minutes: 10 }) },
}

/** Fast enough for a test: looks often, and a lease is over soon. */
const TEST_TIMES = { ...MAILER_TIMES, lookEveryMs: 20, deadlineMs: 2_000, leaseMs: 4_000, settleEveryMs: 20 }

export interface TestMailerOptions {
  database: Database
  transport: Transport
  log: Log
  /** In place of the one on the database. */
  outbox?: Outbox
  compose?: Composers<TestKinds>
  times?: Partial<typeof MAILER_TIMES>
}

export function openMailer({ database, outbox, compose = composers, times, ...rest }: TestMailerOptions): Mailer {
  return createMailer({
    ...rest,
    outbox: outbox ?? createOutboxStore(database),
    compose,
    from: SENDER,
    times: { ...TEST_TIMES, ...times },
  })
}

export function postReset(database: Database, params: TestKinds['reset'], kind = 'reset'): Promise<boolean> {
  const outbox = createOutboxStore(database)
  return database.db.transaction().execute((trx) => outbox.post(trx, { kind, params }))
}

export const outboxRows = (database: Database) => database.db.selectFrom('mail_outbox').selectAll().execute()

/** What waits for its next attempt is due at once. */
export const makeDue = (database: Database) =>
  database.db.updateTable('mail_outbox').set({ due_at: 1 }).where('claimed_by', 'is', null).execute()

export async function eventually(what: string, holds: () => Promise<boolean> | boolean, timeoutMs = 10_000) {
  const deadline = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await sleep(10)
  }
}

/** A log whose lines can be read. */
function recordingLog(): { log: Log; lines: () => Record<string, unknown>[]; text: () => string } {
  const written: string[] = []
  const log = createLog({ level: 'debug', stream: { write: (line: string) => written.push(line) } })
  return { log, lines: () => written.map((line) => JSON.parse(line)), text: () => written.join('') }
}

interface Bench {
  place: DatabasePlace
  database: Database
  server: MailServer
  mailers: Mailer[]
  recording: ReturnType<typeof recordingLog>
}

/** For each test of a suite: an empty outbox, a mail server, and mailers that are closed at its end. */
export function useMailRig(openUrl: () => Promise<DatabasePlace>) {
  // Filled by the hooks, before any test can look.
  const bench = {} as Bench
  before(async () => {
    bench.place = await openUrl()
    bench.database = await openPlace(bench.place)
  })
  beforeEach(async () => {
    await bench.database.db.deleteFrom('mail_outbox').execute()
    bench.server = await startMailServer()
    bench.mailers = []
    bench.recording = recordingLog()
  })
  afterEach(async () => {
    await Promise.all(bench.mailers.map((mailer) => mailer.close()))
    await bench.server.stop()
  })
  after(async () => {
    await bench.database.close()
    await bench.place.release()
  })

  const row = async () => (await outboxRows(bench.database))[0]
  return Object.assign(bench, {
    open(options: Partial<TestMailerOptions> = {}): Mailer {
      const transport = options.transport ?? createSmtpTransport(bench.server.url)
      const mailer = openMailer({ database: bench.database, log: bench.recording.log, ...options, transport })
      bench.mailers.push(mailer)
      return mailer
    },
    post: (to: string | null, n?: number) => postReset(bench.database, n === undefined ? { to } : { to, n }),
    row,
    empty: () => eventually('the outbox is empty', async () => (await outboxRows(bench.database)).length === 0),
    failed: () => eventually('an attempt failed', async () => (await row())?.last_error !== null),
    recipients: () => bench.server.received.flatMap(({ to }) => to).sort(),
  })
}
