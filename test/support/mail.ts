/** A mailer on a real database, for the mail tests. */

import { after, afterEach, before, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { createLog, type Log } from '#base/log.ts'
import type { JobKind, JobStore } from '#jobs/job.ts'
import { createPosting, type JOB_TIMES } from '#jobs/jobs.ts'
import type { Composers } from '#mail/delivery.ts'
import { createMailer } from '#mail/mailer.ts'
import { passwordReset } from '#mail/messages.ts'
import { createOutbox, MAIL } from '#mail/outbox.ts'
import { createSmtpTransport } from '#mail/smtp.ts'
import type { Transport } from '#mail/transport.ts'
import type { Database } from '#storage/database.ts'
import { JOB_SCHEMA } from '#storage/job-engine.ts'
import { deleteJobs, openTestJobs, openTestStore } from '#test/support/jobs.ts'
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

interface TestMailerOptions {
  database: Database
  transport: Transport
  log: Log
  compose?: Composers<TestKinds>
  /** Its lease is twice as long. */
  deadlineMs?: number
  times?: Partial<typeof JOB_TIMES>
}

type TestMailer = Awaited<ReturnType<typeof openMailer>>

export async function openMailer(options: TestMailerOptions) {
  const { database, log, transport, compose = composers, deadlineMs = 2_000, times } = options
  const jobs = await openTestJobs({ database, log, kinds: [{ ...MAIL, deadlineMs }], ...(times && { times }) })
  const mailer = createMailer({ jobs, kind: { ...MAIL, deadlineMs }, compose, transport, from: SENDER, log })
  return {
    wake: mailer.wake,
    async close() {
      await jobs.close()
      await mailer.close()
    },
  }
}

async function withStore<T>(database: Database, kinds: JobKind[], use: (store: JobStore) => Promise<T>): Promise<T> {
  const store = await openTestStore(database, kinds)
  return await use(store).finally(store.close)
}

export const postReset = (database: Database, params: TestKinds['reset'], kind = 'reset'): Promise<boolean> =>
  withStore(database, [MAIL], (store) =>
    database.db.transaction().execute((trx) => createOutbox(createPosting(store)).post(trx, { kind, params })),
  )

export const outboxRows = (database: Database) =>
  withStore(database, [], (store) => store.list({ kind: MAIL.name }, 1_000))

/** Makes the next attempt of queued mail due at once. */
export async function makeDue({ db, kind }: Database): Promise<void> {
  if (kind === 'sqlite') await db.updateTable('jobs').set({ due_at: 1 }).where('claimed_by', 'is', null).execute()
  else await sql`update ${sql.table(`${JOB_SCHEMA}.job`)} set start_after = now() where state < 'active'`.execute(db)
}

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
  mailers: TestMailer[]
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
    await deleteJobs(rig.database)
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
    async open(options: Partial<TestMailerOptions> = {}): Promise<TestMailer> {
      const transport = options.transport ?? createSmtpTransport(rig.server.url)
      const mailer = await openMailer({ database: rig.database, log: rig.recording.log, ...options, transport })
      rig.mailers.push(mailer)
      return mailer
    },
    post: (to: string | null, n?: number) => postReset(rig.database, n === undefined ? { to } : { to, n }),
    row,
    empty: () => eventually('the outbox is empty', async () => (await outboxRows(rig.database)).length === 0),
    failed: () => eventually('an attempt failed', async () => typeof (await row())?.lastError === 'string'),
    recipients: () => rig.server.received.flatMap(({ to }) => to).sort(),
  })
}
