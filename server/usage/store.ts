/** Usage in the database: reservations and settlements, many in one transaction, each under the lock of its counter. */
import type { ExpressionBuilder } from 'kysely'
import type { Database, Trx } from '#storage/database.ts'
import { type Procedure, query, runSteps } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'
import { type CounterKey, createCounterStore, groupByCounter, type Locked } from './counter-store.ts'
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

/** Written in the transaction of charges: effects of one kind together. */
export interface EffectKind {
  write(effects: readonly unknown[]): Procedure<void>
  /**
   * Reverts them with their charges, whose response was lost. Without this, a committed charge stays: others have seen the effect,
   * such as a verdict that is polled for, or a job that is done.
   */
  undo?(effects: readonly unknown[]): Procedure<void>
  /** Of the others nothing is charged or written, and their reservations are released. */
  wanted?(effects: readonly unknown[]): Procedure<ReadonlySet<unknown>>
}

export interface ChargeEffect {
  kind: EffectKind
  /** What its kind gets. */
  of: unknown
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

const groupByKind = (items: readonly SettleItem[]) =>
  Map.groupBy(
    items.flatMap(({ effect }) => effect ?? []),
    ({ kind }) => kind,
  )
const effectsOf = (effects: readonly ChargeEffect[]) => effects.map(({ of }) => of)

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

  /** Sets the results of the items of one counter, and returns the counter if it changes. */
  function reserveGroup(
    items: (ReserveItem & CounterKey & Reserved)[],
    locked: Locked,
    countHeld: CountHeld,
  ): Locked[] {
    const { keyId, period } = items[0] as ReserveItem & CounterKey
    const { held, used } = locked
    // Held without being known: an earlier reservation was committed, but its response was lost.
    const excess = Math.max(0, held - countHeld(keyId, period))
    const reserved = locked.reserved - excess
    const asking = items.filter(({ asked }) => asked === 1)
    // The newest has the current plan; a correction has none.
    const quota = asking.at(-1)?.quota ?? 0
    const granted = grantable({ used, reserved }, quota, asking.length)
    for (const item of items) item.used = used
    for (const item of asking.slice(0, granted)) item.granted = true
    return granted === excess ? [] : [{ ...locked, reserved: reserved + granted, held: held - excess + granted }]
  }

  function* reserve(items: readonly ReserveItem[], countHeld: CountHeld): Procedure<Reserved[]> {
    const period = yield* counters.readPeriod()
    const results = items.map((item) => ({ ...item, period, granted: false, used: 0 }))
    const lockedOf = yield* counters.lock(results)
    const changed = groupByCounter(results).flatMap((group) =>
      reserveGroup(group, lockedOf(group[0] as CounterKey), countHeld),
    )
    yield* counters.write(changed)
    yield* counters.writeHeld(changed)
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

  function* writeCharges(items: readonly SettleItem[]): Procedure<void> {
    yield* counters.addCharges(items)
    for (const [kind, effects] of groupByKind(items)) yield* kind.write(effectsOf(effects))
  }

  function* revert(items: readonly SettleItem[]): Procedure<void> {
    if (items.length === 0) return
    const scanIds = items.map(({ scanId }) => scanId as string)
    yield* query(db.deleteFrom('usage_ledger').where('scan_id', 'in', scanIds))
    for (const [kind, effects] of groupByKind(items)) if (kind.undo) yield* kind.undo(effectsOf(effects))
  }

  const isCharge = ({ action, scanId }: SettleItem): boolean => action === 'charge' && scanId !== null

  /** Before counters are locked, so that no other process waits for that. An earlier attempt is only known under the lock. */
  function* writeEarly(given: readonly SettleItem[]): Procedure<SettleItem[]> {
    const isEarly = (item: SettleItem) => !item.retried && isCharge(item)
    const items = yield* withoutUnwanted(given, isEarly)
    yield* writeCharges(items.filter(isEarly))
    return items.map((item, index) => ({ ...item, isWritten: isEarly(given[index] as SettleItem) }))
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

  /** Those of these charges whose effect is not wanted are releases. */
  function* withoutUnwanted(items: readonly SettleItem[], isAsked: (item: SettleItem) => boolean) {
    const unwanted = new Set<ChargeEffect>()
    for (const [kind, effects] of groupByKind(items.filter(isAsked))) {
      if (!kind.wanted) continue
      const wanted = yield* kind.wanted(effectsOf(effects))
      for (const effect of effects) if (!wanted.has(effect.of)) unwanted.add(effect)
    }
    return items.map((item): SettleItem => {
      const isUnwanted = item.effect !== null && unwanted.has(item.effect)
      return isUnwanted ? { ...item, action: 'release', scanId: null, effect: null } : item
    })
  }

  /** What becomes of the items of one counter. */
  function settleGroup(items: readonly SettleItem[], locked: Locked, chargedAt: ReadonlyMap<string | null, number>) {
    // The newest item has the current plan.
    const { period, quota } = items.at(-1) as SettleItem
    const { nowMs } = locked
    const canKeep = mayKeep(period, nowMs)
    const settlements = items.map((item) => {
      const alreadyCharged = chargedAt.has(item.scanId)
      const isFinal = alreadyCharged && item.effect !== null && item.effect.kind.undo === undefined
      return { ...item, alreadyCharged, keep: item.keep && canKeep, ...(isFinal && { action: 'charge' as const }) }
    })
    const { settled, counter, held } = settle(locked, locked.held, settlements)
    const isAccepted = (index: number) => settled[index] !== 'rejected'
    if (settlements.some((item, index) => item.isWritten && !isAccepted(index))) throw new WrittenTooEarly()
    const accepted = settlements.filter((_item, index) => isAccepted(index))
    const charged = accepted.filter((item) => isCharge(item) && !item.alreadyCharged)
    const reverted = accepted.filter((item) => item.action === 'release' && item.alreadyCharged)
    const chargedOn = charged.map(() => dateOf(nowMs, period))
    const revertedOn = reverted.map(({ scanId }) => dateOf(chargedAt.get(scanId) ?? nowMs, period))
    const isCounted = charged.length + reverted.length > 0
    const days = isCounted ? changeDays(locked.days, chargedOn, revertedOn) : locked.days
    return { items, settled, charged, reverted, quota, before: locked, after: { ...locked, ...counter, held, days } }
  }

  function* settleAll(given: readonly SettleItem[], isEarly: boolean): Procedure<Settled[]> {
    const early = isEarly ? yield* writeEarly(given) : given
    const lockedOf = yield* counters.lock(early)
    const chargedAt = yield* findCharged(early)
    const isAsked = (item: SettleItem) => !item.isWritten && item.action === 'charge' && !chargedAt.has(item.scanId)
    const items = yield* withoutUnwanted(early, isAsked)
    const groups = groupByCounter(items).map((group) => settleGroup(group, lockedOf(group[0] as CounterKey), chargedAt))
    yield* writeCharges(groups.flatMap(({ charged }) => charged).filter(({ isWritten }) => !isWritten))
    yield* revert(groups.flatMap(({ reverted }) => reverted))
    yield* counters.write(groups.map(({ after }) => after))
    yield* counters.writeHeld(groups.flatMap(({ before, after }) => (before.held === after.held ? [] : after)))
    for (const { before, after, quota } of groups) yield* noteUsage(after, quota, before.used, after.used)
    const results = new Map(groups.flatMap((group) => group.items.map((item, index) => [item, group.settled[index]])))
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
      yield* settleAll([item], false)
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
