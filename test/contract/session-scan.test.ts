/** Scans with a session, metered on a key that is created on first use. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asPage, ownPage, signUpPerson } from '#test/support/auth-client.ts'
import { type KeySummary, TIME, UUID } from '#test/support/client.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type MailServer, parseMail, startMailServer } from '#test/support/smtp.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const PLANS = { free: { scansPerMonth: 4, keysPerMonth: 2, scansPerSecond: 1000, burst: 1000 } }

const BODY = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--b--\r\n'

forEachDatabase('a scan under a session', (openUrl) => {
  let place: DatabasePlace
  let mail: MailServer
  let service: Service
  before(async () => {
    place = await openUrl()
    mail = await startMailServer()
    const plans = path.join(place.dataDir, 'plans.json')
    writeFileSync(plans, JSON.stringify(PLANS))
    const env = { DOCVET_DATABASE_URL: place.url ?? undefined, DOCVET_PLANS_FILE: plans, DOCVET_SMTP_URL: mail.url }
    service = await startService(env, { dataDir: place.dataDir })
  })
  after(async () => {
    await service[Symbol.asyncDispose]()
    await mail[Symbol.asyncDispose]()
    await place.release()
  })

  const scan = (cookie: string, headers: Record<string, string> = ownPage(service.port)): Promise<Answer> =>
    request(service.port, 'POST', '/api/v1/scan', {
      headers: { cookie, 'content-type': 'multipart/form-data; boundary=b', ...headers },
      body: BODY,
    })
  const keys = async (cookie: string) =>
    (await asPage(service.port, cookie, 'GET', '/api/v1/keys')).json() as KeySummary[]
  const post = (cookie: string) => asPage(service.port, cookie, 'POST', '/api/v1/keys', { name: 'Mine' })
  const revoke = (cookie: string, id: string) => asPage(service.port, cookie, 'DELETE', `/api/v1/keys/${id}`)

  test('200 with a verdict; one key "Dashboard" is created, listed and charged, also for concurrent scans', async () => {
    const { cookie } = await signUpPerson(service.port)
    const answers = await Promise.all([scan(cookie), scan(cookie), scan(cookie)])
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.body)
      assert.equal((answer.json() as { status: string }).status, 'clean')
    }
    const [key, ...more] = await keys(cookie)
    assert.equal(more.length, 0)
    assert.equal(key?.name, 'Dashboard')
    assert.equal(key?.dashboard, true)
    assert.equal(key?.status, 'active')
    assert.match(key?.id ?? '', UUID)
    assert.match(key?.lastUsedAt ?? '', TIME)
    const usage = (await asPage(service.port, cookie, 'GET', '/api/v1/usage')).json()
    assert.deepEqual(usage, {
      plan: 'free',
      period: new Date().toISOString().slice(0, 7),
      scansUsed: 3,
      scansQuota: 4,
      scansRemaining: 1,
    })
  })

  test('402 when the quota of that key is exhausted', async () => {
    const { cookie } = await signUpPerson(service.port)
    for (let i = 0; i < 4; i++) assert.equal((await scan(cookie)).status, 200)
    assertProblem(await scan(cookie), 402, 'quota_exhausted')
  })

  test('the key does not count against the limit of keys, but a revoked one does, so that revoking does not reset the quota', async () => {
    const { cookie } = await signUpPerson(service.port)
    assert.equal((await scan(cookie)).status, 200)
    assert.equal((await post(cookie)).status, 201)
    assert.equal((await post(cookie)).status, 201)
    assertProblem(await post(cookie), 409, 'key_limit_reached')
    const dashboard = (await keys(cookie)).find(({ name }) => name === 'Dashboard')
    assert.equal((await revoke(cookie, dashboard?.id ?? '')).status, 204)
    assertProblem(await scan(cookie), 409, 'key_limit_reached')
  })

  test('a new key is created after the old one was revoked, within the limit of keys', async () => {
    const { cookie } = await signUpPerson(service.port)
    for (const expected of [200, 200, 409]) {
      assert.equal((await scan(cookie)).status, expected)
      const active = (await keys(cookie)).find(({ status }) => status === 'active')
      if (active) await revoke(cookie, active.id)
    }
  })

  test('401 without credentials and 403 from another site, without creating a key', async () => {
    const { cookie } = await signUpPerson(service.port)
    assertProblem(await scan('docvet_session=nonsense'), 401, 'unauthenticated')
    assertProblem(await scan(cookie, { 'sec-fetch-site': 'cross-site' }), 403, 'cross_site')
    assert.deepEqual(await keys(cookie), [])
  })

  test('the owner is notified at 75 %, and once at the end when one scan reaches 90 and 100 %', async () => {
    const { cookie, email } = await signUpPerson(service.port)
    const subjects = () =>
      mail.received.filter(({ to }) => to.includes(email)).map(({ raw }) => parseMail(raw).headers.subject ?? '')
    for (let i = 0; i < 4; i++) assert.equal((await scan(cookie)).status, 200)
    const deadline = Date.now() + 60_000
    while (subjects().length < 2 && Date.now() < deadline) await sleep(20)
    assert.equal(subjects().length, 2)
    assert.ok(subjects().some((subject) => subject.includes('75')))
    assert.ok(
      subjects().some((subject) => subject.includes('100') || /used up|all/i.test(subject)),
      subjects().join(),
    )
  })
})
