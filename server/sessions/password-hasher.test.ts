/** Hashing and verifying passwords with real Argon2, and what a flood of them leaves to others. */
import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { describe, test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { quietLog } from '#test/support/seed.ts'
import { parseHash, TODAY } from './password-hash.ts'
import { createHasher, HASHES_AT_ONCE_MAX, HASHES_WAITING_MAX } from './password-hasher.ts'

const CHEAP = { memoryKib: 8, passes: 1, parallelism: 1 }
const hasher = createHasher({ log: quietLog })
const cheap = createHasher({ log: quietLog, cost: CHEAP })
const isBusy = (error: unknown) => error instanceof AppError && error.code === 'busy' && error.retryAfterSeconds === 2

describe('a password hash', () => {
  test('is Argon2id at the cost of today, with a salt of its own, and opens for its password only', async () => {
    const [one, two] = [await hasher.hash('kx7#mQ2z'), await hasher.hash('kx7#mQ2z')]
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.notEqual(one, two)
    assert.notDeepEqual(parseHash(one)?.salt, parseHash(two)?.salt)
    assert.deepEqual(await hasher.verify(one, 'kx7#mQ2z'), { ok: true, rehash: false })
    assert.deepEqual(await hasher.verify(one, 'kx7#mQ2Z'), { ok: false, rehash: false })
  })

  test('agrees with the reference program of Argon2', async () => {
    // From its tests: printf password | argon2 somesalt -id -t 2 -m 16 -p 1
    const known = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    assert.deepEqual(await hasher.verify(known, 'password'), { ok: true, rehash: true })
    assert.deepEqual(await hasher.verify(known, 'passwore'), { ok: false, rehash: false })
  })

  test('holds any characters exactly as they came', async () => {
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

  test('is never made of half a surrogate pair, nor opened by one', async () => {
    await assert.rejects(cheap.hash('\ud83eabcdefgh'), TypeError)
    const stored = await cheap.hash('\ufffdabcdefgh')
    assert.equal((await cheap.verify(stored, '\ufffdabcdefgh')).ok, true)
    assert.deepEqual(await cheap.verify(stored, '\ud83eabcdefgh'), { ok: false, rehash: false })
  })

  test('of another cost is to be made anew, once the password was right', async () => {
    const old = await cheap.hash('kx7#mQ2z')
    assert.deepEqual(await hasher.verify(old, 'kx7#mQ2z'), { ok: true, rehash: true })
    assert.deepEqual(await hasher.verify(old, 'wrong one'), { ok: false, rehash: false })
    assert.deepEqual(await cheap.verify(old, 'kx7#mQ2z'), { ok: true, rehash: false })
  })

  test('that is missing or cannot be read is never right, and the log hears of a bad one without its text', async () => {
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

/** How many Argon2 jobs Node had under way at the same time, at most. */
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

describe('a flood', () => {
  test('has the promised limits: at most two at once, one core left free, 64 in line', () => {
    assert.equal(HASHES_AT_ONCE_MAX, Math.min(2, Math.max(1, availableParallelism() - 1)))
    assert.equal(HASHES_WAITING_MAX, 64)
  })

  test('is hashed so many at a time as allowed, verifications and unknown accounts included', async () => {
    for (const atOnceMax of [1, 3]) {
      const limited = createHasher({ log: quietLog, cost: CHEAP, atOnceMax })
      const stored = await limited.hash('kx7#mQ2z')
      const most = await jobsAtOnce(() =>
        Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            i % 3 === 0 ? limited.hash('kx7#mQ2z') : limited.verify(i % 3 === 1 ? stored : null, 'kx7#mQ2z'),
          ),
        ),
      )
      assert.equal(most, atOnceMax)
    }
  })

  test('fills the line to its end; one more is busy, with nothing hashed for it', async () => {
    const full = Array.from({ length: HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX }, () => cheap.verify(null, 'kx7#mQ2z'))
    assert.deepEqual(cheap.load(), { running: HASHES_AT_ONCE_MAX, queued: HASHES_WAITING_MAX })
    await assert.rejects(cheap.verify(null, 'kx7#mQ2z'), isBusy)
    await assert.rejects(cheap.hash('kx7#mQ2z'), isBusy)
    assert.equal((await Promise.all(full)).length, HASHES_AT_ONCE_MAX + HASHES_WAITING_MAX)
    assert.deepEqual(cheap.load(), { running: 0, queued: 0 })
    await cheap.hash('kx7#mQ2z')
  })

  test('a caller who goes away leaves the line', async () => {
    const one = createHasher({ log: quietLog, cost: CHEAP, atOnceMax: 1 })
    const running = one.hash('kx7#mQ2z')
    const gone = new AbortController()
    const leaving = [one.hash('kx7#mQ2z', gone.signal), one.verify(null, 'kx7#mQ2z', gone.signal)]
    assert.equal(one.load().queued, 2)
    gone.abort()
    assert.equal(one.load().queued, 0)
    for (const left of await Promise.allSettled(leaving)) assert.equal(left.status, 'rejected')
    await running
  })

  test('leaves files alone: they are not served behind the hashes', async () => {
    let hashed = 0
    const flood = Array.from({ length: 24 }, () => hasher.verify(null, 'kx7#mQ2z').then(() => hashed++))
    // Each of these would wait for a hash to end if the hashes held every thread of the pool.
    for (let i = 0; i < 24; i++) await stat(import.meta.filename)
    const meanwhile = hashed
    await Promise.all(flood)
    assert.ok(meanwhile < 12, `${meanwhile} hashes ended before 24 questions to the file system`)
  })
})

test('an unknown account takes as long as a wrong password', async (t) => {
  const stored = await hasher.hash('kx7#mQ2z')
  const samples: { unknown: number[]; wrong: number[] } = { unknown: [], wrong: [] }
  for (let i = 0; i < 60; i++) {
    // In turns, so that a machine that slows down slows both.
    for (const [name, hash] of [
      ['unknown', null],
      ['wrong', stored],
    ] as const) {
      const start = performance.now()
      await hasher.verify(hash, 'not the password')
      samples[name].push(performance.now() - start)
    }
  }
  const median = (times: number[]) => times.sort((a, b) => a - b)[times.length / 2] as number
  const ratio = median(samples.unknown) / median(samples.wrong)
  t.diagnostic(`m=${TODAY.memoryKib}: ${median(samples.wrong).toFixed(1)} ms, unknown/wrong ${ratio.toFixed(3)}`)
  // Wide, because the machine may be busy; without the dummy it would be 1,000 times less.
  assert.ok(ratio > 0.5 && ratio < 2, `unknown/wrong ${ratio}`)
})
