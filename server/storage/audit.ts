/** The audit log: events of a transaction are appended to a chain of hashes just before it commits. */
import { hash } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { currentActor } from '#base/actor.ts'
import type { Clock } from './clock.ts'
import type { Tables } from './tables.ts'

type Trx = Transaction<Tables>

export type AuditRow = Tables['audit_log']

type EventName =
  | `account.${'created' | 'deleted' | 'disabled' | 'enabled' | 'exported' | 'plan_changed' | 'transferred'}`
  | `password.${'changed' | 'reset'}`
  | `key.${'created' | 'revoked' | 'rolled' | 'refused'}`
  | `allowed.${'added' | 'removed'}`
  | `session.${'started' | 'ended'}`
  | `identity.${'added' | 'removed'}`
  | `passkey.${'added' | 'removed'}`
  | `passkeys_only.${'on' | 'off'}`
  | `recovery_code.${'used'}`
  | `invite.${'created' | 'used'}`
  | `member.${'invited' | 'uninvited' | 'joined' | 'changed' | 'removed' | 'left' | 'entered'}`
  | `ownership.${'offered' | 'withdrawn' | 'declined'}`
  | `subscription.${'linked' | 'changed' | 'relinked'}`
  | `job.${'retried' | 'dropped'}`
  | `webhook.${'created' | 'changed' | 'rotated' | 'deleted'}`
  | `alerts.${'on' | 'off'}`
  | `listener.${'started'}`
  | `operator.${'command'}`
  | `scans.${'exported'}`
  | `receipt_key.${'added' | 'revoked'}`
  | `database.${'restored' | 'moved'}`
  | typeof PRUNED

/** The deletion of old entries; `details` has the number and hash of the last one. */
export const PRUNED = 'log.pruned'

interface AuditEvent {
  event: EventName
  accountId: string | null
  subject?: string
  /** Never personal data: it cannot be erased. */
  details?: Record<string, string | number | boolean | null>
  actor?: 'marketplace' | 'system' | `member:${string}`
}

export type Audit = ReturnType<typeof createAudit>

/** The hash of a row, which covers all rows before it. */
export function chain(previous: string, row: Omit<AuditRow, 'hash'>): string {
  const { seq, at, actor, event, account_id, subject, details } = row
  return hash('sha256', JSON.stringify([previous, seq, at, actor, event, account_id, subject, details]), 'hex')
}

interface AuditOptions {
  kind: 'sqlite' | 'postgres'
  db: Kysely<Tables>
  clock: Clock
  /** The operator of an admin command; undefined in the service. */
  operator: string | undefined
}

const OWNER = 'owner'

export function createAudit({ kind, db, clock, operator }: AuditOptions) {
  const noted = new WeakMap<Trx, AuditEvent[]>()

  /** Its lock orders the entries of all replicas. It is taken last, so that it is held briefly and never in a deadlock. */
  function lockHead(trx: Trx) {
    const head = trx
      .selectFrom('audit_head')
      .select(['seq', 'hash', 'deleted_seq as deletedSeq', clock.nowMs.as('nowMs')])
    // SQLite transactions have the lock of the database.
    return (kind === 'postgres' ? head.forUpdate() : head).executeTakeFirstOrThrow()
  }

  async function append(trx: Trx, events: readonly AuditEvent[]): Promise<void> {
    let { seq, hash: previous, nowMs: at } = await lockHead(trx)
    const rows = events.map(
      ({ event, accountId, subject = null, details, actor = currentActor() ?? OWNER }): AuditRow => {
        seq++
        const stored = details ? JSON.stringify(details) : null
        const row = { seq, at, actor: operator ?? actor, event, account_id: accountId, subject, details: stored }
        previous = chain(previous, row)
        return { ...row, hash: previous }
      },
    )
    await trx.insertInto('audit_log').values(rows).execute()
    await trx.updateTable('audit_head').set({ seq, hash: previous }).execute()
  }

  return {
    /** A transaction whose noted events are appended to the audit log, or a part of `outer`, which is one. */
    change<T>(work: (trx: Trx) => Promise<T>, outer?: Trx): Promise<T> {
      if (outer) return work(outer)
      return db.transaction().execute(async (trx) => {
        const events: AuditEvent[] = []
        noted.set(trx, events)
        const result = await work(trx)
        if (events.length > 0) await append(trx, events)
        return result
      })
    },

    /** Notes an event in the transaction of a `change`. */
    note(trx: Trx, event: AuditEvent): void {
      const events = noted.get(trx)
      if (!events) throw new Error('Audit events must be noted in the transaction of a change')
      events.push(event)
    },

    /** Deletes up to `max` of the oldest entries from before `endMs`, and records it. False when none is left. */
    prune: (endMs: number, max: number): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        const { deletedSeq } = await lockHead(trx)
        const oldest = await trx
          .selectFrom('audit_log')
          .select(['seq', 'at', 'hash'])
          .where('seq', '>', deletedSeq)
          .orderBy('seq')
          .limit(max)
          .execute()
        const keptFrom = oldest.findIndex(({ at }) => at >= endMs)
        const last = oldest.at(keptFrom === -1 ? oldest.length - 1 : keptFrom - 1)
        if (last === undefined || keptFrom === 0) return false
        await trx.updateTable('audit_head').set({ deleted_seq: last.seq, deleted_hash: last.hash }).execute()
        await trx.deleteFrom('audit_log').where('seq', '<=', last.seq).execute()
        const details = { seq: last.seq, hash: last.hash }
        await append(trx, [{ event: PRUNED, accountId: null, actor: 'system', details }])
        return keptFrom === -1 && oldest.length === max
      }),
  }
}
