/** Cost of a scan of a busy key: statements on both databases, pages and syncs on SQLite. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { after, before, mock, test } from 'node:test'
import pg from 'pg'
import { newId } from '#base/ids.ts'
import { createScanStore } from '#scan/store.ts'
import type { Database } from '#storage/database.ts'
import { openPlace, quietLog, seedKey } from '#test/support/seed.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'
import { createUsageStore, type EffectKind } from './store.ts'
import { createUsage, type UsageService } from './usage.ts'

const PAGE_BYTES = 4_096
const FRAME_HEADER_BYTES = 24
/** Counter, ledger, scans and the two indexes of scans, and now and then a split. */
const PAGES_MAX = 6
const SCANS = 20
const AT_ONCE = 16

const counted = { statements: 0, syncs: 0 }

function count(prototype: object, name: string, as: keyof typeof counted): void {
  const real = Reflect.get(prototype, name) as (...given: unknown[]) => unknown
  mock.method(prototype as Record<string, typeof real>, name, function (this: unknown, ...given: unknown[]) {
    counted[as]++
    return real.apply(this, given)
  })
}

forEachDatabase('the cost of a scan', (openUrl) => {
  let place: DatabasePlace
  let database: Database
  let usage: UsageService
  let keyId: string
  let recorded: EffectKind

  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    const { record: write, unrecord: undo } = createScanStore(database, 'replica')
    recorded = { write, undo }
    keyId = await seedKey(database)
    usage = createUsage({ store: createUsageStore(database, newId()), scansPerMonth: () => 1e9, log: quietLog })
    const file = await open(import.meta.filename)
    count(Object.getPrototypeOf(file), 'datasync', 'syncs')
    await file.close()
    count(StatementSync.prototype, 'all', 'statements')
    count(StatementSync.prototype, 'run', 'statements')
    count(pg.Client.prototype, 'query', 'statements')
    // The clock stops, so that the key is busy also on a slow machine.
    const nowMs = performance.now()
    mock.method(performance, 'now', () => nowMs)
    await Promise.all(Array.from({ length: AT_ONCE }, scan))
  })
  after(async () => {
    mock.restoreAll()
    await usage.settleOwed()
    await database.close()
    await place.release()
  })

  async function scan(): Promise<void> {
    await using ticket = await usage.reserve(keyId, 'free')
    const id = newId()
    const verdict = {
      verdict: 'clean',
      threat: null,
      engine: null,
      path: null,
      engines: '[]',
      findings: null,
      reference: null,
    } as const
    const document = { sha256: 'a'.repeat(64), size: 10_240, type: 'text/plain', obstacle: null }
    const named = { account_id: newId(), file_name: 'a.txt', content_type: null }
    const row = { id, key_id: keyId, ...verdict, ...document, ...named, started_at: 1, finished_at: 2 }
    const stored = { scan: row, claim: null, response: '{}', receipt: null }
    await ticket.charge(id, { kind: recorded, of: stored })
  }

  const logBytes = () => (database.kind === 'sqlite' ? statSync(join(place.dataDir, 'docvet.sqlite-wal')).size : 0)

  async function measure(work: () => Promise<unknown>) {
    Object.assign(counted, { statements: 0, syncs: 0 })
    const bytes = logBytes()
    await work()
    return { ...counted, pages: (logBytes() - bytes) / (PAGE_BYTES + FRAME_HEADER_BYTES) }
  }

  test('a reservation and its release run no statement', async () => {
    const cost = await measure(async () => (await usage.reserve(keyId, 'free'))[Symbol.asyncDispose]())
    assert.deepEqual(cost, { statements: 0, syncs: 0, pages: 0 })
  })

  test('one after the other: one transaction and one sync for each', async () => {
    const { statements, syncs, pages } = await measure(async () => {
      for (let i = 0; i < SCANS; i++) await scan()
    })
    assert.equal(statements, SCANS * 7)
    if (database.kind === 'sqlite') assert.equal(syncs, SCANS)
    assert.ok(pages <= SCANS * PAGES_MAX, `${pages} pages`)
  })

  test(`${AT_ONCE} at once share a transaction and a sync`, async () => {
    const { statements, syncs, pages } = await measure(() => Promise.all(Array.from({ length: AT_ONCE }, scan)))
    assert.equal(statements, 7)
    if (database.kind === 'sqlite') assert.equal(syncs, 1)
    assert.ok(pages <= 3 * PAGES_MAX, `${pages} pages`)
  })
})
