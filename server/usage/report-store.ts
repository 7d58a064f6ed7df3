/** Reads usage. What is written, and the locks for it, are in the store. */
import type { Database } from '#storage/database.ts'

export type ReportStore = ReturnType<typeof createReportStore>

export function createReportStore({ db, clock }: Database) {
  return {
    /** This month's use of each of these keys. */
    async readKeys(keyIds: readonly string[]): Promise<Map<string, { period: string; used: number }>> {
      const rows = await db
        .selectFrom('api_keys')
        .leftJoin('usage_counters', (join) =>
          join.onRef('usage_counters.key_id', '=', 'api_keys.id').on('usage_counters.period', '=', clock.period),
        )
        .select(['api_keys.id', 'usage_counters.used', clock.period.as('period')])
        .where('api_keys.id', 'in', keyIds)
        .execute()
      return new Map(rows.map(({ id, used, period }) => [id, { period, used: used ?? 0 }]))
    },

    /** This month's use of every key of an account. */
    async readAccount(accountId: string): Promise<{ period: string; keys: { used: number; active: boolean }[] }> {
      const { period } = await db.selectNoFrom(clock.period.as('period')).executeTakeFirstOrThrow()
      const rows = await db
        .selectFrom('api_keys')
        .leftJoin('usage_counters', (join) =>
          join.onRef('usage_counters.key_id', '=', 'api_keys.id').on('usage_counters.period', '=', period),
        )
        .select(['usage_counters.used', 'api_keys.revoked_at'])
        .where('api_keys.account_id', '=', accountId)
        .execute()
      return { period, keys: rows.map((row) => ({ used: row.used ?? 0, active: row.revoked_at === null })) }
    },
  }
}
