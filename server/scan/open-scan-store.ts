/** Scans that were accepted and have no verdict yet, in the database. */
import { type Expression, type SqlBool, sql } from 'kysely'
import type { ErrorCode } from '#base/errors.ts'
import type { Database, Trx } from '#storage/database.ts'
import { type Procedure, query } from '#storage/prepared.ts'
import type { Claim, NewScan, ScanRow } from './store.ts'

/** A process that did not renew it for so long is taken for dead. */
export const LEASE_MS = 30_000

/** In one transaction, each with its callbacks. */
export const GIVEN_UP_MAX = 100

export type OpenScanStore = ReturnType<typeof createOpenScanStore>

/** In the transaction that ends scans; `problem` is the code of those that failed. */
type Announce = (scans: readonly NewScan[], problem: string | null) => Procedure<void>

/** Columns of a scan that has ended with a verdict or an obstacle. */
const FINISHED = { state: null, problem: null, problem_detail: null, lease_until: null }

/** Why a scan has no verdict. */
export interface Failure {
  code: ErrorCode
  detail: string | null
}

/** The answer to a repeated request from now on. */
export async function answerClaim(trx: Trx, claim: Claim, sha256: string, response: string): Promise<void> {
  await trx
    .updateTable('idempotency_keys')
    .set({ sha256, response })
    .where('key_id', '=', claim.keyId)
    .where('hash', '=', claim.hash)
    .where('claim_id', '=', claim.id)
    .execute()
}

export function createOpenScanStore({ db, clock, kind, transact }: Database, announce: Announce) {
  const leaseEnd = (ms: number) => sql<number>`${clock.nowMs} + ${sql.lit(ms)}`

  /** Without those that another transaction is ending: both would wait for each other. SQLite has one at a time. */
  const openAnd = (expression: Expression<SqlBool>) =>
    db
      .selectFrom('scans')
      .select('id')
      .where('lease_until', 'is not', null)
      .where(expression)
      .$if(kind === 'postgres', (open) => open.forUpdate().skipLocked())

  return {
    /** With the answer for a repeated request, which is the scan itself until it has ended. */
    async open(scan: NewScan, claim: Claim | null, response: string, leaseMs: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await trx
          .insertInto('scans')
          .values({ ...scan, state: 'queued', problem: null, problem_detail: null, lease_until: leaseEnd(leaseMs) })
          .execute()
        if (claim !== null) await answerClaim(trx, claim, claim.identity ?? scan.sha256, response)
      })
    },

    /** The ids of those that no other process gave up. Locks them, so that none can until the end of the transaction. */
    *lockOpen(scanIds: readonly string[]): Procedure<string[]> {
      const open = db.selectFrom('scans').select('id').where('id', 'in', scanIds).where('lease_until', 'is not', null)
      // In this order, so that no two transactions wait for each other.
      const rows = yield* query(open.orderBy('id').$if(kind === 'postgres', (found) => found.forUpdate()))
      return rows.map(({ id }) => id)
    },

    /** With their verdicts, after `lockOpen` in the same transaction: so each of them exists, and is updated. */
    *finish(scans: readonly NewScan[]): Procedure<void> {
      const rows = scans.map((scan) => ({ ...scan, ...FINISHED }))
      yield* query(
        db
          .insertInto('scans')
          .values(rows)
          .onConflict((conflict) =>
            conflict.column('id').doUpdateSet((eb) => {
              const columns = Object.keys(rows[0] ?? {}) as (keyof ScanRow)[]
              return Object.fromEntries(columns.map((column) => [column, eb.ref(`excluded.${column}`)]))
            }),
          ),
      )
      yield* announce(scans, null)
    },

    /** Without a verdict: with an obstacle, or as failed. False if it had ended, or if `isOurs` does not hold. */
    async end(
      row: NewScan,
      failure: Failure | null,
      isOurs?: (trx: Trx) => Promise<boolean>,
      alongside?: () => Procedure<void>,
    ): Promise<boolean> {
      const { id, ...scan } = row
      const problem = failure && { state: 'failed' as const, problem: failure.code, problem_detail: failure.detail }
      return await transact(function* () {
        if (isOurs && !(yield isOurs)) return false
        const ended = yield* query(
          db
            .updateTable('scans')
            .set({ ...scan, ...FINISHED, ...problem })
            .where('id', '=', id)
            .where('lease_until', 'is not', null)
            .returning('id'),
        )
        if (ended.length > 0) yield* announce([row], failure?.code ?? null)
        if (ended.length > 0 && alongside) yield* alongside()
        return ended.length > 0
      })
    },

    /** As failed, unless it has ended. */
    *endAs(scanId: string, { code, detail }: Failure): Procedure<void> {
      const ended = yield* query(
        db
          .updateTable('scans')
          .set({ state: 'failed', problem: code, problem_detail: detail, finished_at: clock.nowMs, lease_until: null })
          .where('id', '=', scanId)
          .where('lease_until', 'is not', null)
          .returningAll(),
      )
      yield* announce(ended, code)
    },

    async renew(scanIds: readonly string[], leaseMs: number): Promise<void> {
      await db
        .updateTable('scans')
        .set({ lease_until: leaseEnd(leaseMs) })
        .where((eb) => eb('id', 'in', openAnd(eb('id', 'in', scanIds))))
        .execute()
    },

    /** Ends scans of dead processes, at most `GIVEN_UP_MAX`; returns how many. */
    giveUp: (problem: string): Promise<number> =>
      transact(function* () {
        const lost = yield* query(
          db
            .updateTable('scans')
            .set((eb) => ({
              ...{ state: 'failed', problem, finished_at: eb.ref('lease_until').$notNull(), lease_until: null },
            }))
            .where((eb) => eb('id', 'in', openAnd(eb('lease_until', '<', clock.nowMs)).limit(GIVEN_UP_MAX)))
            .returningAll(),
        )
        yield* announce(lost, problem)
        return lost.length
      }),
  }
}
