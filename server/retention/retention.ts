/** Periodically deletes rows that no request needs any more. Folders that delete their own expired rows are not in here. */
import type { Log } from '#base/log.ts'
import type { RetentionStore } from './store.ts'

const SWEEP_EVERY_MS = 10 * 60 * 1_000
const DAY_MS = 24 * 60 * 60 * 1_000
const INVITE_DAYS = 90
const CHAT_DAYS = 31

interface RetentionOptions {
  store: RetentionStore
  auditDays: number
  /** 0 keeps the ledger. */
  ledgerMonths: number
  log: Log
}

/** The start of the month (UTC) that many months before. */
function monthsBefore(nowMs: number, months: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1)
}

export function startRetention({ store, auditDays, ledgerMonths, log }: RetentionOptions) {
  let sweeping = Promise.resolve()

  async function sweep(): Promise<void> {
    try {
      const nowMs = await store.nowMs()
      const daysAgo = (days: number) => nowMs - days * DAY_MS
      const ledgerEnd = ledgerMonths === 0 ? null : monthsBefore(nowMs, ledgerMonths)
      while (await store.auditLog(daysAgo(auditDays)));
      while (await store.marketplaceEvents(daysAgo(auditDays)));
      while (ledgerEnd !== null && (await store.ledger(ledgerEnd)));
      if (ledgerEnd !== null) await store.usageNotices(ledgerEnd)
      await store.invites(daysAgo(INVITE_DAYS))
      await store.chatDays(daysAgo(CHAT_DAYS))
    } catch (error) {
      log.warn({ err: error }, 'Failed to delete old rows; it will be retried')
    }
  }
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, SWEEP_EVERY_MS)
  timer.unref()

  return {
    sweep,
    async close() {
      clearInterval(timer)
      await sweeping
    },
  }
}
