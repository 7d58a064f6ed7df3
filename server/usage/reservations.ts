/** Reservations and settlements against the store, in batches. Busy keys reserve from kept units, without the store. */
import { setTimeout as sleep } from 'node:timers/promises'
import { coalesce } from '#base/coalesce.ts'
import { isStorageUnavailable } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { createLeases, IDLE_MS, type Lease } from './leases.ts'
import type { Settled } from './quota.ts'
import type { Reserved, ReserveItem, SettleItem, UsageStore } from './store.ts'

/** Reservations or settlements that share one transaction. */
const BATCH_MAX = 200
/** Of charges for which nobody waits: the next one waits for the whole transaction, and each may queue many callbacks. */
export const LATER_BATCH_MAX = 16
/** A settlement waits this long for others if so many tickets are still open, because each transaction syncs the disk. */
export const GATHER_MS_MAX = 8
export const OTHERS_MIN = 3
/** With this many settlements, waiting for more saves little. */
export const GATHERED_MAX = 8

/** Between attempts to charge a scan for which nobody waits. */
const CHARGE_EVERY_MS = 500

/** A settlement of a ticket; whether its unit is kept is decided when it is settled. */
interface Settling extends Omit<SettleItem, 'keep'> {
  /** That is charged while nobody waits for it. */
  accountId?: string
}

/** A charge for which nobody waits: tried for some time, in the turn of its account. */
export interface Later {
  accountId: string
  patienceMs: number
}

/** Tries again while storage is unavailable. */
export async function chargePatiently<Item extends object, Result>(
  settle: (item: Item) => Promise<Result>,
  item: Item,
  patienceMs = 0,
): Promise<Result> {
  const untilMs = performance.now() + patienceMs
  for (let tried = item; ; tried = { ...item, retried: true }) {
    try {
      return await settle(tried)
    } catch (error) {
      if (!isStorageUnavailable(error) || performance.now() + CHARGE_EVERY_MS > untilMs) throw error
      await sleep(CHARGE_EVERY_MS)
    }
  }
}

export function createReservations(store: UsageStore, log: Log) {
  const leases = createLeases()
  /** Keys whose last reservation or settlement failed, but may have been committed. */
  const uncertain = new Set<string>()
  /** Releases that storage did not accept. Nobody else releases them while this process is alive. */
  const owed: Settling[] = []
  let isTimerSet = false
  /** Tickets that are neither charged nor released nor set aside. */
  let inProgress = 0

  /** Equal before and after a reservation if no settlement of the key ran meanwhile; NaN if one runs now. */
  function settlementsOf(keyId: string): number {
    const lease = leases.current(keyId)
    return lease && lease.settling > 0 ? Number.NaN : (lease?.started ?? 0)
  }

  const reserveStored = coalesce<ReserveItem, Reserved>(async (items) => {
    const before = items.map(({ keyId }) => settlementsOf(keyId))
    const results = await store.reserve(items, leases.countHeld).catch((error) => {
      for (const { keyId } of items) uncertain.add(keyId)
      throw error
    })
    for (const [index, { keyId }] of items.entries()) {
      // A settlement meanwhile hides a part of what a lost response left.
      if (before[index] === settlementsOf(keyId)) uncertain.delete(keyId)
      const { granted, period } = results[index] as Reserved
      // Counted before the caller continues, so that the next batch includes it.
      if (granted) leases.open({ keyId, period })
    }
    startTimer()
    return results
  }, BATCH_MAX)
  const createSettling = (batchMax: number) =>
    coalesce<SettleItem & Settling, Settled>((items) => store.settle(items), batchMax, {
      gathering: {
        msMax: GATHER_MS_MAX,
        isEnough: (count) => count >= GATHERED_MAX || inProgress < OTHERS_MIN,
      },
      accountOf: ({ accountId = '' }) => accountId,
    })
  /** Two, because the effects of scans that nobody waits for take longer to write. */
  const [settleStored, settleLater] = [createSettling(BATCH_MAX), createSettling(LATER_BATCH_MAX)]

  async function settle(item: Settling, isReturn = false): Promise<Settled> {
    const lease = leases.of(item)
    const keep = leases.startSettling(lease, isReturn)
    try {
      const settled = await (item.accountId === undefined ? settleStored : settleLater)({ ...item, keep })
      leases.settled(lease, settled === 'kept', item.quota)
      // The quota or the month comes to its end.
      if (keep && settled !== 'kept') void returnKept(lease)
      // An earlier attempt may have kept a unit that nobody knows of.
      if (item.retried) uncertain.add(item.keyId)
      return settled
    } catch (error) {
      uncertain.add(item.keyId)
      throw error
    } finally {
      leases.endSettling(lease, keep)
    }
  }

  async function releaseStored(item: Settling, isReturn = false): Promise<void> {
    try {
      await settle(item, isReturn)
    } catch (error) {
      owed.push(item)
      log.warn({ err: error, keyId: item.keyId }, 'Failed to release a reservation; will retry')
    }
  }

  async function release(item: Settling): Promise<void> {
    if (!item.retried) inProgress--
    if (!item.retried && leases.keep(leases.of(item), item.quota)) return
    await releaseStored(item)
  }

  /** Releases kept units like tickets that are not charged. */
  async function returnKept(lease: Lease): Promise<void> {
    const { keyId, period, quota, kept } = lease
    lease.open += kept
    lease.kept = 0
    const unit = { keyId, period, quota, action: 'release', scanId: null, retried: false, effect: null } as const
    await Promise.all(Array.from({ length: kept }, () => releaseStored(unit, true)))
  }

  /** Runs while this process holds leases. */
  function startTimer(): void {
    if (isTimerSet) return
    isTimerSet = true
    setTimeout(returnIdle, IDLE_MS).unref()
  }

  function returnIdle(): void {
    isTimerSet = false
    const idleSinceMs = performance.now() - IDLE_MS
    for (const lease of leases.all()) if (lease.reservedAtMs < idleSinceMs) void returnKept(lease)
    leases.prune()
    if (leases.all().length > 0) startTimer()
  }

  return {
    /** Reserves one scan of a key. */
    async reserve(keyId: string, quota: number): Promise<Reserved> {
      const taken = leases.take(keyId, quota)
      if (taken) {
        inProgress++
        return { granted: true, period: taken.period, used: 0 }
      }
      const lease = leases.current(keyId)
      // Not usable any more, for example after a change of plan. Free before the database decides.
      if (lease && lease.kept > 0) await returnKept(lease)
      const reserved = await reserveStored({ keyId, quota, asked: 1 })
      if (reserved.granted) inProgress++
      return reserved
    },

    /** A ticket whose document is still arriving: no settlement waits for it until it is disposed. */
    setAside(): Disposable {
      let isSetAside = true
      inProgress--
      return {
        [Symbol.dispose]() {
          if (isSetAside) inProgress++
          isSetAside = false
        },
      }
    },

    /** False if the charge was rejected, because the reservation was swept and the quota is used up. */
    async charge(item: Settling, later?: Later | null): Promise<boolean> {
      inProgress--
      const charging = { ...item, ...(later && { accountId: later.accountId }) }
      return (await chargePatiently((tried) => settle(tried), charging, later?.patienceMs)) !== 'rejected'
    },

    release,

    /** Returns kept units, retries failed releases, and releases what lost responses left. */
    async settleOwed(): Promise<void> {
      await Promise.all(owed.splice(0).map((item) => releaseStored(item)))
      await Promise.all(leases.all().map(returnKept))
      await Promise.all([...uncertain].map((keyId) => reserveStored({ keyId, quota: 0, asked: 0 })))
      leases.prune()
    },
  }
}
