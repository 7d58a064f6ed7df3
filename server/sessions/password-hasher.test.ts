/** Hashing with real Argon2, and its limits under load. */
import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import crypto from 'node:crypto'
import { stat } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { quietLog } from '#test/support/seed.ts'
import { CURRENT_COST, parseHash } from './password-hash.ts'
import { createHasher, HASHES_QUEUED_MAX, HASHES_RUNNING_MAX } from './password-hasher.ts'

const CHEAP = { memoryKib: 8, passes: 1, parallelism: 1 }
const hasher = createHasher({ log: quietLog })
const cheap = createHasher({ log: quietLog, cost: CHEAP })
const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy' && error.retryAfterSeconds === 2

describe('a password hash', () => {
  test('is Argon2id at the current cost with a random salt, and matches its password only', async () => {
    const [one, two] = [await hasher.hash('kx7#mQ2z'), await hasher.hash('kx7#mQ2z')]
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(one, two)
    assert.notDeepEqual(parseHash(one)?.salt, parseHash(two)?.salt)
    assert.deepEqual(await hasher.verify(one, 'kx7#mQ2z'), { ok: true, rehash: false })
    assert.deepEqual(await hasher.verify(one, 'kx7#mQ2Z'), { ok: false, rehash: false })
  })

  test('matches the Argon2 reference implementation', async () => {
    // From its tests: printf password | argon2 somesalt -id -t 2 -m 16 -p 1
    const known = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.deepEqual(await hasher.verify(known, 'password'), { ok: true, rehash: true })
    assert.deepEqual(await hasher.verify(known, 'passwore'), { ok: false, rehash: false })
  })

  test('accepts any characters exactly as received', async () => {
    const passwords = [
      '  kx7#mQ2z',
      'kx7#mQ2z  ',
      'kx7#mQ2z',
      'KX7#mQ2z',
      'kx7#mQ2z\0',
      'kx7#mQ2z\n',
      '\u00e9'.repeat(8),
      'e\u0301'.repeat(8),
      '🦉'.repeat(8),
      '🦉'.repeat(256),
      '🦉'.repeat(255),
      'x'.repeat(256),
      '\ufffdabcdefgh',
    ]
    for (const password of passwords) {
      const stored = await cheap.hash(password)
      for (const other of passwords) {
        const { ok } = await cheap.verify(stored, other)
        assert.equal(ok, other === password, `${JSON.stringify(password)} with ${JSON.stringify(other)}`)
      }
    }
  })

  test('is never created from, or matched by, an unpaired surrogate', async () => {
    await assert.rejects(cheap.hash('\ud83eabcdefgh'), TypeError)
    const stored = await cheap.hash('\ufffdabcdefgh')
    assert.equal((await cheap.verify(stored, '\ufffdabcdefgh')).ok, true)
    assert.deepEqual(await cheap.verify(stored, '\ud83eabcdefgh'), { ok: false, rehash: false })
  })

  test('with outdated parameters is reported for rehashing if the password is right', async () => {
    const old = await cheap.hash('kx7#mQ2z')
    assert.deepEqual(await hasher.verify(old, 'kx7#mQ2z'), { ok: true, rehash: true })
    assert.deepEqual(await hasher.verify(old, 'wrong one'), { ok: false, rehash: false })
    assert.deepEqual(await cheap.verify(old, 'kx7#mQ2z'), { ok: true, rehash: false })
  })

  test('never matches if it is missing or invalid; an invalid one is logged without its text', async () => {
    const lines: unknown[][] = []
    const log = { ...quietLog, error: (...line: unknown[]) => lines.push(line) } as unknown as typeof quietLog
    const listened = createHasher({ log, cost: CHEAP })
    assert.deepEqual(await listened.verify(null, 'kx7#mQ2z'), { ok: false, rehash: false })
    assert.equal(lines.length, 0)
    for (const bad of [
      '',
      'kx7#mQ2z',
      '$argon2id$v=19$m=4194304,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
    ]) {
      lines.length = 0
      assert.deepEqual(await listened.verify(bad, 'kx7#mQ2z'), { ok: false, rehash: false })
      assert.equal(lines.length, 1)
      assert.ok(!JSON.stringify(lines).includes('kx7#') && !JSON.stringify(lines).includes('argon2id'))
    }
  })
})

/** The highest number of concurrent Argon2 jobs. */
async function jobsAtOnce(work: () => Promise<unknown>): Promise<number> {
  const jobs = new Set<number>()
  let most = 0
  const hook = createHook({
    init(id, type) {
      if (type !== 'ARGON2REQUEST') return
      jobs.add(id)
      most = Math.max(most, jobs.size)
    },
    after: (id) => jobs.delete(id),
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return most
}

describe('many passwords at once', () => {
  test('are limited to two running, one core free, and 64 queued', () => {
    assert.equal(HASHES_RUNNING_MAX, Math.min(2, Math.max(1, availableParallelism() - 1)))
    assert.equal(HASHES_QUEUED_MAX, 64)
  })

  test('run up to the limit, including verifications and unknown accounts', async () => {
    for (const runningMax of [1, 3]) {
      const limited = createHasher({ log: quietLog, cost: CHEAP, runningMax })
      const stored = await limited.hash('kx7#mQ2z')
      const most = await jobsAtOnce(() =>
        Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            i % 3 === 0 ? limited.hash('kx7#mQ2z') : limited.verify(i % 3 === 1 ? stored : null, 'kx7#mQ2z'),
          ),
        ),
      )
      assert.equal(most, runningMax)
    }
  })

  test('are rejected as busy when the queue is full', async () => {
    const full = Array.from({ length: HASHES_RUNNING_MAX + HASHES_QUEUED_MAX }, () => cheap.verify(null, 'kx7#mQ2z'))
    assert.deepEqual(cheap.load(), { running: HASHES_RUNNING_MAX, queued: HASHES_QUEUED_MAX })
    await assert.rejects(cheap.verify(null, 'kx7#mQ2z'), isBusy)
    await assert.rejects(cheap.hash('kx7#mQ2z'), isBusy)
    assert.equal((await Promise.all(full)).length, HASHES_RUNNING_MAX + HASHES_QUEUED_MAX)
    assert.deepEqual(cheap.load(), { running: 0, queued: 0 })
    await cheap.hash('kx7#mQ2z')
  })

  test('leave the queue when their client disconnects', async () => {
    const one = createHasher({ log: quietLog, cost: CHEAP, runningMax: 1 })
    const running = one.hash('kx7#mQ2z')
    const gone = new AbortController()
    const leaving = [one.hash('kx7#mQ2z', gone.signal), one.verify(null, 'kx7#mQ2z', gone.signal)]
    assert.equal(one.load().queued, 2)
    gone.abort()
    assert.equal(one.load().queued, 0)
    for (const left of await Promise.allSettled(leaving)) assert.equal(left.status, 'rejected')
    await running
  })

  test('do not block file system calls', async () => {
    let hashed = 0
    const flood = Array.from({ length: 24 }, () => hasher.verify(null, 'kx7#mQ2z').then(() => hashed++))
    // Each call would wait for a hash if hashes occupied every thread of the pool.
    for (let i = 0; i < 24; i++) await stat(import.meta.filename)
    const meanwhile = hashed
    await Promise.all(flood)
    assert.ok(meanwhile < 12, `${meanwhile} hashes ended before 24 file system calls`)
  })
})

test('an unknown account causes the same Argon2 work as a wrong password', async (t) => {
  const stored = await hasher.hash('kx7#mQ2z')
  const { mock } = t.mock.method(crypto, 'argon2')
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })
  for (const each of [stored, null]) assert.equal((await hasher.verify(each, 'not the password')).ok, false)
  const [wrong, unknown, ...more] = mock.calls.map(({ arguments: [algorithm, { nonce, ...parameters }] }) => ({
    algorithm,
    ...parameters,
    nonceBytes: Buffer.from(nonce as Buffer).length,
  }))
  assert.deepEqual(more, [])
  assert.equal(wrong?.memory, CURRENT_COST.memoryKib)
  assert.deepEqual(unknown, wrong)
})
