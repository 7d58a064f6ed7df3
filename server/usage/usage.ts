/** The monthly quota: a ticket before each scan, which is charged with the verdict or released. */
import { coalesce } from '#base/coalesce.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { type Principal, TEST_PLAN } from '#base/principal.ts'
import { datesOf, scansOn } from './days.ts'
import { type KeyUsage, periodEndMs, usageOf } from './quota.ts'
import { createReservations, type Later } from './reservations.ts'
import type { ChargeEffect, UsageStore } from './store.ts'

/** Look-ups that share one query. */
const BATCH_MAX = 200
/** A scan in progress may still release its reservation. */
const IN_PROGRESS_RETRY_SECONDS = 5

/** The right to one scan. Disposed without a charge, it releases its reservation. */
export interface Ticket extends AsyncDisposable {
  /**
   * Charges the scan and writes `effect` in one transaction. Rejects when that is uncertain: deliver no verdict then. While
   * storage is unavailable, one for which nobody waits is tried again.
   */
  charge(scanId: string, effect?: ChargeEffect, later?: Later | null): Promise<void>
  /** While the document arrives, which may take minutes, settlements of others do not wait for this one. */
  setAside?(): Disposable
}

interface UsageOptions {
  store: UsageStore
  scansPerMonth: (plan: string) => number
  log: Log
}

export type UsageService = ReturnType<typeof createUsage>

export function quotaExhausted(quota: number, period: string, used = quota, isTest = false): AppError {
  const endMs = periodEndMs(period)
  if (used < quota) {
    return new AppError(
      'quota_exhausted',
      `This key has used ${used} of its ${quota} scans for ${period}, and the rest are in progress. Retry when they are done.`,
      { retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS },
    )
  }
  const who = isTest ? 'The test keys of this account have' : 'This key has'
  const more = isTest ? 'Keys that are not for tests have a quota of their own.' : 'A larger plan has a larger quota.'
  return new AppError(
    'quota_exhausted',
    `${who} used all ${quota} scans for ${period}. The next period starts at ${new Date(endMs).toISOString()}. ${more}`,
    { retryAfterSeconds: Math.max(1, Math.ceil((endMs - Date.now()) / 1000)) },
  )
}

const meterOf = ({ meterId, keyId }: { meterId?: string | undefined; keyId: string }): string => meterId ?? keyId

function statusOf(revokedAt: number | null, isExpired: number) {
  if (revokedAt !== null) return 'revoked' as const
  return isExpired ? ('expired' as const) : ('active' as const)
}

export function createUsage({ store, scansPerMonth, log }: UsageOptions) {
  const reservations = createReservations(store, log)
  const readKey = coalesce<string, (KeyUsage & { period: string }) | undefined>(async (keyIds) => {
    const found = new Map((await store.readKeys([...new Set(keyIds)])).map((key) => [key.id, key]))
    return keyIds.map((keyId) => found.get(keyId))
  }, BATCH_MAX)

  function createTicket(keyId: string, quota: number, period: string): Ticket {
    const item = { keyId, period, quota, effect: null as ChargeEffect | null }
    let scanId: string | null = null
    let settled = false
    return {
      setAside: reservations.setAside,
      async charge(id, effect, later) {
        if (scanId !== null) throw new Error('A ticket is charged once')
        scanId = id
        item.effect = effect ?? null
        const accepted = await reservations.charge({ ...item, action: 'charge', scanId, retried: false }, later)
        settled = true
        if (!accepted) throw quotaExhausted(quota, period)
      },
      async [Symbol.asyncDispose]() {
        if (settled) return
        settled = true
        await reservations.release({ ...item, action: 'release', scanId, retried: scanId !== null })
      },
    }
  }

  return {
    /** Reserves one scan for this key, or refuses with 402. */
    async reserve(keyId: string, plan: string, meterId = keyId): Promise<Ticket> {
      const quota = scansPerMonth(plan)
      const { granted, period, used } = await reservations.reserve(meterId, quota)
      if (!granted) throw quotaExhausted(quota, period, used, plan === TEST_PLAN)
      return createTicket(meterId, quota, period)
    },

    async report(principal: Principal) {
      const isSession = principal.kind === 'session'
      const found = isSession ? await store.readAccount(principal.accountId) : [await readKey(meterOf(principal))]
      const keys = found.filter((key) => key !== undefined)
      if (!isSession && keys.length === 0) throw new Error('The key of this request is not in the database any more')
      const period = keys[0]?.period ?? (await store.currentPeriod())
      return { plan: principal.plan, period, ...usageOf(keys, scansPerMonth(principal.plan)) }
    },

    /** A month by day and by key. */
    async month(principal: Principal, period: string) {
      const keyId = principal.kind === 'key' ? meterOf(principal) : undefined
      const found = await store.readMonth(principal.accountId, period, keyId)
      const dates = datesOf(period)
      const keys = found.map(({ id, name, prefix, lastFour, revokedAt, isExpired, used, days }) => ({
        ...{
          id,
          name,
          keyPrefix: prefix,
          lastFour,
          status: statusOf(revokedAt, isExpired),
        },
        scansUsed: used,
        scansByDay: scansOn(dates, days),
      }))
      const sumOn = (index: number) => keys.reduce((sum, { scansByDay }) => sum + (scansByDay[index] ?? 0), 0)
      return {
        period,
        scansUsed: keys.reduce((sum, { scansUsed }) => sum + scansUsed, 0),
        days: dates.map((date, index) => ({ date, scansUsed: sumOn(index) })),
        keys,
      }
    },

    /** Returns kept units, retries failed releases, and releases reservations whose response was lost. */
    settleOwed: reservations.settleOwed,
  }
}
