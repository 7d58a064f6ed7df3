/** Two replicas with providers of every kind, and people who sign in with them. */

import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { createLog } from '#base/log.ts'
import type { Database } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { newEmail } from '#test/support/client.ts'
import { type ForgingProvider, startForgingProvider } from '#test/support/forging-provider.ts'
import { type OidcBrowser, openBrowser, PUBLIC_URL } from '#test/support/oidc-browser.ts'
import { CLIENT, type OidcPeer, startOidcProvider } from '#test/support/oidc-provider.ts'
import { request } from '#test/support/raw-http.ts'
import { openPlace } from '#test/support/seed.ts'
import { freePort } from '#test/support/service.ts'
import type { DatabasePlace } from '#test/support/suite.ts'

type Claims = Record<string, unknown>

interface Rig {
  place: DatabasePlace
  database: Database
  peer: OidcPeer
  /** Reports addresses only at its UserInfo endpoint. */
  thin: OidcPeer
  forger: ForgingProvider
  port: number
  otherPort: number
}

const SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const callbackOf = (id: string) => `${PUBLIC_URL}/api/v1/auth/oidc/${id}/callback`

/** Accounts that people of an organisation join, and the organisations. */
export const JOIN = {
  ...{ tenant: '77777777-2222-4333-8444-555555555555', domain: 'joined.example', account: 'team@joined.example' },
  ...{ domains: { 'joined.example': 'Team@Joined.example' } },
  tenants: { '77777777-2222-4333-8444-555555555555': 'team@joined.example' },
}

export const verified = (email: string) => ({ email, email_verified: true })

export function useOidcRig(openUrl: () => Promise<DatabasePlace>) {
  // Filled by the hook before the first test runs.
  const rig = {} as Rig
  let env: Record<string, string | undefined> = {}
  const replicas: Awaited<ReturnType<typeof startApp>>[] = []
  const written: string[] = []
  const log = createLog({ level: 'debug', stream: { write: (line: string) => written.push(line) } })

  before(async () => {
    rig.place = await openUrl()
    ;[rig.peer, rig.thin, rig.forger] = await Promise.all([
      startOidcProvider(callbackOf('keycloak')),
      startOidcProvider(callbackOf('thin'), false),
      startForgingProvider(CLIENT.clientId),
    ])
    const { peer, thin, forger, place } = rig
    const down = `http://127.0.0.1:${await freePort()}`
    env = {
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_DATA_DIR: place.dataDir,
      DOCVET_PUBLIC_URL: PUBLIC_URL,
      DOCVET_SECRET_KEY: SECRET_KEY,
      DOCVET_OUTBOUND_ALLOW: '127.0.0.1',
      DOCVET_MICROSOFT_AUTHORITY_URL: forger.url,
      DOCVET_OIDC_PROVIDERS: JSON.stringify([
        { id: 'keycloak', name: 'Keycloak', issuer: peer.issuer, joinAccounts: JOIN.domains, ...CLIENT },
        { id: 'thin', name: 'Thin', issuer: thin.issuer, ...CLIENT },
        { id: 'forged', name: 'Forged', issuer: forger.url, ...CLIENT },
        { id: 'trusted', name: 'Trusted', issuer: forger.url, trustEmail: true, ...CLIENT },
        { id: 'domain', name: 'Domain', issuer: forger.url, allowDomains: ['example.com'], ...CLIENT },
        { id: 'down', name: 'Down', issuer: down, ...CLIENT },
        { id: 'microsoft', tenant: 'common', joinAccounts: JOIN.tenants, ...CLIENT },
      ]),
    }
    for (let i = 0; i < 2; i++) replicas.push(await startApp({}, env, { log }))
    ;[rig.port = 0, rig.otherPort = 0] = replicas.map((replica) => replica.port)
    rig.database = await openPlace(place)
  })
  after(async () => {
    await rig.database.close()
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
    for (const each of [rig.peer, rig.thin, rig.forger]) await each[Symbol.asyncDispose]()
    await rig.place.release()
  })

  let subjects = 0
  const post = (path: string, body: object) =>
    request(rig.port, 'POST', `/api/v1/auth/${path}`, { body, headers: { origin: PUBLIC_URL } })
  return Object.assign(rig, {
    outbox: {
      get dataDir() {
        return rig.place.dataDir
      },
      output: () => written.join(''),
    },
    post,
    env: () => env,
    open: (): OidcBrowser => openBrowser(rig.port),
    /** Signs up with a password; nobody has proven the address. */
    async withPassword(email = newEmail()): Promise<OidcBrowser & { email: string }> {
      const browser = openBrowser(rig.port)
      const answer = await browser.ask('POST', '/api/v1/auth/signup', { email, password: GOOD_PASSWORD })
      assert.equal(answer.status, 201, answer.body)
      return Object.assign(browser, { email })
    },
    async prove(email: string): Promise<void> {
      await rig.database.db.updateTable('accounts').set({ email_proven_at: 1 }).where('email', '=', email).execute()
    },
    accountOf: (email: string) =>
      rig.database.db
        .selectFrom('accounts')
        .selectAll()
        .where('email_key', '=', email.toLowerCase())
        .executeTakeFirst(),
    async meOf(browser: OidcBrowser, at = rig.port) {
      const answer = await browser.me(at)
      assert.equal(answer.status, 200, answer.body)
      return answer.json() as { email: string; authProvider: string }
    },
    /** The next person at the page of the real provider. Returns the subject. */
    person(claims: Claims, subject = `person-${++subjects}`): string {
      rig.peer.become(subject, claims)
      return subject
    },
    newSubject: (): string => `subject-${++subjects}`,
    loginWorks: async (email: string): Promise<boolean> =>
      (await post('login', { email, password: GOOD_PASSWORD })).status === 200,
    /** Signs in with a forged token; returns where the browser ends up. */
    async forged(id: string, claims: Claims, browser = openBrowser(rig.port)): Promise<string> {
      const url = new URL(await browser.begin(id))
      rig.forger.claims = { nonce: url.searchParams.get('nonce'), ...claims }
      const state = url.searchParams.get('state') ?? ''
      return await browser.finish(`/api/v1/auth/oidc/${id}/callback?${new URLSearchParams({ code: 'c', state })}`)
    },
  })
}
