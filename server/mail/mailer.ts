/** Sends the mail in the outbox: immediately after `wake()`, and by polling for retries. */
import type { Config } from '#config/config.ts'
import { createDelivery, type DeliveryOptions, reasonOf } from './delivery.ts'
import { createFolderTransport, mailFolder } from './folder.ts'
import type { ClaimedMail } from './outbox-store.ts'
import { createSmtpTransport } from './smtp.ts'

export const MAILER_TIMES = {
  pollEveryMs: 3_000,
  /** For composing and sending together. */
  deadlineMs: 30_000,
  /** Twice the deadline, so that the lease cannot end during an attempt. */
  leaseMs: 60_000,
  recordEveryMs: 500,
  /** Time for running attempts to finish at shutdown. */
  closeMs: 3_000,
  /** Time to return unfinished mail to the outbox after that. */
  giveBackMs: 1_500,
  sweepEveryMs: 10 * 60 * 1000,
}

/** Concurrent deliveries of this process. */
export const PARALLEL_MAX = 4
/** Abandoned mail stays in the database this long for inspection. */
export const FAILED_KEPT_MS = 7 * 24 * 60 * 60 * 1000

interface MailerOptions<Kinds extends object> extends Omit<DeliveryOptions<Kinds>, 'times'> {
  times?: typeof MAILER_TIMES
}

export type Mailer = ReturnType<typeof createMailer>

export function createMailer<Kinds extends object>(options: MailerOptions<Kinds>) {
  const { outbox, transport, log, times = MAILER_TIMES } = options
  const deliver = createDelivery({ ...options, times })
  const closing = new AbortController()
  /** Everything that `close()` waits for. */
  const running = new Set<Promise<void>>()
  let closed = false
  let delivering = 0
  let polling = false
  let pollAgain = false

  function run(work: Promise<void>): void {
    const tracked = work.finally(() => running.delete(tracked))
    running.add(tracked)
  }

  async function deliverOne(mail: ClaimedMail, claimedAt: number): Promise<void> {
    delivering++
    await deliver(mail, claimedAt, closing.signal)
    delivering--
    poll()
  }

  async function pollOnce(): Promise<void> {
    const max = PARALLEL_MAX - delivering
    // The next delivery that ends polls again.
    if (max === 0) return
    const claimedAt = performance.now()
    try {
      const mails = await outbox.claim({ leaseMs: times.leaseMs, max })
      for (const mail of mails) run(deliverOne(mail, claimedAt))
    } catch (error) {
      log.warn({ err: error }, 'Failed to read the outbox; it will be retried')
    }
  }

  async function pollUntilQuiet(): Promise<void> {
    polling = true
    do {
      pollAgain = false
      await pollOnce()
    } while (pollAgain && !closed)
    polling = false
  }

  function poll(): void {
    // A poll that is running may have missed mail added after it began.
    pollAgain = true
    if (!closed && !polling) run(pollUntilQuiet())
  }

  async function sweep(): Promise<void> {
    try {
      await outbox.sweep(FAILED_KEPT_MS)
    } catch (error) {
      log.warn({ err: error }, 'Failed to delete old abandoned mail')
    }
  }

  /** True if everything that runs, and the work it starts, ended in time. */
  async function settled(withinMs: number): Promise<boolean> {
    const late = Promise.withResolvers<false>()
    const timer = setTimeout(() => late.resolve(false), withinMs)
    const all = async (): Promise<true> => {
      while (running.size > 0) await Promise.all(running)
      return true
    }
    return Promise.race([all(), late.promise]).finally(() => clearTimeout(timer))
  }

  const timers = [setInterval(poll, times.pollEveryMs), setInterval(() => run(sweep()), times.sweepEveryMs)]
  for (const timer of timers) timer.unref()
  poll()
  run(sweep())

  return {
    /** Call it after the commit of a transaction that added mail. */
    wake: poll,
    /** Finishes running deliveries or returns them to the outbox within a time limit, then closes the transport. */
    async close(): Promise<void> {
      closed = true
      for (const timer of timers) clearInterval(timer)
      if (!(await settled(times.closeMs))) {
        closing.abort(new Error('The process is shutting down'))
        const returned = await settled(times.giveBackMs)
        if (!returned) log.warn('Failed to return mail to the outbox; it will be retried when its lease ends')
      }
      await transport
        .close()
        .catch((error) => log.warn({ reason: reasonOf(error) }, 'Failed to close the mail transport'))
    },
  }
}

interface MailOptions<Kinds extends object> extends Pick<DeliveryOptions<Kinds>, 'outbox' | 'compose' | 'log'> {
  config: Pick<Config, 'smtpUrl' | 'dataDir' | 'isLocal' | 'mailFrom'>
}

/** Uses a mail server if one is configured, otherwise files in the data folder. */
export function setUpMail<Kinds extends object>({ config, ...options }: MailOptions<Kinds>): Mailer {
  const { smtpUrl, dataDir, isLocal, mailFrom: from } = config
  const transport = smtpUrl
    ? createSmtpTransport(smtpUrl)
    : createFolderTransport({ folder: mailFolder(dataDir), showLinks: isLocal, log: options.log })
  return createMailer({ ...options, transport, from })
}
