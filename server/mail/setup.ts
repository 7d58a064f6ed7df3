/** Wires the mail module: a mail server if one is configured, otherwise files in the data folder. */
import { join } from 'node:path'
import type { Log } from '#base/log.ts'
import type { Config } from '#config/config.ts'
import type { Composers } from './delivery.ts'
import { createFolderTransport } from './folder.ts'
import { createMailer, type Mailer } from './mailer.ts'
import type { Outbox } from './outbox-store.ts'
import { createSmtpTransport } from './smtp.ts'

interface MailOptions<Kinds extends object> {
  config: Pick<Config, 'smtpUrl' | 'dataDir' | 'isLocal' | 'mailFrom'>
  outbox: Outbox
  compose: Composers<Kinds>
  log: Log
}

export function setUpMail<Kinds extends object>({ config, outbox, compose, log }: MailOptions<Kinds>): Mailer {
  const { smtpUrl, dataDir, isLocal, mailFrom: from } = config
  const transport = smtpUrl
    ? createSmtpTransport(smtpUrl)
    : createFolderTransport({ folder: join(dataDir, 'outbox'), showLinks: isLocal, log })
  return createMailer({ outbox, compose, transport, from, log })
}
