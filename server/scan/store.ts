/** Scans in the database: a row per verdict, and the answers kept for repeated requests. */
import type { Transaction } from 'kysely'
import type { Database } from '#storage/database.ts'
import { prepare } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'

export interface ScanRecord {
  id: string
  keyId: string
  verdict: 'clean' | 'infected'
  threat: string | null
  engine: string | null
  path: readonly string[] | null
  sha256: string
  size: number
  type: string
  engines: readonly { name: string; version: string | null; signatures: string | null }[]
  startedAt: number
  finishedAt: number
}

/** A claim on an Idempotency-Key. */
export interface Claim {
  keyId: string
  hash: string
  id: string
}

export type Claimed = { state: 'ours' } | { state: 'running' } | { state: 'answered'; sha256: string; response: string }

export type ScanStore = ReturnType<typeof createScanStore>

export function createScanStore({ db, clock }: Database, replicaId: string) {
  const one = ({ keyId, hash }: Claim) => ({ key_id: keyId, hash })
  const ours = ({ id }: Claim) => ({ claim_id: id, replica_id: replicaId, claimed_at: clock.nowMs })
  const insert = prepare<Omit<ScanRecord, 'path' | 'engines'> & { path: string | null; engines: string }>((place) =>
    db.insertInto('scans').values({
      id: place('id'),
      key_id: place('keyId'),
      verdict: place('verdict'),
      threat: place('threat'),
      engine: place('engine'),
      path: place('path'),
      sha256: place('sha256'),
      size: place('size'),
      type: place('type'),
      engines: place('engines'),
      started_at: place('startedAt'),
      finished_at: place('finishedAt'),
    }),
  )

  return {
    /** Writes the record down, and the answer for a repeated request, as part of the transaction that charges. */
    async record(trx: Transaction<Tables>, scan: ScanRecord, claim: Claim | null, response: string): Promise<void> {
      await insert(trx, {
        ...scan,
        path: scan.path === null ? null : JSON.stringify(scan.path),
        engines: JSON.stringify(scan.engines),
      })
      if (claim === null) return
      await trx
        .updateTable('idempotency_keys')
        .set({ sha256: scan.sha256, response })
        .where((eb) => eb.and({ ...one(claim), claim_id: claim.id }))
        .execute()
    },

    /** Takes a record and its answer back: the charge did not stand, so the verdict was not given. */
    async unrecord(trx: Transaction<Tables>, scanId: string, claim: Claim | null): Promise<void> {
      await trx.deleteFrom('scans').where('id', '=', scanId).execute()
      if (claim === null) return
      await trx
        .deleteFrom('idempotency_keys')
        .where((eb) => eb.and({ ...one(claim), claim_id: claim.id }))
        .execute()
    },

    /**
     * Claims an Idempotency-Key, or tells what became of an earlier claim. One of a process that gives no sign of life
     * any more, or older than `staleMs`, is taken over.
     */
    async claim(claim: Claim, staleMs: number): Promise<Claimed> {
      return await db.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto('idempotency_keys')
          .values({ ...one(claim), ...ours(claim), sha256: null, response: null })
          .onConflict((conflict) => conflict.columns(['key_id', 'hash']).doNothing())
          .returning('claim_id')
          .executeTakeFirst()
        if (inserted) return { state: 'ours' }
        const taken = await trx
          .updateTable('idempotency_keys')
          .set(ours(claim))
          .where((eb) => eb.and(one(claim)))
          .where('response', 'is', null)
          .where((eb) =>
            eb.or([
              eb('claimed_at', '<', eb(clock.nowMs, '-', staleMs)),
              eb.and([
                eb('replica_id', '<>', replicaId),
                eb('replica_id', 'not in', eb.selectFrom('replicas').select('id')),
              ]),
            ]),
          )
          .returning('claim_id')
          .executeTakeFirst()
        if (taken) return { state: 'ours' }
        const found = await trx
          .selectFrom('idempotency_keys')
          .select(['sha256', 'response'])
          .where((eb) => eb.and(one(claim)))
          .executeTakeFirst()
        if (!found?.response || !found.sha256) return { state: 'running' }
        return { state: 'answered', sha256: found.sha256, response: found.response }
      })
    },

    /** Gives a claim up, so that the same request can be tried again. An answered one stays. */
    async abandon(claim: Claim): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where((eb) => eb.and({ ...one(claim), claim_id: claim.id }))
        .where('response', 'is', null)
        .execute()
    },

    async forgetClaims(olderThanMs: number): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where('claimed_at', '<', (eb) => eb(clock.nowMs, '-', olderThanMs))
        .execute()
    },
  }
}
