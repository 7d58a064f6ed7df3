/**
 * All ways to sign in, keys, invitations, callbacks and the ownership, each also used wrongly, on two replicas: none of what proves
 * something is in the log at the level debug, in any table, or in a mail that need not have it.
 */

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { createAuthenticator } from '#test/support/authenticator.ts'
import { newEmail } from '#test/support/client.ts'
import { type OidcBrowser, PUBLIC_URL } from '#test/support/oidc-browser.ts'
import { CLIENT } from '#test/support/oidc-provider.ts'
import { useOidcRig, verified } from '#test/support/oidc-rig.ts'
import { untilMail } from '#test/support/outbox.ts'
import { request } from '#test/support/raw-http.ts'
import { forEachDatabase } from '#test/support/suite.ts'

const SITE = { origin: PUBLIC_URL, rpId: 'docvet.example' }
const AUTH = '/api/v1/auth'
/** So much of a secret is not there by coincidence. */
const PART = 12
/** All that one key has sealed begins with its name. */
const SEALED_BY = 12
const OTHER_PASSWORD = 'the owl left the barn'

/** Every run of characters of that length, of which the first that a list may show is left out. */
const partsOf = (secret: string): string[] => {
  const hidden = secret.replace(/^dv_live_.{4}/, '')
  return Array.from({ length: Math.max(1, hidden.length - PART + 1) }, (_, at) => hidden.slice(at, at + PART))
}

forEachDatabase('secrets of all flows', (openUrl) => {
  const rig = useOidcRig(openUrl)
  const { open, person, prove, post, outbox } = rig
  /** By what they are, so that a failure names it. */
  const secrets = new Map<string, string>()
  const mailed = new Map<string, string>()
  const keep = (what: string, secret: string | null | undefined): string => {
    assert.ok(secret && secret.length >= PART, `no ${what}`)
    secrets.set(secret, what)
    return secret
  }

  const keepSession = (browser: OidcBrowser) => keep('session', browser.session())

  /** A secret where it does not belong, as people paste it. */
  async function misplace(secret: string): Promise<void> {
    const text = encodeURIComponent(secret)
    for (const at of [
      `/join?token=${text}`,
      `/sign-in?code=${text}`,
      `${AUTH}/act/${text}`,
      `${AUTH}/oidc/${text}/start`,
    ])
      await open().ask('GET', at)
    await open().ask('DELETE', `${AUTH}/act/${text}`)
    for (const name of ['accept-invitation', 'undo-identity', 'reset-password', 'login', 'passkeys/recover'])
      await open().ask('POST', `${AUTH}/${name}`, { token: secret, email: secret, password: secret, code: [secret] })
  }

  async function linkTo(email: string, page: string, count = 1): Promise<string> {
    const mail = await untilMail(outbox, email, new RegExp(`/${page}[^#]*#token=`), count)
    const token = keep(`link of ${page}`, new RegExp(`/${page}[^#]*#token=([\\w-]+)`).exec(mail)?.[1])
    mailed.set(token, page)
    return token
  }

  async function byPassword() {
    const browser = await rig.withPassword()
    keepSession(browser)
    await browser.ask('POST', `${AUTH}/login`, { email: browser.email, password: 'a wrong password' })
    await browser.ask('POST', `${AUTH}/change-password`, {
      ...{ currentPassword: GOOD_PASSWORD, newPassword: OTHER_PASSWORD },
    })
    keepSession(browser)
    assert.equal((await post('forgot-password', { email: browser.email })).status, 202)
    const token = await linkTo(browser.email, 'reset-password')
    const reset = { token, password: GOOD_PASSWORD }
    assert.equal((await post('reset-password', reset)).status, 204)
    assert.equal((await post('reset-password', reset)).status, 400)
    const again = await browser.ask('POST', `${AUTH}/login`, { email: browser.email, password: GOOD_PASSWORD })
    assert.equal(again.status, 200, again.body)
    keepSession(browser)
    for (const password of [GOOD_PASSWORD, OTHER_PASSWORD]) keep('password', password)
    return browser
  }

  /** To the provider and back, on the other replica, then a second time with the same callback. */
  async function byProvider(browser: OidcBrowser, url: string): Promise<void> {
    const asked = new URL(url).searchParams
    for (const name of ['state', 'nonce', 'code_challenge']) keep(name, asked.get(name))
    for (const [name, value] of browser.jar) if (name.includes('oidc')) keep('cookie of a sign-in', value)
    const callback = await browser.visit(url)
    keep('code', new URL(callback, PUBLIC_URL).searchParams.get('code'))
    const before = new Map(browser.jar)
    assert.doesNotMatch(await browser.finish(callback, rig.otherPort), /error/)
    keepSession(browser)
    const replay = open()
    for (const [name, value] of before) replay.jar.set(name, value)
    assert.match(await replay.finish(callback), /error/)
    assert.match(await open().finish(`${callback}&error=access_denied`), /error/)
  }

  async function byPasskey(browser: OidcBrowser & { email: string }): Promise<void> {
    const passkey = createAuthenticator(SITE)
    const of = `${AUTH}/passkeys`
    const ask = async (at: string) => {
      const { state, options } = (await browser.ask('POST', `${of}/${at}`, {})).json() as {
        state: string
        options: { challenge: string; user: { id: string } }
      }
      keep('challenge', options.challenge)
      keep('state of a passkey', state.slice(SEALED_BY))
      return { state, options }
    }
    const added = await ask('options')
    const body = { state: added.state, credential: passkey.create(added.options), name: 'Laptop' }
    assert.equal((await browser.ask('POST', of, body, rig.otherPort)).status, 201)
    assert.notEqual((await browser.ask('POST', of, body)).status, 201)
    for (const to of ['sign-in', 'confirm']) {
      const { state, options } = await ask('sign-in-options')
      const credential = passkey.get(options)
      keep('signature', credential.signature)
      keep('what is signed', credential.clientDataJSON)
      const signed = await browser.ask('POST', `${of}/${to}`, { state, credential })
      assert.ok(signed.status < 300, signed.body)
      keepSession(browser)
      assert.equal((await browser.ask('POST', `${of}/${to}`, { state, credential })).status, 401)
    }
    const only = await browser.ask('POST', `${of}/only`, { only: true })
    const { recoveryCodes } = only.json() as { recoveryCodes: string[] }
    for (const code of recoveryCodes) {
      keep('recovery code', code)
      keep('recovery code', code.replaceAll('-', ''))
      keep('recovery code', code.replaceAll('-', ' ').toLowerCase())
    }
    const [code = ''] = recoveryCodes
    await misplace(code)
    await misplace(code.replaceAll('-', ''))
    await misplace(code.replaceAll('-', ' ').toLowerCase())
    const recovered = await browser.ask('POST', `${of}/recover`, { email: browser.email, code })
    assert.ok(recovered.status < 300, recovered.body)
    keepSession(browser)
    assert.equal((await open().ask('POST', `${of}/recover`, { email: browser.email, code })).status, 401)
    assert.equal((await browser.ask('POST', `${of}/only`, { only: false })).status, 200)
  }

  async function keysAndCallbacks(browser: OidcBrowser): Promise<void> {
    const made = (await browser.ask('POST', '/api/v1/keys', {})).json() as { id: string; apiKey: string }
    const rolled = (await browser.ask('POST', `/api/v1/keys/${made.id}/roll`, { graceSeconds: 60 })).json()
    for (const apiKey of [made.apiKey, (rolled as { apiKey: string }).apiKey]) {
      keep('API key', apiKey)
      await misplace(apiKey)
      for (const headers of [
        { 'x-api-key': apiKey },
        { authorization: `Bearer ${apiKey}` },
        { 'x-api-key': `${apiKey}x` },
      ])
        await request(rig.otherPort, 'GET', '/api/v1/usage', { headers })
    }
    const hook = await browser.ask('POST', '/api/v1/webhooks', { url: `${rig.peer.issuer}/hook` })
    assert.equal(hook.status, 201, hook.body)
    const { id, secret } = hook.json() as { id: string; secret: string }
    keep('secret of a callback', secret)
    const { secret: rotated } = (await browser.ask('POST', `/api/v1/webhooks/${id}/rotate`)).json() as {
      secret: string
    }
    keep('secret of a callback', rotated)
    await browser.ask('POST', `/api/v1/webhooks/${id}/test`)
  }

  async function members(owner: OidcBrowser & { email: string }): Promise<void> {
    const guest = await rig.withPassword()
    keepSession(guest)
    for (const { email } of [owner, guest]) await prove(email)
    const invited = await owner.ask('POST', '/api/v1/invitations', { email: guest.email, role: 'admin' })
    assert.equal(invited.status, 202, invited.body)
    const token = await linkTo(guest.email, 'join')
    await misplace(token)
    assert.equal((await owner.ask('POST', `${AUTH}/accept-invitation`, { token })).status, 403)
    assert.equal((await guest.ask('POST', `${AUTH}/accept-invitation`, { token })).status, 200)
    assert.equal((await guest.ask('POST', `${AUTH}/accept-invitation`, { token })).status, 400)
    const { id } = (await rig.accountOf(guest.email)) ?? {}
    const { id: accountId } = (await rig.accountOf(owner.email)) ?? {}
    const password = { password: GOOD_PASSWORD }
    assert.equal((await owner.ask('POST', `/api/v1/members/${id}/transfer`, password)).status, 202)
    await guest.ask('POST', `${AUTH}/act/${accountId}/transfer`, { password: 'a wrong password' })
    const taken = await guest.ask('POST', `${AUTH}/act/${accountId}/transfer`, password)
    assert.equal(taken.status, 204, taken.body)
  }

  /** Every row of every table, those of the jobs included. */
  async function stored(): Promise<string> {
    const { db } = rig.database
    const names =
      rig.place.url === null
        ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
        : sql<{ name: string }>`select table_schema || '.' || table_name as name from information_schema.tables
            where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`
    const tables = (await names.execute(db)).rows.map(({ name }) => name)
    assert.ok(tables.length > 30, tables.join())
    const rows = await Promise.all(
      tables.map(async (name) => (await sql`select * from ${sql.table(name)}`.execute(db)).rows),
    )
    return JSON.stringify(rows)
  }

  function assertNowhere(text: string, where: string, isAllowed = (_secret: string): boolean => false): void {
    for (const [secret, what] of secrets) {
      const found = isAllowed(secret) ? -1 : Math.max(...partsOf(secret).map((part) => text.indexOf(part)))
      assert.ok(found < 0, `${what} in ${where}: ${text.slice(Math.max(0, found - 200), found + 60)}`)
    }
  }

  test('are in no log, no table and no mail but the one that they are for', async () => {
    const browser = await byPassword()
    person(verified(browser.email))
    await byProvider(browser, await browser.beginAs('link', 'keycloak', { password: GOOD_PASSWORD }))
    await misplace(await linkTo(browser.email, 'undo-sign-in'))
    person(verified(newEmail()))
    const stranger = open()
    await byProvider(stranger, await stranger.begin('keycloak', '/usage'))
    person({}, 'nobody')
    assert.match(await open().signIn('keycloak'), /email_unverified/)
    await keysAndCallbacks(browser)
    await byPasskey(browser)
    await members(browser)
    for (const secret of rig.peer.secrets) keep('verifier or token', secret)
    keep('secret of the client', CLIENT.clientSecret)
    for (const session of [browser.session(), stranger.session()]) await misplace(session ?? '')

    const kinds = new Set(secrets.values())
    assert.ok(secrets.size > 60 && kinds.size >= 17, `${secrets.size} ${[...kinds]}`)
    const log = outbox.output()
    for (const shown of ['/api/v1/auth/oidc/keycloak/callback', '/api/v1/auth/passkeys/recover', '"level":"debug"'])
      assert.ok(log.includes(shown), shown)
    assertNowhere(log, 'the log')
    const tables = await stored()
    for (const shown of ['recovery_code.used', 'account.transferred', browser.email]) assert.ok(tables.includes(shown))
    assertNowhere(tables, 'the database')
    const folder = path.join(rig.place.dataDir, 'outbox')
    const mails = readdirSync(folder).map((name) =>
      readFileSync(path.join(folder, name), 'utf8').replace(/=\r?\n/g, ''),
    )
    assertNowhere(mails.join('\n'), 'a mail', (secret) => mailed.has(secret))
  })
})
