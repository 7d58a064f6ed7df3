/** Counters, the leases of this replica on them, and the ledger of charges. Prepared, because every scan needs them. */
import type { Database } from '#storage/database.ts'
import { type Place, type Procedure, prepare } from '#storage/prepared.ts'
import type { Counter } from './quota.ts'

export interface CounterKey {
  keyId: string
  period: string
}

/** A counter under its lock, with the lease of this replica on it. */
interface Locked extends Counter {
  held: number
  nowMs: number
  /** JSON: charged scans by day of the month. */
  days: string | null
}

export function createCounterStore({ db, clock, kind }: Database, replicaId: string) {
  const isSqlite = kind === 'sqlite'
  const keyOf = (place: Place<CounterKey>) => ({ key_id: place('keyId'), period: place('period') })
  const leaseOf = (place: Place<CounterKey>) => ({ replica_id: replicaId, ...keyOf(place) })

  const readPeriod = prepare<object, { period: string }>(() => db.selectNoFrom(clock.period.as('period')))
  const heldBy = (place: Place<CounterKey>) =>
    db
      .selectFrom('usage_leases')
      .select('held')
      .where((eb) => eb.and(leaseOf(place)))
  const readHeld = prepare<CounterKey, { held: number }>(heldBy)
  const readCounter = prepare<CounterKey, Locked>((place) =>
    db
      .selectFrom('usage_counters')
      .select(['used', 'reserved', 'days', clock.nowMs.as('nowMs')])
      .select(({ fn, lit }) => (isSqlite ? fn.coalesce(heldBy(place), lit(0)) : lit(0)).as('held'))
      .where((eb) => eb.and(keyOf(place)))
      // SQLite has locked the database since `begin immediate`.
      .$if(!isSqlite, (query) => query.forUpdate()),
  )
  const createCounter = prepare<CounterKey>((place) =>
    db
      .insertInto('usage_counters')
      .values({ ...keyOf(place), used: 0, reserved: 0, days: null })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const write = prepare<CounterKey & Counter>((place) =>
    db
      .updateTable('usage_counters')
      .set({ used: place('used'), reserved: place('reserved') })
      .where((eb) => eb.and(keyOf(place))),
  )
  const writeWithDays = prepare<CounterKey & Counter & { days: string }>((place) =>
    db
      .updateTable('usage_counters')
      .set({ used: place('used'), reserved: place('reserved'), days: place('days') })
      .where((eb) => eb.and(keyOf(place))),
  )
  const writeLease = prepare<CounterKey & { held: number }>((place) =>
    db
      .insertInto('usage_leases')
      .values({ ...leaseOf(place), held: place('held') })
      .onConflict((conflict) =>
        conflict.columns(['replica_id', 'key_id', 'period']).doUpdateSet({ held: place('held') }),
      ),
  )
  const deleteLease = prepare<CounterKey>((place) =>
    db.deleteFrom('usage_leases').where((eb) => eb.and(leaseOf(place))),
  )
  const addCharge = prepare<CounterKey & { scanId: string }>((place) =>
    db.insertInto('usage_ledger').values({ scan_id: place('scanId'), ...keyOf(place), charged_at: clock.nowMs }),
  )

  return {
    write: write.step,
    writeWithDays: writeWithDays.step,
    addCharge: addCharge.step,
    currentPeriod: async () => (await readPeriod(db, {}))[0]?.period as string,

    *readPeriod(): Procedure<string> {
      return (yield* readPeriod.step({}))[0]?.period as string
    },

    /** Created if it is missing, and locked until the end of the transaction. */
    *lock(key: CounterKey): Procedure<Locked> {
      let [found] = yield* readCounter.step(key)
      if (!found) {
        yield* createCounter.step(key)
        found = (yield* readCounter.step(key))[0] as Locked
      }
      // PostgreSQL would read the lease as of before it waited for the lock.
      return isSqlite ? found : { ...found, held: (yield* readHeld.step(key))[0]?.held ?? 0 }
    },

    *writeHeld(key: CounterKey, held: number): Procedure<void> {
      if (held === 0) yield* deleteLease.step(key)
      else yield* writeLease.step({ ...key, held })
    },
  }
}
