/** A mailer on a real database, for the mail tests. */

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

/** Test mail that names its own recipient. */
interface TestKinds {
  reset: { to: string | null; n?: number }
}

export const resetLink = (n = 0): string => `https://scan.example.org/reset#token=secret-${n}`

export const composers: Composers<TestKinds> = {
  reset: async ({ to, n }) =>
    to === null ? null : { to, message: passwordReset({ link: resetLink(n), minutes: 10 }) },
}

/** Short intervals and leases. */
const TEST_TIMES = { ...MAILER_TIMES, pollEveryMs: 20, deadlineMs: 2_000, leaseMs: 4_000, recordEveryMs: 20 }

interface TestMailerOptions {
  database: Database
  transport: Transport
  log: Log
  /** Replaces the one on the database. */
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

/** Makes the next attempt of queued mail due at once. */
export const makeDue = (database: Database) =>
  database.db.updateTable('mail_outbox').set({ due_at: 1 }).where('claimed_by', 'is', null).execute()

export async function eventually(what: string, holds: () => Promise<boolean> | boolean, timeoutMs = 10_000) {
  const deadline = Date.now() + timeoutMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${timeoutMs} ms: ${what}`)
    await sleep(10)
  }
}

/** A log that keeps its lines. */
function recordingLog(): { log: Log; lines: () => Record<string, unknown>[]; text: () => string } {
  const written: string[] = []
  const log = createLog({ level: 'debug', stream: { write: (line: string) => written.push(line) } })
  return { log, lines: () => written.map((line) => JSON.parse(line)), text: () => written.join('') }
}

interface Rig {
  place: DatabasePlace
  database: Database
  server: MailServer
  mailers: Mailer[]
  recording: ReturnType<typeof recordingLog>
}

/** Gives each test an empty outbox and a mail server, and closes its mailers afterwards. */
export function useMailRig(openUrl: () => Promise<DatabasePlace>) {
  // Filled by the hooks before the first test runs.
  const rig = {} as Rig
  before(async () => {
    rig.place = await openUrl()
    rig.database = await openPlace(rig.place)
  })
  beforeEach(async () => {
    await rig.database.db.deleteFrom('mail_outbox').execute()
    rig.server = await startMailServer()
    rig.mailers = []
    rig.recording = recordingLog()
  })
  afterEach(async () => {
    await Promise.all(rig.mailers.map((mailer) => mailer.close()))
    await rig.server.stop()
  })
  after(async () => {
    await rig.database.close()
    await rig.place.release()
  })

  const row = async () => (await outboxRows(rig.database))[0]
  return Object.assign(rig, {
    open(options: Partial<TestMailerOptions> = {}): Mailer {
      const transport = options.transport ?? createSmtpTransport(rig.server.url)
      const mailer = openMailer({ database: rig.database, log: rig.recording.log, ...options, transport })
      rig.mailers.push(mailer)
      return mailer
    },
    post: (to: string | null, n?: number) => postReset(rig.database, n === undefined ? { to } : { to, n }),
    row,
    empty: () => eventually('the outbox is empty', async () => (await outboxRows(rig.database)).length === 0),
    failed: () => eventually('an attempt failed', async () => (await row())?.last_error !== null),
    recipients: () => rig.server.received.flatMap(({ to }) => to).sort(),
  })
}
