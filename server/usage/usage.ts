/** The quota as the rest of the house sees it: a ticket before each scan, charged with its verdict or given back. */
import { coalesce } from '#base/coalesce.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Principal } from '#base/principal.ts'
import { periodEndMs } from './period.ts'
import { type Usage, usageOfAccount, usageOfKey } from './quota.ts'
import type { ReportStore } from './report-store.ts'
import type { Along, Reserved, ReserveItem, SettleItem, UsageStore } from './store.ts'

/** Reservations, settlements or look-ups that share one transaction. */
const BATCH_MAX = 200

/** The right to one scan. Left without a charge, it gives its reservation back. */
export interface Ticket extends AsyncDisposable {
  /**
   * Charges this scan, and does what goes along with it in the same transaction. Rejects when that could not be made
   * certain, in which case no verdict may be given.
   */
  charge(scanId: string, along?: Along): Promise<void>
}

export interface UsageOptions {
  store: UsageStore
  reports: ReportStore
  scansPerMonth: (plan: string) => number
  log: Log
}

export type UsageDesk = ReturnType<typeof createUsage>

/** A scan that is under way may yet give its place back. */
const UNDER_WAY_RETRY_SECONDS = 5

function quotaExhausted(quota: number, period: string, used = quota): AppError {
  const endMs = periodEndMs(period)
  if (used < quota) {
    return new AppError(
      'quota_exhausted',
      `Of ${quota} scans of this key for ${period}, ${used} are used and the rest are under way. Try again when they are done.`,
      { retryAfterSeconds: UNDER_WAY_RETRY_SECONDS },
    )
  }
  return new AppError(
    'quota_exhausted',
    `All ${quota} scans of this key for ${period} are used. ` +
      `The next month begins at ${new Date(endMs).toISOString()}; a larger plan has more.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((endMs - Date.now()) / 1000)) },
  )
}

/** The tickets of this process that are not settled, by counter. */
function countTickets() {
  const counts = new Map<string, number>()
  const count = (keyId: string, period: string): number => counts.get(`${keyId} ${period}`) ?? 0
  return {
    count,
    add(keyId: string, period: string): void {
      counts.set(`${keyId} ${period}`, count(keyId, period) + 1)
    },
    remove(keyId: string, period: string): void {
      const left = count(keyId, period) - 1
      if (left > 0) counts.set(`${keyId} ${period}`, left)
      else counts.delete(`${keyId} ${period}`)
    },
  }
}

export function createUsage({ store, reports, scansPerMonth, log }: UsageOptions) {
  const open = countTickets()
  /** Keys whose last reservation may have gone through although it failed. */
  const uncertain = new Set<string>()
  const reserveOne = coalesce<ReserveItem, Reserved>(async (items) => {
    for (const { keyId } of items) uncertain.add(keyId)
    const results = await store.reserve(items, open.count)
    for (const [index, { keyId }] of items.entries()) {
      uncertain.delete(keyId)
      const { granted, period } = results[index] as Reserved
      // Counted here and not by the caller: the next batch must know of these.
      if (granted) open.add(keyId, period)
    }
    return results
  }, BATCH_MAX)
  const settleOne = coalesce<SettleItem, boolean>((items) => store.settle(items), BATCH_MAX)
  const readOne = coalesce<string, { period: string; used: number } | undefined>(async (keyIds) => {
    const found = await reports.readKeys([...new Set(keyIds)])
    return keyIds.map((keyId) => found.get(keyId))
  }, BATCH_MAX)
  /** Releases that storage did not take. This process lives, so nobody else will give them back. */
  const owed: SettleItem[] = []

  async function release(item: SettleItem): Promise<void> {
    try {
      await settleOne(item)
      open.remove(item.keyId, item.period)
    } catch (error) {
      owed.push(item)
      log.warn({ err: error, keyId: item.keyId }, 'Could not give a reservation back; it will be tried again')
    }
  }

  function ticket(keyId: string, quota: number, period: string): Ticket {
    let scanId: string | null = null
    let goesAlong: Along | null = null
    let settled = false
    const item = (action: SettleItem['action'], retried: boolean): SettleItem => ({
      keyId,
      period,
      quota,
      action,
      scanId,
      retried,
      along: goesAlong,
    })
    return {
      async charge(id, along) {
        if (scanId !== null) throw new Error('A ticket is charged once')
        scanId = id
        goesAlong = along ?? null
        const accepted = await settleOne(item('charge', false))
        settled = true
        open.remove(keyId, period)
        if (!accepted) throw quotaExhausted(quota, period)
      },
      async [Symbol.asyncDispose]() {
        if (settled) return
        settled = true
        await release(item('release', scanId !== null))
      },
    }
  }

  return {
    /** Reserves one scan for this key, or refuses with 402. */
    async reserve(keyId: string, plan: string): Promise<Ticket> {
      const quota = scansPerMonth(plan)
      const { granted, period, used } = await reserveOne({ keyId, quota, asked: 1 })
      if (!granted) throw quotaExhausted(quota, period, used)
      return ticket(keyId, quota, period)
    },

    async report(principal: Principal): Promise<Usage & { plan: string; period: string }> {
      const { plan } = principal
      const quota = scansPerMonth(plan)
      if (principal.kind === 'session') {
        const { period, keys } = await reports.readAccount(principal.accountId)
        return { plan, period, ...usageOfAccount(keys, quota) }
      }
      const usage = await readOne(principal.keyId)
      if (!usage) throw new Error('The key of this request is gone from the database')
      return { plan, period: usage.period, ...usageOfKey(usage.used, quota) }
    },

    /** Tries again what could not be given back before, and gives back what was reserved without our knowledge. */
    async settleOwed(): Promise<void> {
      await Promise.all(owed.splice(0).map(release))
      await Promise.all([...uncertain].map((keyId) => reserveOne({ keyId, quota: 0, asked: 0 })))
    },
  }
}
