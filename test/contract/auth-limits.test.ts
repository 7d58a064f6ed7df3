/** Limits against guessing and flooding: growing delays per account, rate limits per IP address, no permanent lockout. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { GOOD_PASSWORD, postAuth, signIn, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail } from '#test/support/client.ts'
import { resetLinkIn } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const FREE_FAILURES = 5
const LONG_DELAY_S = 4

forEachDatabase('one account', (openUrl) => {
  let place: DatabasePlace
  let service: Service
  before(async () => {
    place = await openUrl()
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_TRUSTED_PROXIES: '127.0.0.1' }
    service = await startService(env, { dataDir: place.dataDir })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await place.release()
  })

  /** Each guess comes from its own IP address. */
  const guess = (email: string, i: number, password = `guess number ${i}`) =>
    signIn(service.port, email, password, { 'x-forwarded-for': `203.0.${i >> 8}.${i & 255}` })

  test('200 wrong passwords from 200 IP addresses: 429 after the fifth, also for the right password, until a reset', async () => {
    const { email, password } = await signUpPerson(service.port)
    const answers = []
    for (let i = 0; i < 200; i++) answers.push(await guess(email, i))
    for (const answer of answers.slice(0, FREE_FAILURES)) assertProblem(answer, 401, 'invalid_credentials')
    const limited = answers.filter(({ status }) => status === 429)
    assert.ok(limited.length > 180, `${limited.length} of 200`)
    for (const answer of limited) assertProblem(answer, 429, 'rate_limited')

    // The delay doubles with each failure: wait for one that cannot end before the next request.
    for (let i = 0; Number((await guess(email, i)).headers['retry-after'] ?? 0) < LONG_DELAY_S; i++) await sleep(100)
    assertProblem(await guess(email, 0, password), 429, 'rate_limited')

    assert.equal((await postAuth(service.port, 'forgot-password', { email })).status, 202)
    const token = await resetLinkIn(service, email)
    assert.equal(
      (await postAuth(service.port, 'reset-password', { token, password: 'a quite new password' })).status,
      204,
    )
    assert.equal((await guess(email, 0, 'a quite new password')).status, 200)
  })

  test('an e-mail address without an account has the same limit, so the limit does not reveal accounts', async () => {
    const [known, unknown] = [(await signUpPerson(service.port)).email, newEmail()]
    // Not longer: on a slow machine the first delay of one ends before that of the other.
    for (let i = 0; i <= FREE_FAILURES; i++) {
      const [one, other] = [await guess(known, i), await guess(unknown, i)]
      assert.equal(one.status, other.status, `attempt ${i}`)
    }
  })

  test('spaces and letter case do not bypass the limit', async () => {
    const { email } = await signUpPerson(service.port)
    const written = [email, ` ${email}`, `${email}  `, email.toUpperCase(), `\t${email}`, `${email}\n`]
    for (const [i, each] of written.entries()) await guess(each, i)
    for (const [i, each] of written.entries()) assertProblem(await guess(each, i), 429, 'rate_limited')
  })

  test('of a hundred concurrent guesses, at most six are verified', async () => {
    const { email } = await signUpPerson(service.port)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => guess(email, i)))
    const verified = answers.filter(({ status }) => status === 401).length
    assert.ok(verified >= 1 && verified <= FREE_FAILURES + 1, `${verified} were verified`)
    for (const { status } of answers) assert.ok([401, 429, 503].includes(status), `${status}`)
  })

  test('after the delay, the right password resets the limit', async () => {
    const { email, password } = await signUpPerson(service.port)
    let answer = await guess(email, 0)
    for (let i = 1; answer.status !== 429; i++) {
      assert.ok(i < 20, 'never limited')
      answer = await guess(email, i)
    }
    await sleep(Number(answer.headers['retry-after']) * 1_000 + 100)
    assert.equal((await guess(email, 0, password)).status, 200)
    for (let i = 0; i < FREE_FAILURES; i++) assertProblem(await guess(email, i), 401, 'invalid_credentials')
  })
})

describe('one IP address', () => {
  let service: Service
  before(async () => {
    service = await startService({ DOCVET_ADDRESS_RATE_PER_MINUTE: '60', DOCVET_TRUSTED_PROXIES: '127.0.0.1' })
  })
  after(() => service[Symbol.asyncDispose]())

  for (const [name, body, limit] of [
    // Invalid bodies, because hashing would take so long that the bucket refills.
    ['login', () => ({}), 20],
    ['signup', () => ({ email: 'nobody', password: GOOD_PASSWORD }), 20],
    ['forgot-password', () => ({ email: newEmail() }), 10],
    ['reset-password', () => ({}), 10],
  ] as const) {
    test(`auth/${name}: ${limit} at once of 60 a minute, then 429 with Retry-After; other IP addresses are not affected`, async () => {
      const post = (address: string) => postAuth(service.port, name, body(), { 'x-forwarded-for': address })
      for (let i = 0; i < limit; i++) assert.notEqual((await post('198.51.100.7')).status, 429, `request ${i + 1}`)
      assertProblem(await post('198.51.100.7'), 429, 'rate_limited')
      assert.notEqual((await post('198.51.100.8')).status, 429)
    })
  }

  test('auth/me is limited per account, not per IP address', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 70 }, async () => (await request(service.port, 'GET', '/api/v1/auth/me')).status),
    )
    assert.deepEqual([...new Set(statuses)], [401])
  })
})
