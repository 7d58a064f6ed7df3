/** The quota as the rest of the house sees it: a ticket before each scan, charged with its verdict or given back. */
import { coalesce } from '#base/coalesce.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Principal } from '#base/principal.ts'
import { periodEndMs } from './period.ts'
import { type Usage, usageOfAccount, usageOfKey } from './quota.ts'
import type { Reserved, ReserveItem, SettleItem, UsageStore } from './store.ts'

/** Reservations, settlements or look-ups that share one transaction. */
const BATCH_MAX = 200

/** The right to one scan. Left without a charge, it gives its reservation back. */
export interface Ticket extends AsyncDisposable {
  readonly period: string
  /** Charges this scan. Rejects when that could not be made certain, in which case no verdict may be given. */
  charge(scanId: string): Promise<void>
}

export interface UsageOptions {
  store: UsageStore
  scansPerMonth: (plan: string) => number
  log: Log
}

export type UsageDesk = ReturnType<typeof createUsage>

function quotaExhausted(quota: number, period: string): AppError {
  const endMs = periodEndMs(period)
  return new AppError(
    'quota_exhausted',
    `All ${quota} scans of this key for ${period} are used. ` +
      `The next month begins at ${new Date(endMs).toISOString()}; a larger plan has more.`,
    { retryAfterSeconds: Math.max(1, Math.ceil((endMs - Date.now()) / 1000)) },
  )
}

export function createUsage({ store, scansPerMonth, log }: UsageOptions) {
  const reserveOne = coalesce<ReserveItem, Reserved>((items) => store.reserve(items), BATCH_MAX)
  const settleOne = coalesce<SettleItem, boolean>((items) => store.settle(items), BATCH_MAX)
  const readOne = coalesce<string, { period: string; used: number } | undefined>(async (keyIds) => {
    const found = await store.readKeys([...new Set(keyIds)])
    return keyIds.map((keyId) => found.get(keyId))
  }, BATCH_MAX)
  /** Releases that storage did not take. This process lives, so nobody else will give them back. */
  const owed: SettleItem[] = []

  async function release(item: SettleItem): Promise<void> {
    try {
      await settleOne(item)
    } catch (error) {
      owed.push(item)
      log.warn({ err: error, keyId: item.keyId }, 'Could not give a reservation back; it will be tried again')
    }
  }

  function ticket(keyId: string, quota: number, period: string): Ticket {
    let scanId: string | null = null
    let settled = false
    const item = (action: SettleItem['action'], retried: boolean): SettleItem => ({
      keyId,
      period,
      quota,
      action,
      scanId,
      retried,
    })
    return {
      period,
      async charge(id) {
        if (scanId !== null) throw new Error('A ticket is charged once')
        scanId = id
        const accepted = await settleOne(item('charge', false))
        settled = true
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
      const { granted, period } = await reserveOne({ keyId, quota })
      if (!granted) throw quotaExhausted(quota, period)
      return ticket(keyId, quota, period)
    },

    async report(principal: Principal): Promise<Usage & { plan: string; period: string }> {
      const { plan } = principal
      const quota = scansPerMonth(plan)
      if (principal.kind === 'session') {
        const { period, keys } = await store.readAccount(principal.accountId)
        return { plan, period, ...usageOfAccount(keys, quota) }
      }
      const usage = await readOne(principal.keyId)
      if (!usage) throw new Error('The key of this request is gone from the database')
      return { plan, period: usage.period, ...usageOfKey(usage.used, quota) }
    },

    /** Tries again what could not be given back before. */
    async settleOwed(): Promise<void> {
      await Promise.all(owed.splice(0).map(release))
    },
  }
}
