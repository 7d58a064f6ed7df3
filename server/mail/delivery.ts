/** One delivery attempt: composes a mail and hands it to the transport. */
import type { Log } from '#base/log.ts'
import { reasonOf } from '#base/reason.ts'
import type { Handler, Job } from '#jobs/job.ts'
import type { Mailbox } from './address.ts'
import type { Message } from './messages.ts'
import type { MailData } from './outbox.ts'
import { RecipientRefused, type Transport } from './transport.ts'

interface Addressed {
  to: string
  message: Message
}

type QueuedMail = Pick<Job, 'id' | 'createdAt' | 'attempts'>
type Compose<Params> = (params: Params, mail: QueuedMail) => Promise<Addressed | null>

/**
 * One composer per kind of mail; null means that no recipient exists any more. Each attempt composes again, so secrets
 * such as reset links are created here and never stored.
 */
export type Composers<Kinds extends object> = { readonly [Kind in keyof Kinds]: Compose<Kinds[Kind]> }

export interface DeliveryOptions<Kinds extends object> {
  compose: Composers<Kinds>
  transport: Transport
  from: Mailbox
  log: Log
}

export function createDelivery<Kinds extends object>(options: DeliveryOptions<Kinds>): Handler<MailData> {
  const { transport, from, log } = options
  const composers = new Map<string, Compose<never>>(Object.entries(options.compose))
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)

  async function composeMail({
    data: { kind, params },
    id,
    createdAt,
    attempts,
  }: Job<MailData>): Promise<Addressed | null> {
    const compose = composers.get(kind)
    // A newer version may have written it and can send it at the next attempt.
    if (!compose) throw new Error(`Unknown kind of mail ${JSON.stringify(kind)}`)
    try {
      return await compose(params as never, { id, createdAt, attempts })
    } catch (error) {
      log.warn({ mailId: id, kind, err: error }, 'Failed to compose mail')
      throw error
    }
  }

  return async (job, signal) => {
    const addressed = await composeMail(job)
    // Another process may have the mail otherwise.
    job.requireTime()
    if (!addressed) return undefined
    const { to, message } = addressed
    // The same for every attempt, so that mail clients recognise duplicates.
    const messageId = `<${job.id}@${domain}>`
    try {
      await transport.send({ ...message, from, to, messageId, date: new Date() }, signal)
      return undefined
    } catch (error) {
      if (error instanceof RecipientRefused) return { giveUp: reasonOf(error) }
      throw error
    }
  }
}
