/** The allow lists in the database. */
import type { Database, Trx } from '#storage/database.ts'
import { lockAccount } from '#storage/lock-account.ts'

/** Documents on the list of one account. */
export const ALLOWED_MAX = 10_000

/** Facts at the time when the document was allowed. */
export interface Allowing {
  note: string | null
  allowedBy: string | null
  /** Of the newest scan that found a threat in it. */
  scanId: string | null
  fileName: string | null
  threat: string | null
}

interface AllowedDocument extends Allowing {
  sha256: string
  createdAt: number
}

/** The last entry of a page. */
export type Position = Pick<AllowedDocument, 'createdAt' | 'sha256'>

export type AllowedStore = ReturnType<typeof createAllowedStore>

export function createAllowedStore({ db, clock, audit }: Database) {
  const columns = [
    'sha256',
    'note',
    'created_at as createdAt',
    'allowed_by as allowedBy',
    'scan_id as scanId',
    'file_name as fileName',
    'threat',
  ] as const
  const ofAccount = (accountId: string) =>
    db.selectFrom('allowed_documents').select(columns).where('account_id', '=', accountId)

  /** An idempotent request that is repeated gets a new verdict instead of the stored one. */
  async function forgetAnswers(trx: Trx, accountId: string, sha256: string): Promise<void> {
    const keys = trx.selectFrom('api_keys').select('id').where('account_id', '=', accountId)
    await trx
      .deleteFrom('idempotency_keys')
      .where('key_id', 'in', keys)
      .where((eb) => eb.or([eb('sha256', '=', sha256), eb('document', '=', sha256)]))
      .execute()
  }

  return {
    find: (accountId: string, sha256: string): Promise<AllowedDocument | undefined> =>
      ofAccount(accountId).where('sha256', '=', sha256).executeTakeFirst(),

    /** Newest first. */
    list: (accountId: string, count: number, after?: Position): Promise<AllowedDocument[]> =>
      ofAccount(accountId)
        .$if(after !== undefined, (query) =>
          query.where((eb) => {
            const { createdAt, sha256 } = after as Position
            const later = eb.and([eb('created_at', '=', createdAt), eb('sha256', '>', sha256)])
            return eb.or([eb('created_at', '<', createdAt), later])
          }),
        )
        .orderBy('created_at', 'desc')
        .orderBy('sha256')
        .limit(count)
        .execute(),

    /** Null when the list is full. */
    async put(accountId: string, sha256: string, allowing: Allowing): Promise<AllowedDocument | null> {
      const { note, allowedBy, scanId, fileName, threat } = allowing
      const details = { allowed_by: allowedBy, scan_id: scanId, file_name: fileName, threat }
      return await audit.change(async (trx) => {
        await lockAccount(trx, accountId)
        const { count } = await trx
          .selectFrom('allowed_documents')
          .select((eb) => eb.fn.countAll<number | string>().as('count'))
          .where('account_id', '=', accountId)
          .where('sha256', '<>', sha256)
          .executeTakeFirstOrThrow()
        if (Number(count) >= ALLOWED_MAX) return null
        await forgetAnswers(trx, accountId, sha256)
        audit.note(trx, { event: 'allowed.added', accountId, subject: sha256 })
        return await trx
          .insertInto('allowed_documents')
          .values({ account_id: accountId, sha256, note, created_at: clock.nowMs, ...details })
          .onConflict((conflict) => conflict.columns(['account_id', 'sha256']).doUpdateSet({ note, ...details }))
          .returning(columns)
          .executeTakeFirstOrThrow()
      })
    },

    /** False when it is not on the list. */
    async delete(accountId: string, sha256: string): Promise<boolean> {
      return await audit.change(async (trx) => {
        const { numDeletedRows } = await trx
          .deleteFrom('allowed_documents')
          .where('account_id', '=', accountId)
          .where('sha256', '=', sha256)
          .executeTakeFirst()
        await forgetAnswers(trx, accountId, sha256)
        if (numDeletedRows > 0n) audit.note(trx, { event: 'allowed.removed', accountId, subject: sha256 })
        return numDeletedRows > 0n
      })
    },

    /** The name of a person in the lists of others. */
    async forget(trx: Trx, email: string): Promise<void> {
      await trx.updateTable('allowed_documents').set({ allowed_by: null }).where('allowed_by', '=', email).execute()
    },

    async erase(trx: Trx, accountId: string): Promise<void> {
      await trx.deleteFrom('allowed_documents').where('account_id', '=', accountId).execute()
    },
  }
}
