/** Sends the mail of the outbox: by a mail server if one is configured, otherwise as files in the data folder. */
import { reasonOf } from '#base/reason.ts'
import type { Config } from '#config/config.ts'
import type { JobKind } from '#jobs/job.ts'
import type { Jobs } from '#jobs/jobs.ts'
import { createDelivery, type DeliveryOptions } from './delivery.ts'
import { createFolderTransport, mailFolder } from './folder.ts'
import { MAIL, type MailData } from './outbox.ts'
import { createSmtpTransport } from './smtp.ts'

interface MailerOptions<Kinds extends object> extends DeliveryOptions<Kinds> {
  jobs: Pick<Jobs, 'work' | 'wake'>
  /** With a shorter deadline in tests. */
  kind?: JobKind<MailData>
}

type Mailer = ReturnType<typeof createMailer>

export function createMailer<Kinds extends object>({ jobs, kind = MAIL, ...options }: MailerOptions<Kinds>) {
  const { transport, log } = options
  jobs.work(kind, createDelivery(options))
  return {
    /** Call it after the commit of a transaction that added mail. */
    wake: () => jobs.wake(kind),
    /** After the jobs are closed. */
    close: () =>
      transport.close().catch((error) => log.warn({ reason: reasonOf(error) }, 'Failed to close the mail transport')),
  }
}

interface MailOptions<Kinds extends object> extends Omit<MailerOptions<Kinds>, 'transport' | 'from'> {
  config: Pick<Config, 'smtpUrl' | 'dataDir' | 'isLocal' | 'mailFrom'>
}

export function setUpMail<Kinds extends object>({ config, ...options }: MailOptions<Kinds>): Mailer {
  const { smtpUrl, dataDir, isLocal, mailFrom: from } = config
  const transport = smtpUrl
    ? createSmtpTransport(smtpUrl)
    : createFolderTransport({ folder: mailFolder(dataDir), showLinks: isLocal, log: options.log })
  return createMailer({ ...options, transport, from })
}
