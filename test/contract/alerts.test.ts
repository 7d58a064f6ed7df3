/** Alerts about infected documents by mail, for an account and for the operator, and the callback of the operator. */

import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { PAUSE_MS } from '#alerts/store.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import type { JobStore } from '#jobs/job.ts'
import { MAIL } from '#mail/outbox.ts'
import type { Database } from '#storage/database.ts'
import { ownPage, type Person } from '#test/support/auth-client.ts'
import { openTestStore } from '#test/support/jobs.ts'
import { type Colleague, type MemberRig, memberRig } from '#test/support/members.ts'
import { mailTo, untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form } from '#test/support/scanning.ts'
import { openPlace } from '#test/support/seed.ts'
import { type Service, startService } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase } from '#test/support/suite.ts'

const ALERTS = '/api/v1/alerts'
const OPERATOR_MAIL = 'soc@operator.example'
const SECRET = Buffer.alloc(32, 5).toString('base64')
const FILE_NAME = 'wages-of-ada.txt'
const FOUND = /Docvet has found/

interface Call {
  headers: IncomingHttpHeaders
  body: string
}

forEachDatabase('alerts', (openUrl) => {
  let place: DatabasePlace
  let service: Service
  let database: Database
  let jobs: JobStore
  let rig: MemberRig
  let receiver: Server
  const calls: Call[] = []
  before(async () => {
    receiver = createServer(async (incoming, response) => {
      let body = ''
      for await (const chunk of incoming) body += chunk
      calls.push({ headers: incoming.headers, body })
      // The first call fails, and is repeated.
      response.writeHead(calls.length === 1 ? 500 : 204).end()
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    place = await openUrl()
    const env = {
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_ALERT_MAIL: OPERATOR_MAIL,
      DOCVET_ALERT_URL: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/alerts`,
      DOCVET_ALERT_SECRET: SECRET,
      DOCVET_OUTBOUND_ALLOW: '127.0.0.1',
      // Alerts need no reports.
      DOCVET_SCAN_RETENTION_DAYS: place.url === null ? '0' : undefined,
    }
    service = await startService(env, { dataDir: place.dataDir })
    database = await openPlace(place)
    jobs = await openTestStore(database, [MAIL])
    rig = memberRig(service, database)
  })
  after(async () => {
    receiver.close()
    await jobs.close()
    await database.close()
    await service[Symbol.asyncDispose]()
    await place.release()
  })

  async function sendInfected(who: Pick<Person, 'cookie'>): Promise<string> {
    const answer = await request(service.port, 'POST', '/api/v1/scan', {
      headers: { cookie: who.cookie, 'content-type': FORM_TYPE, ...ownPage(service.port) },
      body: form(filePart(EICAR, { fileName: FILE_NAME })),
    })
    assert.equal((answer.json() as { status: string }).status, 'infected', answer.body)
    return (answer.json() as { scanId: string }).scanId
  }
  const set = (who: Pick<Person, 'cookie'>, mail: boolean) => rig.ask(who, 'PUT', ALERTS, { mail })
  const alertsTo = async (email: string) => (await mailTo(service, email)).filter((mail) => FOUND.test(mail))
  const waiting = async (accountId: string) =>
    (await jobs.list({ kind: MAIL.name, texts: [accountId] }, 10)).filter(({ state }) => state === 'waiting')
  /** An hour passes. */
  async function hour(accountId: string): Promise<void> {
    for (const { id } of await waiting(accountId)) await database.db.transaction().execute((trx) => jobs.rerun(trx, id))
  }
  const switchedOn = async (): Promise<Colleague> => {
    const owner = await rig.person()
    assert.equal((await set(owner, true)).status, 200)
    return owner
  }

  test('off until an admin switches them on, for an owner who has proven the address', async () => {
    const owner = await rig.person()
    assert.deepEqual((await rig.ask(owner, 'GET', ALERTS)).json(), { mail: false })
    await sendInfected(owner)
    assert.deepEqual([await waiting(owner.id), await alertsTo(owner.email)], [[], []])
    await database.db.updateTable('accounts').set({ email_proven_at: null }).where('id', '=', owner.id).execute()
    assertProblem(await set(owner, true), 403, 'email_unverified')
    await rig.prove(owner.email)
    assert.deepEqual((await set(owner, true)).json(), { mail: true })
    assert.deepEqual((await rig.ask(owner, 'GET', ALERTS)).json(), { mail: true })
    assert.equal((await set(owner, false)).status, 200)
    const log = database.db.selectFrom('audit_log').select('event').where('account_id', '=', owner.id)
    const events = (await log.where('event', 'like', 'alerts.%').orderBy('seq').execute()).map(({ event }) => event)
    assert.deepEqual(events, ['alerts.on', 'alerts.off'])
  })

  test('the first document at once, all others of an hour in one mail, and never a name of a file', async () => {
    const owner = await switchedOn()
    await sendInfected(owner)
    assert.match(await untilMail(service, owner.email, FOUND), /an infected document on/)
    const count = 8
    await Promise.all(Array.from({ length: count }, () => sendInfected(owner)))
    const [mail, ...others] = await waiting(owner.id)
    assert.deepEqual(others, [])
    const delayMs = (mail?.dueAt ?? 0) - (mail?.createdAt ?? 0)
    assert.ok(delayMs > PAUSE_MS / 2 && delayMs <= PAUSE_MS, String(delayMs))
    await hour(owner.id)
    assert.match(await untilMail(service, owner.email, FOUND, 2), new RegExp(`at least ${count} infected documents`))
    for (const each of await alertsTo(owner.email)) assert.ok(!each.includes('wages'))
    assert.equal((await alertsTo(owner.email)).length, 2)
  })

  test('switched off, a waiting mail is not sent; another account gets nothing', async () => {
    const [owner, other] = [await switchedOn(), await switchedOn()]
    await sendInfected(owner)
    await untilMail(service, owner.email, FOUND)
    await sendInfected(owner)
    assert.equal((await set(owner, false)).status, 200)
    await hour(owner.id)
    // Mail that is sent after it has been dropped.
    await sendInfected(other)
    await untilMail(service, other.email, FOUND)
    assert.deepEqual([(await alertsTo(owner.email)).length, (await alertsTo(other.email)).length], [1, 1])
  })

  test('a waiting mail goes to a new owner of the account', async () => {
    const owner = await switchedOn()
    const member = await rig.colleague(owner, 'member')
    await sendInfected(owner)
    await untilMail(service, owner.email, FOUND)
    await sendInfected(owner)
    assert.equal((await rig.ask(owner, 'POST', `/api/v1/members/${member.id}/transfer`)).status, 202)
    assert.equal((await rig.ask(member, 'POST', `/api/v1/auth/act/${owner.id}/transfer`)).status, 204)
    const delays = (await waiting(owner.id)).map(({ dueAt, createdAt }) => dueAt - createdAt)
    assert.equal(delays.filter((delayMs) => delayMs > PAUSE_MS / 2 && delayMs <= PAUSE_MS).length, 1, String(delays))
    await hour(owner.id)
    await untilMail(service, member.email, FOUND)
    assert.equal((await alertsTo(owner.email)).length, 1)
  })

  test('the operator gets mail at most once an hour, and a signed call for every document', async () => {
    const owner = await rig.person()
    const scanId = await sendInfected(owner)
    const mail = await untilMail(service, OPERATOR_MAIL, FOUND)
    assert.ok(/in the accounts of this service/.test(mail) && !mail.includes('wages') && !mail.includes(owner.email))
    assert.ok((await alertsTo(OPERATOR_MAIL)).length <= 1)
    const isOurs = ({ body }: Call) => body.includes(scanId)
    while (!calls.some(isOurs)) await new Promise((resolve) => setTimeout(resolve, 50))
    const { headers, body } = calls.find(isOurs) as Call
    const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> }
    assert.deepEqual([type, Object.keys(data)], ['scan.infected', ['scanId', 'accountId', 'threat', 'sha256', 'size']])
    assert.equal(data.accountId, owner.id)
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const signature = createHmac('sha256', Buffer.from(SECRET, 'base64')).update(signed).digest('base64')
    assert.equal(headers['webhook-signature'], `v1,${signature}`)
    const ids = calls.map((call) => call.headers['webhook-id'])
    const [first] = ids
    while (calls.filter((call) => call.headers['webhook-id'] === first).length < 2)
      await new Promise((resolve) => setTimeout(resolve, 100))
  })

  test('an erased account leaves no setting', async () => {
    const owner = await switchedOn()
    assert.equal((await rig.ask(owner, 'DELETE', '/api/v1/auth/me')).status, 204)
    const rows = database.db.selectFrom('alerts').selectAll().where('account_id', '=', owner.id)
    assert.deepEqual(await rows.execute(), [])
  })
})
