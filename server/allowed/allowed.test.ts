import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import type { Outcome } from '#engines/engine.ts'
import type { Finding } from '#inspect/inspect.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedAccount } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { type AllowListScope, createAllowList } from './allowed.ts'
import { ALLOWED_MAX, createAllowedStore } from './store.ts'

const HASH = 'a'.repeat(64)
const hashOf = (index: number) => index.toString(16).padStart(64, '0')

const finding = (id: string, severity: Finding['severity'] = 'malicious'): Finding => ({
  ...{ id, severity, title: id, reason: 'It says so.', technique: null, path: [], detail: 'x' },
})
const detected = (...ids: string[]): Outcome => ({
  ...{ kind: 'detected', threat: ids[0] ?? '', path: [], beneath: { kind: 'clean' } },
  findings: ids.map((id) => finding(id)),
})
const UNKNOWN = { allowedBy: null, scanId: null, fileName: null, threat: null }
const NOBODY = { findThreat: async () => null, nameOf: async () => null, log: quietLog }
const scanned = { accountId: 'account', keyId: 'key', requestId: 'request', sha256: HASH }

describe('threats that the allow list overrides', () => {
  const review = (outcome: Outcome, scope: AllowListScope, engine = 'embedded', find = async () => ({})) =>
    createAllowList({ ...NOBODY, store: { find } as never, scope }).review(outcome, engine, scanned)

  const KINDS: [string, Outcome, string, AllowListScope[]][] = [
    ['an own finding', detected('Docvet.Pdf.Launch'), 'embedded', ['own', 'all']],
    ['EICAR', detected('Docvet.Test.Eicar'), 'embedded', ['all']],
    ['EICAR beside an own finding', detected('Docvet.Pdf.Launch', 'Docvet.Test.Eicar'), 'embedded', ['all']],
    ['a bomb', detected('Docvet.Bomb.Ratio'), 'embedded', ['all']],
    ['a rule of the operator', detected('Operator.mine'), 'embedded', ['all']],
    ['a signature of clamd', { kind: 'detected', threat: 'Docvet.Pdf.Launch', path: [] }, 'clamd', ['all']],
    ['more findings than are reported', detected(...Array(100).fill('Docvet.Pdf.Launch')), 'embedded', ['all']],
  ]
  for (const [name, outcome, engine, scopes] of KINDS)
    for (const scope of ['own', 'all', 'off'] as const)
      test(`${name} with ${scope}: ${scopes.includes(scope) ? 'overridden' : 'stands'}`, async () => {
        const { kind } = await review(outcome, scope, engine)
        assert.equal(kind, scopes.includes(scope) ? 'clean' : 'detected')
      })

  test('what is beneath the threat counts', async () => {
    const obstacle: Outcome = { kind: 'unscannable', obstacle: 'encrypted', detail: 'Locked.' }
    const outcome = { ...detected('Docvet.Pdf.Launch'), beneath: obstacle } as Outcome
    const { findings, ...rest } = await review(outcome, 'own')
    assert.deepEqual(rest, obstacle)
    assert.deepEqual(
      [findings?.[0]?.severity, findings?.[0]?.detail],
      ['notice', 'On the allow list of the account: x'],
    )
  })

  test('a document that is not listed, and a list that cannot be read, change nothing', async () => {
    const outcome = detected('Docvet.Pdf.Launch')
    assert.equal(await review(outcome, 'own', 'embedded', async () => undefined as never), outcome)
    assert.equal(await review(outcome, 'own', 'embedded', () => Promise.reject(new Error('down'))), outcome)
  })

  test('other outcomes stay as they are, without a look at the list', async () => {
    const fail = () => assert.fail('consulted')
    for (const outcome of [{ kind: 'clean' }, { kind: 'failed', late: false, detail: '' }] as const)
      assert.equal(await review(outcome, 'all', 'embedded', fail), outcome)
  })
})

forEachDatabase('the store of the allow list', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  test(`${ALLOWED_MAX} documents fit; one more is 409, a change of one is not`, async () => {
    const accountId = await seedAccount(database)
    const principal = { kind: 'key', keyId: 'key', accountId, plan: 'free' } as const
    const store = createAllowedStore(database)
    const list = createAllowList({ store, scope: 'own', ...NOBODY })
    const rows = Array.from({ length: ALLOWED_MAX - 1 }, (_, index) => ({
      ...{ account_id: accountId, sha256: hashOf(index), note: null, created_at: index },
    }))
    for (let from = 0; from < rows.length; from += 1_000)
      await database.db
        .insertInto('allowed_documents')
        .values(rows.slice(from, from + 1_000))
        .execute()
    const full = (error: unknown) => error instanceof AppError && error.code === 'allow_list_full'
    const attempts = await Promise.allSettled([1, 2, 3].map((i) => list.put(principal, hashOf(ALLOWED_MAX + i))))
    assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const attempt of attempts) if (attempt.status === 'rejected') assert.ok(full(attempt.reason))
    assert.equal((await list.put(principal, hashOf(0), 'Changed')).note, 'Changed')
    await list.delete(accountId, hashOf(1))
    await list.put(principal, HASH)
  })

  test('changes are in the audit log', async () => {
    const accountId = await seedAccount(database)
    const store = createAllowedStore(database)
    await store.put(accountId, HASH, { ...UNKNOWN, note: null })
    await store.delete(accountId, HASH)
    await store.delete(accountId, HASH)
    const rows = await database.db
      .selectFrom('audit_log')
      .select(['event', 'subject'])
      .where('account_id', '=', accountId)
      .where('event', 'like', 'allowed.%')
      .orderBy('seq')
      .execute()
    assert.deepEqual(
      rows.map(({ event, subject }) => [event, subject]),
      [
        ['allowed.added', HASH],
        ['allowed.removed', HASH],
      ],
    )
  })

  test('entries of the same millisecond are listed once each', async () => {
    const accountId = await seedAccount(database)
    const list = createAllowList({ store: createAllowedStore(database), scope: 'own', ...NOBODY })
    const rows = [3, 1, 2].map((index) => ({
      ...{ account_id: accountId, sha256: hashOf(index), note: null, created_at: 7 },
    }))
    await database.db.insertInto('allowed_documents').values(rows).execute()
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await list.list(accountId, { limit: 1, ...(cursor && { cursor }) })
      seen.push(...page.items.map(({ sha256 }) => sha256))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    assert.deepEqual(seen, [hashOf(1), hashOf(2), hashOf(3)])
  })
})
