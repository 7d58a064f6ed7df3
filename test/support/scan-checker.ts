/** Checks the history of a fault run and the database for violations. */
import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
import { until } from './scan-process.ts'
import type { Done, ScanService } from './scan-rig.ts'

const STATUSES = [200, 422, 429, 503]
const SETTLE_MS = 5_000

interface Books {
  scans: { id: string; verdict: string; sha256: string }[]
  ledger: string[]
  used: number
  reserved: number
  leases: number
}

export function readBooks(scans: ScanService): Books {
  return scans.database((db) => ({
    scans: db
      .prepare("select id, verdict, sha256 from scans where verdict <> 'refused'")
      .all() as unknown as Books['scans'],
    ledger: (db.prepare('select scan_id from usage_ledger').all() as { scan_id: string }[]).map((row) => row.scan_id),
    used: sum(db, 'select sum(used) as n from usage_counters'),
    reserved: sum(db, 'select sum(reserved) as n from usage_counters'),
    leases: sum(db, 'select count(*) as n from usage_leases'),
  }))
}

function sum(db: DatabaseSync, query: string): number {
  return Number((db.prepare(query).get() as { n: number | null }).n ?? 0)
}

/** Reservations are released shortly after the response, many in one transaction. */
export async function settledBooks(scans: ScanService): Promise<Books> {
  await until(() => readBooks(scans).reserved === 0, SETTLE_MS)
  const books = readBooks(scans)
  assert.deepEqual([books.reserved, books.leases], [0, 0], 'reservations are left')
  assert.equal(books.ledger.length, books.used, 'the ledger and the counter differ')
  assert.deepEqual(books.scans.map(({ id }) => id).sort(), books.ledger.toSorted(), 'scan records and charges differ')
  return books
}

/** Counts by status and verdict or code. */
export function summary(history: readonly Done[]): string {
  const counts = new Map<string, number>()
  for (const { status, said, infected } of history) {
    const name = `${status || 'broken'} ${status ? said : ''} (${infected ? 'infected' : 'benign'})`
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, count]) => `    ${count} × ${name}`)
    .join('\n')
}

export async function checkHistory(history: readonly Done[], scans: ScanService): Promise<void> {
  const wrong = history.filter(({ infected, said, outcome }) => outcome === 'ok' && (said === 'clean') === infected)
  assert.deepEqual(wrong, [], 'a wrong verdict')
  const strange = history.filter(({ status, outcome }) => outcome !== 'unknown' && !STATUSES.includes(status))
  assert.deepEqual(strange, [], 'an unexpected status')
  const patient = history.filter(({ status, retryAfter }) => [429, 503].includes(status) && !(Number(retryAfter) >= 1))
  assert.deepEqual(patient, [], 'a rejection without Retry-After')

  const books = await settledBooks(scans)
  const charged = new Set(books.ledger)
  const records = new Map(books.scans.map((row) => [row.id, row]))
  const ok = history.filter(({ outcome }) => outcome === 'ok')
  const unknown = history.filter(({ outcome }) => outcome === 'unknown')
  for (const done of ok) {
    const record = records.get(done.scanId ?? '')
    assert.ok(charged.has(done.scanId ?? ''), `a verdict without a charge: ${JSON.stringify(done)}`)
    assert.deepEqual([record?.verdict, record?.sha256], [done.said, done.sha256], 'the record differs from the answer')
  }
  assert.ok(charged.size >= ok.length && charged.size <= ok.length + unknown.length, `${charged.size} charges`)
  // Also for verdicts whose response was lost.
  const infected = new Map(history.map((done) => [done.sha256, done.infected]))
  const wrongRecords = books.scans.filter(({ verdict, sha256 }) => (verdict === 'clean') === infected.get(sha256))
  assert.deepEqual(wrongRecords, [], 'a wrong verdict in the records')
}
