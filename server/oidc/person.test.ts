import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personOf } from './person.ts'
import type { Provider } from './providers.ts'

const PROVIDER: Provider = {
  ...{ id: 'x', kind: 'oidc', name: 'X', issuer: 'https://id.example', clientId: 'c', clientSecret: 's' },
  ...{ tenant: null, allowTenants: null, allowDomains: null, hd: null, trustEmail: false, authorityUrl: null },
  joinAccounts: {},
}

test('the organisation of a person is only what the provider vouches for', () => {
  const claims = { iss: 'https://id.example', sub: 's', email: 'a@Company.example' }
  const organisationOf = (kind: Provider['kind'], more: object) =>
    personOf({ ...PROVIDER, kind }, { ...claims, ...more }).organisation
  assert.equal(organisationOf('oidc', { email_verified: true }), 'company.example')
  assert.equal(organisationOf('oidc', { email_verified: true, hd: 'other.example' }), 'company.example')
  assert.equal(organisationOf('oidc', {}), null)
  assert.equal(organisationOf('oidc', { email: undefined, email_verified: true }), null)
  // Anybody can have a Google account with an address of a company; only `hd` is of the company.
  assert.equal(organisationOf('google', { email_verified: true }), null)
  assert.equal(organisationOf('google', { email_verified: true, hd: 'company.example' }), 'company.example')
})
