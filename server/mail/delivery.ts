/** One delivery attempt: composes a mail, hands it to the transport and records the outcome. */
import { setTimeout as sleep } from 'node:timers/promises'
import { untilAborted } from '#base/abort.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import type { Mailbox } from './address.ts'
import type { Message } from './messages.ts'
import type { ClaimedMail, Outbox } from './outbox-store.ts'
import { RecipientRefused, type Transport } from './transport.ts'

const FIRST_DELAY_MS = 5_000
const DELAY_MS_MAX = 15 * 60 * 1000

/** About 23 hours with the delays between them. */
export const ATTEMPTS_MAX = 100

/** The delay after this many attempts; null after the last one. */
export function delayAfter(attempts: number): number | null {
  if (attempts >= ATTEMPTS_MAX) return null
  return Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), DELAY_MS_MAX)
}

export const REASON_LENGTH_MAX = 200

const LINK = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S+/gi
const ADDRESS = /(?<![^\s<>@])[^\s<>@]+@[^\s<>@]+/g

/** Mail servers quote the mail in their errors, so links with tokens and addresses of people are removed. */
export function reasonOf(error: unknown): string {
  const safe = messageOf(error)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replaceAll(LINK, '[link]')
    .replaceAll(ADDRESS, '[address]')
  return safe.length > REASON_LENGTH_MAX ? `${safe.slice(0, REASON_LENGTH_MAX - 1)}…` : safe
}

interface Addressed {
  to: string
  message: Message
}

type Compose<Params> = (params: Params, mail: ClaimedMail) => Promise<Addressed | null>

/**
 * One composer per kind of mail; null means that no recipient exists any more. Each attempt composes again, so secrets
 * such as reset links are created here and never stored.
 */
export type Composers<Kinds extends object> = { readonly [Kind in keyof Kinds]: Compose<Kinds[Kind]> }

export interface DeliveryOptions<Kinds extends object> {
  outbox: Outbox
  compose: Composers<Kinds>
  transport: Transport
  from: Mailbox
  log: Log
  times: { deadlineMs: number; leaseMs: number; recordEveryMs: number }
}

type Outcome =
  | { state: 'sent' }
  | { state: 'interrupted' }
  | { state: 'failed'; reason: string; delayMs: number }
  | { state: 'abandoned'; reason: string }

const tooLong = () => new Error('The attempt took too long')

export function createDelivery<Kinds extends object>(options: DeliveryOptions<Kinds>) {
  const { outbox, transport, from, log, times } = options
  const composers = new Map<string, Compose<never>>(Object.entries(options.compose))
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)

  async function composeMail(mail: ClaimedMail): Promise<Addressed | null> {
    const { id, kind, params } = mail
    const compose = composers.get(kind)
    // A newer version may have written it and can send it at the next attempt.
    if (!compose) throw new Error(`Unknown kind of mail ${JSON.stringify(kind)}`)
    try {
      return await compose(JSON.parse(params) as never, mail)
    } catch (error) {
      log.warn({ mailId: id, kind, err: error }, 'Failed to compose mail')
      throw error
    }
  }

  async function send(mail: ClaimedMail, deadlineAt: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const addressed = await untilAborted(signal, composeMail(mail))
    if (!addressed) return
    // After a pause of the whole process the timer may be late, and another process may own the mail.
    if (performance.now() > deadlineAt) throw tooLong()
    const { to, message } = addressed
    // The same for every attempt, so that mail clients recognise duplicates.
    const messageId = `<${mail.id}@${domain}>`
    await untilAborted(signal, transport.send({ ...message, from, to, messageId, date: new Date() }, signal))
  }

  async function attempt(mail: ClaimedMail, claimedAt: number, closing: AbortSignal): Promise<Outcome> {
    if (mail.attempts > ATTEMPTS_MAX) return { state: 'abandoned', reason: 'The process ended during the last attempt' }
    const deadline = new AbortController()
    const deadlineAt = claimedAt + times.deadlineMs
    const timer = setTimeout(() => deadline.abort(tooLong()), Math.max(0, deadlineAt - performance.now()))
    try {
      await send(mail, deadlineAt, AbortSignal.any([deadline.signal, closing]))
      return { state: 'sent' }
    } catch (error) {
      if (closing.aborted) return { state: 'interrupted' }
      const reason = reasonOf(error)
      const delayMs = error instanceof RecipientRefused ? null : delayAfter(mail.attempts)
      return delayMs === null ? { state: 'abandoned', reason } : { state: 'failed', reason, delayMs }
    } finally {
      clearTimeout(timer)
    }
  }

  function write(mail: ClaimedMail, outcome: Outcome): Promise<boolean> {
    if (outcome.state === 'sent') return outbox.done(mail)
    if (outcome.state === 'interrupted') return outbox.giveBack(mail)
    if (outcome.state === 'failed') return outbox.retry(mail, outcome.delayMs, outcome.reason)
    return outbox.giveUp(mail, outcome.reason)
  }

  function report({ id: mailId, kind, attempts }: ClaimedMail, { state, ...details }: Outcome): void {
    const fields = { mailId, kind, attempts, ...details }
    if (state === 'sent') log.debug(fields, 'Mail sent')
    if (state === 'failed') log.warn(fields, 'Failed to send mail; it will be retried')
    if (state === 'abandoned') log.error(fields, 'Mail abandoned')
  }

  /** Retries until the lease ends, because mail that was sent but not recorded would be sent again. */
  async function record(mail: ClaimedMail, outcome: Outcome, untilMs: number, closing: AbortSignal): Promise<void> {
    const { id: mailId, kind } = mail
    for (;;) {
      try {
        if (await write(mail, outcome)) report(mail, outcome)
        else log.warn({ mailId, kind }, 'Another process took over this mail; it may have been sent twice')
        return
      } catch (error) {
        if (closing.aborted || performance.now() + times.recordEveryMs >= untilMs) {
          log.error({ mailId, kind, outcome: outcome.state, err: error }, 'Failed to record the outcome of a mail')
          return
        }
        await sleep(times.recordEveryMs)
      }
    }
  }

  /** Never rejects. `claimedAt` uses the clock of `performance.now()`. */
  return async (mail: ClaimedMail, claimedAt: number, closing: AbortSignal): Promise<void> => {
    const outcome = await attempt(mail, claimedAt, closing)
    await record(mail, outcome, claimedAt + times.leaseMs, closing)
  }
}
