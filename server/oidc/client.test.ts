/** What the client refuses of a provider that does not behave, and that it calls nothing but allowed addresses. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createOutboundHttp } from '#base/outbound-http.ts'
import { createOutboundRules } from '#base/outbound-rules.ts'
import { FORBIDDEN_URLS } from '#test/support/forbidden-urls.ts'
import { type ForgingProvider, startForgingProvider } from '#test/support/forging-provider.ts'
import { createOidcClient, newSecrets, RESPONSE_BYTES_MAX } from './client.ts'
import type { Provider } from './providers.ts'
import { SignInRefused } from './refusal.ts'

const REDIRECT_URI = 'https://docvet.example/api/v1/auth/oidc/own/callback'
let forger: ForgingProvider
let http: ReturnType<typeof createOutboundHttp>
before(async () => {
  forger = await startForgingProvider('client')
  const port = Number(new URL(forger.url).port)
  http = createOutboundHttp({ rules: createOutboundRules([{ network: '127.0.0.1', port }]) })
})
after(async () => {
  http.close()
  await forger[Symbol.asyncDispose]()
})
beforeEach(() => Object.assign(forger, { claims: {}, metadata: {}, broken: null, requests: [], algorithm: 'RS256' }))

function client() {
  const provider: Provider = {
    ...{ id: 'own', kind: 'oidc', name: 'Own', issuer: forger.url, clientId: 'client', clientSecret: 'secret' },
    ...{ tenant: null, allowTenants: null, allowDomains: null, hd: null, trustEmail: false, authorityUrl: null },
    joinAccounts: {},
  }
  return createOidcClient(provider, http, REDIRECT_URI)
}

async function outcomeOf(): Promise<string> {
  const [own, secrets] = [client(), newSecrets()]
  try {
    await own.begin(secrets, false)
    forger.claims = { nonce: secrets.nonce, email: 'ada@example.com', ...forger.claims }
    await own.finish(`?code=a&state=${secrets.state}`, secrets)
    return 'signed in'
  } catch (error) {
    assert.ok(error instanceof SignInRefused, String(error))
    return error.code
  }
}

test('endpoints at forbidden addresses are never called', async () => {
  assert.equal(await outcomeOf(), 'signed in')
  for (const url of FORBIDDEN_URLS) {
    for (const name of ['token_endpoint', 'jwks_uri']) {
      Object.assign(forger, { claims: {}, metadata: { [name]: `${url}/x` } })
      assert.match(await outcomeOf(), /^(?:unavailable|failed)$/, `${name} ${url}`)
    }
  }
})

test('metadata of another issuer, redirects, too many bytes and other types are refused', async () => {
  forger.metadata = { issuer: 'https://accounts.google.com' }
  assert.equal(await outcomeOf(), 'failed')
  forger.metadata = {}
  for (const broken of [
    { status: 302, body: '' },
    { status: 404, body: '{}' },
    { status: 200, body: 'not json' },
    { status: 500, body: '{}' },
    { status: 200, body: ' '.repeat(RESPONSE_BYTES_MAX + 1) },
  ]) {
    forger.broken = broken
    assert.match(await outcomeOf(), /^(?:unavailable|failed)$/, `${broken.status}`)
  }
})

test('metadata is read once in ten minutes, and again after a failure', async () => {
  const own = client()
  forger.broken = { status: 503, body: '' }
  await assert.rejects(own.begin(newSecrets(), false), SignInRefused)
  forger.broken = null
  for (let i = 0; i < 3; i++) await own.begin(newSecrets(), false)
  const discoveries = forger.requests.filter(({ path }) => path.endsWith('openid-configuration'))
  assert.equal(discoveries.length, 2)
})
