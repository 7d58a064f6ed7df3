/** Signing in with a provider, and the settings about it, as a person in a browser does it. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertNoTrace, checkForced, checkState, close, tabTo, useDashboard } from '#test/support/browser.ts'
import { newEmail } from '#test/support/client.ts'
import { CLIENT, type OidcPeer, startOidcProvider } from '#test/support/oidc-provider.ts'
import { verified } from '#test/support/oidc-rig.ts'
import { request } from '#test/support/raw-http.ts'
import { needs } from '#test/support/suite.ts'

describe('providers of sign-in in the dashboard', needs('chromium'), () => {
  let peer: OidcPeer
  const env: Record<string, string> = {}
  before(async () => {
    peer = await startOidcProvider('http://127.0.0.1/api/v1/auth/oidc/keycloak/callback')
    Object.assign(env, {
      DOCVET_OUTBOUND_ALLOW: '127.0.0.1',
      DOCVET_OIDC_PROVIDERS: JSON.stringify([
        { id: 'microsoft', tenant: 'common', ...CLIENT },
        { id: 'google', ...CLIENT },
        { id: 'keycloak', name: 'Keycloak', issuer: peer.issuer, ...CLIENT },
      ]),
    })
  })
  after(() => peer[Symbol.asyncDispose]())
  const dashboard = useDashboard(env)

  test('a purchase is activated after signing in with a provider only', async () => {
    peer.become('buyer', verified(newEmail()))
    const bought = await request(dashboard.service.port, 'POST', '/sandbox/purchases', {
      body: { planId: 'pro' },
      headers: { origin: dashboard.service.url },
    })
    assert.equal(bought.status, 201, bought.body)
    const { landingUrl } = bought.json() as { landingUrl: string }
    const page = await dashboard.open(landingUrl.replace(dashboard.service.url, ''))
    await page.getByRole('button', { name: 'Continue with Microsoft' }).waitFor()
    await checkState(page, 'sign-in with three providers')
    await checkForced(page, 'sign-in with three providers')
    const secrets: string[] = []
    page.on('request', (each) => {
      const { pathname, searchParams } = new URL(each.url())
      if (pathname.endsWith('/callback')) secrets.push(searchParams.get('code') ?? '', searchParams.get('state') ?? '')
    })
    await tabTo(page, 'Continue with Keycloak')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Activate subscription' }).click()
    await page.getByText('You are all set').waitFor()
    assert.equal(secrets.length, 2)
    await assertNoTrace(page, 'a sign-in with a provider', [
      ...secrets,
      new URL(landingUrl).searchParams.get('token') ?? '',
    ])
    await close(page)
  })

  test('an account without a password: its settings, and its end after another sign-in', async () => {
    peer.become('leaver', verified(newEmail()))
    const page = await dashboard.open('/sign-in?next=/settings')
    await page.getByRole('button', { name: 'Continue with Keycloak' }).click()
    await page.getByText('Only way').waitFor()
    assert.equal(new URL(page.url()).hash, '')
    await checkState(page, 'settings of an account without a password')
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByRole('button', { name: 'Delete account', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in again with Keycloak' }).waitFor()
    await checkState(page, 'another sign-in before an account is deleted')
    await page.getByRole('button', { name: 'Sign in again with Keycloak' }).click()
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByRole('button', { name: 'Delete account', exact: true }).click()
    await page.waitForURL('**/?deleted')
    await close(page)
  })

  test('a provider is added with the password, and removed', async () => {
    peer.become('friend', {})
    const page = await dashboard.openAccount('/settings')
    await page.getByRole('button', { name: 'Add Keycloak' }).click()
    await checkState(page, 'adding a provider')
    await page.getByLabel('Your password').fill('a meadow full of crickets')
    await page.getByRole('button', { name: 'Continue to Keycloak' }).click()
    await page.getByRole('button', { name: 'Remove Keycloak' }).click()
    await page.getByLabel('Your password').fill('a meadow full of crickets')
    await page.getByRole('button', { name: 'Remove Keycloak' }).last().click()
    await page.getByRole('button', { name: 'Remove Keycloak' }).first().waitFor({ state: 'detached' })
    await close(page)
  })

  test('reasons for which there is no session, and the page that undoes a sign-in', async () => {
    const page = await dashboard.open('/sign-in?error=email_unverified&next=%2Fkeys')
    await page.getByText('xms_edov').waitFor()
    await checkState(page, 'sign-in that was refused')
    await page.goto(`${dashboard.service.url}/sign-in?error=%3Cb%3Eanything`)
    await page.getByRole('button', { name: 'Continue with Google' }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.goto(`${dashboard.service.url}/undo-sign-in#token=unknown`)
    await page.getByRole('button', { name: 'Remove it' }).waitFor()
    await assertNoTrace(page, 'the link that undoes a sign-in', ['unknown'])
    await page.getByRole('button', { name: 'Remove it' }).click()
    await page.getByText('This link is not valid').waitFor()
    await checkState(page, 'a link that undoes nothing')
    await close(page)
  })

  test('keys from before the address was proven are shown, and revoked with one click', async () => {
    const page = await dashboard.openAccount('/keys?proven')
    await page.getByText('existed before you proved').waitFor()
    await page.evaluate(
      `fetch('/api/v1/keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"planted"}' })`,
    )
    await page.reload()
    await page.getByRole('button', { name: 'Revoke all keys' }).waitFor()
    await checkState(page, 'keys from before')
    await page.getByRole('button', { name: 'Revoke all keys' }).click()
    await page.getByText('All of them are revoked').waitFor()
    await close(page)
  })
})
