/** Units of quota that this process holds: those of open tickets, and kept ones for the next reservations of busy keys. */
import type { CounterKey } from './counter-store.ts'
import { KEPT_MAX } from './quota.ts'

/** A key whose reservations follow each other this fast is busy. */
const BUSY_GAP_MS = 250
/** A kept unit is used only this long after the database has confirmed it: other replicas may have released it later. */
const CONFIRMED_MS = 2_000
/** Kept units of a key without reservations for this long are returned. */
export const IDLE_MS = 1_000

export interface Lease extends CounterKey {
  /** Of the plan when units were last kept. */
  quota: number
  open: number
  kept: number
  /** Settlements in progress, and of these the ones that ask to keep their unit. */
  settling: number
  keeping: number
  /** Settlements so far. */
  started: number
  reservedAtMs: number
  isBusy: boolean
  /** By the monotonic clock, which stops while the machine is suspended, and by the wall clock, which does not. */
  confirmedAtMs: number
  confirmedAtWallMs: number
}

const isConfirmed = ({ confirmedAtMs, confirmedAtWallMs }: Lease): boolean =>
  performance.now() - confirmedAtMs < CONFIRMED_MS && Math.abs(Date.now() - confirmedAtWallMs) < CONFIRMED_MS

export function createLeases() {
  const leases = new Map<string, Lease>()
  /** By key: the one of its last reservation. */
  const current = new Map<string, Lease>()
  const nameOf = ({ keyId, period }: CounterKey) => `${keyId} ${period}`

  function of(key: CounterKey): Lease {
    const found = leases.get(nameOf(key))
    if (found) return found
    const none = { open: 0, kept: 0, settling: 0, keeping: 0, started: 0, quota: 0, reservedAtMs: -1e9, isBusy: false }
    const created = { ...none, keyId: key.keyId, period: key.period, confirmedAtMs: -1e9, confirmedAtWallMs: 0 }
    leases.set(nameOf(key), created)
    return created
  }

  function noteReservation(lease: Lease): void {
    const nowMs = performance.now()
    lease.isBusy = nowMs - lease.reservedAtMs < BUSY_GAP_MS
    lease.reservedAtMs = nowMs
    lease.open++
  }

  const canKeep = (lease: Lease): boolean => lease.isBusy && lease.kept + lease.keeping < KEPT_MAX

  return {
    of,
    all: () => [...leases.values()],
    current: (keyId: string) => current.get(keyId),

    /** Units of the lease in the database, or more while a settlement is in progress. */
    countHeld(keyId: string, period: string): number {
      const lease = leases.get(nameOf({ keyId, period }))
      return lease ? lease.open + lease.kept : 0
    },

    /** Turns a kept unit into an open ticket, or returns null: only the database can grant one. */
    take(keyId: string, quota: number): Lease | null {
      const lease = current.get(keyId)
      if (!lease || lease.kept === 0 || lease.quota !== quota || !isConfirmed(lease)) return null
      lease.kept--
      noteReservation(lease)
      return lease
    },

    /** Counts a ticket that the database has granted. */
    open(key: CounterKey): void {
      const lease = of(key)
      current.set(key.keyId, lease)
      noteReservation(lease)
    },

    /** Turns an open ticket into a kept unit, if the last settlement has confirmed that units may be kept. */
    keep(lease: Lease, quota: number): boolean {
      if (!canKeep(lease) || lease.quota !== quota || !isConfirmed(lease)) return false
      lease.open--
      lease.kept++
      return true
    },

    /** Starts a settlement; returns whether its unit should be kept. */
    startSettling(lease: Lease, isReturn: boolean): boolean {
      const keep = !isReturn && canKeep(lease)
      lease.settling++
      lease.started++
      if (keep) lease.keeping++
      return keep
    },

    endSettling(lease: Lease, keep: boolean): void {
      lease.settling--
      if (keep) lease.keeping--
    },

    /** Applies a committed settlement. */
    settled(lease: Lease, isKept: boolean, quota: number): void {
      lease.open--
      if (!isKept) return
      lease.kept++
      lease.quota = quota
      lease.confirmedAtMs = performance.now()
      lease.confirmedAtWallMs = Date.now()
    },

    /** Forgets leases that hold nothing and were not used for a while. */
    prune(): void {
      for (const [name, lease] of leases) {
        if (lease.open + lease.kept > 0 || performance.now() - lease.reservedAtMs < IDLE_MS) continue
        leases.delete(name)
        if (current.get(lease.keyId) === lease) current.delete(lease.keyId)
      }
    },
  }
}
