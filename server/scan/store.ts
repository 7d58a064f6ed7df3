/** Scans in the database: one row per verdict, and the answers of idempotent requests. */
import { sql } from 'kysely'
import { firstIdAt } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { lockAccount } from '#storage/lock-account.ts'
import { type Procedure, prepareMany, query, runSteps } from '#storage/prepared.ts'
import type { Tables } from '#storage/tables.ts'

export type ScanRow = Tables['scans']
/** As it is written with its verdict. */
export type NewScan = Omit<ScanRow, 'state' | 'problem' | 'problem_detail' | 'lease_until'>

/** A signed statement about a scan. */
export type SignedReceipt = Omit<Tables['scan_receipts'], 'scan_id'>

/** A claim on an Idempotency-Key. */
export interface Claim {
  keyId: string
  hash: string
  id: string
  /** Stored instead of the SHA-256 of the document. */
  identity?: string | undefined
}

export interface Verdict {
  scan: NewScan
  claim: Claim | null
  /** The answer for a repeated request. */
  response: string
  receipt: SignedReceipt | null
}

/** `gone`: an earlier claim was given up meanwhile. */
type ClaimState =
  | { state: 'ours' }
  | { state: 'running' }
  | { state: 'gone' }
  | { state: 'answered'; sha256: string; response: string }

export type ScanStore = ReturnType<typeof createScanStore>

export const UNSCANNED_PER_DAY = 100
const FULL_DAYS_MAX = 10_000
const DAY_MS = 24 * 60 * 60 * 1_000

/** Without `keepsReports`, only the ledger remembers a scan. */
export function createScanStore({ db, clock, transact }: Database, replicaId: string, keepsReports = true) {
  /** Accounts by the last day on which they had as many documents without an inspection as are stored. */
  const fullDays = new Map<string, number>()
  const rowOf = ({ keyId, hash }: Claim) => ({ key_id: keyId, hash })
  const heldBy = (claim: Claim) => ({ ...rowOf(claim), claim_id: claim.id })
  const newClaim = ({ id }: Claim) => ({ claim_id: id, replica_id: replicaId, claimed_at: clock.nowMs })
  const insert = prepareMany<NewScan>((places) =>
    db.insertInto('scans').values(
      places.map((place) => ({
        id: place('id'),
        key_id: place('key_id'),
        account_id: place('account_id'),
        verdict: place('verdict'),
        obstacle: place('obstacle'),
        file_name: place('file_name'),
        content_type: place('content_type'),
        threat: place('threat'),
        engine: place('engine'),
        path: place('path'),
        sha256: place('sha256'),
        size: place('size'),
        type: place('type'),
        engines: place('engines'),
        findings: place('findings'),
        started_at: place('started_at'),
        finished_at: place('finished_at'),
        reference: place('reference'),
        // In these words, so that their types are known.
        state: sql<null>`null`,
        problem: sql<null>`null`,
        problem_detail: sql<null>`null`,
        lease_until: sql<null>`null`,
      })),
    ),
  )

  const insertReceipts = prepareMany<SignedReceipt & { scanId: string }>((places) =>
    db.insertInto('scan_receipts').values(
      places.map((place) => ({
        scan_id: place('scanId'),
        kid: place('kid'),
        payload: place('payload'),
        signature: place('signature'),
        named_signature: place('named_signature'),
      })),
    ),
  )

  /** In the transaction that writes the scans. */
  function* writeReceipts(verdicts: readonly Pick<Verdict, 'scan' | 'receipt'>[]): Procedure<void> {
    yield* insertReceipts(
      verdicts.flatMap(({ scan, receipt }) => (receipt === null ? [] : { ...receipt, scanId: scan.id })),
    )
  }

  /** For repeated requests. */
  function* answer(verdicts: readonly Verdict[]): Procedure<void> {
    for (const { scan, claim, response } of verdicts) {
      if (claim === null) continue
      const { identity } = claim
      yield* query(
        db
          .updateTable('idempotency_keys')
          .set({ sha256: identity ?? scan.sha256, response, document: identity === undefined ? null : scan.sha256 })
          .where((eb) => eb.and(heldBy(claim))),
      )
    }
  }

  return {
    /** Writes scans and the answers for repeated requests, in the transaction that charges. */
    *record(verdicts: readonly Verdict[]): Procedure<void> {
      if (keepsReports) yield* insert(verdicts.map(({ scan }) => scan))
      if (keepsReports) yield* writeReceipts(verdicts)
      yield* answer(verdicts)
    },

    answer,

    /** A document without a verdict, which is not charged. */
    async recordRefused(scan: NewScan, receipt: SignedReceipt | null = null): Promise<void> {
      if (!keepsReports) return
      await transact(function* () {
        yield* insert([scan])
        yield* writeReceipts([{ scan, receipt }])
      })
    },

    writeReceipts,

    /** A document that was not inspected. Of these, an account and UTC day has at most `UNSCANNED_PER_DAY`. */
    async recordUnscanned(scan: NewScan): Promise<void> {
      const { account_id: accountId, finished_at: now } = scan
      const day = Math.floor(now / DAY_MS) * DAY_MS
      if (!keepsReports || accountId === null || fullDays.get(accountId) === day) return
      const isFull = await db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId)
        const { count } = await trx
          .selectFrom('scans')
          .select((eb) => eb.fn.countAll<number | string>().as('count'))
          .where('account_id', '=', accountId)
          .where('verdict', '<>', sql.lit('clean'))
          .where('id', '>=', firstIdAt(day))
          .where('obstacle', 'in', ['unsupported', 'empty', 'too_large'])
          .executeTakeFirstOrThrow()
        if (Number(count) >= UNSCANNED_PER_DAY) return true
        await runSteps(trx, insert([scan]))
        return false
      })
      if (!isFull) return
      // So that a flood of such documents costs no statements.
      if (fullDays.size >= FULL_DAYS_MAX) fullDays.clear()
      fullDays.set(accountId, day)
    },

    /** Removes scans and their answers: the charges were reverted, so the verdicts were not delivered. */
    *unrecord(verdicts: readonly Verdict[]): Procedure<void> {
      for (const { scan, claim } of verdicts) {
        yield* query(db.deleteFrom('scans').where('id', '=', scan.id))
        if (claim !== null) yield* query(db.deleteFrom('idempotency_keys').where((eb) => eb.and(heldBy(claim))))
      }
    },

    /**
     * Claims an Idempotency-Key, or returns the state of an earlier claim. One that is older than `staleMs`, or whose
     * process is not alive, is taken over.
     */
    async claim(claim: Claim, staleMs: number): Promise<ClaimState> {
      return await db.transaction().execute(async (trx) => {
        const inserted = await trx
          .insertInto('idempotency_keys')
          .values({ ...rowOf(claim), ...newClaim(claim), sha256: null, response: null, document: null })
          .onConflict((conflict) => conflict.columns(['key_id', 'hash']).doNothing())
          .returning('claim_id')
          .executeTakeFirst()
        if (inserted) return { state: 'ours' }
        const taken = await trx
          .updateTable('idempotency_keys')
          .set(newClaim(claim))
          .where((eb) => eb.and(rowOf(claim)))
          .where('response', 'is', null)
          .where((eb) =>
            eb.or([
              eb('claimed_at', '<', eb(clock.nowMs, '-', staleMs)),
              eb.and([
                eb('replica_id', '<>', replicaId),
                eb('replica_id', 'not in', eb.selectFrom('replicas').select('id')),
              ]),
            ]),
          )
          .returning('claim_id')
          .executeTakeFirst()
        if (taken) return { state: 'ours' }
        const found = await trx
          .selectFrom('idempotency_keys')
          .select(['sha256', 'response'])
          .where((eb) => eb.and(rowOf(claim)))
          .executeTakeFirst()
        if (found === undefined) return { state: 'gone' }
        if (!found.response || !found.sha256) return { state: 'running' }
        return { state: 'answered', sha256: found.sha256, response: found.response }
      })
    },

    /** Gives up a claim, so that the request can be retried. An answered one stays, unless the answer is this one. */
    async abandon(claim: Claim, response: string | null): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where((eb) => eb.and(heldBy(claim)))
        .where((eb) => eb.or([eb('response', 'is', null), eb('response', '=', response ?? '')]))
        .execute()
    },

    /** Gives up the claim of another request whose scan ended without a verdict. */
    async forget({ keyId, hash }: Claim, response: string): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where('key_id', '=', keyId)
        .where('hash', '=', hash)
        .where('response', '=', response)
        .execute()
    },

    /** Whether a scan was accepted and has not ended, by its id. */
    async isUnfinished(scanId: string): Promise<boolean> {
      const row = await db
        .selectFrom('scans')
        .select('id')
        .where('id', '=', scanId)
        .where('lease_until', 'is not', null)
        .executeTakeFirst()
      return row !== undefined
    },

    async deleteClaims(olderThanMs: number): Promise<void> {
      await db
        .deleteFrom('idempotency_keys')
        .where('claimed_at', '<', (eb) => eb(clock.nowMs, '-', olderThanMs))
        .execute()
    },
  }
}
