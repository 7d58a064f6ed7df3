/** Usage in the database. Every change of a counter happens under its lock, many changes in one transaction. */
import type { Transaction } from 'kysely'
import type { Database } from '#storage/database.ts'
import { prepare } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'
import { type Counter, grantable, settle, sharesReached, TOLD_SHARES, type ToldShare } from './quota.ts'

export interface ReserveItem {
  keyId: string
  quota: number
  /** None: only brings what this replica holds in line with what it knows of. */
  asked: 0 | 1
}

export interface Reserved {
  granted: boolean
  period: string
  used: number
}

/** How many tickets of a counter are open in this process. What its lease holds beyond them, nobody can settle. */
export type CountOpen = (keyId: string, period: string) => number

/** Something that must happen in the same transaction, or not at all. */
export type Within = (trx: Transaction<Tables>) => Promise<void>

/** What goes with a charge, and how it is taken back with it. */
export interface Along {
  write: Within
  undo: Within
}

export interface SettleItem {
  keyId: string
  period: string
  quota: number
  action: 'charge' | 'release'
  scanId: string | null
  /** A charge of this scan was tried before and may have gone through. */
  retried: boolean
  along: Along | null
}

/** Tells the owner of a key how much of its quota is used, in the transaction that used it. */
export type TellUse = (
  trx: Transaction<Tables>,
  use: { keyId: string; period: string; share: ToldShare; used: number; quota: number },
) => Promise<void>

export type UsageStore = ReturnType<typeof createUsageStore>

/**
 * Positions of the items by the counter they concern, in the order of the counters. Everyone locks in this order, and
 * a counter before its leases, so that replicas cannot deadlock.
 */
function groupByCounter(items: readonly { keyId: string; period: string }[]): number[][] {
  const groups = new Map<string, number[]>()
  for (const [index, { keyId, period }] of items.entries()) {
    const name = `${keyId} ${period}`
    const group = groups.get(name)
    if (group) group.push(index)
    else groups.set(name, [index])
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

type Of<Row> = Row & { keyId: string; period: string }

/** What every scan asks of the database. */
function statements({ db, clock, kind }: Database, replicaId: string) {
  type Leases = { keyId: string; period: string; held: number }
  return {
    period: prepare<object, { period: string }>(() => db.selectNoFrom(clock.period.as('period'))),
    readCounter: prepare<Of<object>, Counter>((place) =>
      db
        .selectFrom('usage_counters')
        .select(['used', 'reserved'])
        .where('key_id', '=', place('keyId'))
        .where('period', '=', place('period'))
        // SQLite has its lock since `begin immediate`.
        .$if(kind === 'postgres', (query) => query.forUpdate()),
    ),
    createCounter: prepare<Of<object>>((place) =>
      db
        .insertInto('usage_counters')
        .values({ key_id: place('keyId'), period: place('period'), used: 0, reserved: 0 })
        .onConflict((conflict) => conflict.doNothing()),
    ),
    writeCounter: prepare<Of<Counter>>((place) =>
      db
        .updateTable('usage_counters')
        .set({ used: place('used'), reserved: place('reserved') })
        .where('key_id', '=', place('keyId'))
        .where('period', '=', place('period')),
    ),
    readLease: prepare<Of<object>, { held: number }>((place) =>
      db
        .selectFrom('usage_leases')
        .select('held')
        .where('replica_id', '=', replicaId)
        .where('key_id', '=', place('keyId'))
        .where('period', '=', place('period')),
    ),
    writeLease: prepare<Leases>((place) =>
      db
        .insertInto('usage_leases')
        .values({ replica_id: replicaId, key_id: place('keyId'), period: place('period'), held: place('held') })
        .onConflict((conflict) =>
          conflict.columns(['replica_id', 'key_id', 'period']).doUpdateSet({ held: place('held') }),
        ),
    ),
    deleteLease: prepare<Of<object>>((place) =>
      db
        .deleteFrom('usage_leases')
        .where('replica_id', '=', replicaId)
        .where('key_id', '=', place('keyId'))
        .where('period', '=', place('period')),
    ),
    charge: prepare<Of<{ scanId: string }>>((place) =>
      db.insertInto('usage_ledger').values({
        scan_id: place('scanId'),
        key_id: place('keyId'),
        period: place('period'),
        charged_at: clock.nowMs,
      }),
    ),
  }
}

export function createUsageStore(database: Database, replicaId: string, tellUse: TellUse = async () => {}) {
  const { db } = database
  const statement = statements(database, replicaId)

  async function lockCounter(trx: Transaction<Tables>, keyId: string, period: string): Promise<Counter> {
    const [found] = await statement.readCounter(trx, { keyId, period })
    if (found) return found
    await statement.createCounter(trx, { keyId, period })
    const [created] = await statement.readCounter(trx, { keyId, period })
    return created ?? { used: 0, reserved: 0 }
  }

  async function writeCounter(trx: Transaction<Tables>, keyId: string, period: string, counter: Counter) {
    await statement.writeCounter(trx, { keyId, period, ...counter })
  }

  async function readLease(trx: Transaction<Tables>, keyId: string, period: string): Promise<number> {
    const [lease] = await statement.readLease(trx, { keyId, period })
    return lease?.held ?? 0
  }

  async function writeLease(trx: Transaction<Tables>, keyId: string, period: string, held: number) {
    if (held === 0) await statement.deleteLease(trx, { keyId, period })
    else await statement.writeLease(trx, { keyId, period, held })
  }

  async function reserveGroup(trx: Transaction<Tables>, period: string, items: readonly ReserveItem[], open: number) {
    // The newest item knows the plan best.
    const { keyId, quota } = items.at(-1) as ReserveItem
    const found = await lockCounter(trx, keyId, period)
    const held = await readLease(trx, keyId, period)
    // More is held than tickets are open: an earlier reservation went through, but its answer was lost.
    const excess = Math.max(0, held - open)
    const counter = { ...found, reserved: found.reserved - excess }
    const granted = grantable(counter, quota, items.filter(({ asked }) => asked === 1).length)
    if (granted !== excess) {
      await writeCounter(trx, keyId, period, { ...counter, reserved: counter.reserved + granted })
      await writeLease(trx, keyId, period, held - excess + granted)
    }
    return { granted, used: counter.used }
  }

  async function findCharged(trx: Transaction<Tables>, items: readonly SettleItem[]): Promise<Set<string>> {
    const scanIds = items.flatMap((item) => (item.retried && item.scanId !== null ? [item.scanId] : []))
    if (scanIds.length === 0) return new Set()
    const rows = await trx.selectFrom('usage_ledger').select('scan_id').where('scan_id', 'in', scanIds).execute()
    return new Set(rows.map((row) => row.scan_id))
  }

  async function writeLedger(
    trx: Transaction<Tables>,
    accepted: readonly (SettleItem & { alreadyCharged: boolean })[],
  ) {
    const charged = accepted.filter((item) => item.action === 'charge' && item.scanId !== null && !item.alreadyCharged)
    const takenBack = accepted.filter((item) => item.action === 'release' && item.alreadyCharged)
    for (const { scanId, keyId, period } of charged) {
      await statement.charge(trx, { scanId: scanId as string, keyId, period })
    }
    if (takenBack.length > 0) {
      const scanIds = takenBack.map(({ scanId }) => scanId as string)
      await trx.deleteFrom('usage_ledger').where('scan_id', 'in', scanIds).execute()
    }
    for (const { along } of charged) await along?.write(trx)
    for (const { along } of takenBack) await along?.undo(trx)
  }

  /** Each share is told once in a month, also when the plan changes; of several at once, the largest. */
  async function noteUse(
    trx: Transaction<Tables>,
    { keyId, period, quota }: { keyId: string; period: string; quota: number },
    before: number,
    used: number,
  ) {
    const reached = sharesReached(before, used, quota)
    if (reached.length === 0) return
    const noted = await trx
      .insertInto('usage_notices')
      .values(reached.map((share) => ({ key_id: keyId, period, share })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('share')
      .execute()
    const share = TOLD_SHARES.findLast((each) => noted.some((row) => row.share === each))
    if (share !== undefined) await tellUse(trx, { keyId, period, share, used, quota })
  }

  async function settleGroup(trx: Transaction<Tables>, keyId: string, period: string, items: readonly SettleItem[]) {
    const counter = await lockCounter(trx, keyId, period)
    const held = await readLease(trx, keyId, period)
    const charged = await findCharged(trx, items)
    const settlements = items.map((item) => ({ ...item, alreadyCharged: charged.has(item.scanId ?? '') }))
    const settled = settle(counter, held, settlements)
    await writeLedger(
      trx,
      settlements.filter((_item, index) => settled.accepted[index]),
    )
    await writeCounter(trx, keyId, period, settled.counter)
    // The newest item knows the plan best.
    await noteUse(trx, { keyId, period, quota: items.at(-1)?.quota ?? 0 }, counter.used, settled.counter.used)
    if (settled.held !== held) await writeLease(trx, keyId, period, settled.held)
    return settled.accepted
  }

  return {
    /** First come, first served. Not to run twice at once in one process: it relies on `countOpen`. */
    reserve(items: readonly ReserveItem[], countOpen: CountOpen): Promise<Reserved[]> {
      // A power failure ends this process, and with it every reservation.
      return database.passing(async (trx) => {
        const period = (await statement.period(trx, {}))[0]?.period as string
        const results = items.map(() => ({ granted: false, period, used: 0 }))
        for (const group of groupByCounter(items.map(({ keyId }) => ({ keyId, period })))) {
          const members = group.map((index) => items[index] as ReserveItem)
          const open = countOpen(members[0]?.keyId ?? '', period)
          const { granted, used } = await reserveGroup(trx, period, members, open)
          const asking = group.filter((index) => items[index]?.asked === 1)
          for (const index of group) results[index] = { granted: false, period, used }
          for (const index of asking.slice(0, granted)) results[index] = { granted: true, period, used }
        }
        return results
      })
    },

    /** For each item, in order: whether it stands. */
    settle(items: readonly SettleItem[]): Promise<boolean[]> {
      return db.transaction().execute(async (trx) => {
        const results = items.map(() => false)
        for (const group of groupByCounter(items)) {
          const members = group.map((index) => items[index] as SettleItem)
          const { keyId, period } = members[0] as SettleItem
          const accepted = await settleGroup(trx, keyId, period, members)
          for (const [position, index] of group.entries()) results[index] = accepted[position] ?? false
        }
        return results
      })
    },
  }
}
