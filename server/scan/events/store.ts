/** Scans that have ended, in that order, for collectors of events. */
import type { ScanRow } from '#scan/store.ts'
import type { Database } from '#storage/database.ts'

/** After which scan to go on. */
export interface Position {
  finishedAt: number
  id: string
}

export type EventStore = ReturnType<typeof createEventStore>

export function createEventStore({ db, clock }: Database) {
  /**
   * Until when all scans are stored. A verdict is stored up to `lagMs` after its time, and a scan that was given up gets the
   * time at which its lease ended.
   */
  async function endOf(lagMs: number): Promise<number> {
    const { now, lease } = await db
      .selectNoFrom((eb) => [
        clock.nowMs.as('now'),
        eb
          .selectFrom('scans')
          .select((inner) => inner.fn.min('lease_until').as('lease'))
          .where('lease_until', 'is not', null)
          .as('lease'),
      ])
      .executeTakeFirstOrThrow()
    return Math.min(Number(now) - lagMs, lease === null ? Number.POSITIVE_INFINITY : Number(lease))
  }

  return {
    endOf,

    /** Of all accounts, in the order of their ids, those that ended in a period. */
    window: ({ since, until }: { since: number; until: number }, afterId: string, count: number): Promise<ScanRow[]> =>
      db
        .selectFrom('scans')
        .selectAll()
        .where('id', '>', afterId)
        .where('lease_until', 'is', null)
        .where('finished_at', '>=', since)
        .where('finished_at', '<', until)
        .orderBy('id')
        .limit(count)
        .execute(),

    /** The oldest first. */
    async list(accountId: string, after: Position, count: number, lagMs: number): Promise<ScanRow[]> {
      const end = await endOf(lagMs)
      return await db
        .selectFrom('scans')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('lease_until', 'is', null)
        .where('finished_at', '<', end)
        .where((eb) => eb(eb.refTuple('finished_at', 'id'), '>', eb.tuple(after.finishedAt, after.id)))
        .orderBy('finished_at')
        .orderBy('id')
        .limit(count)
        .execute()
    },
  }
}
