/** Signs of life of the running processes, and what the dead ones left reserved. */
import type { Database } from '#storage/database.ts'

export type ReplicaStore = ReturnType<typeof createReplicaStore>

export function createReplicaStore({ db, clock }: Database, replicaId: string) {
  return {
    async beat(): Promise<void> {
      await db
        .insertInto('replicas')
        .values({ id: replicaId, seen_at: clock.nowMs })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: clock.nowMs }))
        .execute()
    },

    async leave(): Promise<void> {
      await db.deleteFrom('replicas').where('id', '=', replicaId).execute()
    },

    /** Gives back what replicas hold that were silent for `silentMs`; returns how many reservations that freed. */
    async sweep(silentMs: number): Promise<number> {
      await db
        .deleteFrom('replicas')
        .where('seen_at', '<', (eb) => eb(clock.nowMs, '-', silentMs))
        .execute()
      const orphans = await db
        .selectFrom('usage_leases')
        .select(['replica_id', 'key_id', 'period'])
        .where('replica_id', 'not in', (eb) => eb.selectFrom('replicas').select('id'))
        .execute()
      let freed = 0
      for (const orphan of orphans) freed += await freeLease(orphan)
      return freed
    },
  }

  function freeLease(lease: { replica_id: string; key_id: string; period: string }): Promise<number> {
    return db.transaction().execute(async (trx) => {
      const ofCounter = { key_id: lease.key_id, period: lease.period }
      // Takes the counter's lock before the lease's, as everyone does.
      await trx
        .updateTable('usage_counters')
        .set({ period: lease.period })
        .where((eb) => eb.and(ofCounter))
        .execute()
      const gone = await trx
        .deleteFrom('usage_leases')
        .where((eb) => eb.and(lease))
        .returning('held')
        .executeTakeFirst()
      if (!gone) return 0
      await trx
        .updateTable('usage_counters')
        .set((eb) => ({ reserved: eb('reserved', '-', gone.held) }))
        .where((eb) => eb.and(ofCounter))
        .execute()
      return gone.held
    })
  }
}
