/** Public keys and receipts in the database. */
import type { PublicJwk } from '#base/dsse.ts'
import type { Database, Trx } from '#storage/database.ts'

export type ReceiptStore = ReturnType<typeof createReceiptStore>

export function createReceiptStore({ db, clock, audit }: Database) {
  return {
    /** Of a scan of this account. `isKnown`: there is such a scan. */
    async find(accountId: string, scanId: string) {
      return await db
        .selectFrom('scans')
        .leftJoin('scan_receipts', 'scan_receipts.scan_id', 'scans.id')
        .select(['kid', 'payload', 'signature', 'named_signature as namedSignature', 'file_name as fileName'])
        .where('scans.id', '=', scanId)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
    },

    /** Newest first. */
    keys: () =>
      db
        .selectFrom('receipt_keys')
        .select(['kid', 'jwk', 'since', 'until', 'revoked_at as revokedAt'])
        .orderBy('since', 'desc')
        .orderBy('kid')
        .execute(),

    /** From now on, this key signs. A key that is known stays as it is; others without an end get it now. */
    register: (kid: string, jwk: PublicJwk, outer?: Trx): Promise<boolean> =>
      audit.change(async (trx) => {
        const inserted = await trx
          .insertInto('receipt_keys')
          .values({ kid, jwk: JSON.stringify(jwk), since: clock.nowMs, until: null, revoked_at: null })
          .onConflict((conflict) => conflict.column('kid').doNothing())
          .returning('kid')
          .executeTakeFirst()
        if (!inserted) return false
        await trx
          .updateTable('receipt_keys')
          .set({ until: clock.nowMs })
          .where('kid', '<>', kid)
          .where('until', 'is', null)
          .execute()
        audit.note(trx, { event: 'receipt_key.added', accountId: null, subject: kid, actor: 'system' })
        return true
      }, outer),

    /** False if there is no such key. */
    revoke: (kid: string, sinceMs: number, outer?: Trx): Promise<boolean> =>
      audit.change(async (trx) => {
        const { numUpdatedRows } = await trx
          .updateTable('receipt_keys')
          .set({ revoked_at: sinceMs })
          .where('kid', '=', kid)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        audit.note(trx, { event: 'receipt_key.revoked', accountId: null, subject: kid, details: { sinceMs } })
        return true
      }, outer),
  }
}
