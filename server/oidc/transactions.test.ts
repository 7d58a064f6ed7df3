import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import { createSeal } from '#base/seal.ts'
import { newSecrets } from './client.ts'
import { RETURN_TO_LENGTH_MAX, safeReturn } from './return-to.ts'
import { createTransactions, TRANSACTION_MS, TRANSACTIONS_MAX, type Transaction } from './transactions.ts'

const transactions = createTransactions(createSeal(Buffer.alloc(32, 1)), true)
const begun = (more: Partial<Transaction> = {}): Transaction => ({
  ...{ ...newSecrets(), purpose: 'sign-in', returnTo: '/', at: Date.now(), ...more },
})
const pairOf = (cookie = '') => cookie.split(';', 1)[0] ?? ''

test('a transaction is read by its state, for its provider, with its key, unchanged', () => {
  const transaction = begun()
  const [cookie = ''] = transactions.begin(undefined, 'google', transaction)
  assert.match(cookie, /^__Host-docvet_oidc_[\w-]{8}=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  const header = `a=b; ${pairOf(cookie)}`
  const taken = transactions.take(header, 'google', transaction.state)
  assert.deepEqual(taken.transaction, transaction)
  assert.match(taken.cookies.join(), /^__Host-docvet_oidc_[\w-]{8}=; Max-Age=0; /)

  const none = (given: string | undefined, provider = 'google', state: string | null = transaction.state) =>
    assert.equal(transactions.take(given, provider, state).transaction, null)
  none(header, 'microsoft')
  none(header, 'google', null)
  none(header, 'google', '')
  none(header, 'google', `${transaction.state.slice(0, 8)}${'A'.repeat(35)}`)
  none(undefined)
  none(header.replace(/.{6}$/, 'AAAAAA'))
  const other = createTransactions(createSeal(Buffer.alloc(32, 2)), true)
  none(pairOf(other.begin(undefined, 'google', transaction)[0]))
})

test('it ends after ten minutes', () => {
  mock.timers.enable({ apis: ['Date'], now: 1_000 })
  try {
    const transaction = begun()
    const header = pairOf(transactions.begin(undefined, 'google', transaction)[0])
    mock.timers.setTime(1_000 + TRANSACTION_MS)
    assert.ok(transactions.take(header, 'google', transaction.state).transaction)
    mock.timers.setTime(1_001 + TRANSACTION_MS)
    assert.equal(transactions.take(header, 'google', transaction.state).transaction, null)
  } finally {
    mock.timers.reset()
  }
})

test('a browser keeps four of them, each in a cookie of at most 4,096 bytes', () => {
  const pairs: string[] = []
  for (let i = 0; i < TRANSACTIONS_MAX; i++) {
    const cookies = transactions.begin(pairs.join('; '), 'google', begun())
    assert.equal(cookies.length, 1)
    pairs.push(pairOf(cookies[0]))
  }
  const [ended, added] = transactions.begin(pairs.join('; '), 'google', begun())
  assert.ok(ended?.startsWith(`${pairs[0]?.split('=')[0]}=; Max-Age=0`))
  assert.ok(added?.includes('Max-Age=600'))
  const session = { accountId: 'x'.repeat(36), sessionId: 'x'.repeat(36) }
  const longest = begun({ returnTo: `/${'x'.repeat(RETURN_TO_LENGTH_MAX - 1)}`, inviteCode: 'x'.repeat(200), session })
  assert.ok((transactions.begin(undefined, 'x'.repeat(32), longest)[0]?.length ?? 0) <= 4_096)
})

test('only pages of this service are returned to, with their query as it was', () => {
  const own = 'https://docvet.example'
  const landing = '/marketplace/landing?token=a%2Bb%2F%3D%20c'
  for (const good of ['/', '/keys', '/history/1?a=b&c', landing, `/${'x'.repeat(RETURN_TO_LENGTH_MAX - 1)}`])
    assert.equal(safeReturn(good, own), good)
  assert.equal(safeReturn('/settings#x', own), '/settings')
  for (const bad of [
    ...[undefined, '', 'keys', '//evil.invalid', '/\\evil.invalid', '\\\\evil.invalid', 'https://evil.invalid/'],
    ...['/\t/evil.invalid', '/\n/evil.invalid', '/.//evil.invalid', '/x/..//evil.invalid', 'javascript:alert(1)'],
    ...['/%2e//evil.invalid', '/api/v1/auth/oidc/x/start', '/x/../api/v1/keys', 'https://docvet.example.evil.invalid'],
    ...['https://docvet.example/keys', '@evil.invalid', '///evil.invalid', ' //evil.invalid', '/\\/evil.invalid'],
    `/${'x'.repeat(RETURN_TO_LENGTH_MAX)}`,
  ])
    assert.equal(safeReturn(bad, own), '/', String(bad))
})
