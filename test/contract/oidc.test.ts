/** Sign-in with a provider of OpenID Connect, and who gets which account. On two replicas, with oidc-provider as the peer. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createInviteStore } from '#accounts/invite-store.ts'
import { startApp } from '#test/support/app.ts'
import { newEmail, signUp, withKey } from '#test/support/client.ts'
import { type OidcBrowser, openBrowser, PUBLIC_URL } from '#test/support/oidc-browser.ts'
import { CLIENT } from '#test/support/oidc-provider.ts'
import { JOIN, useOidcRig, verified } from '#test/support/oidc-rig.ts'
import { mailTo, untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { forEachDatabase } from '#test/support/suite.ts'

const TENANT = '11111111-2222-4333-8444-555555555555'
const OID = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'

forEachDatabase('sign-in with a provider', (openUrl) => {
  const rig = useOidcRig(openUrl)
  const { outbox, post, open, withPassword, prove, accountOf, meOf, person, loginWorks, forged } = rig

  describe('the linking table', () => {
    test('an unknown person with a verified address gets a new account, on the other replica as well', async () => {
      const email = newEmail()
      person(verified(email))
      const browser = open()
      const callback = await browser.visit(await browser.begin('keycloak', '/keys?a=b'))
      assert.equal(await browser.finish(callback, rig.otherPort), '/keys?a=b#signed-in')
      assert.deepEqual(await meOf(browser, rig.otherPort), { email, plan: 'free', authProvider: 'oidc' })
      const account = await accountOf(email)
      assert.ok(account?.email_proven_at)
      assert.equal(account?.password_hash, null)
    })

    test('a known person signs in, whatever address the provider reports now', async () => {
      const [email, other] = [newEmail(), await withPassword()]
      await prove(other.email)
      const subject = person(verified(email))
      await open().signIn('keycloak')
      person(verified(other.email), subject)
      const browser = open()
      assert.equal(await browser.signIn('keycloak'), '/#signed-in')
      assert.equal((await meOf(browser)).email, email)
    })

    test('an account with a proven address is linked, keeps its password, and its owner gets a mail that undoes it', async () => {
      const owner = await withPassword()
      await prove(owner.email)
      person(verified(owner.email.toUpperCase()))
      const browser = open()
      assert.equal(await browser.signIn('keycloak'), '/#signed-in')
      assert.equal((await meOf(browser)).email, owner.email)
      assert.equal((await owner.me()).status, 200)
      assert.ok(await loginWorks(owner.email))

      const mail = await untilMail(outbox, owner.email, /Keycloak/)
      const [, token = ''] = /\/undo-sign-in#token=([\w-]+)/.exec(mail) ?? []
      assert.equal((await post('undo-identity', { token: token.replace(/.{4}$/, 'AAAA') })).status, 400)
      assert.equal((await post('undo-identity', { token })).status, 204)
      assert.equal((await browser.me()).status, 401)
      assertProblem(await post('undo-identity', { token }), 400, 'invalid_token')
      assert.equal(await open().signIn('keycloak'), '/sign-in?error=sign_in_removed')
      assert.ok(await loginWorks(owner.email))
    })

    test('an account whose address nobody had proven: sessions and password end, keys stay and are listed by mail', async () => {
      const intruder = await withPassword()
      const { apiKey } = (await intruder.ask('POST', '/api/v1/keys', { name: 'planted' })).json() as { apiKey: string }
      person(verified(intruder.email))
      const browser = open()
      assert.equal(await browser.signIn('keycloak', '/usage'), '/keys?proven#signed-in')
      assert.equal((await meOf(browser)).email, intruder.email)
      assert.equal((await intruder.me()).status, 401)
      assert.equal(await loginWorks(intruder.email), false)
      assert.equal((await request(rig.port, 'GET', '/api/v1/keys', { headers: withKey(apiKey) })).status, 200)
      assert.match(await untilMail(outbox, intruder.email, /yours alone/), /planted/)
    })

    test('an address that is missing or not verified neither links nor creates', async () => {
      const owner = await withPassword()
      await prove(owner.email)
      const fresh = newEmail()
      for (const claims of [
        { email: owner.email },
        { email: owner.email, email_verified: false },
        { email: owner.email, email_verified: 'false' },
        { email: fresh, email_verified: 0 },
        { email_verified: true },
        { email: 'not an address', email_verified: true },
      ]) {
        person(claims)
        const browser = open()
        assert.equal(await browser.signIn('keycloak'), '/sign-in?error=email_unverified', JSON.stringify(claims))
        assert.equal(browser.session(), null)
      }
      assert.equal(await accountOf(fresh), undefined)
      const email = newEmail()
      assert.equal(await forged('trusted', { email, sub: 'trusted' }), '/#signed-in')
      assert.ok(await accountOf(email))
    })

    test('the owner of an account adds a provider whatever the address, removes it, and keeps one way to sign in', async () => {
      const owner = await withPassword()
      await prove(owner.email)
      const subject = person({})
      await owner.finish(await owner.visit(await owner.beginAs('link', 'keycloak', { returnTo: '/settings' })))
      const browser = open()
      assert.equal(await browser.signIn('keycloak'), '/#signed-in')
      assert.equal((await meOf(browser)).email, owner.email)
      await untilMail(outbox, owner.email, /Keycloak/)

      const list = (await owner.ask('GET', '/api/v1/auth/identities')).json() as {
        hasPassword: boolean
        items: { id: string; provider: string; name: string }[]
      }
      assert.equal(list.hasPassword, true)
      assert.deepEqual(
        list.items.map(({ provider, name }) => [provider, name]),
        [['keycloak', 'Keycloak']],
      )
      const own = `/api/v1/auth/identities/${list.items[0]?.id}`
      assertProblem(await (await withPassword()).ask('DELETE', own), 404, 'not_found')
      assert.equal((await owner.ask('DELETE', own)).status, 204)
      assert.equal((await browser.me()).status, 401)
      assertProblem(await owner.ask('DELETE', own), 404, 'not_found')
      assert.equal(await open().signIn('keycloak'), '/sign-in?error=sign_in_removed')
      // Its owner may add it again, also to another account.
      const another = await withPassword()
      assert.equal(await another.finish(await another.visit(await another.beginAs('link', 'keycloak'))), '/')
      person(verified(another.email), subject)
      await browser.signIn('keycloak')
      assert.equal((await meOf(browser)).email, another.email)
    })

    test('the last way to sign in cannot be removed', async () => {
      person(verified(newEmail()))
      const browser = open()
      await browser.signIn('keycloak')
      await browser.finish(await browser.visit(await browser.beginAs('confirm', 'keycloak')))
      const { items } = (await browser.ask('GET', '/api/v1/auth/identities')).json() as { items: { id: string }[] }
      assertProblem(await browser.ask('DELETE', `/api/v1/auth/identities/${items[0]?.id}`), 409, 'last_sign_in')
    })
  })

  describe('an account without a password', () => {
    test('is deleted after its owner has signed in again with the provider, and the provider can then create another', async () => {
      const email = newEmail()
      const subject = person(verified(email))
      const browser = open()
      await browser.signIn('keycloak')
      assertProblem(await browser.ask('DELETE', '/api/v1/auth/me'), 401, 'invalid_credentials')
      const url = await browser.beginAs('confirm', 'keycloak', { returnTo: '/settings?delete' })
      assert.deepEqual(
        ['prompt', 'max_age'].map((name) => new URL(url).searchParams.get(name)),
        ['login', '0'],
      )
      assert.equal(await browser.finish(await browser.visit(url)), '/settings?delete')
      assert.equal((await browser.ask('DELETE', '/api/v1/auth/me')).status, 204)
      assert.equal(await accountOf(email), undefined)
      assert.equal(
        (await rig.database.db.selectFrom('identities').selectAll().execute()).some((row) => row.subject === subject),
        false,
      )
      await browser.signIn('keycloak')
      assert.equal((await meOf(browser)).email, email)
    })

    test('can be confirmed only by its own identity and by a recent sign-in there', async () => {
      const email = newEmail()
      const subject = person(verified(email))
      const browser = open()
      await browser.signIn('keycloak')
      browser.forgetProvider()
      const url = await browser.beginAs('confirm', 'keycloak')
      person(verified(newEmail()))
      assert.equal(await browser.finish(await browser.visit(url)), '/settings?error=other_identity')
      person(verified(email), subject)

      const forgedPerson = { email: newEmail(), email_verified: true, sub: 'confirmed' }
      const other = open()
      await forged('forged', forgedPerson, other)
      for (const [authTime, expected] of [
        [Math.floor(Date.now() / 1000) - 120, '/settings?error=failed'],
        [Math.floor(Date.now() / 1000), '/'],
      ] as const) {
        const asked = new URL(await other.beginAs('confirm', 'forged'))
        rig.forger.claims = { ...forgedPerson, nonce: asked.searchParams.get('nonce'), auth_time: authTime }
        const state = asked.searchParams.get('state') ?? ''
        assert.equal(await other.finish(`/api/v1/auth/oidc/forged/callback?code=c&state=${state}`), expected)
      }
    })
  })

  test('an address that the provider reports only at its UserInfo endpoint', async () => {
    const email = newEmail()
    rig.thin.become('thin-person', verified(email))
    const browser = open()
    assert.equal(await browser.signIn('thin'), '/#signed-in')
    assert.equal((await meOf(browser)).email, email)
  })

  test('domains are those of verified addresses only', async () => {
    const at = (domain: string, isVerified = true) => ({
      ...{ email: `${newEmail().split('@')[0]}@${domain}`, email_verified: isVerified, sub: rig.newSubject() },
    })
    assert.equal(await forged('domain', at('example.com')), '/#signed-in')
    assert.equal(await forged('domain', at('example.com', false)), '/sign-in?error=not_allowed')
    assert.equal(await forged('domain', at('example.com.evil.test')), '/sign-in?error=not_allowed')
    assert.equal(await forged('domain', at('evil-example.com')), '/sign-in?error=not_allowed')
  })

  test('people of an organisation join the account that the operator names, until they are removed', async () => {
    const claims = () => verified(newEmail().replace('example.com', JOIN.domain))
    const accounts = async (browser: OidcBrowser) =>
      ((await browser.ask('GET', '/api/v1/auth/act')).json() as { items: { role: string; accountId: string }[] }).items
    const joins = async () => {
      const [browser, mine] = [open(), claims()]
      const subject = person(mine)
      assert.equal(await browser.signIn('keycloak'), '/#signed-in')
      return { browser, subject, mine, roles: (await accounts(browser)).map(({ role }) => role) }
    }
    assert.deepEqual((await joins()).roles, ['owner'], 'an account that does not exist')
    const team = await withPassword(JOIN.account)
    assert.deepEqual((await joins()).roles, ['owner'], 'an account whose address nobody has proven')
    await prove(JOIN.account)
    const { browser, subject, mine, roles } = await joins()
    assert.deepEqual(roles, ['owner', 'member'])
    await untilMail(outbox, JOIN.account, /has joined/)

    const [, joined] = await accounts(browser)
    const personId = (await accountOf(mine.email))?.id
    assert.equal((await browser.ask('POST', '/api/v1/auth/act', { accountId: joined?.accountId })).status, 204)
    assertProblem(await browser.ask('GET', '/api/v1/members'), 403, 'role_forbidden')
    assert.equal((await team.ask('DELETE', `/api/v1/members/${personId}`)).status, 204)
    person(mine, subject)
    const again = open()
    assert.equal(await again.signIn('keycloak'), '/#signed-in')
    assert.equal((await accounts(again)).length, 1)

    const microsoft = async (tid: string, oid: string, email: string) => {
      const one = open()
      const iss = `https://login.microsoftonline.com/${tid}/v2.0`
      assert.equal(await forged('microsoft', { iss, tid, oid, sub: oid, email, xms_edov: true }, one), '/#signed-in')
      return (await accounts(one)).map(({ role }) => role)
    }
    assert.deepEqual(await microsoft(JOIN.tenant, OID.replace('a', 'b'), newEmail()), ['owner', 'member'])
    // An address of the domain says nothing at Microsoft, and another tenant neither.
    assert.deepEqual(await microsoft(TENANT, OID.replace('a', 'c'), claims().email), ['owner'])
    const owner = open()
    person(verified(JOIN.account))
    assert.equal(await owner.signIn('keycloak'), '/#signed-in')
    assert.deepEqual(
      (await accounts(owner)).map(({ role }) => role),
      ['owner'],
    )
  })

  test('in the account of another, a provider is added to the person alone', async () => {
    const [owner, member] = [await withPassword(), await withPassword()]
    const [ownerId, memberId] = [(await accountOf(owner.email))?.id ?? '', (await accountOf(member.email))?.id ?? '']
    const row = { role: 'admin', invited_by: null, created_at: 1, removed_at: null }
    await rig.database.db
      .insertInto('members')
      .values({ account_id: ownerId, member_account_id: memberId, ...row })
      .execute()
    assert.equal((await member.ask('POST', '/api/v1/auth/act', { accountId: ownerId })).status, 204)
    person({})
    assert.equal(await member.finish(await member.visit(await member.beginAs('link', 'keycloak'))), '/')
    const linked = await rig.database.db
      .selectFrom('identities')
      .select('account_id as accountId')
      .where('account_id', 'in', [ownerId, memberId])
      .execute()
    assert.deepEqual(
      linked.map(({ accountId }) => accountId),
      [memberId],
    )
  })

  test('a disabled account does not sign in', async () => {
    const email = newEmail()
    person(verified(email))
    await open().signIn('keycloak')
    await rig.database.db.updateTable('accounts').set({ disabled_at: 1 }).where('email', '=', email).execute()
    assert.equal(await open().signIn('keycloak'), '/sign-in?error=account_disabled')
  })

  test('two first sign-ins of one person at the same time share an account', async () => {
    const email = newEmail()
    person(verified(email))
    const browsers = [open(), open(), open()]
    const callbacks = await Promise.all(browsers.map(async (each) => each.visit(await each.begin('keycloak'))))
    const ends = await Promise.all(
      browsers.map((each, index) => each.finish(callbacks[index] ?? '', index === 0 ? rig.port : rig.otherPort)),
    )
    assert.deepEqual(ends, ['/#signed-in', '/#signed-in', '/#signed-in'])
    for (const each of browsers) assert.equal((await meOf(each)).email, email)
  })

  test('a provider that cannot be reached: a page and a problem say so, and passwords still work', async () => {
    const owner = await withPassword()
    assert.equal(await owner.begin('down'), '/sign-in?error=unavailable')
    const answer = await owner.ask('POST', '/api/v1/auth/oidc/down/start', {})
    assertProblem(answer, 503, 'sign_in_unavailable')
    assert.equal(answer.headers['retry-after'], '30')
    assert.ok(await loginWorks(owner.email))
    const browser = open()
    const url = new URL(await browser.begin('forged'))
    rig.forger.broken = { status: 500, body: 'no' }
    const ended = await browser.finish(
      `/api/v1/auth/oidc/forged/callback?code=c&state=${url.searchParams.get('state')}`,
    )
    assert.equal(ended, '/sign-in?error=unavailable')
    rig.forger.broken = { status: 200, body: 'x'.repeat(300_000) }
    const again = new URL(await browser.begin('forged'))
    const late = await browser.finish(
      `/api/v1/auth/oidc/forged/callback?code=c&state=${again.searchParams.get('state')}`,
    )
    rig.forger.broken = null
    assert.equal(late, '/sign-in?error=unavailable')
  })

  test('a person who refuses at the provider reads that here, without any text of the provider', async () => {
    const browser = open()
    person({})
    rig.peer.deny = true
    const end = await browser.signIn('keycloak', '/usage')
    rig.peer.deny = false
    assert.equal(end, '/sign-in?error=cancelled&next=%2Fusage')
  })

  test('the providers are listed, and an unknown one is none', async () => {
    const listed = (await request(rig.port, 'GET', '/api/v1/auth/oidc')).json() as {
      items: object[]
      passwords: boolean
    }
    assert.deepEqual(listed.items[0], { id: 'keycloak', name: 'Keycloak' })
    assert.equal(listed.passwords, true)
    assert.equal(await open().begin('nobody'), '/sign-in?error=unknown_provider')
    assertProblem(await post('oidc/nobody/start', {}), 404, 'not_found')
  })

  describe('Microsoft', () => {
    const of = (tid: unknown, more: object = {}) => ({
      ...{ iss: `https://login.microsoftonline.com/${tid}/v2.0`, tid, oid: OID, sub: 'pairwise', ...more },
    })
    test('an address counts only with a claim that Microsoft has checked', async () => {
      const owner = await withPassword()
      await prove(owner.email)
      const oid = (n: number) => OID.replace(/^.{8}/, String(n).padStart(8, '0'))
      const unproven = { email: owner.email, preferred_username: owner.email, upn: owner.email }
      for (const claims of [
        {},
        { email_verified: true },
        { xms_edov: false },
        { xms_edov: 0 },
        { verified_primary_email: ['x@example.com'] },
      ])
        assert.equal(
          await forged('microsoft', of(TENANT, { ...unproven, ...claims })),
          '/sign-in?error=email_unverified',
        )
      for (const [index, claims] of [
        { xms_edov: true },
        { xms_edov: 'true' },
        { xms_edov: 1 },
        { xms_edov: '1' },
        { verified_primary_email: [owner.email.toUpperCase()] },
        { email: undefined, verified_secondary_email: [owner.email] },
      ].entries()) {
        const browser = open()
        assert.equal(
          await forged('microsoft', of(TENANT, { ...unproven, ...claims, oid: oid(index) }), browser),
          '/#signed-in',
        )
        const { authProvider, email } = await meOf(browser)
        assert.deepEqual([authProvider, email], ['microsoft', owner.email])
      }
    })

    test('a buyer who has only signed in with Microsoft activates a purchase on the landing page', async () => {
      await using shop = await startApp({}, { ...rig.env(), DOCVET_MARKETPLACE: 'sandbox!' })
      const bought = await request(shop.port, 'POST', '/sandbox/purchases', {
        ...{ body: { planId: 'pro' }, headers: { origin: PUBLIC_URL } },
      })
      assert.equal(bought.status, 201, bought.body)
      const landing = new URL((bought.json() as { landingUrl: string }).landingUrl)
      const browser = openBrowser(shop.port)
      const asked = new URL(await browser.begin('microsoft', landing.pathname + landing.search)).searchParams
      const email = newEmail()
      const claims = of(TENANT, { email, xms_edov: true, oid: OID.replace(/^.{8}/, '00000099') })
      rig.forger.claims = { nonce: asked.get('nonce'), ...claims }
      const query = new URLSearchParams({ code: 'c', state: asked.get('state') ?? '' })
      const location = await browser.finish(`/api/v1/auth/oidc/microsoft/callback?${query}`)
      assert.equal(location, `${landing.pathname}${landing.search}#signed-in`)
      const token = new URL(location, PUBLIC_URL).searchParams.get('token')
      const resolved = await browser.ask('POST', '/api/v1/marketplace/resolve', { token })
      assert.equal(resolved.status, 200, resolved.body)
      const { subscriptionId } = resolved.json() as { subscriptionId: string }
      const active = await browser.ask('POST', '/api/v1/marketplace/activate', { subscriptionId })
      assert.equal((active.json() as { status: string }).status, 'Subscribed', active.body)
      assert.deepEqual(await meOf(browser), { email, plan: 'pro', authProvider: 'microsoft' })
      assert.equal((await accountOf(email))?.password_hash, null)
    })

    test('the tenant must be an id, and that of the issuer', async () => {
      const claims = { email: newEmail(), xms_edov: true }
      for (const token of [
        of('../evil', claims),
        of(undefined, claims),
        { ...of(TENANT, claims), tid: undefined },
        { ...of(TENANT, claims), iss: `https://login.microsoftonline.com/${OID}/v2.0` },
        { ...of(TENANT, claims), oid: undefined },
        { ...of(TENANT, claims), oid: 'x' },
        { ...of(TENANT, claims), iss: rig.forger.url },
      ])
        assert.equal(await forged('microsoft', token), '/sign-in?error=failed', JSON.stringify(token))
    })
  })

  test('nothing of a token, code, verifier or secret is logged, audited or mailed', async () => {
    const email = newEmail()
    person(verified(email))
    const browser = open()
    const url = await browser.begin('keycloak', '/marketplace/landing?token=a-purchase-token')
    const [cookie = ''] = [...browser.jar].flatMap(([name, value]) => (name.includes('docvet_oidc') ? [value] : []))
    const callback = await browser.visit(url)
    assert.equal(await browser.finish(callback), '/marketplace/landing?token=a-purchase-token#signed-in')
    const asked = new URL(url).searchParams
    const code = new URL(callback, PUBLIC_URL).searchParams.get('code') ?? ''
    const audit = JSON.stringify(await rig.database.db.selectFrom('audit_log').selectAll().execute())
    const kept = JSON.stringify(await rig.database.db.selectFrom('sessions').selectAll().execute())
    const all = outbox.output() + audit + kept + mailTo(outbox, email).join('')
    assert.ok(all.includes(`/api/v1/auth/oidc/keycloak/callback`))
    const secrets = [code, cookie, asked.get('state'), asked.get('nonce'), browser.session(), CLIENT.clientSecret]
    const [verifier = '', ...tokens] = rig.peer.secrets.slice(-3)
    assert.deepEqual([verifier.length, tokens.length], [43, 2])
    for (const secret of [...secrets, verifier, ...tokens, 'a-purchase-token', 'an-access-token', 'eyJ'])
      assert.ok(secret && !all.includes(secret), `${secret}`)
  })

  test('with passwords off, only providers sign in, and no endpoint for passwords exists', async () => {
    await using app = await startApp({}, { ...rig.env(), DOCVET_PASSWORDS: 'off' })
    for (const name of ['signup', 'login', 'change-password', 'forgot-password', 'reset-password'])
      assertProblem(await request(app.port, 'POST', `/api/v1/auth/${name}`, { body: {} }), 404, 'not_found')
    const listed = (await request(app.port, 'GET', '/api/v1/auth/oidc')).json() as { passwords: boolean }
    assert.equal(listed.passwords, false)
    const owner = await withPassword()
    await prove(owner.email)
    person(verified(owner.email))
    const browser = openBrowser(app.port)
    assert.equal(await browser.signIn('keycloak'), '/#signed-in')
    await browser.finish(await browser.visit(await browser.beginAs('confirm', 'keycloak')))
    const ways = (await browser.ask('GET', '/api/v1/auth/identities')).json() as {
      hasPassword: boolean
      items: { id: string }[]
    }
    assert.equal(ways.hasPassword, false)
    assertProblem(await browser.ask('DELETE', `/api/v1/auth/identities/${ways.items[0]?.id}`), 409, 'last_sign_in')
  })

  test('sign-up by invitation needs the code of the page that began', async () => {
    await using app = await startApp({}, { ...rig.env(), DOCVET_SIGNUP: 'invite' })
    const { code } = await rig.database.audit.change((trx) => createInviteStore(rig.database).create(trx))
    const email = newEmail()
    person(verified(email))
    const browser = openBrowser(app.port)
    assert.equal(await browser.signIn('keycloak'), '/sign-in?error=invite_required')
    const invited = async (inviteCode: string) =>
      browser.finish(await browser.visit(await browser.beginAs('start', 'keycloak', { inviteCode })))
    assert.equal(await invited('wrong'), '/sign-in?error=invite_required')
    assert.equal(await invited(code), '/#signed-in')
    person(verified(newEmail()))
    browser.forgetProvider()
    assert.equal(await invited(code), '/sign-in?error=invite_required')
    await using closed = await startApp({}, { ...rig.env(), DOCVET_SIGNUP: 'closed' })
    const other = openBrowser(closed.port)
    assert.equal(await other.signIn('keycloak'), '/sign-in?error=signup_closed')
    person(verified(email), 'a second person with that address')
    other.forgetProvider()
    assert.equal(await other.signIn('keycloak'), '/#signed-in')
  })

  test('a key of an account that signed up by e-mail stays when its owner signs in', async () => {
    const { apiKey, email } = await signUp(rig.port)
    person(verified(email))
    assert.equal(await open().signIn('keycloak'), '/keys?proven#signed-in')
    assert.equal((await request(rig.port, 'GET', '/api/v1/keys', { headers: withKey(apiKey) })).status, 200)
  })
})
