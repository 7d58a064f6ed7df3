/** Reads and verifies the audit log. */
import { type AuditRow, chain, PRUNED } from '#storage/audit.ts'
import type { Database } from '#storage/database.ts'
import type { Tables } from '#storage/tables.ts'

/** Rows per query. */
const PAGE = 1_000

/** An entry of the log that was noted earlier, and must still be in it. */
interface Anchor {
  seq: number
  hash: string
}

interface AuditFilter {
  accountId?: string | undefined
  event?: string | undefined
  limit: number
}

const view = (row: AuditRow) => ({
  ...{ seq: row.seq, createdAt: row.at, actor: row.actor, event: row.event, accountId: row.account_id },
  ...{ subject: row.subject, details: row.details === null ? null : (JSON.parse(row.details) as unknown) },
})

const missing = (first: number, last: number): string =>
  first === last ? `Entry ${first} is missing.` : `Entries ${first} to ${last} are missing.`

/** Else anyone who can write to the database could delete entries in the name of retention, or begin a new chain. */
function pruneProblem({ deleted_seq: seq, deleted_hash: hash }: Tables['audit_head'], record: AuditRow | null) {
  if (seq === 0) return null
  if (record === null) return `Entries up to ${seq} were deleted, but no entry records it.`
  if (record.details === JSON.stringify({ seq, hash })) return null
  const said = /^\{"seq":(\d+),/.exec(record.details ?? '')?.[1] ?? 'nothing'
  return `Entries up to ${seq} were deleted, but the newest record of a deletion says ${said}.`
}

function problemOf(row: AuditRow, previous: Anchor, anchor: Anchor | null): string | null {
  if (row.seq !== previous.seq + 1) return missing(previous.seq + 1, row.seq - 1)
  if (row.hash !== chain(previous.hash, row)) return `Entry ${row.seq} was changed.`
  if (row.seq === anchor?.seq && row.hash !== anchor.hash) return `Entry ${row.seq} was rewritten after it was noted.`
  return null
}

/** At the end of the chain. */
function endProblem(last: Anchor, head: Anchor, anchor: Anchor | null): string | null {
  if (last.seq < head.seq) return missing(last.seq + 1, head.seq)
  if (last.hash !== head.hash) return `Entry ${last.seq} is not the newest that was recorded.`
  if (anchor !== null && anchor.seq > head.seq) return missing(head.seq + 1, anchor.seq)
  return null
}

export function createAuditStore({ db }: Database) {
  /** In the order of the chain, in pages, because the log may be larger than memory. */
  async function* rows(after: number): AsyncGenerator<AuditRow> {
    for (let last = after; ; ) {
      const page = await db
        .selectFrom('audit_log')
        .selectAll()
        .where('seq', '>', last)
        .orderBy('seq')
        .limit(PAGE)
        .execute()
      yield* page
      const end = page.at(-1)
      if (end === undefined || page.length < PAGE) return
      last = end.seq
    }
  }

  const findHead = () => db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow()

  async function verifyUpTo(head: Tables['audit_head'], anchor: Anchor | null) {
    let last: Anchor = { seq: head.deleted_seq, hash: head.deleted_hash }
    let entries = 0
    let record: AuditRow | null = null
    if (anchor !== null && anchor.seq <= last.seq) {
      const problem = `Entry ${anchor.seq}, which was noted, was deleted from the log. Note a newer one.`
      return { entries, problem }
    }
    for await (const row of rows(last.seq)) {
      if (row.seq > head.seq) break
      const problem = problemOf(row, last, anchor)
      if (problem !== null) return { entries, problem }
      last = row
      entries++
      if (row.event === PRUNED) record = row
    }
    return { entries, problem: endProblem(last, head, anchor) ?? pruneProblem(head, record) }
  }

  return {
    /** Newest first. */
    async list({ accountId, event, limit }: AuditFilter) {
      const found = await db
        .selectFrom('audit_log')
        .selectAll()
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId as string))
        .$if(event !== undefined, (query) => query.where('event', '=', event as string))
        .orderBy('seq', 'desc')
        .limit(limit)
        .execute()
      return found.map(view)
    },

    /** As stored, so that the hashes can be computed again elsewhere. */
    async exportAll(): Promise<AuditRow[]> {
      const all: AuditRow[] = []
      for await (const row of rows(0)) all.push(row)
      return all
    },

    /** Names the first entry that was changed, deleted or inserted, if there is one. */
    async verify(anchor: Anchor | null): Promise<{ entries: number; head: Anchor; problem: string | null }> {
      for (;;) {
        const head = await findHead()
        const found = await verifyUpTo(head, anchor)
        // Retention may have deleted entries meanwhile.
        if (found.problem === null || (await findHead()).deleted_seq === head.deleted_seq) return { ...found, head }
      }
    },
  }
}
