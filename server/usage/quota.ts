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

export interface Settlement {
  action: 'charge' | 'release'
  quota: number
  /** An earlier attempt to charge this scan was committed, but its response was lost. */
  alreadyCharged: boolean
}

export interface Settled {
  counter: Counter
  held: number
  /** For each settlement. Only a charge whose reservation was swept can be rejected. */
  accepted: boolean[]
}

/**
 * Settles reservations of one replica on one counter. `held` covers all of them, unless the replica was silent for so
 * long that its reservations were swept: then a charge needs free quota.
 */
export function settle(counter: Counter, held: number, settlements: readonly Settlement[]): Settled {
  let { used, reserved } = counter
  const accepted = settlements.map(({ action, quota, alreadyCharged }) => {
    if (alreadyCharged) {
      // The charge consumed its reservation. A release reverts the charge, because no verdict was delivered.
      if (action === 'release') used -= 1
      return true
    }
    const covered = held > 0
    if (covered) {
      held -= 1
      reserved -= 1
    }
    if (action === 'release') return true
    if (!covered && used + reserved >= quota) return false
    used += 1
    return true
  })
  return { counter: { used, reserved }, held, accepted }
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
  active: boolean
}

export interface Usage {
  scansUsed: number
  scansQuota: number
  scansRemaining: number
}

export function usageOfKey(used: number, quota: number): Usage {
  return { scansUsed: used, scansQuota: quota, scansRemaining: Math.max(0, quota - used) }
}

/** All keys of an account count as used; only the active ones can still scan. */
export function usageOfAccount(keys: readonly KeyUsage[], quota: number): Usage {
  const active = keys.filter((key) => key.active)
  return {
    scansUsed: keys.reduce((sum, key) => sum + key.used, 0),
    scansQuota: quota * Math.max(1, active.length),
    scansRemaining: active.reduce((sum, key) => sum + Math.max(0, quota - key.used), 0),
  }
}
