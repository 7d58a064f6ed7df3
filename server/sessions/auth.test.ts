/** What signing in and forgetting do, by the calls they make: the same whoever has an account. */
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
import { checkPassword } from './password-rules.ts'
import { createResetStore, RESETS_PER_HOUR_MAX } from './reset-store.ts'
import { createSessions } from './sessions.ts'
import { createSessionStore, IDLE_MS_MAX, LIFE_MS_MAX } from './store.ts'
import { mintToken } from './token.ts'

/** Cheap, so that the tests are quick, and other than today's, so that a change of parameters can be tried. */
const CHEAP = { memoryKib: 64, passes: 1, parallelism: 1 }
const DEARER = { memoryKib: 128, passes: 1, parallelism: 1 }
const PASSWORD = 'a meadow full of crickets'

forEachDatabase('auth', (openUrl) => {
  let database: Database
  useDatabase(openUrl, (opened) => {
    database = opened
  })

  /** The whole of it on a real database, with the names of the calls that matter for time. */
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
    const sessions = createSessions({ store: createSessionStore(database), log: quietLog })
    const made = createAuth({
      transact: (work) => database.db.transaction().execute(work),
      parseEmail,
      checkPassword,
      accounts: traced('accounts', createAccountStore(database)),
      hasher: traced('hasher', createHasher({ log: quietLog, cost })),
      attempts: traced('attempts', attempts),
      sessions,
      resets: traced('resets', createResetStore(database)),
      mail: traced('mail', { askForReset: async () => {}, tellOfChange: async () => {}, wake() {} }),
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

  test('an unknown address, one without a password and a wrong password cost the same calls', async () => {
    const withoutPassword = `${await seedAccount(database)}@example.com`
    const traces = []
    for (const email of [newAddress(), withoutPassword, await signedUp()]) {
      const desk = auth()
      await assert.rejects(desk.signIn({ email, password: 'something else' }, null), isRefusal('invalid_credentials'))
      traces.push(desk.calls)
    }
    assert.deepEqual(traces[0], ['attempts.begin', 'accounts.findByEmail', 'hasher.verify'])
    for (const trace of traces) assert.deepEqual(trace, traces[0])
  })

  test('forgetting costs the same calls for an unknown address as for a known one, and none looks for the account', async () => {
    for (const email of [newAddress(), await signedUp()]) {
      const desk = auth()
      await desk.forgot(email)
      assert.deepEqual(desk.calls, ['mail.askForReset', 'mail.wake'])
    }
  })

  test('a hash of other parameters is renewed at sign-in, one of the same is left alone', async () => {
    const email = await signedUp()
    const hashOf = async () =>
      (await database.db.selectFrom('accounts').select('password_hash').where('email', '=', email).executeTakeFirst())
        ?.password_hash
    const before = await hashOf()
    await auth().signIn({ email, password: PASSWORD }, null)
    assert.equal(await hashOf(), before)
    await auth({ cost: DEARER }).signIn({ email, password: PASSWORD }, null)
    assert.match((await hashOf()) ?? '', /m=128,t=1,p=1/)
    await auth({ cost: DEARER }).signIn({ email, password: PASSWORD }, null)
  })

  test('an attempt at which nobody could look is none', async () => {
    const email = await signedUp()
    for (let i = 0; i < 20; i++) {
      await assert.rejects(auth({ failing: true }).signIn({ email, password: PASSWORD }, null), isRefusal('busy'))
    }
    await auth().signIn({ email, password: PASSWORD }, null)
  })

  test('sessions that are over are swept, others are not', async () => {
    const store = createSessionStore(database)
    const accountId = await seedAccount(database)
    const ids = [newId(), newId(), newId()]
    for (const id of ids) {
      await database.db.transaction().execute((trx) => store.insert({ id, accountId, hash: mintToken().hash }, trx))
    }
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

  test('a mail that is tried again does not count as another link, and its earlier link is void', async () => {
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
