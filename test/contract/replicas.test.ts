/** Two processes on one database, without Redis and with it: revocations and limits apply to both at once. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { asPage } from '#test/support/auth-client.ts'
import { createKey, listKeys, newEmail, postKey, revokeKey, signUp, usage, withKey } from '#test/support/client.ts'
import { memberRig } from '#test/support/members.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type RedisServer, startRedis } from '#test/support/redis.ts'
import { openPlace as openDatabase } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase, needs } from '#test/support/suite.ts'

const declare = (hasRedis: boolean) => (openPlace: () => Promise<DatabasePlace>) => {
  let place: DatabasePlace
  let redis: RedisServer | null = null
  let one: Service
  let other: Service
  before(async () => {
    place = await openPlace()
    redis = hasRedis ? await startRedis() : null
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_REDIS_URL: redis?.url }
    // Together on an empty database, so that both migrate it.
    const options = { dataDir: place.dataDir, readyTimeoutMs: 60_000 }
    const started = [startService(env, options), startService(env, options)]
    ;[one, other] = (await Promise.all(started)) as [Service, Service]
  })
  after(async () => {
    await one[Symbol.asyncDispose]()
    await other[Symbol.asyncDispose]()
    await redis?.[Symbol.asyncDispose]()
    await place.release()
  })

  test('401 on one process right after the 204 of the other', async () => {
    for (let i = 0; i < 20; i++) {
      const { apiKey } = await signUp(one.port)
      const [own] = await listKeys(other.port, apiKey)
      assert.equal((await revokeKey(one.port, apiKey, own!.id)).status, 204)
      assertProblem(await usage(other.port, withKey(apiKey)), 401, 'unauthenticated')
    }
  })

  test('401 for every request that starts after the 204, under load', async () => {
    const { apiKey } = await signUp(one.port)
    const doomed = await createKey(one.port, apiKey)
    let revokedAt = Number.POSITIVE_INFINITY
    const early: number[] = []
    const late: number[] = []
    const ask = async () => {
      while (late.length < 40) {
        const startedAt = performance.now()
        const { status } = await usage(other.port, withKey(doomed.apiKey))
        const list = startedAt > revokedAt ? late : early
        list.push(status)
      }
    }
    const asking = Array.from({ length: 8 }, ask)
    while (early.length < 40) await usage(one.port, withKey(doomed.apiKey))
    assert.equal((await revokeKey(one.port, apiKey, doomed.id)).status, 204)
    revokedAt = performance.now()
    await Promise.all(asking)
    assert.equal(early[0], 200)
    assert.deepEqual([...new Set(late)], [401])
  })

  test('four 201 and sixteen 409 for twenty concurrent key creations', async () => {
    const { apiKey } = await signUp(one.port)
    const ports = Array.from({ length: 20 }, (_, i) => (i % 2 ? one.port : other.port))
    const answers = await Promise.all(ports.map((port) => postKey(port, apiKey)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 4)
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assertProblem(answer, 409, 'key_limit_reached')
    }
    assert.equal((await listKeys(one.port, apiKey)).length, 5)
  })

  test('one 201 and nineteen 409 for twenty concurrent sign-ups with one address', async () => {
    const email = newEmail()
    const ports = Array.from({ length: 20 }, (_, i) => (i % 2 ? one.port : other.port))
    const answers = await Promise.all(ports.map((port) => request(port, 'POST', '/api/v1/signup', { body: { email } })))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 201)) assertProblem(answer, 409, 'email_taken')
  })

  test('a membership, its role, a session and a rolled key: the next request on the other process knows', async () => {
    const database = await openDatabase(place)
    const rig = memberRig(one, database)
    const owner = await rig.person()
    const get = (who: { cookie: string }, path: string) => asPage(other.port, who.cookie, 'GET', path)
    for (let i = 0; i < 5; i++) {
      const member = await rig.person()
      await rig.accept(member, await rig.invite(owner, member.email, 'viewer'))
      const away = await rig.anotherSession(member.id)
      assert.equal(
        (await asPage(other.port, member.cookie, 'POST', '/api/v1/auth/act', { accountId: owner.id })).status,
        204,
      )
      const role = (name: string) => rig.ask(owner, 'PATCH', `/api/v1/members/${member.id}`, { role: name })
      assertProblem(await get(member, '/api/v1/members'), 403, 'role_forbidden')
      assert.equal((await role('admin')).status, 204)
      assert.equal((await get(member, '/api/v1/members')).status, 200)
      assert.equal((await role('viewer')).status, 204)
      assertProblem(await get(member, '/api/v1/members'), 403, 'role_forbidden')
      assert.equal((await rig.ask(owner, 'DELETE', `/api/v1/members/${member.id}`)).status, 204)
      assertProblem(await get(member, '/api/v1/usage'), 401, 'unauthenticated')

      assert.equal((await get(away, '/api/v1/auth/me')).status, 200)
      const back = await rig.anotherSession(member.id)
      assert.equal((await rig.ask(back, 'DELETE', '/api/v1/auth/sessions')).status, 204)
      assertProblem(await get(away, '/api/v1/auth/me'), 401, 'unauthenticated')

      const key = await createKey(one.port, (await signUp(one.port)).apiKey)
      const headers = withKey(key.apiKey)
      const rolled = await request(one.port, 'POST', `/api/v1/keys/${key.id}/roll`, { headers })
      assertProblem(await usage(other.port, headers), 401, 'unauthenticated')
      assert.equal((await usage(other.port, withKey((rolled.json() as { apiKey: string }).apiKey))).status, 200)
    }
    await database.close()
  })

  test('one 204, otherwise 404, for concurrent revocations of one key', async () => {
    const { apiKey } = await signUp(one.port)
    const { id } = await createKey(other.port, apiKey)
    const ports = Array.from({ length: 10 }, (_, i) => (i % 2 ? one.port : other.port))
    const answers = await Promise.all(ports.map((port) => revokeKey(port, apiKey, id)))
    assert.equal(answers.filter(({ status }) => status === 204).length, 1)
    for (const answer of answers.filter(({ status }) => status !== 204)) assertProblem(answer, 404, 'not_found')
  })
}

forEachDatabase('two processes', declare(false))
describe('with Redis', needs('redis'), () => forEachDatabase('two processes', declare(true)))
