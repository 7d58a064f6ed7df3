/** Reports of scans in the database. Ids are UUIDv7, so their order is that of time. */
import { type ExpressionBuilder, sql } from 'kysely'
import { firstIdAt } from '#base/ids.ts'
import type { Database, Trx } from '#storage/database.ts'
import { deleteAll } from '#storage/delete-all.ts'
import type { ScanState } from './report-schema.ts'
import type { ScanRow } from './store.ts'

/** Rows per statement, so that scans need not wait long for it. */
const DELETE_MAX = 500
/** Longer than any scan. */
const ORPHAN_MS = 24 * 60 * 60 * 1_000

/** Longer than any upload and scan: what the time in an id can differ from that of the report. */
const ID_TIME_MS = 10 * 60 * 1_000

interface ReportFilter {
  /** `refused` only if that is final. */
  verdict?: ScanRow['verdict'] | undefined
  state?: ScanState | undefined
  keyId?: string | undefined
  threat?: string | undefined
  sha256?: string | undefined
  /** Part of the file name. */
  name?: string | undefined
  /** Milliseconds since 1970. */
  from?: number | undefined
  to?: number | undefined
}

interface Part {
  rows: ScanRow[]
  /** The oldest report that was read; null if there is none before it. */
  reached: string | null
}

/** In any case. SQLite knows the case of ASCII only, so the usual spellings of other letters are tried. */
function isNamed(name: string) {
  const lower = name.toLowerCase()
  const spellings = new Set([name, lower, name.toUpperCase(), lower.replace(/^./u, (letter) => letter.toUpperCase())])
  const patterns = Array.from(spellings, (each) => `%${each.replaceAll(/[\\%_]/g, '\\$&')}%`)
  return (eb: ExpressionBuilder<{ candidates: ScanRow }, 'candidates'>) =>
    eb.or(patterns.map((pattern) => sql<boolean>`lower(file_name) like lower(${pattern}) escape '\\'`))
}

export type ReportStore = ReturnType<typeof createReportStore>

export function createReportStore({ db, clock }: Database) {
  const ofAccount = (accountId: string) => db.selectFrom('scans').where('account_id', '=', accountId)

  /** All reports that a filter can match, as far as an index tells, newest first. */
  function candidates(
    accountId: string,
    { verdict, state, threat, from, to }: ReportFilter,
    before: string | undefined,
  ) {
    const isRare =
      threat !== undefined ||
      (verdict !== undefined && verdict !== 'clean') ||
      (state !== undefined && state !== 'done')
    return (
      ofAccount(accountId)
        // In these words, or the planner does not know that the partial index is enough.
        .$if(isRare, (query) => query.where('verdict', '<>', sql.lit('clean')))
        .$if(from !== undefined, (query) => query.where('id', '>=', firstIdAt((from as number) - ID_TIME_MS)))
        .$if(to !== undefined, (query) => query.where('id', '<', firstIdAt((to as number) + ID_TIME_MS)))
        .$if(before !== undefined, (query) => query.where('id', '<', before as string))
        .orderBy('id', 'desc')
    )
  }

  return {
    find: (accountId: string, scanId: string): Promise<ScanRow | undefined> =>
      ofAccount(accountId).selectAll().where('id', '=', scanId).executeTakeFirst(),

    /** At most `count` reports before the one with the id `before`, out of at most `readMax`. */
    async list(
      accountId: string,
      filter: ReportFilter,
      { before, count, readMax }: { before?: string | undefined; count: number; readMax: number },
    ): Promise<Part> {
      const { verdict, state, keyId, threat, sha256, name, from, to } = filter
      const all = candidates(accountId, filter, before)
      const rows = await db
        .selectFrom(all.selectAll().limit(readMax).as('candidates'))
        .selectAll()
        .$if(verdict !== undefined, (query) => query.where('verdict', '=', verdict as ScanRow['verdict']))
        .$if(verdict === 'refused' || state === 'refused', (query) =>
          query.where('verdict', '=', 'refused').where('state', 'is', null),
        )
        .$if(state === 'done', (query) => query.where('verdict', '<>', 'refused'))
        .$if(state === 'queued' || state === 'running' || state === 'failed', (query) =>
          query.where('state', '=', state as ScanRow['state']),
        )
        .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId as string))
        .$if(threat !== undefined, (query) => query.where('threat', '=', threat as string))
        .$if(sha256 !== undefined, (query) => query.where('sha256', '=', sha256 as string))
        .$if(name !== undefined, (query) => query.where(isNamed(name as string)))
        .$if(from !== undefined, (query) => query.where('finished_at', '>=', from as number))
        .$if(to !== undefined, (query) => query.where('finished_at', '<', to as number))
        .orderBy('id', 'desc')
        .limit(count)
        .execute()
      if (rows.length === count) return { rows, reached: rows.at(-1)?.id ?? null }
      const last = await all
        .select('id')
        .limit(1)
        .offset(readMax - 1)
        .executeTakeFirst()
      return { rows, reached: last?.id ?? null }
    },

    /** Deletes some of the reports older than this by the clock of the database. False when none is left. */
    async deleteOlder(ms: number): Promise<boolean> {
      const { now } = await db.selectNoFrom(clock.nowMs.as('now')).executeTakeFirstOrThrow()
      const oldest = db
        .selectFrom('scans')
        .select('id')
        .where('id', '<', firstIdAt(now - ms))
        // Not those that have not ended, nor those whose object waits for its tag.
        .where('lease_until', 'is', null)
        .where('id', 'not in', db.selectFrom('scan_requests').select('scan_id'))
        .orderBy('id')
        .limit(DELETE_MAX)
      const { numDeletedRows } = await db.deleteFrom('scans').where('id', 'in', oldest).executeTakeFirst()
      return numDeletedRows === BigInt(DELETE_MAX)
    },

    /** With the answers of idempotent requests, which contain file names. */
    async erase(trx: Trx, accountId: string, keyIds: readonly string[]): Promise<void> {
      const ofAccount = trx.selectFrom('scans').select('id').where('account_id', '=', accountId)
      await deleteAll((max) => trx.deleteFrom('scans').where('id', 'in', ofAccount.limit(max)).executeTakeFirst())
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
