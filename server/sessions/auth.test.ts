/** Sign-in and password reset make the same calls with and without an account. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseEmail } from '#accounts/email.ts'
import { createAccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import { newId } from '#base/ids.ts'
import type { Database } from '#storage/database.ts'
import { quietLog, seedAccount } from '#test/support/seed.ts'
import { forEachDatabase, useDatabase } from '#test/support/suite.ts'
import { createAttemptStore } from './attempt-store.ts'
import { createAuth } from './auth.ts'
import { createHasher } from './password-hasher.ts'
import { createResetStore, RESETS_PER_HOUR_MAX } from './reset-store.ts'
import { createSessionStore, IDLE_MS_MAX, LIFE_MS_MAX } from './store.ts'
import { mintToken } from './token.ts'

/** Cheap for fast tests, and different from the current cost so that rehashing can be tested. */
const CHEAP = { memoryKib: 64, passes: 1, parallelism: 1 }
const HIGHER = { memoryKib: 128, passes: 1, parallelism: 1 }
const PASSWORD = 'a meadow full of crickets'

forEachDatabase('auth', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  /** Auth on a real database; `calls` records the calls that affect response time. */
  function auth({ cost = CHEAP, failing = false } = {}) {
    const calls: string[] = []
    const traced = <T extends object>(name: string, target: T): T =>
      new Proxy(target, {
        get(from, property) {
          const value = Reflect.get(from, property)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) => {
            calls.push(`${name}.${String(property)}`)
            if (failing && name === 'hasher') throw new AppError('busy', 'Too many at once.', { retryAfterSeconds: 1 })
            return value.apply(from, given)
          }
        },
      })
    const attempts = createAttemptStore(database)
    const sessions = createSessionStore(database, quietLog)
    const made = createAuth({
      isOperator: () => false,
      transact: database.audit.change,
      note: database.audit.note,
      parseEmail,
      accounts: traced('accounts', createAccountStore(database)),
      hasher: traced('hasher', createHasher({ log: quietLog, cost })),
      attempts: traced('attempts', attempts),
      sessions,
      resets: traced('resets', createResetStore(database)),
      revokeKeys: async () => {},
      eraseWays: async () => {},
      withdrawOffers: async () => {},
      mail: traced('mail', { resetRequested: async () => {}, passwordChanged: async () => {}, wake() {} }),
      signupPolicy: { check: async () => {}, admit: async () => {} },
      plan: 'free',
      log: quietLog,
    })
    return { ...made, calls, sessions, attempts }
  }
  const isRefusal = (code: string) => (error: unknown) => error instanceof AppError && error.code === code
  const newAddress = () => `${newId()}@example.com`

  async function signedUp(options = {}): Promise<string> {
    const email = newAddress()
    await auth(options).signUp({ email, password: PASSWORD }, null)
    return email
  }

  test('an unknown address, an account without a password and a wrong password cause the same calls', async () => {
    const withoutPassword = `${await seedAccount(database)}@example.com`
    const traces = []
    for (const email of [newAddress(), withoutPassword, await signedUp()]) {
      const subject = auth()
      await assert.rejects(
        subject.signIn({ email, password: 'something else' }, null),
        isRefusal('invalid_credentials'),
      )
      traces.push(subject.calls)
    }
    assert.deepEqual(traces[0], ['attempts.begin', 'accounts.findByEmail', 'hasher.verify'])
    for (const trace of traces) assert.deepEqual(trace, traces[0])
  })

  test('a reset request causes the same calls for unknown and known addresses and does not read the account', async () => {
    for (const email of [newAddress(), await signedUp()]) {
      const subject = auth()
      await subject.forgot(email)
      assert.deepEqual(subject.calls, ['mail.resetRequested', 'mail.wake'])
    }
  })

  test('sign-in rehashes a password with outdated parameters only', async () => {
    const email = await signedUp()
    const hashOf = async () =>
      (await database.db.selectFrom('accounts').select('password_hash').where('email', '=', email).executeTakeFirst())
        ?.password_hash
    const before = await hashOf()
    await auth().signIn({ email, password: PASSWORD }, null)
    assert.equal(await hashOf(), before)
    await auth({ cost: HIGHER }).signIn({ email, password: PASSWORD }, null)
    assert.match((await hashOf()) ?? '', /m=128,t=1,p=1/)
    await auth({ cost: HIGHER }).signIn({ email, password: PASSWORD }, null)
  })

  test('an attempt that could not be verified does not count', async () => {
    const email = await signedUp()
    for (let i = 0; i < 20; i++) {
      await assert.rejects(auth({ failing: true }).signIn({ email, password: PASSWORD }, null), isRefusal('busy'))
    }
    await auth().signIn({ email, password: PASSWORD }, null)
  })

  test('sweep deletes only expired sessions', async () => {
    const store = createSessionStore(database, quietLog)
    const accountId = await seedAccount(database)
    for (let i = 0; i < 3; i++) {
      await database.audit.change((trx) => store.start(trx, accountId, null))
    }
    const started = await database.db.selectFrom('sessions').select('id').where('account_id', '=', accountId).execute()
    const ids = started.map(({ id }) => id)
    const age = (id: string | undefined, column: 'seen_at' | 'created_at', ms: number) =>
      database.db
        .updateTable('sessions')
        .set((eb) => ({ [column]: eb(column, '-', ms) }))
        .where('id', '=', id ?? '')
        .execute()
    await age(ids[0], 'seen_at', IDLE_MS_MAX)
    await age(ids[1], 'created_at', LIFE_MS_MAX)
    await store.sweep()
    const left = await database.db.selectFrom('sessions').select('id').where('account_id', '=', accountId).execute()
    assert.deepEqual(
      left.map(({ id }) => id),
      [ids[2]],
    )
  })

  test('a retried mail replaces its link and does not count as another one', async () => {
    const resets = createResetStore(database)
    const email = `${await seedAccount(database)}@example.com`
    const tokens = Array.from({ length: RESETS_PER_HOUR_MAX + 3 }, mintToken)
    const mailId = newId()
    for (const { hash } of tokens) assert.notEqual(await resets.issue(mailId, email, hash), null)
    for (const { hash } of tokens.slice(0, -1)) assert.equal(await resets.find(hash), undefined)
    assert.equal((await resets.find(tokens.at(-1)?.hash ?? ''))?.email, email)
    for (let i = 1; i < RESETS_PER_HOUR_MAX; i++)
      assert.notEqual(await resets.issue(newId(), email, mintToken().hash), null)
    assert.equal(await resets.issue(newId(), email, mintToken().hash), null)
  })
})
