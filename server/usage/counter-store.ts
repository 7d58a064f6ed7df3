/** Counters, the leases of this replica on them, and the ledger of charges. Prepared, because every scan needs them. */
import type { Database, Trx } from '#storage/database.ts'
import { type Place, prepare } from '#storage/prepared.ts'
import type { Counter } from './quota.ts'

export interface CounterKey {
  keyId: string
  period: string
}

export function createCounterStore({ db, clock, kind }: Database, replicaId: string) {
  const keyOf = (place: Place<CounterKey>) => ({ key_id: place('keyId'), period: place('period') })
  const leaseOf = (place: Place<CounterKey>) => ({ replica_id: replicaId, ...keyOf(place) })

  const readPeriod = prepare<object, { period: string }>(() => db.selectNoFrom(clock.period.as('period')))
  const readCounter = prepare<CounterKey, Counter>((place) =>
    db
      .selectFrom('usage_counters')
      .select(['used', 'reserved'])
      .where((eb) => eb.and(keyOf(place)))
      // SQLite has locked the database since `begin immediate`.
      .$if(kind === 'postgres', (query) => query.forUpdate()),
  )
  const createCounter = prepare<CounterKey>((place) =>
    db
      .insertInto('usage_counters')
      .values({ ...keyOf(place), used: 0, reserved: 0 })
      .onConflict((conflict) => conflict.doNothing()),
  )
  const write = prepare<CounterKey & Counter>((place) =>
    db
      .updateTable('usage_counters')
      .set({ used: place('used'), reserved: place('reserved') })
      .where((eb) => eb.and(keyOf(place))),
  )
  const readLease = prepare<CounterKey, { held: number }>((place) =>
    db
      .selectFrom('usage_leases')
      .select('held')
      .where((eb) => eb.and(leaseOf(place))),
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
    write,
    addCharge,

    async currentPeriod(on: Database['db']): Promise<string> {
      return (await readPeriod(on, {}))[0]?.period as string
    },

    /** Created if it is missing, and locked until the end of the transaction. */
    async lock(trx: Trx, key: CounterKey): Promise<Counter> {
      const [found] = await readCounter(trx, key)
      if (found) return found
      await createCounter(trx, key)
      return (await readCounter(trx, key))[0] as Counter
    },

    async readHeld(trx: Trx, key: CounterKey): Promise<number> {
      return (await readLease(trx, key))[0]?.held ?? 0
    },

    async writeHeld(trx: Trx, key: CounterKey, held: number): Promise<void> {
      if (held === 0) await deleteLease(trx, key)
      else await writeLease(trx, { ...key, held })
    },
  }
}
