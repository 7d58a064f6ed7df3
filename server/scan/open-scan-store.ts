/** Scans that were accepted and have no verdict yet, in the database. */
import { sql } from 'kysely'
import type { Database } from '#storage/database.ts'
import { type Procedure, query } from '#storage/prepared.ts'
import type { Claim, NewScan } from './store.ts'

/** A process that did not renew it for so long is taken for dead. */
export const LEASE_MS = 30_000

export type OpenScanStore = ReturnType<typeof createOpenScanStore>

/** In the transaction that ends a scan; `problem` is the code of one that failed. */
type Announce = (scan: NewScan, problem: string | null) => Procedure<void>

export function createOpenScanStore({ db, clock, transact }: Database, announce: Announce) {
  const leaseEnd = (ms: number) => sql<number>`${clock.nowMs} + ${sql.lit(ms)}`

  return {
    /** With the answer for a repeated request, which is the scan itself until it has ended. */
    async open(scan: NewScan, claim: Claim | null, response: string, leaseMs: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('scans')
          .values({ ...scan, state: 'queued', problem: null, lease_until: leaseEnd(leaseMs) })
          .execute()
        if (claim === null) return
        await trx
          .updateTable('idempotency_keys')
          .set({ sha256: claim.identity ?? scan.sha256, response })
          .where('key_id', '=', claim.keyId)
          .where('hash', '=', claim.hash)
          .where('claim_id', '=', claim.id)
          .execute()
      })
    },

    /** False if another process gave it up. Locks it, so that none can until the end of the transaction. */
    *isOpen(scanId: string): Procedure<boolean> {
      const rows = yield* query(
        db
          .updateTable('scans')
          .set({ state: 'running' })
          .where('id', '=', scanId)
          .where('lease_until', 'is not', null)
          .returning('id'),
      )
      return rows.length > 0
    },

    /** After `isOpen`, in the same transaction. */
    *finish(row: NewScan): Procedure<void> {
      const { id, ...scan } = row
      yield* query(
        db
          .updateTable('scans')
          .set({ ...scan, state: null, problem: null, lease_until: null })
          .where('id', '=', id),
      )
      yield* announce(row, null)
    },

    /** Without a verdict: with an obstacle, or as failed. */
    async end(row: NewScan, problem: string | null): Promise<void> {
      const { id, ...scan } = row
      await transact(function* () {
        const ended = yield* query(
          db
            .updateTable('scans')
            .set({ ...scan, state: problem === null ? null : 'failed', problem, lease_until: null })
            .where('id', '=', id)
            .where('lease_until', 'is not', null)
            .returning('id'),
        )
        if (ended.length > 0) yield* announce(row, problem)
      })
    },

    /** Of a scan whose charge was reverted after it had been finished. */
    *revert({ id, ...scan }: NewScan, problem: string): Procedure<void> {
      yield* query(
        db
          .updateTable('scans')
          .set({ ...scan, state: 'failed', problem, lease_until: null })
          .where('id', '=', id),
      )
    },

    async renew(scanIds: readonly string[], leaseMs: number): Promise<void> {
      await db
        .updateTable('scans')
        .set({ lease_until: leaseEnd(leaseMs) })
        .where('id', 'in', scanIds)
        .where('lease_until', 'is not', null)
        .execute()
    },

    /** Ends the scans of dead processes; returns how many. */
    giveUp: (problem: string): Promise<number> =>
      transact(function* () {
        const lost = yield* query(
          db
            .updateTable('scans')
            .set((eb) => ({
              ...{ state: 'failed', problem, finished_at: eb.ref('lease_until').$notNull(), lease_until: null },
            }))
            .where('lease_until', '<', clock.nowMs)
            .returningAll(),
        )
        for (const scan of lost) yield* announce(scan, problem)
        return lost.length
      }),
  }
}
