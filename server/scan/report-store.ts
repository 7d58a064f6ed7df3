/** Reports of scans in the database. Ids are UUIDv7, so their order is that of time. */
import { firstIdAt } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { ScanRow } from './store.ts'

/** Rows per statement, so that scans need not wait long for it. */
const DELETE_MAX = 500
/** Longer than any scan. */
const ORPHAN_MS = 24 * 60 * 60 * 1_000

interface ReportFilter {
  verdict?: ScanRow['verdict'] | undefined
  keyId?: string | undefined
  threat?: string | undefined
  sha256?: string | undefined
  /** Milliseconds since 1970. */
  from?: number | undefined
  to?: number | undefined
  /** Only reports older than the one with this id. */
  before?: string | undefined
}

export type ReportStore = ReturnType<typeof createReportStore>

export function createReportStore({ db, clock }: Database) {
  const ofAccount = (accountId: string) => db.selectFrom('scans').selectAll().where('account_id', '=', accountId)

  return {
    find: (accountId: string, scanId: string): Promise<ScanRow | undefined> =>
      ofAccount(accountId).where('id', '=', scanId).executeTakeFirst(),

    list(accountId: string, filter: ReportFilter, count: number): Promise<ScanRow[]> {
      const { verdict, keyId, threat, sha256, from, to, before } = filter
      return ofAccount(accountId)
        .$if(verdict !== undefined, (query) => query.where('verdict', '=', verdict as ScanRow['verdict']))
        .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId as string))
        .$if(threat !== undefined, (query) => query.where('threat', '=', threat as string))
        .$if(sha256 !== undefined, (query) => query.where('sha256', '=', sha256 as string))
        .$if(from !== undefined, (query) => query.where('finished_at', '>=', from as number))
        .$if(to !== undefined, (query) => query.where('finished_at', '<', to as number))
        .$if(before !== undefined, (query) => query.where('id', '<', before as string))
        .orderBy('id', 'desc')
        .limit(count)
        .execute()
    },

    /** Deletes some of the reports from before `endMs`. False when none is left. */
    async deleteOlder(endMs: number): Promise<boolean> {
      const oldest = db
        .selectFrom('scans')
        .select('id')
        .where('id', '<', firstIdAt(endMs))
        .orderBy('id')
        .limit(DELETE_MAX)
      const { numDeletedRows } = await db.deleteFrom('scans').where('id', 'in', oldest).executeTakeFirst()
      return numDeletedRows === BigInt(DELETE_MAX)
    },

    /** With the answers of idempotent requests, which contain file names. */
    async erase(trx: Trx, accountId: string, keyIds: readonly string[]): Promise<void> {
      await trx.deleteFrom('scans').where('account_id', '=', accountId).execute()
      if (keyIds.length > 0) await trx.deleteFrom('idempotency_keys').where('key_id', 'in', keyIds).execute()
    },

    /** Scans that were in progress when their account was deleted. */
    async deleteOrphaned(): Promise<void> {
      const erased = db
        .selectFrom('accounts')
        .select('id')
        .where('erased_at', '>', (eb) => eb(clock.nowMs, '-', ORPHAN_MS))
      await db.deleteFrom('scans').where('account_id', 'in', erased).execute()
    },
  }
}
