import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOutboundRules } from '#base/outbound-rules.ts'
import { FORBIDDEN_URLS } from '#test/support/forbidden-urls.ts'
import { CONSUMERS, MICROSOFT, type Provider, parseProviders } from './providers.ts'

const CLIENT = { clientId: 'client', clientSecret: 'a-secret' }
const OWN = { id: 'keycloak', name: 'Keycloak', issuer: 'https://id.example.com/realms/a', ...CLIENT }
const TENANT = '11111111-2222-4333-8444-555555555555'
const rules = createOutboundRules([])

function parse(list: unknown[], authorityUrl = MICROSOFT) {
  return parseProviders(list, {
    readText: (path) => (path === '/secret' ? 'from-a-file\n' : assert.fail(path)),
    refusalOf(url) {
      const target = rules.target(url)
      return target.kind === 'refused' ? target.why : null
    },
    authorityUrl,
  })
}

function one(given: object): Provider {
  const read = parse([given])
  assert.ok('providers' in read, JSON.stringify(read))
  return read.providers[0] ?? assert.fail()
}

function problemOf(given: unknown): string {
  const read = parse([given])
  assert.ok('problems' in read, JSON.stringify(given))
  assert.ok(!JSON.stringify(read.problems).includes(CLIENT.clientSecret))
  return read.problems.join()
}

describe('providers', () => {
  test('of every kind', () => {
    const microsoft = one({ id: 'microsoft', tenant: TENANT, allowTenants: [TENANT.toUpperCase()], ...CLIENT })
    assert.deepEqual([microsoft.kind, microsoft.issuer], ['microsoft', `${MICROSOFT}/${TENANT}/v2.0`])
    assert.deepEqual([microsoft.allowTenants, microsoft.authorityUrl], [[TENANT], null])
    const google = one({ id: 'google', hd: 'example.com', ...CLIENT })
    assert.deepEqual([google.kind, google.name, google.hd], ['google', 'Google', 'example.com'])
    const joins = { [TENANT]: 'security@example.com' }
    assert.deepEqual(one({ id: 'microsoft', tenant: TENANT, joinAccounts: joins, ...CLIENT }).joinAccounts, joins)
    assert.deepEqual(one({ ...OWN, joinAccounts: { 'example.com': TENANT } }).joinAccounts, { 'example.com': TENANT })
    const own = one({ ...OWN, trustEmail: true, allowDomains: ['Example.COM'] })
    assert.deepEqual(
      [own.kind, own.name, own.trustEmail, own.allowDomains],
      ['oidc', 'Keycloak', true, ['example.com']],
    )
    const { clientSecret: _inline, ...rest } = OWN
    assert.equal(one({ ...rest, clientSecretFile: '/secret' }).clientSecret, 'from-a-file')
  })

  test('are refused with the reason', () => {
    const cases: [unknown, RegExp][] = [
      [null, /is not an object/],
      [{}, /has no id/],
      [{ ...OWN, id: 'Key cloak' }, /wrong id/],
      [{ ...OWN, joinAccounts: 'a@example.com' }, /wrong joinAccounts/],
      [{ ...OWN, joinAccounts: { 'example.com': 'nobody' } }, /wrong joinAccounts/],
      [{ ...OWN, joinAccounts: { [TENANT]: 'a@example.com' } }, /wrong joinAccounts/],
      [
        { id: 'microsoft', tenant: 'common', joinAccounts: { 'a.example': 'a@example.com' }, ...CLIENT },
        /wrong joinAcc/,
      ],
      [{ id: 'microsoft', tenant: 'common', joinAccounts: { [CONSUMERS]: 'a@example.com' }, ...CLIENT }, /wrong joinA/],
      [{ ...OWN, name: '<b>' }, /wrong name/],
      [{ ...OWN, name: 'x'.repeat(41) }, /wrong name/],
      [{ ...OWN, issuer: undefined }, /has no issuer/],
      [{ ...OWN, issuer: 'http://id.example.com' }, /wrong issuer/],
      [{ ...OWN, issuer: 'https://id.example.com/?a' }, /wrong issuer/],
      [{ ...OWN, issuer: 'https://id.example.com:8443' }, /port other than 443/],
      [{ ...OWN, issuer: 'http://127.0.0.1:1' }, /not on the public internet/],
      [{ ...OWN, tenant: 'common' }, /unknown field "tenant"/],
      [{ ...OWN, clientSecretFile: '/secret' }, /one of the two/],
      [{ ...OWN, clientSecret: undefined, clientSecretFile: '/none' }, /cannot be read/],
      [{ ...OWN, clientId: '' }, /wrong clientId/],
      [{ ...OWN, allowDomains: [] }, /wrong allowDomains/],
      [{ ...OWN, allowDomains: ['example'] }, /wrong allowDomains/],
      [{ ...OWN, trustEmail: 'yes' }, /wrong trustEmail/],
      [{ id: 'microsoft', ...CLIENT }, /has no tenant/],
      [{ id: 'microsoft', tenant: 'contoso.com', ...CLIENT }, /wrong tenant/],
      [{ id: 'microsoft', tenant: 'common', allowTenants: ['x'], ...CLIENT }, /wrong allowTenants/],
      [{ id: 'google', hd: 'x', ...CLIENT }, /wrong hd/],
    ]
    for (const [given, words] of cases) assert.match(problemOf(given), words, JSON.stringify(given))
  })

  test('are at most ten, each with its own id', () => {
    const many = Array.from({ length: 10 }, (_, index) => ({ ...OWN, id: `p${index}` }))
    assert.ok('providers' in parse(many))
    assert.ok('problems' in parse([...many, { ...OWN, id: 'p10' }]))
    assert.ok('problems' in parse([OWN, OWN]))
  })

  test('are never at an address that the service does not call', () => {
    for (const url of FORBIDDEN_URLS) {
      assert.match(problemOf({ ...OWN, issuer: url }), /issuer/, url)
      assert.ok('problems' in parse([{ id: 'microsoft', tenant: 'common', ...CLIENT }], url), url)
    }
  })
})
