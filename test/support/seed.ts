/** A database with accounts and keys, for tests above the stores. */
import { createAccountStore } from '#accounts/store.ts'
import { newId } from '#base/ids.ts'
import { createLog, type Log } from '#base/log.ts'
import { mint } from '#keys/key.ts'
import { createKeyStore } from '#keys/store.ts'
import { type Database, openDatabase } from '#storage/database.ts'
import type { DatabasePlace } from '#test/support/suite.ts'

export const quietLog: Log = createLog({ level: 'silent' })

export const openPlace = ({ url, dataDir }: Pick<DatabasePlace, 'url' | 'dataDir'>): Promise<Database> =>
  openDatabase({ databaseUrl: url, dataDir, log: quietLog })

export async function seedAccount(database: Database, plan = 'free'): Promise<string> {
  const id = newId()
  const email = `${id}@example.com`
  await createAccountStore(database).create({ id, email, emailKey: email, plan }, async () => {})
  return id
}

export async function seedKey(database: Database, accountId?: string): Promise<string> {
  const owner = accountId ?? (await seedAccount(database))
  const id = newId()
  const { secret: _shown, ...kept } = mint()
  await createKeyStore(database).insertBelow(1_000, { id, accountId: owner, name: 'Test', ...kept })
  return id
}

/** Counter, leases and ledger of one key. */
export async function usageState({ db }: Database, keyId: string) {
  const counters = await db.selectFrom('usage_counters').selectAll().where('key_id', '=', keyId).execute()
  const leases = await db.selectFrom('usage_leases').select('held').where('key_id', '=', keyId).execute()
  const ledger = await db.selectFrom('usage_ledger').select('scan_id').where('key_id', '=', keyId).execute()
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0)
  return {
    used: sum(counters.map((row) => row.used)),
    reserved: sum(counters.map((row) => row.reserved)),
    held: sum(leases.map((row) => row.held)),
    ledger: ledger.length,
  }
}
