/** Arithmetic of the monthly quota: reserve before a scan, then charge or release. Pure. */

/** The first millisecond after a period, which is a UTC month such as `2026-11`. */
export function periodEndMs(period: string): number {
  const [year, month] = period.split('-').map(Number) as [number, number]
  return Date.UTC(year, month, 1)
}

export interface Counter {
  used: number
  reserved: number
}

/** How many of `asked` scans fit into the quota. */
export function grantable(counter: Counter, quota: number, asked: number): number {
  return Math.max(0, Math.min(asked, quota - counter.used - counter.reserved))
}

/** Units of one counter that a process keeps for its next reservations. */
export const KEPT_MAX = 64
/**
 * Free quota below which no unit is kept: then every reservation asks the database, so that no replica is refused while
 * another one keeps units. More than the largest built-in plan can use before idle units are returned.
 */
export const KEEP_FREE_MIN = 1_024
/** Time before the end of a month in which no unit is kept: then the database's clock decides the month of every ticket. */
const KEEP_BEFORE_END_MS = 60_000

export interface Settlement {
  action: 'charge' | 'release'
  quota: number
  /** An earlier attempt to charge this scan was committed, but its response was lost. */
  alreadyCharged: boolean
  /** Reserve the next unit in place of this one. */
  keep: boolean
}

export type Settled = 'rejected' | 'settled' | 'kept'

/** Units may be kept for a month that does not end soon. */
export const mayKeep = (period: string, nowMs: number): boolean => periodEndMs(period) - nowMs > KEEP_BEFORE_END_MS

/**
 * Settles reservations of one replica on one counter. `held` covers all of them, unless the replica was silent for so
 * long that its reservations were swept: then a charge needs free quota, and only such a charge can be rejected.
 */
export function settle(counter: Counter, held: number, settlements: readonly Settlement[]) {
  let { used, reserved } = counter

  function settleCovered({ quota, keep }: Settlement): Settled {
    if (keep && quota - used - reserved >= KEEP_FREE_MIN) return 'kept'
    held -= 1
    reserved -= 1
    return 'settled'
  }

  const settled = settlements.map((settlement): Settled => {
    const { action, quota, alreadyCharged } = settlement
    if (alreadyCharged) {
      // The charge consumed its reservation. A release reverts the charge, because no verdict was delivered.
      if (action === 'release') used -= 1
      return 'settled'
    }
    const covered = held > 0
    if (action === 'charge' && !covered && used + reserved >= quota) return 'rejected'
    if (action === 'charge') used += 1
    return covered ? settleCovered(settlement) : 'settled'
  })
  return { counter: { used, reserved }, held, settled }
}

/** Percentages of the quota at which the owner of a key is notified. */
export const NOTICE_SHARES = [75, 90, 100] as const
export type NoticeShare = (typeof NOTICE_SHARES)[number]

/** The shares reached between two numbers of used scans. */
export function sharesReached(before: number, after: number, quota: number): NoticeShare[] {
  return NOTICE_SHARES.filter((share) => {
    const threshold = Math.ceil((quota * share) / 100)
    return before < threshold && after >= threshold
  })
}

export interface KeyUsage {
  used: number
  revokedAt: number | null
  isExpired?: number
}

/** All keys count as used; only the active ones can still scan. */
export function usageOf(keys: readonly KeyUsage[], quota: number) {
  const active = keys.filter((key) => key.revokedAt === null && !key.isExpired)
  return {
    scansUsed: keys.reduce((sum, key) => sum + key.used, 0),
    scansQuota: quota * Math.max(1, active.length),
    scansRemaining: active.reduce((sum, key) => sum + Math.max(0, quota - key.used), 0),
  }
}
