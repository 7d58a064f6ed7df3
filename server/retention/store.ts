/** Deletes old rows, some per statement, so that others need not wait long for their locks. */
import { firstIdAt } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'

const DELETE_MAX = 500

/** Deletes some rows from before `endMs`. False when none is left. */
type DeleteOlder = (endMs: number) => Promise<boolean>

export type RetentionStore = ReturnType<typeof createRetentionStore>

const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'yyyy-mm'.length)
const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length)
const isMore = ({ numDeletedRows }: { numDeletedRows: bigint }): boolean => numDeletedRows === BigInt(DELETE_MAX)

export function createRetentionStore({ db, clock, audit }: Database) {
  const auditLog: DeleteOlder = (endMs) => audit.prune(endMs, DELETE_MAX)

  /** Of whole months, so that the ledger of a month is complete or gone. */
  const ledger: DeleteOlder = async (endMs) => {
    const old = db
      .selectFrom('usage_ledger')
      .select('scan_id')
      .where('scan_id', '<', firstIdAt(endMs))
      .where('period', '<', monthOf(endMs))
      .orderBy('scan_id')
      .limit(DELETE_MAX)
    return isMore(await db.deleteFrom('usage_ledger').where('scan_id', 'in', old).executeTakeFirst())
  }

  const usageNotices: DeleteOlder = async (endMs) => {
    await db.deleteFrom('usage_notices').where('period', '<', monthOf(endMs)).execute()
    return false
  }

  /** Events whose answer the marketplace does not have are kept. */
  const marketplaceEvents: DeleteOlder = async (endMs) => {
    const old = db
      .selectFrom('marketplace_events')
      .select('id')
      .where('id', '<', firstIdAt(endMs))
      .where('answer', 'is', null)
      .orderBy('id')
      .limit(DELETE_MAX)
    return isMore(await db.deleteFrom('marketplace_events').where('id', 'in', old).executeTakeFirst())
  }

  const invites: DeleteOlder = async (endMs) => {
    await db.deleteFrom('invites').where('expires_at', '<', endMs).execute()
    return false
  }

  const chatDays: DeleteOlder = async (endMs) => {
    await db.deleteFrom('chat_days').where('day', '<', dayOf(endMs)).execute()
    return false
  }

  return {
    auditLog,
    ledger,
    usageNotices,
    marketplaceEvents,
    invites,
    chatDays,
    /** The clock of the database: a process whose own clock is wrong must not delete what is new. */
    nowMs: async (): Promise<number> => (await db.selectNoFrom(clock.nowMs.as('now')).executeTakeFirstOrThrow()).now,
  }
}
