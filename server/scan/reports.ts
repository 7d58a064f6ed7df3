/** Reports of scans: what is stored about a document, never its content. */
import { setImmediate } from 'node:timers/promises'
import type { Static } from 'typebox'
import { AppError, type ErrorCode, invalidField, PROBLEMS } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Findings } from './findings.ts'
import type { ScanReport, ScanState, ScansQuery } from './report-schema.ts'
import type { ReportStore } from './report-store.ts'
import type { ScanRow } from './store.ts'

const LIMIT_DEFAULT = 50
const DAY_MS = 24 * 60 * 60 * 1_000
const SWEEP_EVERY_MS = 10 * 60 * 1_000
/** A request reads at most this many reports of an account with a filter that few of them match, part by part. */
const PART_ROWS = 5_000
const PARTS_MAX = 20

export type Report = Static<typeof ScanReport>
type Query = Static<typeof ScansQuery>

export type Reports = ReturnType<typeof createReports>

/** Rows from before times were stored have none. */
function enginesOf({ engines }: ScanRow): Report['engines'] {
  return (JSON.parse(engines) as Report['engines']).map((engine) => ({ ...engine, ms: engine.ms ?? null }))
}

const PROBLEM_OF: Readonly<Record<NonNullable<ScanRow['obstacle']>, ErrorCode>> = {
  encrypted: 'encrypted_document',
  too_complex: 'document_too_complex',
  damaged: 'damaged_document',
  unsupported: 'unsupported_content_type',
  empty: 'empty_file',
  too_large: 'file_too_large',
}

/** Of a scan that is not `done`; null while it has not ended. */
function problemOf({ problem, problem_detail: detail, obstacle }: ScanRow): Report['problem'] {
  const code = obstacle === null ? problem : PROBLEM_OF[obstacle]
  if (code === null) return null
  const { status, title } = PROBLEMS[code as ErrorCode] ?? PROBLEMS.internal_error
  return { code, status, title, detail }
}

const stateOf = ({ state, verdict }: ScanRow): ScanState => state ?? (verdict === 'refused' ? 'refused' : 'done')

export const isFinal = ({ state }: Pick<Report, 'state'>): boolean => state !== 'queued' && state !== 'running'

export function reportOf(row: ScanRow, findings: ReportsOptions['findings']): Report {
  return {
    scanId: row.id,
    state: stateOf(row),
    problem: problemOf(row),
    reference: row.reference,
    status: row.verdict === 'refused' ? null : row.verdict,
    threat: row.threat,
    fileName: row.file_name,
    fileSize: row.size,
    contentType: row.content_type,
    scannedAt: new Date(row.finished_at).toISOString(),
    obstacle: row.obstacle,
    keyId: row.key_id,
    sha256: row.sha256 || null,
    detectedType: row.type || null,
    durationMs: row.finished_at - row.started_at,
    engines: enginesOf(row),
    findings: findings.decode(row),
  }
}

/** Opaque to clients, so that its content can change. */
const cursorOf = (id: string): string => Buffer.from(id).toString('base64url')

const ID = /^[0-9a-f-]{36}$/

function idOf(cursor: string): string {
  const id = Buffer.from(cursor, 'base64url').toString()
  if (!ID.test(id)) throw invalidField('cursor', 'must be the `nextCursor` of an earlier response')
  return id
}

const timeOf = (iso: string | undefined): number | undefined => (iso === undefined ? undefined : Date.parse(iso))

const DATE = /^\d{4}-\d\d-\d\d$/

/** People who name a day as the last one mean the whole day. */
const endOf = (iso: string | undefined): number | undefined => {
  const time = timeOf(iso)
  return time !== undefined && DATE.test(iso ?? '') ? time + DAY_MS : time
}

interface ReportsOptions {
  store: ReportStore
  findings: Pick<Findings, 'decode'>
  retentionDays: number
  log: Log
}

export function createReports({ store, findings, retentionDays, log }: ReportsOptions) {
  const retentionMs = retentionDays * DAY_MS
  let sweeping = Promise.resolve()

  async function sweep(): Promise<void> {
    try {
      await store.deleteOrphaned()
      while (await store.deleteOlder(retentionMs));
    } catch (error) {
      log.warn({ err: error }, 'Failed to delete expired reports; it will be retried')
    }
  }
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, SWEEP_EVERY_MS)
  timer.unref()

  return {
    ofRow: (row: ScanRow): Report => reportOf(row, findings),

    async list(accountId: string, query: Query) {
      const { limit = LIMIT_DEFAULT, status, state, keyId, threat, sha256, name, from, to, cursor } = query
      const filter = {
        verdict: status,
        state,
        keyId: keyId?.toLowerCase(),
        threat,
        sha256: sha256?.toLowerCase(),
        name,
        from: timeOf(from),
        to: endOf(to),
      }
      const rows: ScanRow[] = []
      let reached = cursor === undefined ? null : idOf(cursor)
      for (let parts = 0; parts < PARTS_MAX; parts++) {
        const wanted = { before: reached ?? undefined, count: limit + 1 - rows.length, readMax: PART_ROWS }
        const part = await store.list(accountId, filter, wanted)
        rows.push(...part.rows)
        reached = part.reached
        if (reached === null || rows.length > limit) break
        // SQLite reads without pause; other requests get their turn here.
        await setImmediate()
      }
      const shown = rows.slice(0, limit)
      const next = rows.length > limit ? shown.at(-1)?.id : reached
      return { items: shown.map((row) => reportOf(row, findings)), nextCursor: next ? cursorOf(next) : null }
    },

    async find(accountId: string, scanId: string): Promise<Report> {
      const row = await store.find(accountId, scanId.toLowerCase())
      if (row === undefined)
        throw new AppError('not_found', 'Your account has no scan with this id, or its report has expired.')
      return reportOf(row, findings)
    },

    /** The newest scan that found a threat in this document, among as many reports as one part has. */
    async newestThreat(accountId: string, sha256: string) {
      const wanted = { count: 1, readMax: PART_ROWS }
      const { rows } = await store.list(accountId, { verdict: 'infected', sha256 }, wanted)
      const [row] = rows
      return row ? { scanId: row.id, fileName: row.file_name, threat: row.threat } : null
    },

    sweep,
    async close() {
      clearInterval(timer)
      await sweeping
    },
  }
}
