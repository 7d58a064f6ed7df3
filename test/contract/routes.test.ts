/** The list of all routes and their credentials. Every new route must be added here. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startApp } from '#test/support/app.ts'
import { rawRequest, sendOne, UNKNOWN_ID } from '#test/support/client.ts'
import { anyAsset, buildDashboard } from '#test/support/dashboard.ts'
import { assertBodilessProblem, assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type Service, startService } from '#test/support/service.ts'

const ROUTES = `
POST   /api/v1/chat       none
GET    /api/v1/chat/health       none
GET    /api/v1/chat/suggestions  none
GET    /api/v1/health     none
GET    /api/v1/keys       key or session
POST   /api/v1/keys       key or session
DELETE /api/v1/keys/:id   key or session
POST   /api/v1/keys/:id/roll key or session
POST   /api/v1/scan       key or session
POST   /api/v1/text       key or session
POST   /api/v1/signup     none
GET    /api/v1/scans      key or session
POST   /api/v1/scans      key or session
GET    /api/v1/scans/:scanId key or session
GET    /api/v1/scans/:scanId/receipt key or session
GET    /api/v1/allowed    key or session
GET    /api/v1/allowed/:sha256 key or session
PUT    /api/v1/allowed/:sha256 key or session
DELETE /api/v1/allowed/:sha256 key or session
GET    /api/v1/events     key or session
POST   /api/v1/events     key or push token
OPTIONS /api/v1/events    none
GET    /api/v1/webhooks   key or session
POST   /api/v1/webhooks   key or session
GET    /api/v1/webhooks/:id key or session
PATCH  /api/v1/webhooks/:id key or session
DELETE /api/v1/webhooks/:id key or session
POST   /api/v1/webhooks/:id/rotate key or session
POST   /api/v1/webhooks/:id/test key or session
GET    /api/v1/webhooks/:id/deliveries key or session
POST   /api/v1/deliveries/:deliveryId/retry key or session
GET    /api/v1/findings   none
GET    /api/v1/findings/:id none
GET    /api/v1/usage      key or session
GET    /api/v1/usage/:period key or session
GET    /api/v1/auth/me     session
DELETE /api/v1/auth/me     session
GET    /api/v1/auth/sessions session
DELETE /api/v1/auth/sessions session
DELETE /api/v1/auth/sessions/:id session
POST   /api/v1/auth/change-password session
POST   /api/v1/auth/login  none
POST   /api/v1/auth/logout session
POST   /api/v1/auth/signup none
POST   /api/v1/auth/forgot-password none
POST   /api/v1/auth/reset-password  none
GET    /api/v1/auth/oidc   none
GET    /api/v1/auth/oidc/:provider/start none
POST   /api/v1/auth/oidc/:provider/start none
POST   /api/v1/auth/oidc/:provider/link session
POST   /api/v1/auth/oidc/:provider/confirm session
GET    /api/v1/auth/oidc/:provider/callback none
GET    /api/v1/auth/identities session
DELETE /api/v1/auth/identities/:identityId session
POST   /api/v1/auth/undo-identity none
POST   /api/v1/auth/passkeys/sign-in-options none
POST   /api/v1/auth/passkeys/sign-in none
POST   /api/v1/auth/passkeys/confirm session
POST   /api/v1/auth/passkeys/recover none
GET    /api/v1/auth/passkeys session
POST   /api/v1/auth/passkeys/options session
POST   /api/v1/auth/passkeys session
PATCH  /api/v1/auth/passkeys/items/:passkeyId session
DELETE /api/v1/auth/passkeys/items/:passkeyId session
POST   /api/v1/auth/passkeys/only session
GET    /api/v1/auth/act    session
POST   /api/v1/auth/act    session
DELETE /api/v1/auth/act/:accountId session
POST   /api/v1/auth/act/:accountId/transfer session
DELETE /api/v1/auth/act/:accountId/transfer session
GET    /api/v1/alerts      session
PUT    /api/v1/alerts      session
GET    /api/v1/members     session
PATCH  /api/v1/members/:memberId session
DELETE /api/v1/members/:memberId session
POST   /api/v1/members/:memberId/transfer session
DELETE /api/v1/members/:memberId/transfer session
GET    /api/v1/invitations session
POST   /api/v1/invitations session
POST   /api/v1/auth/accept-invitation session
DELETE /api/v1/invitations/:invitationId session
GET    /api/v1/operator/commands session
POST   /api/v1/operator/commands session
GET    /api/v1/marketplace/subscription session
GET    /api/v1/marketplace/subscriptions session
POST   /api/v1/marketplace/activate session
POST   /api/v1/marketplace/resolve  session
POST   /api/v1/marketplace/webhook  none
GET    /sandbox            none
GET    /sandbox/purchases  none
POST   /sandbox/purchases  none
POST   /sandbox/purchases/:id/:action none
GET    /livez             none
GET    /readyz            none
GET    /                  none
GET    /sign-in           none
GET    /sign-up           none
GET    /forgot-password   none
GET    /reset-password    none
GET    /undo-sign-in      none
GET    /recover           none
GET    /join              none
GET    /operator          none
GET    /allowed           none
GET    /connect           none
GET    /keys              none
GET    /callbacks         none
GET    /callbacks/:id     none
GET    /members           none
GET    /scan              none
GET    /history           none
GET    /history/:id       none
GET    /usage             none
GET    /settings          none
GET    /subscription      none
GET    /assistant         none
GET    /plans             none
GET    /dashboard/settings none
GET    /dashboard/answer  none
POST   /v2/scan           key
POST   /dashboard/too-large session
GET    /marketplace/landing none
GET    /assets/:file      none
GET    /favicon.svg       none
GET    /theme.js          none
GET    /docs              none
GET    /docs/docs.css     none
GET    /docs/collection.json none
GET    /docs/docs.js      none
GET    /docs/favicon.svg  none
GET    /openapi.json      none
GET    /.well-known/jwks.json none
GET    /receipt/v1        none
GET    /findings          none
GET    /findings/:id      none
GET    /problems          none
GET    /problems/:code    none
GET    /samples           none
GET    /samples/clean.pdf none
GET    /samples/infected.zip none
GET    /samples/encrypted.pdf none
GET    /samples/too-complex.zip none
GET    /samples/damaged.zip none
GET    /samples/picture.png none
GET    /samples/slow.zip none
`

buildDashboard()

/** Every GET route also serves HEAD. */
const expected = ROUTES.trim()
  .split('\n')
  .map((line) => /^(\S+) +(\S+) +(.+)$/.exec(line)!.slice(1) as [string, string, string])
  .flatMap(([method, url, credential]) =>
    (method === 'GET' ? ['GET', 'HEAD'] : [method]).map((each) => ({ method: each, url, credential })),
  )

/** Verifies a token signed by the marketplace itself. */
const WEBHOOK = '/api/v1/marketplace/webhook'

const filled = (url: string): string =>
  url
    .replace('/findings/:id', '/findings/Docvet.Test.Eicar')
    .replace(/:(?:id|scanId|deliveryId|identityId|accountId|memberId|invitationId)/, UNKNOWN_ID)
    .replace(':sha256', 'a'.repeat(64))
    .replace(':provider', 'microsoft')
    .replace(':period', '2026-11')
    .replace(':code', 'not_found')
    .replace(':action', 'fly')
    .replace(':file', anyAsset())

test('the routes are exactly those in the list, with their credentials', async () => {
  await using app = await startApp()
  const line = ({ method, url, credential }: (typeof expected)[number]) => `${method} ${url} ${credential}`
  assert.deepEqual(app.routes.map(line).sort(), expected.map(line).sort())
})

test('the schemas of all routes are valid and can be compiled', async () => {
  await using app = await startApp({}, {}, { checksSchemas: true })
  app.schemas.compileAll()
})

describe('over HTTP', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service[Symbol.asyncDispose]())

  for (const { method, url, credential } of expected) {
    // This service has an address instead of the name of a host, so it has no passkeys.
    if (url.endsWith('/passkeys/sign-in-options')) continue
    if (credential === 'none' && url !== WEBHOOK) {
      test(`${method} ${url} requires no credential`, async () => {
        const { status, headers } = await request(service.port, method, filled(url))
        assert.ok(status !== 401 && status !== 404 && status !== 405, `${status}`)
        assert.equal(headers['www-authenticate'], undefined)
      })
      continue
    }
    test(`401 for ${method} ${url} without a credential`, async () => {
      const answer = await request(service.port, method, filled(url))
      if (method === 'HEAD') assertBodilessProblem(answer, 401)
      else assertProblem(answer, 401, 'unauthenticated')
    })
  }

  const ODD = 'ACL BIND CHECKOUT COPY DELETE LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY OPTIONS'
  const ODDER =
    'PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK'
  for (const url of [...new Set(expected.map((route) => route.url))]) {
    const allowed = expected.filter((route) => route.url === url).map((route) => route.method)
    const allow = allowed.toSorted().join(', ')
    test(`405 with Allow: ${allow} for every other method on ${url}`, async () => {
      for (const method of `${ODD} ${ODDER} UNLOCK UNSUBSCRIBE`.split(' ').filter((name) => !allowed.includes(name))) {
        const answer = await sendOne(service.port, rawRequest(`${method} ${filled(url)}`))
        assertProblem(answer, 405, 'method_not_allowed')
        assert.equal(answer.headers.allow, allow, method)
      }
    })
  }

  test('405 for a percent-encoded path', async () => {
    const answer = await sendOne(service.port, rawRequest('PUT /api/v1/%6Beys?x#y'))
    assertProblem(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.allow, 'GET, HEAD, POST')
  })

  test('404 under /api points to the documentation', async () => {
    for (const path of ['/api', '/api/v1', '/api/v1/nothing', '/api/v2/scan/x', '/api/v1/keys/a/b']) {
      const { detail } = assertProblem(await request(service.port, 'GET', path), 404, 'not_found')
      assert.equal(detail, `No endpoint exists at this URL. ${service.url}/docs lists them all.`, path)
    }
    const { detail } = assertProblem(await request(service.port, 'GET', '/nothing'), 404, 'not_found')
    assert.equal(detail, 'No resource exists at this URL.')
  })

  test('the path of an endpoint without its prefix is answered with the right one', async () => {
    const cases = {
      'POST /scan': [405, '/api/v1/scan'],
      'POST /scan/': [405, '/api/v1/scan'],
      'POST /v1/scan': [404, '/api/v1/scan'],
      'POST /api/scan': [404, '/api/v1/scan'],
      'POST /api/v2/scan': [404, '/api/v1/scan'],
      'POST /signup?a=b': [404, '/api/v1/signup'],
      'GET /auth/me': [404, '/api/v1/auth/me'],
      'POST /keys': [405, '/api/v1/keys'],
      [`DELETE /keys/${UNKNOWN_ID}`]: [404, '/api/v1/keys/{id}'],
    } as const
    for (const [line, [status, target]] of Object.entries(cases)) {
      const answer = await sendOne(service.port, rawRequest(line))
      const { detail } = assertProblem(answer, status, status === 404 ? 'not_found' : 'method_not_allowed')
      assert.ok(detail.endsWith(`The API is at \`${target}\`.`), `${line}: ${detail}`)
    }
    const wrongMethod = assertProblem(
      await sendOne(service.port, rawRequest('DELETE /scan')),
      405,
      'method_not_allowed',
    )
    assert.equal(wrongMethod.detail, 'This URL supports only GET, HEAD.')
  })

  test('a trailing slash answers as without it', async () => {
    for (const { method, url, credential } of expected.filter(({ url }) => url !== '/')) {
      if (credential === 'none' && method !== 'GET') continue
      const [plain, slashed] = [
        await request(service.port, method, filled(url)),
        await request(service.port, method, `${filled(url)}/`),
      ]
      assert.equal(slashed.status, plain.status, `${method} ${url}/`)
    }
    const answer = await sendOne(service.port, rawRequest('PUT /api/v1/keys/'))
    assertProblem(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.allow, 'GET, HEAD, POST')
    for (const path of ['//api/v1/health', '/api/v1/health//', '/api//v1/health'])
      assertProblem(await sendOne(service.port, rawRequest(`GET ${path}`)), 404, 'not_found')
  })

  test('405 and close for CONNECT', async () => {
    for (const target of ['example.com:443', '127.0.0.1:22', '/livez']) {
      const answer = await sendOne(service.port, rawRequest(`CONNECT ${target}`))
      assertProblem(answer, 405, 'method_not_allowed')
      assert.equal(answer.headers.connection, 'close')
    }
  })

  test('no response has CORS headers', async () => {
    const lines = ['Origin: https://evil.example', 'Access-Control-Request-Method: DELETE']
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const { headers } = await sendOne(service.port, rawRequest(`${method} /api/v1/keys`, lines))
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        [],
      )
    }
  })
})
