/** A process that sends the mail in the outbox of a shared database until it is stopped. */
import { flushCompileCache } from 'node:module'
import { createSmtpTransport } from '#mail/smtp.ts'
import { openMailer } from '#test/support/mail.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'

export interface MailOrder {
  url: string | null
  dataDir: string
  smtpUrl: string
  deadlineMs: number
}

const order = JSON.parse(process.argv[2] ?? '') as MailOrder
const database = await openPlace(order)
const mailer = await openMailer({
  database,
  transport: createSmtpTransport(order.smtpUrl),
  log: quietLog,
  deadlineMs: order.deadlineMs,
})
process.once('SIGTERM', async () => {
  await mailer.close()
  await database.close()
  process.disconnect()
})
// Neither the timers of a mailer nor SQLite keep the process alive.
process.channel?.ref()
// It may be killed, and then would not keep its compiled modules for the next one.
flushCompileCache()
process.send?.('ready')
