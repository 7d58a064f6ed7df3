/** Heartbeats of the running processes, and the reservations that dead ones left. */
import type { Log } from '#base/log.ts'
import type { Database } from '#storage/database.ts'
import { QUEUE_HOLDER } from './store.ts'

const BEAT_EVERY_MS = 10_000
/** Six missed beats: survives a paused machine, and returns quota soon enough. */
const SILENT_MS = 60_000

type ReplicaStore = ReturnType<typeof createReplicaStore>

export function createReplicaStore({ db, clock }: Database, replicaId: string) {
  function releaseLease(lease: { replica_id: string; key_id: string; period: string }): Promise<number> {
    const counter = { key_id: lease.key_id, period: lease.period }
    return db.transaction().execute(async (trx) => {
      // A write that changes nothing locks the counter before its lease, as everywhere.
      await trx
        .updateTable('usage_counters')
        .set({ period: lease.period })
        .where((eb) => eb.and(counter))
        .execute()
      const deleted = await trx
        .deleteFrom('usage_leases')
        .where((eb) => eb.and(lease))
        .returning('held')
        .executeTakeFirst()
      if (!deleted) return 0
      await trx
        .updateTable('usage_counters')
        .set((eb) => ({ reserved: eb('reserved', '-', deleted.held) }))
        .where((eb) => eb.and(counter))
        .execute()
      return deleted.held
    })
  }

  return {
    async beat(): Promise<void> {
      await db
        .insertInto('replicas')
        .values({ id: replicaId, seen_at: clock.nowMs })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: clock.nowMs }))
        .execute()
    },

    async deregister(): Promise<void> {
      await db.deleteFrom('replicas').where('id', '=', replicaId).execute()
    },

    /** Releases what replicas hold that were silent for `silentMs`; returns the number of reservations. */
    async sweep(silentMs: number): Promise<number> {
      await db
        .deleteFrom('replicas')
        .where('seen_at', '<', (eb) => eb(clock.nowMs, '-', silentMs))
        .execute()
      const orphans = await db
        .selectFrom('usage_leases')
        .select(['replica_id', 'key_id', 'period'])
        .where('replica_id', 'not in', (eb) => eb.selectFrom('replicas').select('id'))
        .where('replica_id', '<>', QUEUE_HOLDER)
        .execute()
      let released = 0
      for (const orphan of orphans) released += await releaseLease(orphan)
      return released
    },
  }
}

/** Sends the heartbeat of this process, and releases the reservations of dead ones. */
export async function startSweeper(store: ReplicaStore, settleOwed: () => Promise<void>, log: Log) {
  async function sweep(): Promise<void> {
    try {
      await store.beat()
      await settleOwed()
      const released = await store.sweep(SILENT_MS)
      if (released > 0) log.info({ released }, 'Released reservations of dead replicas')
    } catch (error) {
      log.warn({ err: error }, 'Sweep of reservations failed; will retry')
    }
  }

  // Before the first reservation, or another process could take ours for an orphan.
  await store.beat()
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(sweep)
  }, BEAT_EVERY_MS)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      await running
      await settleOwed()
      await store.deregister().catch((error) => log.warn({ err: error }, 'Failed to deregister replica'))
    },
  }
}
