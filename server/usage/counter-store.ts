/** Counters, the leases of this replica on them, and the ledger of charges. Prepared, because every scan needs them. */
import type { Database } from '#storage/database.ts'
import { type Place, type Procedure, prepare, prepareMany } from '#storage/prepared.ts'
import type { Counter } from './quota.ts'

export interface CounterKey {
  keyId: string
  period: string
}

/** A counter under its lock, with the lease of this replica on it. */
export interface Locked extends CounterKey, Counter {
  held: number
  nowMs: number
  /** JSON: charged scans by day of the month. */
  days: string | null
}

const nameOf = ({ keyId, period }: CounterKey): string => `${keyId} ${period}`

/** All replicas lock in this order, and a counter before its lease: no deadlocks. */
export function groupByCounter<Item extends CounterKey>(items: readonly Item[]): Item[][] {
  return [...Map.groupBy(items, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group)
}

export function createCounterStore({ db, clock }: Database, replicaId: string) {
  const keyOf = (place: Place<CounterKey>) => ({ key_id: place('keyId'), period: place('period') })
  const leaseOf = (place: Place<CounterKey>) => ({ replica_id: replicaId, ...keyOf(place) })

  const readPeriod = prepare<object, { period: string }>(() => db.selectNoFrom(clock.period.as('period')))
  /** In the order of the rows. An update without effect locks on PostgreSQL; SQLite has locked the database since `begin immediate`. */
  const lockCounters = prepareMany<CounterKey>((places) =>
    db
      .insertInto('usage_counters')
      .values(places.map((place) => ({ ...keyOf(place), used: 0, reserved: 0, days: null })))
      .onConflict((conflict) =>
        conflict
          .columns(['key_id', 'period'])
          .doUpdateSet({ used: 0 })
          .where((eb) => eb.lit(false)),
      ),
  )
  /** After the lock: PostgreSQL would read leases as of before it waited. */
  const readCounters = prepareMany<CounterKey, Locked>((places) =>
    db
      .selectFrom('usage_counters')
      .leftJoin('usage_leases', (join) =>
        join
          .onRef('usage_leases.key_id', '=', 'usage_counters.key_id')
          .onRef('usage_leases.period', '=', 'usage_counters.period')
          .on('usage_leases.replica_id', '=', replicaId),
      )
      .select(['usage_counters.key_id as keyId', 'usage_counters.period', 'used', 'reserved', 'days'])
      .select(({ fn, lit }) => [fn.coalesce('held', lit(0)).as('held'), clock.nowMs.as('nowMs')])
      .where((eb) =>
        eb.or(
          places.map((place) =>
            eb.and({ 'usage_counters.key_id': place('keyId'), 'usage_counters.period': place('period') }),
          ),
        ),
      ),
  )
  const write = prepareMany<CounterKey & Counter & Pick<Locked, 'days'>>((places) =>
    db
      .insertInto('usage_counters')
      .values(
        places.map((place) => ({
          ...{ ...keyOf(place), used: place('used'), reserved: place('reserved'), days: place('days') },
        })),
      )
      .onConflict((conflict) =>
        conflict.columns(['key_id', 'period']).doUpdateSet(({ ref }) => ({
          ...{ used: ref('excluded.used'), reserved: ref('excluded.reserved'), days: ref('excluded.days') },
        })),
      ),
  )
  const writeLeases = prepareMany<CounterKey & { held: number }>((places) =>
    db
      .insertInto('usage_leases')
      .values(places.map((place) => ({ ...leaseOf(place), held: place('held') })))
      .onConflict((conflict) =>
        conflict.columns(['replica_id', 'key_id', 'period']).doUpdateSet(({ ref }) => ({ held: ref('excluded.held') })),
      ),
  )
  const deleteLeases = prepareMany<CounterKey>((places) =>
    db.deleteFrom('usage_leases').where((eb) => eb.or(places.map((place) => eb.and(leaseOf(place))))),
  )
  const addCharges = prepareMany<CounterKey & { scanId: string | null }>((places) =>
    db
      .insertInto('usage_ledger')
      .values(
        places.map((place) => ({ scan_id: place('scanId').$notNull(), ...keyOf(place), charged_at: clock.nowMs })),
      ),
  )

  return {
    write,
    addCharges,
    currentPeriod: async () => (await readPeriod(db, {}))[0]?.period as string,

    *readPeriod(): Procedure<string> {
      return (yield* readPeriod.step({}))[0]?.period as string
    },

    /** Created if they are missing, and locked until the end of the transaction. */
    *lock(keys: readonly CounterKey[]): Procedure<(key: CounterKey) => Locked> {
      const inOrder = groupByCounter(keys).map(([key]) => key as CounterKey)
      yield* lockCounters(inOrder)
      const found = new Map((yield* readCounters(inOrder)).map((counter) => [nameOf(counter), counter]))
      return (key) => found.get(nameOf(key)) as Locked
    },

    *writeHeld(leases: readonly (CounterKey & { held: number })[]): Procedure<void> {
      yield* deleteLeases(leases.filter(({ held }) => held === 0))
      yield* writeLeases(leases.filter(({ held }) => held !== 0))
    },
  }
}
