/** Calls of the session operations, one per documented response, for openapi.test.ts. */

import { asPage, GOOD_PASSWORD, me, postAuth, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail, UNKNOWN_ID } from '#test/support/client.ts'
import { type Answer, request } from '#test/support/raw-http.ts'

type Call = (port: number) => Promise<Answer>

const FOREIGN = { 'sec-fetch-site': 'cross-site' }
const JSON_TYPE = { 'content-type': 'application/json' }
const TEXT = { 'content-type': 'text/plain' }

const post =
  (name: string, body?: unknown, headers = {}): Call =>
  (port) =>
    postAuth(port, name, body, headers)

/** Errors of every session operation with a body and without a credential. */
function refusals(id: string, name: string, good: () => object): [string, number, Call][] {
  return [
    [id, 400, post(name, {})],
    [id, 403, (port) => postAuth(port, name, good(), FOREIGN)],
    [id, 413, post(name, ' '.repeat(70_000), JSON_TYPE)],
    [id, 415, post(name, 'x', TEXT)],
  ]
}

const credentials = () => ({ email: newEmail(), password: GOOD_PASSWORD })
const token = 'A'.repeat(43)
const CHANGE = '/api/v1/auth/change-password'
const passwords = (currentPassword: string) => ({ currentPassword, newPassword: 'the owl left the barn' })

/** A call of an operation under a session, and without one. */
function own(id: string, method: string, path: string, status: number): [string, number, Call][] {
  return [
    [id, status, async (port) => asPage(port, (await signUpPerson(port)).cookie, method, path)],
    [id, 401, (port) => request(port, method, path)],
  ]
}

const SESSIONS = '/api/v1/auth/sessions'
const OIDC = '/api/v1/auth/oidc'
const IDENTITIES = '/api/v1/auth/identities'
const PASSKEYS = '/api/v1/auth/passkeys'
const OPERATOR = '/api/v1/operator/commands'
const assertion = { id: 'AA', clientDataJSON: 'AA', authenticatorData: 'AA', signature: 'AA', userHandle: 'AA' }
const attestation = { id: 'AA', clientDataJSON: 'AA', attestationObject: 'AA', transports: [] }
const answered = () => ({ state: 'AA', credential: assertion })
const recovery = () => ({ email: newEmail(), code: '4T7QK-9XWBM-2HNRD-VC36P' })

/** A call of a page with a session and a body. */
const asOwner =
  (path: string, body: object): Call =>
  async (port) =>
    asPage(port, (await signUpPerson(port)).cookie, 'POST', path, body)

export const SESSION_CALLS: [string, number, Call][] = [
  ['signUpWithPassword', 201, (port) => postAuth(port, 'signup', credentials())],
  [
    'signUpWithPassword',
    409,
    async (port) => postAuth(port, 'signup', { ...credentials(), email: (await signUpPerson(port)).email }),
  ],
  ...refusals('signUpWithPassword', 'signup', credentials),
  [
    'signIn',
    200,
    async (port) => postAuth(port, 'login', { email: (await signUpPerson(port)).email, password: GOOD_PASSWORD }),
  ],
  ['signIn', 401, (port) => postAuth(port, 'login', credentials())],
  ...refusals('signIn', 'login', credentials),
  ['signOut', 204, async (port) => asPage(port, (await signUpPerson(port)).cookie, 'POST', '/api/v1/auth/logout')],
  ['signOut', 401, post('logout')],
  [
    'signOut',
    403,
    async (port) => postAuth(port, 'logout', undefined, { cookie: (await signUpPerson(port)).cookie, ...FOREIGN }),
  ],
  ['getMe', 200, async (port) => me(port, (await signUpPerson(port)).cookie)],
  [
    'getMe',
    400,
    async (port) =>
      request(port, 'GET', '/api/v1/auth/me?x=1', { headers: { cookie: (await signUpPerson(port)).cookie } }),
  ],
  ['getMe', 401, (port) => request(port, 'GET', '/api/v1/auth/me')],
  [
    'changePassword',
    204,
    async (port) => asPage(port, (await signUpPerson(port)).cookie, 'POST', CHANGE, passwords(GOOD_PASSWORD)),
  ],
  ['changePassword', 400, async (port) => asPage(port, (await signUpPerson(port)).cookie, 'POST', CHANGE, {})],
  [
    'changePassword',
    401,
    async (port) => asPage(port, (await signUpPerson(port)).cookie, 'POST', CHANGE, passwords('a wrong password')),
  ],
  [
    'changePassword',
    403,
    async (port) =>
      postAuth(port, 'change-password', passwords(GOOD_PASSWORD), {
        cookie: (await signUpPerson(port)).cookie,
        ...FOREIGN,
      }),
  ],
  ...own('listSessions', 'GET', SESSIONS, 200),
  ...own('endOtherSessions', 'DELETE', SESSIONS, 204),
  ...own('endSession', 'DELETE', `${SESSIONS}/${UNKNOWN_ID}`, 404),
  ['endSession', 400, async (port) => asPage(port, (await signUpPerson(port)).cookie, 'DELETE', `${SESSIONS}/x`)],
  ...own('deleteMe', 'DELETE', '/api/v1/auth/me', 204),
  [
    'deleteMe',
    401,
    async (port) =>
      asPage(port, (await signUpPerson(port)).cookie, 'DELETE', '/api/v1/auth/me', { password: 'a wrong password' }),
  ],
  ['forgotPassword', 202, (port) => postAuth(port, 'forgot-password', { email: newEmail() })],
  ...refusals('forgotPassword', 'forgot-password', () => ({ email: newEmail() })),
  ['resetPassword', 400, post('reset-password', { token, password: GOOD_PASSWORD })],
  ...refusals('resetPassword', 'reset-password', () => ({ token, password: GOOD_PASSWORD })),
  ['listSignInProviders', 200, (port) => request(port, 'GET', OIDC)],
  ['listSignInProviders', 400, (port) => request(port, 'GET', `${OIDC}?x=1`)],
  ['openSignIn', 302, (port) => request(port, 'GET', `${OIDC}/unknown/start?returnTo=/keys`)],
  ['openSignIn', 400, (port) => request(port, 'GET', `${OIDC}/${'x'.repeat(33)}/start`)],
  ['finishSignIn', 302, (port) => request(port, 'GET', `${OIDC}/unknown/callback?code=a&state=b`)],
  ['startSignIn', 404, post('oidc/unknown/start', {})],
  ['startSignIn', 400, post('oidc/unknown/start', { inviteCode: '' })],
  ...refusals('startSignIn', 'oidc/unknown/start', () => ({})).slice(1),
  ['linkSignIn', 404, async (port) => asPage(port, (await signUpPerson(port)).cookie, 'POST', `${OIDC}/x/link`, {})],
  ['linkSignIn', 401, post('oidc/x/link', {})],
  [
    'confirmSignIn',
    404,
    async (port) => asPage(port, (await signUpPerson(port)).cookie, 'POST', `${OIDC}/x/confirm`, {}),
  ],
  ['confirmSignIn', 401, post('oidc/x/confirm', {})],
  ...own('listIdentities', 'GET', IDENTITIES, 200),
  ...own('removeIdentity', 'DELETE', `${IDENTITIES}/${UNKNOWN_ID}`, 404),
  ...own('listPasskeys', 'GET', PASSKEYS, 200),
  // The service of this test has an address instead of the name of a host, for which there are no passkeys.
  ['startPasskeySignIn', 404, post('passkeys/sign-in-options')],
  ['signInWithPasskey', 404, post('passkeys/sign-in', answered())],
  ...refusals('signInWithPasskey', 'passkeys/sign-in', answered),
  ['confirmWithPasskey', 404, asOwner(`${PASSKEYS}/confirm`, answered())],
  ['confirmWithPasskey', 401, post('passkeys/confirm', answered())],
  ['recoverAccount', 401, (port) => postAuth(port, 'passkeys/recover', recovery())],
  ...refusals('recoverAccount', 'passkeys/recover', recovery),
  ['startPasskey', 404, asOwner(`${PASSKEYS}/options`, {})],
  ['startPasskey', 401, post('passkeys/options', {})],
  ['addPasskey', 404, asOwner(PASSKEYS, { state: 'AA', credential: attestation, name: 'Laptop' })],
  ['addPasskey', 400, asOwner(PASSKEYS, { state: 'AA', credential: attestation, name: '' })],
  [
    'renamePasskey',
    404,
    async (port) =>
      asPage(port, (await signUpPerson(port)).cookie, 'PATCH', `${PASSKEYS}/items/${UNKNOWN_ID}`, { name: 'x' }),
  ],
  ...own('removePasskey', 'DELETE', `${PASSKEYS}/items/${UNKNOWN_ID}`, 404),
  ['setPasskeysOnly', 409, asOwner(`${PASSKEYS}/only`, { only: true })],
  ['setPasskeysOnly', 200, asOwner(`${PASSKEYS}/only`, { only: false })],
  ['setPasskeysOnly', 401, post('passkeys/only', { only: true })],
  // Nobody is an operator there.
  ...own('listOperatorCommands', 'GET', OPERATOR, 404),
  ['runOperatorCommand', 404, asOwner(OPERATOR, { command: 'accounts list' })],
  ['runOperatorCommand', 400, asOwner(OPERATOR, {})],
  ['undoIdentity', 400, post('undo-identity', { token })],
  ...refusals('undoIdentity', 'undo-identity', () => ({ token })),
]
