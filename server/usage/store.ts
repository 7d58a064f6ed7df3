/** Usage in the database: reservations and settlements, many in one transaction, each under the lock of its counter. */
import type { ExpressionBuilder } from 'kysely'
import type { Database, Trx } from '#storage/database.ts'
import { type Procedure, query, runSteps } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'
import { type CounterKey, createCounterStore } from './counter-store.ts'
import { changeDays, dateOf } from './days.ts'
import {
  grantable,
  mayKeep,
  NOTICE_SHARES,
  type NoticeShare,
  type Settled,
  type Settlement,
  settle,
  sharesReached,
} from './quota.ts'

export interface ReserveItem {
  keyId: string
  quota: number
  /** 0 only corrects the lease of this replica. */
  asked: 0 | 1
}

export interface Reserved {
  granted: boolean
  period: string
  used: number
}

/** Units of a counter that this process knows of. Its lease may hold more after a lost response: nobody settles those. */
type CountHeld = (keyId: string, period: string) => number

/** Written in the transaction of a charge. */
export interface ChargeEffect {
  write: () => Procedure<void>
  /**
   * Reverts it with its charge, whose response was lost. Without this, a committed charge stays: others have seen the effect,
   * such as a verdict that is polled for, or a job that is done.
   */
  undo?: () => Procedure<void>
  /** If it returns false, nothing is charged or written, and the reservation is released. */
  isWanted?: () => Procedure<boolean>
}

export interface SettleItem extends CounterKey, Omit<Settlement, 'alreadyCharged'> {
  scanId: string | null
  /** An earlier attempt to charge this scan may have been committed. */
  retried: boolean
  effect: ChargeEffect | null
  /** Within a transaction: the ledger and the effect have been written. */
  isWritten?: boolean
}

/** A charge that has been written is rejected, which is only known under the lock. Such a batch is written again, late. */
class WrittenTooEarly extends Error {}

/** Notifies the owner of a key of its usage, in the transaction of the charge. */
export type NotifyUsage = (
  trx: Trx,
  usage: CounterKey & { share: NoticeShare; used: number; quota: number },
) => Promise<void>

export type UsageStore = ReturnType<typeof createUsageStore>

/** Holds the units of scans that wait, instead of a process. */
export const QUEUE_HOLDER = 'queue'

/** All replicas lock in this order, and a counter before its lease: no deadlocks. */
function groupByCounter<Item extends CounterKey>(items: readonly Item[]): Item[][] {
  const groups = Map.groupBy(items, ({ keyId, period }) => `${keyId} ${period}`)
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

export function createUsageStore(database: Database, replicaId: string, notify: NotifyUsage = async () => {}) {
  const { db, clock } = database
  const counters = createCounterStore(database, replicaId)
  const isExpired = (eb: ExpressionBuilder<Tables, 'api_keys'>) =>
    eb.case().when('api_keys.expires_at', '<=', clock.nowMs).then(eb.lit(1)).else(eb.lit(0)).end()
  /** Usage of keys this month. */
  const keyUsage = db
    .selectFrom('api_keys')
    .leftJoin('usage_counters', (join) =>
      join.onRef('usage_counters.key_id', '=', 'api_keys.id').on('usage_counters.period', '=', clock.period),
    )
    .select(({ fn, lit }) => fn.coalesce('usage_counters.used', lit(0)).as('used'))
    .select(['api_keys.id', 'api_keys.revoked_at as revokedAt', clock.period.as('period')])
    .select((eb) => isExpired(eb).as('isExpired'))
    // Its scans are those of the key that it belongs to.
    .where('api_keys.rolled_into', 'is', null)

  function* reserveGroup(items: readonly (ReserveItem & CounterKey)[], countHeld: CountHeld) {
    // The newest item has the current plan.
    const { keyId, period, quota } = items.at(-1) as ReserveItem & CounterKey
    const key = { keyId, period }
    const { held, used, reserved } = yield* counters.lock(key)
    const found = { used, reserved }
    // Held without being known: an earlier reservation was committed, but its response was lost.
    const excess = Math.max(0, held - countHeld(keyId, period))
    const counter = { ...found, reserved: found.reserved - excess }
    const granted = grantable(counter, quota, items.filter(({ asked }) => asked === 1).length)
    if (granted !== excess) {
      yield* counters.write({ ...key, ...counter, reserved: counter.reserved + granted })
      yield* counters.writeHeld(key, held - excess + granted)
    }
    return { granted, used: counter.used }
  }

  function* reserve(items: readonly ReserveItem[], countHeld: CountHeld): Procedure<Reserved[]> {
    const period = yield* counters.readPeriod()
    const results = items.map((item) => ({ ...item, period, granted: false, used: 0 }))
    for (const group of groupByCounter(results)) {
      const { granted, used } = yield* reserveGroup(group, countHeld)
      for (const item of group) item.used = used
      for (const item of group.filter(({ asked }) => asked === 1).slice(0, granted)) item.granted = true
    }
    return results
  }

  /** Scans whose earlier charge was committed, with the time of the charge. */
  function* findCharged(items: readonly SettleItem[]): Procedure<Map<string | null, number>> {
    const scanIds = items.flatMap((item) => (item.retried && item.scanId !== null ? [item.scanId] : []))
    if (scanIds.length === 0) return new Map()
    const ledger = db.selectFrom('usage_ledger').select(['scan_id', 'charged_at'])
    const rows = yield* query(ledger.where('scan_id', 'in', scanIds))
    return new Map(rows.map((row) => [row.scan_id, row.charged_at]))
  }

  function* writeCharge({ scanId, keyId, period, effect, isWritten }: SettleItem): Procedure<void> {
    if (isWritten) return
    yield* counters.addCharge({ keyId, period, scanId: scanId as string })
    if (effect) yield* effect.write()
  }

  function* revert(items: readonly SettleItem[]): Procedure<void> {
    if (items.length === 0) return
    const scanIds = items.map(({ scanId }) => scanId as string)
    yield* query(db.deleteFrom('usage_ledger').where('scan_id', 'in', scanIds))
    for (const { effect } of items) if (effect?.undo) yield* effect.undo()
  }

  /** Before its counter is locked, so that no other process waits for that. An earlier attempt is only known under the lock. */
  function* writeEarly(item: SettleItem): Procedure<SettleItem> {
    if (item.retried || item.action !== 'charge' || item.scanId === null) return item
    const wanted = yield* withoutUnwanted(item, false)
    if (wanted.action === 'charge') yield* writeCharge(wanted)
    return { ...wanted, isWritten: true }
  }

  /** Notifies of each share once a month, also when the plan changes; of several at once, of the largest. */
  function* noteUsage({ keyId, period }: CounterKey, quota: number, before: number, used: number): Procedure<void> {
    const reached = sharesReached(before, used, quota)
    if (reached.length === 0) return
    const noted = yield* query(
      db
        .insertInto('usage_notices')
        .values(reached.map((share) => ({ key_id: keyId, period, share })))
        .onConflict((conflict) => conflict.doNothing())
        .returning('share'),
    )
    const share = NOTICE_SHARES.findLast((each) => noted.some((row) => row.share === each))
    if (share !== undefined) yield (trx) => notify(trx, { keyId, period, share, used, quota })
  }

  function* withoutUnwanted(item: SettleItem, isCharged: boolean): Procedure<SettleItem> {
    if (item.isWritten) return item
    const isWanted = isCharged || item.action === 'release' || !item.effect?.isWanted || (yield* item.effect.isWanted())
    return isWanted ? item : { ...item, action: 'release', scanId: null, effect: null }
  }

  function* settleGroup(given: readonly SettleItem[]): Procedure<Settled[]> {
    // The newest item has the current plan.
    const { keyId, period, quota } = given.at(-1) as SettleItem
    const key = { keyId, period }
    const { held, nowMs, days, ...counter } = yield* counters.lock(key)
    const chargedAt = yield* findCharged(given)
    const items: SettleItem[] = []
    for (const item of given) items.push(yield* withoutUnwanted(item, chargedAt.has(item.scanId)))
    const canKeep = mayKeep(period, nowMs)
    const settlements = items.map((item) => {
      const alreadyCharged = chargedAt.has(item.scanId)
      const isFinal = alreadyCharged && item.effect !== null && item.effect.undo === undefined
      return { ...item, alreadyCharged, keep: item.keep && canKeep, ...(isFinal && { action: 'charge' as const }) }
    })
    const result = settle(counter, held, settlements)
    const accepted = settlements.filter((_item, index) => result.settled[index] !== 'rejected')
    const charged = accepted.filter((item) => item.action === 'charge' && item.scanId !== null && !item.alreadyCharged)
    const reverted = accepted.filter((item) => item.action === 'release' && item.alreadyCharged)
    if (settlements.some((item, index) => item.isWritten && result.settled[index] === 'rejected'))
      throw new WrittenTooEarly()
    for (const item of charged) yield* writeCharge(item)
    yield* revert(reverted)
    if (charged.length + reverted.length === 0) yield* counters.write({ ...key, ...result.counter })
    else {
      const today = dateOf(nowMs, period)
      const chargedOn = charged.map(() => today)
      const revertedOn = reverted.map(({ scanId }) => dateOf(chargedAt.get(scanId) ?? nowMs, period))
      yield* counters.writeWithDays({ ...key, ...result.counter, days: changeDays(days, chargedOn, revertedOn) })
    }
    yield* noteUsage(key, quota, counter.used, result.counter.used)
    if (result.held !== held) yield* counters.writeHeld(key, result.held)
    return result.settled
  }

  function* settleAll(given: readonly SettleItem[], isEarly: boolean): Procedure<Settled[]> {
    const items: SettleItem[] = []
    for (const item of given) items.push(isEarly ? yield* writeEarly(item) : item)
    const results = new Map<SettleItem, Settled>()
    for (const group of groupByCounter(items)) {
      const settled = yield* settleGroup(group)
      for (const [index, item] of group.entries()) results.set(item, settled[index] as Settled)
    }
    return items.map((item) => results.get(item) as Settled)
  }

  async function settleItems(items: readonly SettleItem[]): Promise<Settled[]> {
    try {
      return await database.transact(() => settleAll(items, true))
    } catch (error) {
      if (!(error instanceof WrittenTooEarly)) throw error
      return await database.transact(() => settleAll(items, false))
    }
  }

  return {
    /** First come, first served. Must not run twice at once in one process, because of `countHeld`. */
    reserve: (items: readonly ReserveItem[], countHeld: CountHeld): Promise<Reserved[]> =>
      // Reservations end with this process, so they need not survive a power failure.
      database.transact(() => reserve(items, countHeld), { relaxed: true }),

    /** One result for each item, in order. */
    settle: settleItems,

    /** Of the queue, which no process counts. */
    async reserveQueued(trx: Trx, item: ReserveItem): Promise<Reserved> {
      const [reserved] = await runSteps(
        trx,
        reserve([item], () => Number.POSITIVE_INFINITY),
      )
      return reserved as Reserved
    },
    *settleQueued(item: SettleItem): Procedure<void> {
      yield* settleGroup([item])
    },

    currentPeriod: counters.currentPeriod,
    readKeys: (keyIds: readonly string[]) => keyUsage.where('api_keys.id', 'in', keyIds).execute(),
    readAccount: (accountId: string) =>
      keyUsage.where('api_keys.account_id', '=', accountId).where('api_keys.test', '=', 0).execute(),

    /** The keys of an account, or one of them, with their scans of a month; without keys revoked before they scanned. */
    async readMonth(accountId: string, period: string, keyId?: string) {
      const keys = db
        .selectFrom('api_keys')
        .leftJoin('usage_counters', (join) =>
          join.onRef('usage_counters.key_id', '=', 'api_keys.id').on('usage_counters.period', '=', period),
        )
        .select(({ fn, lit }) => fn.coalesce('usage_counters.used', lit(0)).as('used'))
        .select(['api_keys.id', 'name', 'prefix', 'last_four as lastFour', 'revoked_at as revokedAt', 'days'])
        .select((eb) => isExpired(eb).as('isExpired'))
        .where('account_id', '=', accountId)
        .where('rolled_into', 'is', null)
        .orderBy('created_at')
        .orderBy('api_keys.id')
      const found = await (keyId === undefined
        ? keys.where('test', '=', 0)
        : keys.where('api_keys.id', '=', keyId)
      ).execute()
      return found.filter(({ used, revokedAt, isExpired }) => used > 0 || (revokedAt === null && !isExpired))
    },
  }
}
