/** The worker that empties the outbox: at once when it is woken, and every few seconds for what is due again. */
import type { Log } from '#base/log.ts'
import type { Mailbox } from './address.ts'
import { type Composers, createDelivery } from './delivery.ts'
import type { Outbox } from './outbox-store.ts'
import { reasonOf } from './reason.ts'
import type { Transport } from './transport.ts'

export const MAILER_TIMES = {
  lookEveryMs: 3_000,
  /** For composing and sending together. */
  deadlineMs: 30_000,
  /** Twice the deadline, so that it cannot end while somebody still tries. */
  leaseMs: 60_000,
  settleEveryMs: 500,
  /** What runs may finish for so long at the end; then it is cut. */
  closeMs: 3_000,
  /** And then given back for so long. With the above, less than the process has left after its server drained. */
  giveBackMs: 1_500,
  sweepEveryMs: 10 * 60 * 1000,
}

/** Mails on their way at once, from this process. */
export const PARALLEL_MAX = 4
/** How long mail that was given up can be looked at in the database. */
export const FAILED_KEPT_MS = 7 * 24 * 60 * 60 * 1000

export interface MailerOptions<Kinds extends object> {
  outbox: Outbox
  compose: Composers<Kinds>
  transport: Transport
  from: Mailbox
  log: Log
  times?: typeof MAILER_TIMES
}

export interface Mailer {
  /** There is new mail: to be called after the commit. */
  wake(): void
  /** Finishes what is on its way or gives it back, within a bound. Closes the transport too. */
  close(): Promise<void>
}

export function createMailer<Kinds extends object>(options: MailerOptions<Kinds>): Mailer {
  const { outbox, compose, transport, from, log, times = MAILER_TIMES } = options
  const deliver = createDelivery({ outbox, compose, transport, from, log, times })
  const closing = new AbortController()
  /** Everything that runs, so that the end can wait for it. */
  const running = new Set<Promise<void>>()
  let closed = false
  let flying = 0
  let looking = false
  let again = false

  function run(work: Promise<void>): void {
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  async function fly(mail: Parameters<typeof deliver>[0], claimedAt: number): Promise<void> {
    flying++
    await deliver(mail, claimedAt, closing.signal)
    flying--
    look()
  }

  async function lookOnce(): Promise<void> {
    const max = PARALLEL_MAX - flying
    // Whoever lands looks again.
    if (max === 0) return
    const claimedAt = performance.now()
    try {
      const mails = await outbox.claim({ leaseMs: times.leaseMs, max })
      for (const mail of mails) run(fly(mail, claimedAt))
    } catch (error) {
      log.warn({ err: error }, 'Could not look for mail to send; it will be tried again')
    }
  }

  async function lookAll(): Promise<void> {
    looking = true
    do {
      again = false
      await lookOnce()
    } while (again && !closed)
    looking = false
  }

  function look(): void {
    // What was written after a search began may have been missed by it.
    again = true
    if (!closed && !looking) run(lookAll())
  }

  async function sweep(): Promise<void> {
    try {
      await outbox.sweep(FAILED_KEPT_MS)
    } catch (error) {
      log.warn({ err: error }, 'Could not forget mail that was given up')
    }
  }

  /** Whether all that runs, and what it starts, ended in this time. */
  async function settled(withinMs: number): Promise<boolean> {
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), withinMs)
    const all = async (): Promise<true> => {
      while (running.size > 0) await Promise.all(running)
      return true
    }
    return Promise.race([all(), late.promise]).finally(() => clearTimeout(timer))
  }

  const timers = [setInterval(look, times.lookEveryMs), setInterval(() => run(sweep()), times.sweepEveryMs)]
  for (const timer of timers) timer.unref()
  look()
  run(sweep())

  return {
    wake: look,
    async close() {
      closed = true
      for (const timer of timers) clearInterval(timer)
      if (!(await settled(times.closeMs))) {
        closing.abort(new Error('The process is ending'))
        const back = await settled(times.giveBackMs)
        if (!back) log.warn('Mail on its way could not be given back; it is taken up again when its lease ends')
      }
      await transport
        .close()
        .catch((error) => log.warn({ reason: reasonOf(error) }, 'The mail transport did not close'))
    },
  }
}
