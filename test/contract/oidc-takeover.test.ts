/**
 * Attempts to get another's session through sign-in with providers. Each that a check of ours stops was seen to fail without it; the
 * audience, issuer, time and state of a token or callback, used codes and verifiers are checked by the library and the provider.
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { IDENTITIES_MAX } from '#oidc/linking.ts'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { newEmail } from '#test/support/client.ts'
import { type OidcBrowser, PUBLIC_URL } from '#test/support/oidc-browser.ts'
import { useOidcRig, verified } from '#test/support/oidc-rig.ts'
import { untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { temporaryFolder } from '#test/support/service.ts'

const TENANT = '11111111-2222-4333-8444-555555555555'
const OTHER_TENANT = '99999999-2222-4333-8444-555555555555'
const OID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'
const PATH = '/api/v1/auth/oidc'
const FAILED = '/sign-in?error=failed'

describe('takeover', () => {
  const rig = useOidcRig(async () => ({ url: null, dataDir: temporaryFolder('takeover'), release: async () => {} }))
  const { open, post, withPassword, prove, meOf, person, forged, newSubject, loginWorks, outbox } = rig

  /** An account with a proven address. */
  async function victim() {
    const browser = await withPassword()
    await prove(browser.email)
    return browser
  }
  /** Somebody who signs in with the real provider. */
  async function member(claims: object = verified(newEmail())) {
    const browser = open()
    const subject = person({ ...claims })
    await browser.signIn('keycloak')
    return Object.assign(browser, { subject })
  }
  const paramsOf = (url: string) => new URL(url, PUBLIC_URL).searchParams
  const nobody = (browser: OidcBrowser) => assert.equal(browser.session(), null)

  describe('by a token that nobody should believe', () => {
    const microsoft = (claims: object) => ({
      ...{ iss: `https://login.microsoftonline.com/${TENANT}/v2.0`, tid: TENANT, oid: OID, sub: 's', ...claims },
    })
    const ATTEMPTS: [
      name: string,
      provider: string,
      claims: (email: string) => Record<string, unknown>,
      end: string,
    ][] = [
      ['an address that is not verified', 'forged', (email) => ({ email, sub: newSubject() }), 'email_unverified'],
      [
        'the text "false" for verified',
        'forged',
        (email) => ({ email, email_verified: 'false', sub: newSubject() }),
        'email_unverified',
      ],
      [
        'the address of somebody else, set by a tenant',
        'microsoft',
        (email) => microsoft({ email }),
        'email_unverified',
      ],
      [
        'the address of somebody else as a user name',
        'microsoft',
        (email) => microsoft({ preferred_username: email, upn: email, email_verified: true }),
        'email_unverified',
      ],
      [
        'a tenant that is a path',
        'microsoft',
        (email) =>
          microsoft({ email, xms_edov: true, tid: '../x', iss: 'https://login.microsoftonline.com/../x/v2.0' }),
        'failed',
      ],
      [
        'no tenant',
        'microsoft',
        (email) =>
          microsoft({ email, xms_edov: true, tid: undefined, iss: 'https://login.microsoftonline.com/undefined/v2.0' }),
        'failed',
      ],
      [
        'the issuer of another tenant',
        'microsoft',
        (email) => microsoft({ email, xms_edov: true, tid: OTHER_TENANT }),
        'failed',
      ],
      ['another audience', 'forged', (email) => ({ ...verified(email), aud: 'another-client' }), 'failed'],
      ['another issuer', 'forged', (email) => ({ ...verified(email), iss: 'https://accounts.google.com' }), 'failed'],
      ['the nonce of another sign-in', 'forged', (email) => ({ ...verified(email), nonce: 'another' }), 'failed'],
      ['no nonce', 'forged', (email) => ({ ...verified(email), nonce: undefined }), 'failed'],
      ['a token that has expired', 'forged', (email) => ({ ...verified(email), exp: 1_700_000_000 }), 'failed'],
      [
        'an address that only looks the same',
        'forged',
        (email) => ({ ...verified(email.replace('person', 'pеrson')), sub: newSubject() }),
        'email_unverified',
      ],
    ]
    for (const [name, provider, claims, end] of ATTEMPTS) {
      test(name, async () => {
        const { email } = await victim()
        const browser = open()
        assert.equal(await forged(provider, claims(email), browser), `/sign-in?error=${end}`)
        nobody(browser)
      })
    }

    const SIGNATURES: [name: string, spoil: Partial<typeof rig.forger>][] = [
      ['a broken signature', { spoil: (token) => token.replace(/.{8}$/, 'AAAAAAAA') }],
      ['the signature of another key', { usesOtherKey: true }],
      ['no signature', { algorithm: 'none' }],
      ['a signature with the secret of the client', { algorithm: 'HS256' }],
      ['an algorithm that is not accepted', { algorithm: 'RS384' }],
      [
        'claims that were changed after signing',
        {
          spoil: (token) => {
            const [header, body = '', signature] = token.split('.')
            const claims = { ...JSON.parse(Buffer.from(body, 'base64url').toString()), email_verified: true }
            return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
          },
        },
      ],
    ]
    for (const [name, spoil] of SIGNATURES) {
      test(name, async () => {
        const { email } = await victim()
        const honest = { spoil: (token: string) => token, usesOtherKey: false, algorithm: 'RS256' }
        Object.assign(rig.forger, spoil)
        const browser = open()
        const claims = { ...(name.includes('changed') ? { email } : verified(email)), sub: newSubject() }
        const end = await forged('forged', claims, browser).finally(() => Object.assign(rig.forger, honest))
        assert.equal(end, FAILED)
        nobody(browser)
      })
    }
  })

  describe('by the way there and back', () => {
    test('the callback of another browser: its code signs nobody else in', async () => {
      person(verified(newEmail()))
      const mine = open()
      const callback = await mine.visit(await mine.begin('keycloak'))
      const other = await victim()
      assert.equal(await other.finish(callback), FAILED)
      assert.equal((await meOf(other)).email, other.email)
      const stranger = open()
      assert.equal(await stranger.finish(callback), FAILED)
      nobody(stranger)
    })

    test('the code of another in a sign-in of my own', async () => {
      person(verified(newEmail()))
      const theirs = open()
      const code = paramsOf(await theirs.visit(await theirs.begin('keycloak'))).get('code') ?? ''
      const mine = open()
      const state = paramsOf(await mine.begin('keycloak')).get('state') ?? ''
      const query = new URLSearchParams({ code, state, iss: rig.peer.issuer })
      assert.equal(await mine.finish(`${PATH}/keycloak/callback?${query}`), FAILED)
      nobody(mine)
    })

    test('the same callback twice, also with the cookie of the first time', async () => {
      person(verified(newEmail()))
      const browser = open()
      const callback = await browser.visit(await browser.begin('keycloak'))
      const before = new Map(browser.jar)
      assert.equal(await browser.finish(callback), '/#signed-in')
      const again = open()
      for (const [name, value] of browser.jar) again.jar.set(name, value)
      again.jar.delete('__Host-docvet_session')
      assert.equal(await again.finish(callback), FAILED)
      for (const [name, value] of before) again.jar.set(name, value)
      assert.equal(await again.finish(callback), FAILED)
      nobody(again)
    })

    test('a sign-in that one provider began and another ends', async () => {
      person(verified(newEmail()))
      const browser = open()
      const callback = await browser.visit(await browser.begin('keycloak'))
      assert.equal(await browser.finish(callback.replace('keycloak', 'forged')), FAILED)
      nobody(browser)
    })

    test('a callback that names another issuer, or another state', async () => {
      person(verified(newEmail()))
      const browser = open()
      const callback = await browser.visit(await browser.begin('keycloak'))
      const query = paramsOf(callback)
      query.set('iss', rig.forger.url)
      assert.equal(await browser.finish(`${PATH}/keycloak/callback?${query}`), FAILED)
      const second = await browser.visit(await browser.begin('keycloak'))
      assert.equal(await browser.finish(second.replace(/state=.{12}/, 'state=AAAAAAAAAAAA')), FAILED)
      nobody(browser)
    })

    test('a return to another site', async () => {
      for (const to of [
        '//evil.invalid',
        '/\\evil.invalid',
        'https://evil.invalid',
        '/.//evil.invalid',
        '/\t/evil.invalid',
      ]) {
        person(verified(newEmail()))
        assert.equal(await open().signIn('keycloak', to), '/#signed-in', to)
      }
    })

    test('a cookie that I have sealed elsewhere, or changed', async () => {
      person(verified(newEmail()))
      const browser = open()
      const callback = await browser.visit(await browser.begin('keycloak'))
      for (const [name, value] of browser.jar) browser.jar.set(name, value.replace(/.{10}$/, 'AAAAAAAAAA'))
      assert.equal(await browser.finish(callback), FAILED)
      nobody(browser)
    })
  })

  describe('by an account that I made with the address of another', () => {
    test('with a password, a session and a provider of mine: all of them end when the owner signs in', async () => {
      const mine = await withPassword()
      const subject = person({})
      assert.equal(await mine.finish(await mine.visit(await mine.beginAs('link', 'keycloak'))), '/')
      const owner = open()
      assert.equal(
        await forged('forged', { ...verified(mine.email), sub: newSubject() }, owner),
        '/keys?proven#signed-in',
      )
      assert.equal((await meOf(owner)).email, mine.email)
      assert.equal((await mine.me()).status, 401)
      assert.equal(await loginWorks(mine.email), false)
      person({}, subject)
      const again = open()
      assert.equal(await again.signIn('keycloak'), '/sign-in?error=email_unverified')
      nobody(again)
    })

    test('with a provider of mine: it ends when the owner sets a password by mail', async () => {
      const mine = await withPassword()
      const subject = person({})
      await mine.finish(await mine.visit(await mine.beginAs('link', 'keycloak')))
      assert.equal((await post('forgot-password', { email: mine.email })).status, 202)
      const mail = await untilMail(outbox, mine.email, /reset-password/)
      const token = /#token=([\w-]{43})/.exec(mail)?.[1]
      assert.equal((await post('reset-password', { token, password: 'the owl left the barn' })).status, 204)
      person({}, subject)
      const again = open()
      assert.equal(await again.signIn('keycloak'), '/sign-in?error=email_unverified')
      nobody(again)
    })
  })

  describe('by adding a provider to the account of another', () => {
    test('from a page of another site', async () => {
      const browser = await victim()
      const cookie = `__Host-docvet_session=${browser.session()}`
      for (const headers of [{ cookie }, { cookie, origin: 'https://evil.invalid' }]) {
        const answer = await request(rig.port, 'POST', `${PATH}/keycloak/link`, { headers, body: {} })
        assertProblem(answer, 403, 'cross_site')
      }
      const answer = await request(rig.port, 'GET', `${PATH}/keycloak/link`, { headers: { cookie } })
      assertProblem(answer, 405, 'method_not_allowed')
    })

    test('with a sign-in that I began in my session and finish in theirs', async () => {
      const [mine, theirs] = [await victim(), await victim()]
      person({})
      const callback = await mine.visit(await mine.beginAs('link', 'keycloak'))
      for (const [name, value] of mine.jar) if (name.includes('oidc')) theirs.jar.set(name, value)
      assert.equal(await theirs.finish(callback), '/settings?error=session_ended')
      const { items } = (await theirs.ask('GET', '/api/v1/auth/identities')).json() as { items: [] }
      assert.deepEqual(items, [])
    })

    test('in a session that is older than five minutes, or without a password', async () => {
      const browser = await victim()
      await rig.database.db
        .updateTable('sessions')
        .set((eb) => ({ created_at: eb('created_at', '-', 5 * 60_000 + 1_000) }))
        .execute()
      const link = (body: object) => browser.ask('POST', `${PATH}/keycloak/link`, body)
      assertProblem(await link({}), 401, 'invalid_credentials')
      assertProblem(await link({ password: 'a wrong password' }), 401, 'invalid_credentials')
      assert.equal((await link({ password: GOOD_PASSWORD })).status, 200)
      const silent = await member()
      assertProblem(await silent.ask('POST', `${PATH}/keycloak/link`, {}), 401, 'invalid_credentials')
    })

    test('that belongs to somebody else, or is one too many', async () => {
      const owner = await member()
      const mine = await victim()
      person({}, owner.subject)
      const end = async () => mine.finish(await mine.visit(await mine.beginAs('link', 'keycloak')))
      assert.equal(await end(), '/settings?error=identity_taken')
      for (let i = 0; i <= IDENTITIES_MAX; i++) {
        mine.forgetProvider()
        person({})
        assert.equal(await end(), i < IDENTITIES_MAX ? '/' : '/settings?error=too_many_identities', `${i}`)
      }
    })
  })

  test('by an address that I changed at the provider to that of another', async () => {
    const [mine, other] = [await member(), await victim()]
    person(verified(other.email), mine.subject)
    const browser = open()
    await browser.signIn('keycloak')
    assert.notEqual((await meOf(browser)).email, other.email)
  })

  test('by a provider that the owner has removed', async () => {
    const owner = await victim()
    const subject = person(verified(owner.email))
    const mine = open()
    await mine.signIn('keycloak')
    const { items } = (await owner.ask('GET', '/api/v1/auth/identities')).json() as { items: { id: string }[] }
    assert.equal((await owner.ask('DELETE', `/api/v1/auth/identities/${items[0]?.id}`)).status, 204)
    assert.equal((await mine.me()).status, 401)
    person(verified(owner.email), subject)
    const again = open()
    assert.equal(await again.signIn('keycloak'), '/sign-in?error=sign_in_removed')
    nobody(again)
  })

  test('by confirming a session that was left open with a person of my own', async () => {
    const [mine, theirs] = [await member(), await member()]
    theirs.forgetProvider()
    const url = await theirs.beginAs('confirm', 'keycloak')
    person({}, mine.subject)
    assert.equal(await theirs.finish(await theirs.visit(url)), '/settings?error=other_identity')
    assertProblem(await theirs.ask('DELETE', '/api/v1/auth/me'), 401, 'invalid_credentials')
  })

  test('by removing a way to sign in with the token of another link', async () => {
    const mine = await victim()
    person(verified(mine.email))
    await open().signIn('keycloak')
    const [, cookie = ''] = [...(await sealedBy(mine))][0] ?? []
    assertProblem(
      await post('undo-identity', { token: Buffer.from(cookie).toString('base64url') }),
      400,
      'invalid_token',
    )
  })

  /** Values that the service has sealed for another purpose. */
  async function sealedBy(browser: OidcBrowser) {
    await browser.begin('keycloak')
    return [...browser.jar].filter(([name]) => name.includes('oidc'))
  }
})
