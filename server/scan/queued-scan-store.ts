/** Scans whose document is fetched later, in the database: open without a process, and with what to fetch. */
import { sql } from 'kysely'
import type { Database, Trx } from '#storage/database.ts'
import { type Procedure, query } from '#storage/prepared.ts'
import type { QueuedUnit } from '#usage/queued.ts'
import { answerClaim } from './open-scan-store.ts'
import type { Claim, NewScan } from './store.ts'

/** A scan that no process could run for so long is given up. */
const QUEUED_MS_MAX = 7 * 24 * 60 * 60 * 1_000

interface Requested {
  scan: NewScan
  sealed: string
}

export interface StoredRequest extends Requested {
  /** Reserved when it was queued. */
  unit: QueuedUnit | null
}

interface NewRequest extends Requested {
  /** For a repeated request. */
  answer: { claim: Claim; response: string } | null
}

interface EndedRequest extends Pick<StoredRequest, 'unit'> {
  scanId: string
  kind: string
}

const unitOf = ({
  meter_id: meterId,
  period,
}: {
  meter_id: string | null
  period: string | null
}): QueuedUnit | null => (meterId === null || period === null ? null : { meterId, period })

export type QueuedScanStore = ReturnType<typeof createQueuedScanStore>

/** The requests of `keptKinds` stay when their scan has ended, for what follows. */
export function createQueuedScanStore({ db, clock }: Database, keptKinds: readonly string[] = []) {
  const leaseEnd = (ms: number) => sql<number>`${clock.nowMs} + ${sql.lit(ms)}`
  const isOpen = (scanId: string) =>
    db.updateTable('scans').where('id', '=', scanId).where('lease_until', 'is not', null)

  return {
    /** At most as many as fit into a statement of both databases: 500. */
    async insert(trx: Trx, kind: string, requests: readonly NewRequest[]): Promise<void> {
      const open = {
        state: 'queued',
        problem: null,
        problem_detail: null,
        lease_until: leaseEnd(QUEUED_MS_MAX),
      } as const
      await trx
        .insertInto('scans')
        .values(requests.map(({ scan }) => ({ ...scan, ...open })))
        .execute()
      await trx
        .insertInto('scan_requests')
        .values(requests.map(({ scan, sealed }) => ({ scan_id: scan.id, kind, sealed, meter_id: null, period: null })))
        .execute()
      for (const { scan, answer } of requests)
        if (answer) await answerClaim(trx, answer.claim, answer.claim.identity ?? scan.sha256, answer.response)
    },

    /** Null if it has ended. With `lastMs`, it is given up if this attempt does not end it within that time. */
    async start(scanId: string, lastMs: number | null): Promise<StoredRequest | null> {
      const started = await isOpen(scanId)
        .set({ state: 'running', lease_until: leaseEnd(lastMs ?? QUEUED_MS_MAX) })
        .returningAll()
        .returning((eb) =>
          (['sealed', 'meter_id', 'period'] as const).map((name) =>
            eb.selectFrom('scan_requests').select(name).whereRef('scan_id', '=', 'scans.id').as(name),
          ),
        )
        .executeTakeFirst()
      if (started === undefined) return null
      const { state: _state, problem: _problem, problem_detail: _detail, lease_until: _lease, ...rest } = started
      const { sealed, meter_id, period, ...scan } = rest
      return sealed === null ? null : { scan, sealed, unit: unitOf({ meter_id, period }) }
    },

    /** In the transaction that queues it. */
    async noteUnit(trx: Trx, scanId: string, { meterId, period }: QueuedUnit): Promise<void> {
      await trx.updateTable('scan_requests').set({ meter_id: meterId, period }).where('scan_id', '=', scanId).execute()
    },

    /** Until its next attempt. */
    async wait(scanId: string): Promise<void> {
      await isOpen(scanId).set({ state: 'queued' }).execute()
    },

    /** Null if there is none of this kind. */
    async find(scanId: string, kind: string): Promise<string | null> {
      const found = await db
        .selectFrom('scan_requests')
        .select('sealed')
        .where('scan_id', '=', scanId)
        .where('kind', '=', kind)
        .executeTakeFirst()
      return found?.sealed ?? null
    },

    async remove(trx: Trx, scanId: string): Promise<void> {
      await trx.deleteFrom('scan_requests').where('scan_id', '=', scanId).execute()
    },

    /** In the transaction that ends scans: those of them that were queued. */
    *ended(scans: readonly Pick<NewScan, 'id'>[]): Procedure<EndedRequest[]> {
      const ids = scans.map(({ id }) => id)
      const found = yield* query(
        db.selectFrom('scan_requests').select(['scan_id', 'kind', 'meter_id', 'period']).where('scan_id', 'in', ids),
      )
      const over = found.filter(({ kind }) => !keptKinds.includes(kind)).map(({ scan_id: id }) => id)
      if (over.length > 0) yield* query(db.deleteFrom('scan_requests').where('scan_id', 'in', over))
      return found.map((row) => ({ scanId: row.scan_id, kind: row.kind, unit: unitOf(row) }))
    },
  }
}
