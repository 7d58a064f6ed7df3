/** The arithmetic of the monthly quota: reserve before the work, then charge with its result or release. Pure. */

export interface Counter {
  used: number
  reserved: number
}

/** How many of `asked` scans the quota still has room for. */
export function grantable(counter: Counter, quota: number, asked: number): number {
  return Math.max(0, Math.min(asked, quota - counter.used - counter.reserved))
}

export interface Settlement {
  action: 'charge' | 'release'
  quota: number
  /** An earlier attempt at charging this scan went through although its answer was lost. */
  alreadyCharged: boolean
}

export interface Settled {
  counter: Counter
  held: number
  /** For each settlement: whether it stands. Only a charge whose reservation was swept away can fail. */
  accepted: boolean[]
}

/**
 * Settles reservations of one replica on one counter. `held` is what the replica holds there: usually enough for all
 * of them, but a replica that was taken for dead has lost its reservations, and must then find room afresh.
 */
export function settle(counter: Counter, held: number, settlements: readonly Settlement[]): Settled {
  let { used, reserved } = counter
  const accepted = settlements.map(({ action, quota, alreadyCharged }) => {
    if (alreadyCharged) {
      // Its reservation went with the charge. Giving up on it takes the charge back: no verdict was delivered.
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

/** Shares of the quota, in percent, at which the owner of a key is told. */
export const TOLD_SHARES = [75, 90, 100] as const
export type ToldShare = (typeof TOLD_SHARES)[number]

/** The shares that were reached by going from one number of used scans to another. */
export function sharesReached(before: number, after: number, quota: number): ToldShare[] {
  return TOLD_SHARES.filter((share) => {
    const mark = Math.ceil((quota * share) / 100)
    return before < mark && after >= mark
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

/** An account's month: all its keys count as used, only the active ones can still scan. */
export function usageOfAccount(keys: readonly KeyUsage[], quota: number): Usage {
  const active = keys.filter((key) => key.active)
  return {
    scansUsed: keys.reduce((sum, key) => sum + key.used, 0),
    scansQuota: quota * Math.max(1, active.length),
    scansRemaining: active.reduce((sum, key) => sum + Math.max(0, quota - key.used), 0),
  }
}
