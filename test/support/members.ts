/** People who work in the account of another: sessions, invitations from the outbox, and acting. */

import assert from 'node:assert/strict'
import { createSessionStore } from '#sessions/store.ts'
import type { Database } from '#storage/database.ts'
import { asPage, type Person, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail } from '#test/support/client.ts'
import { untilMail } from '#test/support/outbox.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { quietLog } from '#test/support/seed.ts'
import type { Service } from '#test/support/service.ts'

export const INVITATIONS = '/api/v1/invitations'
export const ACCEPT = '/api/v1/auth/accept-invitation'
const TOKEN = /\/join#token=([A-Za-z0-9_-]{43})\b/

export type Role = 'viewer' | 'member' | 'admin'

export interface Colleague extends Person {
  id: string
}

export function memberRig(service: Pick<Service, 'port' | 'dataDir' | 'output'>, database: Database) {
  const ask = (who: Pick<Person, 'cookie'>, method: string, path: string, body?: unknown): Promise<Answer> =>
    asPage(service.port, who.cookie, method, path, body)

  async function idOf(email: string): Promise<string> {
    const account = database.db.selectFrom('accounts').select('id').where('email_key', '=', email.toLowerCase())
    return (await account.executeTakeFirstOrThrow()).id
  }

  const prove = (email: string) =>
    database.db
      .updateTable('accounts')
      .set({ email_proven_at: Date.now() })
      .where('email_key', '=', email.toLowerCase())
      .execute()

  /** An account with a proven address. */
  async function person(email = newEmail()): Promise<Colleague> {
    const signedUp = await signUpPerson(service.port, email)
    await prove(email)
    return { ...signedUp, id: await idOf(email) }
  }

  /** Another session of a person. */
  async function anotherSession(id: string): Promise<Pick<Person, 'cookie'>> {
    const store = createSessionStore(database, quietLog)
    const token = await database.audit.change((trx) => store.start(trx, id, null))
    return { cookie: `docvet_session=${token}` }
  }

  async function tokenFor(email: string, count = 1): Promise<string> {
    return TOKEN.exec(await untilMail(service, email, TOKEN, count))?.[1] as string
  }

  async function invite(owner: Pick<Person, 'cookie'>, email: string, role: Role = 'member'): Promise<string> {
    const answer = await ask(owner, 'POST', INVITATIONS, { email, role })
    assert.equal(answer.status, 202, answer.body)
    return await tokenFor(email)
  }

  const accept = (who: Pick<Person, 'cookie'>, token: string) => ask(who, 'POST', ACCEPT, { token })
  const act = (who: Pick<Person, 'cookie'>, accountId: string) => ask(who, 'POST', '/api/v1/auth/act', { accountId })

  /** A person who has accepted an invitation, and works in the account. */
  async function colleague(owner: Colleague, role: Role, from?: Pick<Person, 'cookie'>): Promise<Colleague> {
    const someone = await person()
    const accepted = await accept(someone, await invite(from ?? owner, someone.email, role))
    assert.equal(accepted.status, 200, accepted.body)
    assert.equal((await act(someone, owner.id)).status, 204)
    return someone
  }

  return { ask, idOf, prove, person, anotherSession, tokenFor, invite, accept, act, colleague }
}

export type MemberRig = ReturnType<typeof memberRig>
