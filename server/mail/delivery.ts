/** One attempt at one mail: compose it, hand it over, and write down how that went. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import type { Mailbox } from './address.ts'
import { ATTEMPTS_MAX, delayAfter } from './backoff.ts'
import type { Message } from './letter.ts'
import type { ClaimedMail, Outbox } from './outbox-store.ts'
import { reasonOf } from './reason.ts'
import { RecipientRefused, type Transport } from './transport.ts'

export type MailRow = Pick<ClaimedMail, 'id' | 'kind' | 'createdAt' | 'attempts'>

export interface Addressed {
  to: string
  message: Message
}

/**
 * For each kind, what becomes of its params at the moment of sending; null when there is nobody to send to. It is asked
 * again for each attempt, so whatever is secret in the message is made here and lies nowhere.
 */
export type Composers<Kinds extends object> = {
  readonly [Kind in keyof Kinds]: (params: Kinds[Kind], row: MailRow) => Promise<Addressed | null>
}

export interface DeliveryOptions<Kinds extends object> {
  outbox: Outbox
  compose: Composers<Kinds>
  transport: Transport
  from: Mailbox
  log: Log
  times: { deadlineMs: number; leaseMs: number; settleEveryMs: number }
}

type Outcome =
  | { state: 'done' }
  | { state: 'interrupted' }
  | { state: 'failed'; reason: string; delayMs: number }
  | { state: 'hopeless'; reason: string }

const tooLong = () => new Error('The attempt took too long')

/** Rejects with the signal's reason as soon as it ends, whatever becomes of the work. */
function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const ended = Promise.withResolvers<never>()
  const end = () => ended.reject(signal.reason)
  if (signal.aborted) end()
  else signal.addEventListener('abort', end, { once: true })
  return Promise.race([work, ended.promise]).finally(() => signal.removeEventListener('abort', end))
}

export function createDelivery<Kinds extends object>(options: DeliveryOptions<Kinds>) {
  const { outbox, transport, from, log, times } = options
  const composers = new Map<string, (params: never, row: MailRow) => Promise<Addressed | null>>(
    Object.entries(options.compose),
  )
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)

  async function composeMail({ id, kind, params, createdAt, attempts }: ClaimedMail): Promise<Addressed | null> {
    const compose = composers.get(kind)
    // Perhaps a newer process wrote it, and will take it at the next attempt.
    if (!compose) throw new Error(`There is no mail of the kind ${JSON.stringify(kind)}`)
    try {
      return await compose(JSON.parse(params) as never, { id, kind, createdAt, attempts })
    } catch (error) {
      log.warn({ mailId: id, kind, err: error }, 'A mail could not be composed')
      throw error
    }
  }

  async function handOver(mail: ClaimedMail, deadlineAt: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const addressed = await until(signal, composeMail(mail))
    if (!addressed) return
    // A process that was paused may get here before its timers: somebody else may have the mail by now.
    if (performance.now() > deadlineAt) throw tooLong()
    const { to, message } = addressed
    // The same for each attempt, so that a mail that comes twice can be recognised.
    const messageId = `<${mail.id}@${domain}>`
    await until(signal, transport.send({ ...message, from, to, messageId, date: new Date() }, signal))
  }

  async function attempt(mail: ClaimedMail, claimedAt: number, closing: AbortSignal): Promise<Outcome> {
    // It was tried as often as it may be, and the last time ended with its process.
    if (mail.attempts > ATTEMPTS_MAX) return { state: 'hopeless', reason: 'The last attempt was not finished' }
    const deadline = new AbortController()
    const deadlineAt = claimedAt + times.deadlineMs
    const timer = setTimeout(() => deadline.abort(tooLong()), Math.max(0, deadlineAt - performance.now()))
    try {
      await handOver(mail, deadlineAt, AbortSignal.any([deadline.signal, closing]))
      return { state: 'done' }
    } catch (error) {
      if (closing.aborted) return { state: 'interrupted' }
      const reason = reasonOf(error)
      const delayMs = error instanceof RecipientRefused ? null : delayAfter(mail.attempts)
      return delayMs === null ? { state: 'hopeless', reason } : { state: 'failed', reason, delayMs }
    } finally {
      clearTimeout(timer)
    }
  }

  function write(mail: ClaimedMail, outcome: Outcome): Promise<boolean> {
    if (outcome.state === 'done') return outbox.done(mail)
    if (outcome.state === 'interrupted') return outbox.giveBack(mail)
    if (outcome.state === 'failed') return outbox.retry(mail, outcome.delayMs, outcome.reason)
    return outbox.giveUp(mail, outcome.reason)
  }

  function report({ id: mailId, kind, attempts }: ClaimedMail, outcome: Outcome): void {
    if (outcome.state === 'done') log.debug({ mailId, kind, attempts }, 'Mail handed over')
    if (outcome.state === 'failed') {
      const { reason, delayMs } = outcome
      log.warn({ mailId, kind, attempts, reason, delayMs }, 'A mail could not be sent; it will be tried again')
    }
    if (outcome.state === 'hopeless') {
      log.error({ mailId, kind, attempts, reason: outcome.reason }, 'A mail was given up')
    }
  }

  /** Tried as long as the lease lasts: a mail that was handed over and not crossed off is sent once more. */
  async function settle(mail: ClaimedMail, outcome: Outcome, untilMs: number, closing: AbortSignal): Promise<void> {
    const { id: mailId, kind } = mail
    for (;;) {
      try {
        if (await write(mail, outcome)) report(mail, outcome)
        else log.warn({ mailId, kind }, 'A mail was taken over by another process, and perhaps sent twice')
        return
      } catch (error) {
        if (closing.aborted || performance.now() + times.settleEveryMs >= untilMs) {
          log.error({ mailId, kind, outcome: outcome.state, err: error }, 'Could not write down what became of a mail')
          return
        }
        await sleep(times.settleEveryMs)
      }
    }
  }

  /** Never rejects. `claimedAt` is on the clock of `performance.now`. */
  return async (mail: ClaimedMail, claimedAt: number, closing: AbortSignal): Promise<void> => {
    const outcome = await attempt(mail, claimedAt, closing)
    await settle(mail, outcome, claimedAt + times.leaseMs, closing)
  }
}
