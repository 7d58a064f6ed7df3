import type { Trx } from './database.ts'

/** Locks the account until the transaction ends, so that requests at the same time do not exceed a limit together. */
export async function lockAccount(trx: Trx, accountId: string): Promise<void> {
  await trx
    .updateTable('accounts')
    .set((eb) => ({ id: eb.ref('id') }))
    .where('id', '=', accountId)
    .execute()
}
