/** Passkeys and recovery codes, on two replicas. Every answer of an authenticator that proves too little is refused. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startApp } from '#test/support/app.ts'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { type Authenticator, cbor, createAuthenticator, type Twist } from '#test/support/authenticator.ts'
import { type OidcBrowser, openBrowser, PUBLIC_URL } from '#test/support/oidc-browser.ts'
import { useOidcRig, verified } from '#test/support/oidc-rig.ts'
import { mailTo, untilMail } from '#test/support/outbox.ts'
import { assertProblem } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { forEachDatabase } from '#test/support/suite.ts'

const PATH = '/api/v1/auth/passkeys'
const SITE = { origin: PUBLIC_URL, rpId: 'docvet.example' }
const LIMIT = 10

interface Asked {
  state: string
  options: { challenge: string; user: { id: string }; excludeCredentials: { id: string }[] }
}

/** Everything that proves something, from all tests above the last one. */
const secrets: string[] = []

const asked = (answer: Answer): Asked => {
  assert.equal(answer.status, 200, answer.body)
  const given = answer.json() as Asked
  secrets.push(given.state, given.options.challenge)
  return given
}

async function tryToAdd(browser: OidcBrowser, passkey: Authenticator, twist: Twist = {}, at?: number): Promise<Answer> {
  const { state, options } = asked(await browser.ask('POST', `${PATH}/options`, {}))
  const body = { state, credential: passkey.create(options, twist), name: 'Laptop' }
  return await browser.ask('POST', PATH, body, at)
}

async function add(browser: OidcBrowser, at?: number): Promise<Authenticator & { passkeyId: string }> {
  const passkey = createAuthenticator(SITE)
  const answer = await tryToAdd(browser, passkey, {}, at)
  assert.equal(answer.status, 201, answer.body)
  return Object.assign(passkey, { passkeyId: (answer.json() as { id: string }).id })
}

async function answerOf(browser: OidcBrowser, passkey: Authenticator, twist: Twist = {}) {
  const { state, options } = asked(await browser.ask('POST', `${PATH}/sign-in-options`))
  const credential = passkey.get(options, twist)
  secrets.push(credential.signature, credential.clientDataJSON)
  return { state, credential }
}

const signIn = async (browser: OidcBrowser, passkey: Authenticator, twist: Twist = {}, at?: number): Promise<Answer> =>
  browser.ask('POST', `${PATH}/sign-in`, await answerOf(browser, passkey, twist), at)

const listOf = async (browser: OidcBrowser) =>
  (await browser.ask('GET', PATH)).json() as {
    items: { id: string; name: string }[]
    only: boolean
    recoveryCodesLeft: number
  }

async function only(browser: OidcBrowser, isOn = true): Promise<string[]> {
  const answer = await browser.ask('POST', `${PATH}/only`, { only: isOn })
  assert.equal(answer.status, 200, answer.body)
  const { recoveryCodes } = answer.json() as { recoveryCodes: string[] }
  secrets.push(...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', '')))
  return recoveryCodes
}

forEachDatabase('passkeys', (openUrl) => {
  const rig = useOidcRig(openUrl)
  const { outbox, post, open, withPassword, prove, meOf, person, loginWorks } = rig

  /** Signed in longer ago than a change of the ways to sign in permits. */
  const age = (browser: OidcBrowser) =>
    rig.database.db
      .updateTable('sessions')
      .set({ created_at: (eb) => eb('created_at', '-', 11 * 60 * 1_000), confirmed_at: null })
      .where('account_id', '=', (eb) =>
        eb
          .selectFrom('accounts')
          .select('id')
          .where('email', '=', emails.get(browser) ?? ''),
      )
      .execute()
  const emails = new Map<OidcBrowser, string>()
  async function owner() {
    const browser = await withPassword()
    emails.set(browser, browser.email)
    return browser
  }

  test('a passkey is added on one replica, signs in on the other, and its owner gets a mail that removes it', async () => {
    const person = await owner()
    const passkey = await add(person, rig.otherPort)
    const browser = open()
    assert.equal((await signIn(browser, passkey, {}, rig.otherPort)).status, 204)
    assert.deepEqual(await meOf(browser), { email: person.email, plan: 'free', authProvider: 'passkey' })
    assert.deepEqual(Object.keys((await listOf(browser)).items[0] ?? {}).sort(), [
      ...['createdAt', 'id', 'isBackedUp', 'lastUsedAt', 'name'],
    ])
    const mail = await untilMail(outbox, person.email, /a passkey/)
    const [, token = ''] = /\/undo-sign-in#token=([\w-]+)/.exec(mail) ?? []
    assert.equal((await post('undo-identity', { token })).status, 204)
    assert.equal((await browser.me()).status, 401)
    assertProblem(await signIn(open(), passkey), 401, 'invalid_credentials')
    assertProblem(await post('undo-identity', { token }), 400, 'invalid_token')
  })

  test('a new passkey must verify its user, for this site, with this challenge, in this session, and once', async () => {
    const person = await owner()
    const certificate = new Map<string, unknown>([['x5c', new Map()]])
    const twists: Twist[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { type: 'webauthn.get' },
      { flags: 0x41 },
      { flags: 0x44 },
      { format: 'packed', statement: certificate },
      { format: 'tpm' },
      { format: 'apple', statement: certificate },
    ]
    for (const twist of twists)
      assertProblem(await tryToAdd(person, createAuthenticator(SITE), twist), 401, 'invalid_credentials')
    const passkey = createAuthenticator(SITE)
    const { state, options } = asked(await person.ask('POST', `${PATH}/options`, {}))
    const good = { state, credential: passkey.create(options), name: 'Laptop' }
    const other = await owner()
    assertProblem(await other.ask('POST', PATH, good), 401, 'invalid_credentials')
    const nonsense = { ...good, credential: { ...good.credential, attestationObject: cbor('x').toString('base64url') } }
    assertProblem(await person.ask('POST', PATH, nonsense), 401, 'invalid_credentials')
    assert.equal((await person.ask('POST', PATH, good)).status, 201)
    assertProblem(await person.ask('POST', PATH, good), 401, 'invalid_credentials')
    assertProblem(await tryToAdd(other, passkey), 401, 'invalid_credentials')
    const again = asked(await person.ask('POST', `${PATH}/options`, {})).options
    assert.deepEqual(
      again.excludeCredentials.map(({ id }) => id),
      [passkey.id],
    )
    assert.equal(again.user.id, options.user.id)
    assert.notEqual(Buffer.from(options.user.id, 'base64url').length, 0)
    await age(person)
    assertProblem(await person.ask('POST', `${PATH}/options`, {}), 401, 'invalid_credentials')
    assert.equal((await person.ask('POST', `${PATH}/options`, { password: GOOD_PASSWORD })).status, 200)
  })

  test('a signature must be of this user, for this site, with this challenge, and works once', async () => {
    const person = await owner()
    const passkey = await add(person)
    const stranger = createAuthenticator(SITE)
    const twists: Twist[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { type: 'webauthn.create' },
      { flags: 0x01 },
      { flags: 0x04 },
      { handle: 'AAAAAAAAAAAAAAAAAAAAAA' },
    ]
    for (const twist of twists) assertProblem(await signIn(open(), passkey, twist), 401, 'invalid_credentials')
    assertProblem(await signIn(open(), stranger, { handle: 'AAAA' }), 401, 'invalid_credentials')
    // One that does not count its signatures: only the challenge tells that it was used.
    const given = await answerOf(open(), passkey, { counter: 0 })
    const broken = {
      ...given,
      credential: { ...given.credential, signature: (await answerOf(open(), passkey)).credential.signature },
    }
    assertProblem(await open().ask('POST', `${PATH}/sign-in`, broken), 401, 'invalid_credentials')
    const both = [rig.port, rig.otherPort].map((port) => open().ask('POST', `${PATH}/sign-in`, given, port))
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [204, 401])
    // For another purpose than the one that it was made for.
    const { state, options } = asked(await person.ask('POST', `${PATH}/options`, {}))
    const misused = { state, credential: passkey.get(options) }
    assertProblem(await open().ask('POST', `${PATH}/sign-in`, misused), 401, 'invalid_credentials')
  })

  test('a counter that goes backwards is refused, unless the authenticator does not count', async () => {
    const passkey = await add(await owner())
    assert.equal((await signIn(open(), passkey, { counter: 7 })).status, 204)
    assertProblem(await signIn(open(), passkey, { counter: 7 }), 401, 'invalid_credentials')
    assertProblem(await signIn(open(), passkey, { counter: 6 }), 401, 'invalid_credentials')
    assert.equal((await signIn(open(), passkey, { counter: 0 })).status, 204)
    assertProblem(await signIn(open(), passkey, { counter: 7 }), 401, 'invalid_credentials')
    assert.equal((await signIn(open(), passkey, { counter: 8 })).status, 204)
  })

  test('a challenge ends after five minutes', async (t) => {
    const passkey = await add(await owner())
    const [inTime, late] = [await answerOf(open(), passkey), await answerOf(open(), passkey)]
    const MINUTES = 5 * 60 * 1_000
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + MINUTES - 5_000 })
    assert.equal((await open().ask('POST', `${PATH}/sign-in`, inTime)).status, 204)
    t.mock.timers.tick(10_000)
    assertProblem(await open().ask('POST', `${PATH}/sign-in`, late), 401, 'invalid_credentials')
  })

  test(`an account has up to ${LIMIT} passkeys`, async () => {
    const person = await owner()
    for (let count = 0; count < LIMIT; count++) await add(person)
    assertProblem(await tryToAdd(person, createAuthenticator(SITE)), 409, 'passkey_limit_reached')
    assert.equal((await listOf(person)).items.length, LIMIT)
  })

  test('a passkey gets another name, of 1 to 60 characters, from its owner alone', async () => {
    const person = await owner()
    const path = `${PATH}/items/${(await add(person)).passkeyId}`
    const rename = (browser: OidcBrowser, name: string) => browser.ask('PATCH', path, { name })
    assert.equal((await rename(person, 'é'.repeat(60))).status, 204)
    for (const name of ['', 'x'.repeat(61)]) assertProblem(await rename(person, name), 400, 'invalid_request')
    assertProblem(await rename(await owner(), 'mine'), 404, 'not_found')
    assert.deepEqual(
      (await listOf(person)).items.map(({ name }) => name),
      ['é'.repeat(60)],
    )
  })

  test('the last way to sign in stays, and a removal ends the other sessions', async () => {
    const person = await owner()
    const passkey = await add(person)
    await rig.database.db
      .updateTable('accounts')
      .set({ password_hash: null })
      .where('email', '=', person.email)
      .execute()
    const path = `${PATH}/items/${passkey.passkeyId}`
    assertProblem(await person.ask('DELETE', path, {}), 409, 'last_sign_in')
    const second = await add(person)
    const browser = open()
    await signIn(browser, second)
    assertProblem(await (await owner()).ask('DELETE', path, {}), 404, 'not_found')
    assert.equal(
      (await person.ask('DELETE', path.replace(passkey.passkeyId, passkey.passkeyId.toUpperCase()), {})).status,
      204,
    )
    assert.equal((await browser.me()).status, 401)
    assert.equal((await person.me()).status, 200)
    assertProblem(await signIn(open(), passkey), 401, 'invalid_credentials')
  })

  test('a provider can go where a passkey stays, and a passkey where a provider stays', async () => {
    const person_ = open()
    const email = `keeper-${rig.newSubject()}@example.com`
    person(verified(email))
    await person_.signIn('keycloak')
    await person_.finish(await person_.visit(await person_.beginAs('confirm', 'keycloak')))
    const { items } = (await person_.ask('GET', '/api/v1/auth/identities')).json() as { items: { id: string }[] }
    const identity = `/api/v1/auth/identities/${items[0]?.id}`
    assertProblem(await person_.ask('DELETE', identity, {}), 409, 'last_sign_in')
    const passkey = await add(person_)
    const another = await add(person_)
    assert.equal((await person_.ask('DELETE', `${PATH}/items/${another.passkeyId}`, {})).status, 204)
    assert.equal((await person_.ask('DELETE', identity, {})).status, 204)
    assertProblem(await person_.ask('DELETE', `${PATH}/items/${passkey.passkeyId}`, {}), 409, 'last_sign_in')
  })

  describe('nothing but passkeys', () => {
    test('password, reset link and provider stop working, also those that exist; recovery codes are the way back', async () => {
      const owner_ = await owner()
      await prove(owner_.email)
      const other = open()
      await other.ask('POST', '/api/v1/auth/login', { email: owner_.email, password: GOOD_PASSWORD })
      assertProblem(await owner_.ask('POST', `${PATH}/only`, { only: true }), 409, 'last_sign_in')
      const passkey = await add(owner_)
      await post('forgot-password', { email: owner_.email })
      const mail = await untilMail(outbox, owner_.email, /reset-password#token=/)
      const [, token = ''] = /reset-password#token=([\w-]+)/.exec(mail) ?? []
      const codes = await only(owner_)
      assert.equal(new Set(codes).size, 10)
      await untilMail(outbox, owner_.email, /Only passkeys sign in/)
      assert.equal((await other.me()).status, 401)
      assert.equal(await loginWorks(owner_.email), false)
      assertProblem(await post('reset-password', { token, password: 'the owl left the barn' }), 400, 'invalid_token')
      person(verified(owner_.email))
      assert.equal(await open().signIn('keycloak'), '/sign-in?error=passkeys_only')
      assertProblem(await owner_.ask('DELETE', `${PATH}/items/${passkey.passkeyId}`, {}), 409, 'last_sign_in')
      const change = { currentPassword: GOOD_PASSWORD, newPassword: 'the owl left the barn' }
      assertProblem(await owner_.ask('POST', '/api/v1/auth/change-password', change), 401, 'invalid_credentials')
      assert.equal((await signIn(open(), passkey)).status, 204)

      const [code = '', second = ''] = codes
      const email = owner_.email
      const recover = (body: object, browser = open()) => browser.ask('POST', `${PATH}/recover`, body)
      const wrong = assertProblem(await recover({ email, code: code.replace(/.$/, '!') }), 401, 'invalid_credentials')
      const unknown = await recover({ email: 'nobody@example.com', code })
      assert.equal(assertProblem(unknown, 401, 'invalid_credentials').detail, wrong.detail)
      const back = open()
      assert.equal((await recover({ email, code: code.toLowerCase().replaceAll('-', ' ') }, back)).status, 204)
      assert.equal((await meOf(back)).authProvider, 'recovery_code')
      assertProblem(await recover({ email, code }), 401, 'invalid_credentials')
      await untilMail(outbox, email, /recovery code was used/)
      assert.equal((await listOf(back)).recoveryCodesLeft, 9)
      await add(back)

      await only(back)
      assertProblem(await recover({ email, code: second }), 401, 'invalid_credentials')
      assert.deepEqual(await only(back, false), [])
      assert.deepEqual(await listOf(back).then(({ only: isOn, recoveryCodesLeft }) => [isOn, recoveryCodesLeft]), [
        false,
        0,
      ])
      assert.ok(await loginWorks(email))
    })

    test('no reset link is mailed to an account whose owner has proven the address', async () => {
      const owner_ = await owner()
      await prove(owner_.email)
      await add(owner_)
      await only(owner_)
      await post('forgot-password', { email: owner_.email })
      // The queue is worked off in order.
      const next = await owner()
      await post('forgot-password', { email: next.email })
      await untilMail(outbox, next.email, /reset-password/)
      assert.equal(mailTo(outbox, owner_.email).filter((mail) => mail.includes('reset-password')).length, 0)
    })

    test('the first to prove an address gets the account without the passkeys of somebody else', async () => {
      const byMail = await owner()
      const planted = await add(byMail)
      const codes = await only(byMail)
      await post('forgot-password', { email: byMail.email })
      const mail = await untilMail(outbox, byMail.email, /reset-password\?first#token=/)
      const [, token = ''] = /#token=([\w-]+)/.exec(mail) ?? []
      assert.equal((await post('reset-password', { token, password: GOOD_PASSWORD })).status, 204)
      assertProblem(await signIn(open(), planted), 401, 'invalid_credentials')
      const recovered = await post('passkeys/recover', { email: byMail.email, code: codes[0] })
      assertProblem(recovered, 401, 'invalid_credentials')
      assert.ok(await loginWorks(byMail.email))

      const byProvider = await owner()
      const other = await add(byProvider)
      await only(byProvider)
      person(verified(byProvider.email))
      assert.equal(await open().signIn('keycloak'), '/keys?proven#signed-in')
      assertProblem(await signIn(open(), other), 401, 'invalid_credentials')
    })
  })

  test('a passkey confirms the owner of a session, who can then delete the account without a password', async () => {
    const person = await owner()
    const passkey = await add(person)
    const foreign = await add(await owner())
    await age(person)
    assertProblem(await person.ask('DELETE', '/api/v1/auth/me', {}), 401, 'invalid_credentials')
    const confirm = async (by: Authenticator) => person.ask('POST', `${PATH}/confirm`, await answerOf(open(), by))
    assertProblem(await confirm(foreign), 401, 'invalid_credentials')
    const before = person.session()
    assert.equal((await confirm(passkey)).status, 204)
    assert.notEqual(person.session(), before)
    assert.equal((await person.ask('DELETE', '/api/v1/auth/me', {})).status, 204)
    const rows = rig.database.db.selectFrom('passkeys').select('id').where('id', '=', passkey.passkeyId)
    assert.deepEqual(await rows.execute(), [])
  })

  test('a disabled account is not entered, and one without passwords is', async () => {
    const person = await owner()
    const passkey = await add(person)
    await rig.database.db.updateTable('accounts').set({ disabled_at: 1 }).where('email', '=', person.email).execute()
    assertProblem(await signIn(open(), passkey), 401, 'invalid_credentials')
    await rig.database.db.updateTable('accounts').set({ disabled_at: null }).where('email', '=', person.email).execute()
    await using without = await startApp({}, { ...rig.env(), DOCVET_PASSWORDS: 'off' })
    const browser = openBrowser(without.port)
    assert.equal((await signIn(browser, passkey)).status, 204)
    // Its password cannot sign in here.
    assertProblem(await browser.ask('DELETE', `${PATH}/items/${passkey.passkeyId}`, {}), 409, 'last_sign_in')
    const { hasPassword } = (await browser.ask('GET', '/api/v1/auth/identities')).json() as { hasPassword: boolean }
    assert.equal(hasPassword, false)
  })

  test('nothing of a challenge, a signature, a recovery code, a mailed link or an invitation is logged, audited or queued', async () => {
    const owner_ = await owner()
    await prove(owner_.email)
    await add(owner_)
    const [code = ''] = await only(owner_)
    const misplaced = [`/api/v1/auth/passkeys/${code}`, `/recover?code=${code}`, `/api/v1/auth/passkeys/items/${code}`]
    for (const path of misplaced) await open().ask('GET', path)
    await open().ask('POST', `${PATH}/recover`, { email: owner_.email, code: [code] })
    await open().ask('POST', `${PATH}/recover`, { email: owner_.email, code })
    const guest = await owner()
    await prove(guest.email)
    const invited = await owner_.ask('POST', '/api/v1/invitations', { email: guest.email, role: 'viewer' })
    assert.equal(invited.status, 202, invited.body)
    const [, invitation = ''] =
      /\/join#token=([\w-]+)/.exec(await untilMail(outbox, guest.email, /\/join#token=/)) ?? []
    const accept = '/api/v1/auth/accept-invitation'
    await owner_.ask('POST', accept, { token: invitation })
    assert.equal((await guest.ask('POST', accept, { token: invitation })).status, 200)
    const mailed = [owner_, guest].flatMap(({ email }) => mailTo(outbox, email))
    const links = mailed.flatMap((mail) => [...mail.matchAll(/#token=([\w-]+)/g)].map(([, token = '']) => token))
    const { db } = rig.database
    const stored = JSON.stringify([
      await db.selectFrom('audit_log').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
      await db.selectFrom('member_invitations').selectAll().execute(),
      await db.selectFrom('spent_challenges').selectAll().execute(),
      await db.selectFrom('sessions').selectAll().execute(),
      await db.selectFrom('jobs').selectAll().execute(),
    ])
    const all = outbox.output() + stored
    for (const shown of ['recovery_code.used', 'passkey.added', '/api/v1/auth/passkeys/sign-in'])
      assert.ok(all.includes(shown), shown)
    const wanted = [...secrets, ...links, invitation, owner_.session(), guest.session()]
    assert.ok(wanted.length > 40 && links.length > 1)
    for (const secret of wanted)
      assert.ok(secret && !all.includes(secret), all.slice(Math.max(0, all.indexOf(secret ?? '') - 200)).slice(0, 400))
  })
})

test('without a name of a host, or without https, there are no passkeys', async () => {
  for (const url of ['https://192.0.2.7', 'https://[2001:db8::1]', 'http://docvet.example']) {
    await using app = await startApp({}, { DOCVET_PUBLIC_URL: url })
    const answer = await request(app.port, 'POST', `${PATH}/sign-in-options`, { headers: { origin: url } })
    assertProblem(answer, 404, 'not_found')
  }
})
