/** The sandbox marketplace: its page, its actions and its signed webhook calls. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { startApp } from '#test/support/app.ts'
import { signUpPerson } from '#test/support/auth-client.ts'
import { assertFields, UNKNOWN_ID, UUID } from '#test/support/client.ts'
import { buildDashboard } from '#test/support/dashboard.ts'
import { activate, live, planOf, resolve, viewIn } from '#test/support/marketplace-client.ts'
import { assertHeaders, assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { forEachDatabase } from '#test/support/suite.ts'
import { BUILT_IN_PLANS } from '#usage/plan.ts'

interface Sold {
  subscriptionId: string
  token: string
  landingUrl: string
}

async function buy(port: number, body: object): Promise<Sold> {
  const answer = await request(port, 'POST', '/sandbox/purchases', { body })
  assert.equal(answer.status, 201, answer.body)
  return answer.json() as Sold
}

const act = (port: number, id: string, action: string, body?: object): Promise<Answer> =>
  request(port, 'POST', `/sandbox/purchases/${id}/${action}`, { body })

/** Performs an action; returns the operation status and the webhook status. */
async function done(port: number, id: string, action: string, body?: object): Promise<unknown[]> {
  const answer = await act(port, id, action, body)
  assert.equal(answer.status, 200, answer.body)
  const { status, webhookStatus } = answer.json() as { status: string; webhookStatus: number }
  return [status, webhookStatus]
}

/** A plan table with only these plans. */
function plansFile(names: string[]): string {
  const file = join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(file, JSON.stringify(Object.fromEntries(names.map((name) => [name, BUILT_IN_PLANS[name]]))))
  return file
}

forEachDatabase('the sandbox', (openUrl) => {
  let service: Service
  let leave: () => Promise<void>
  let port: number
  let database: Record<string, string | undefined>
  before(async () => {
    const place = await openUrl()
    database = { DOCVET_DATABASE_URL: place.url ?? undefined }
    service = await startService(database, { dataDir: place.dataDir })
    port = service.port
    leave = async () => {
      await service[Symbol.asyncDispose]()
      await place.release()
    }
  })
  after(() => leave())

  test('a purchase is resolved, activated, suspended, reinstated, changed and cancelled', async () => {
    const { cookie } = await signUpPerson(port)
    const sold = await buy(port, { planId: 'pro', email: 'ada@example.com', quantity: 3, freeTrial: true })
    assertFields(sold, {
      subscriptionId: UUID,
      token: /^[A-Za-z0-9+/]+=*$/,
      landingUrl: /\/marketplace\/landing\?token=/,
    })
    const token = new URL(sold.landingUrl).searchParams.get('token') ?? ''
    const id = sold.subscriptionId
    const view = viewIn(await resolve(port, cookie, token))
    assert.deepEqual(
      [view.planKey, view.freeTrial, view.beneficiaryEmail, view.termEnd],
      ['pro', true, 'ada@example.com', null],
    )
    assert.match(viewIn(await activate(port, cookie, id)).termEnd ?? '', /^20\d\d-/)
    assert.equal(await planOf(port, cookie), 'pro')

    assert.deepEqual(await done(port, id, 'suspend'), ['Succeeded', 200])
    assert.equal(await planOf(port, cookie), 'free')
    assertProblem(await act(port, id, 'suspend'), 409, 'subscription_conflict')
    assert.deepEqual(await done(port, id, 'reinstate'), ['Succeeded', 200])
    assert.equal(await planOf(port, cookie), 'pro')
    assert.deepEqual(await done(port, id, 'change-plan', { planId: 'business' }), ['Succeeded', 200])
    assert.equal(await planOf(port, cookie), 'business')
    assert.deepEqual(await done(port, id, 'change-plan', { planId: 'tin' }), ['Failed', 200], 'refused by the service')
    assert.equal(await planOf(port, cookie), 'business')
    assert.deepEqual(await done(port, id, 'change-quantity', { quantity: 9 }), ['Succeeded', 200])
    const { termEnd } = viewIn(await live(port, cookie))
    assert.deepEqual(await done(port, id, 'renew'), ['Succeeded', 200])
    assert.ok((viewIn(await live(port, cookie)).termEnd ?? '') > (termEnd ?? ''))
    assert.deepEqual(await done(port, id, 'cancel'), ['Succeeded', 200])
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
    assert.equal(await planOf(port, cookie), 'free')
  })

  test('purchases survive a restart and end when the sandbox is disabled', async () => {
    const { cookie } = await signUpPerson(port)
    const { subscriptionId, token } = await buy(port, { planId: 'starter' })
    viewIn(await resolve(port, cookie, token))
    viewIn(await activate(port, cookie, subscriptionId))
    const again = async (env: Record<string, string>) => {
      const { dataDir } = service
      await service[Symbol.asyncDispose]()
      service = await startService({ ...database, ...env }, { dataDir, port })
    }
    await again({})
    assert.equal(await planOf(port, cookie), 'starter')
    assert.deepEqual(await done(port, subscriptionId, 'renew'), ['Succeeded', 200])

    // Remove the plan of a pending purchase from the table, then one that is in use.
    const waiting = await signUpPerson(port)
    const bought = await buy(port, { planId: 'enterprise' })
    viewIn(await resolve(port, waiting.cookie, bought.token))
    await again({ DOCVET_PLANS_FILE: plansFile(['free', 'starter']) })
    await service.logged(/Live subscriptions ignored/)
    assertProblem(await activate(port, waiting.cookie, bought.subscriptionId), 409, 'subscription_conflict')
    assert.equal(await planOf(port, waiting.cookie), 'free')
    await again({ DOCVET_MARKETPLACE: 'off', DOCVET_PLANS_FILE: plansFile(['free']) })
    const ended = await service.logged(/Sandbox subscriptions ended/)
    assert.deepEqual([JSON.parse(ended).level, JSON.parse(ended).count], ['warn', 2])
    assert.equal(await planOf(port, cookie), 'free')
    assertProblem(await live(port, cookie), 404, 'no_live_subscription')
    assertProblem(await resolve(port, cookie, token), 503, 'marketplace_unavailable')
    assertProblem(await activate(port, cookie, subscriptionId), 503, 'marketplace_unavailable')
    assertProblem(
      await request(port, 'POST', '/api/v1/marketplace/webhook', { headers: { authorization: 'Bearer x' }, body: {} }),
      503,
      'marketplace_unavailable',
    )
    assertProblem(await request(port, 'GET', '/sandbox'), 404, 'not_found')
    await again({})
  })
})

describe('the sandbox page', () => {
  buildDashboard()
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service[Symbol.asyncDispose]())

  test('is a page of the dashboard, with its policy', async () => {
    const page = await request(service.port, 'GET', '/sandbox')
    assertHeaders(page)
    const dashboard = await request(service.port, 'GET', '/')
    assert.deepEqual([page.status, page.body], [200, dashboard.body])
    assert.equal(page.headers['content-security-policy'], dashboard.headers['content-security-policy'])
  })

  test('lists plans and purchases without tokens', async () => {
    const { subscriptionId, token } = await buy(service.port, { planId: 'pro' })
    const { body } = await request(service.port, 'GET', '/sandbox/purchases')
    const { plans, purchases } = JSON.parse(body) as { plans: { planId: string }[]; purchases: { id: string }[] }
    assert.deepEqual(
      plans.map(({ planId }) => planId),
      ['starter', 'pro', 'business', 'enterprise'],
    )
    assert.ok(purchases.some(({ id }) => id === subscriptionId))
    assert.ok(!body.includes(token))
  })

  test('rejects invalid purchases, unknown ids and cross-site requests', async () => {
    const { port } = service
    for (const body of [
      {},
      { planId: 'a/b' },
      { planId: '' },
      { planId: 'x', price: 1 },
      { planId: 'pro', quantity: 0 },
    ]) {
      assertProblem(await request(port, 'POST', '/sandbox/purchases', { body }), 400, 'invalid_request')
    }
    assertProblem(await act(port, UNKNOWN_ID, 'suspend'), 404, 'not_found')
    assertProblem(await act(port, UNKNOWN_ID, 'fly'), 400, 'invalid_request')
    const headers = { 'sec-fetch-site': 'cross-site' }
    assertProblem(
      await request(port, 'POST', '/sandbox/purchases', { headers, body: { planId: 'pro' } }),
      403,
      'cross_site',
    )
  })

  test('is served only for its own host name or a loopback one', async () => {
    const { port } = service
    const under = (host: string, method: string, body?: object) =>
      request(port, method, method === 'GET' ? '/sandbox' : '/sandbox/purchases', { headers: { host }, body })
    for (const host of [`evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil.example', '192.0.2.1']) {
      assertProblem(await under(host, 'GET'), 403, 'cross_site')
      assertProblem(await under(host, 'POST', { planId: 'pro' }), 403, 'cross_site')
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, '[::1]']) {
      assert.equal((await under(host, 'GET')).status, 200)
      assert.equal((await under(host, 'POST', { planId: 'pro' })).status, 201)
    }
  })

  test('rejects requests through a proxy unless forced, because a proxy may rewrite the host name', async () => {
    const headers: Record<string, string>[] = [
      { 'x-forwarded-for': '203.0.113.7' },
      { 'X-Forwarded-Host': 'docvet.example' },
      { 'x-forwarded-anything': '' },
      { forwarded: 'for=203.0.113.7' },
      { via: '1.1 proxy' },
    ]
    await using forced = await startApp({}, { DOCVET_MARKETPLACE: 'sandbox!' })
    const paths = ['/sandbox', '/sandbox/purchases']
    for (const each of headers) {
      for (const path of paths) {
        assertProblem(await request(service.port, 'GET', path, { headers: each }), 403, 'cross_site')
        assert.equal((await request(forced.port, 'GET', path, { headers: each })).status, 200)
      }
    }
    const sale = { headers: { via: '1.1 proxy' }, body: { planId: 'pro' } }
    assertProblem(await request(service.port, 'POST', '/sandbox/purchases', sale), 403, 'cross_site')
    assert.equal((await request(forced.port, 'POST', '/sandbox/purchases', sale)).status, 201)
    const act = `/sandbox/purchases/${UNKNOWN_ID}/suspend`
    assertProblem(await request(service.port, 'POST', act, { headers: { via: '1.1 proxy' } }), 403, 'cross_site')
  })

  test('limits resolve per account to a third of the rate per IP address', async () => {
    await using limited = await startApp({}, { DOCVET_ADDRESS_RATE_PER_MINUTE: '6' })
    const [one, other] = [await signUpPerson(limited.port), await signUpPerson(limited.port)]
    for (let i = 0; i < 2; i++) {
      assertProblem(await resolve(limited.port, one.cookie, 'junk'), 400, 'invalid_request')
    }
    assertProblem(await resolve(limited.port, one.cookie, 'junk'), 429, 'rate_limited')
    assertProblem(await resolve(limited.port, other.cookie, 'junk'), 400, 'invalid_request')
    assertProblem(await live(limited.port, one.cookie), 404, 'no_live_subscription')
  })

  test('rejects webhook calls that it did not sign', async () => {
    const { cookie } = await signUpPerson(service.port)
    const { subscriptionId, token } = await buy(service.port, { planId: 'pro' })
    viewIn(await resolve(service.port, cookie, token))
    const body = { id: UNKNOWN_ID, subscriptionId, action: 'Unsubscribe' }
    assertProblem(await request(service.port, 'POST', '/api/v1/marketplace/webhook', { body }), 401, 'unauthenticated')
    assert.equal(viewIn(await live(service.port, cookie)).status, 'PendingFulfillmentStart')
  })
})
