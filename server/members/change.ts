/** Changes of the members of an account: one after the other, by a person who may still make them. */
import type { AccountStore } from '#accounts/store.ts'
import { memberActor, withActor } from '#base/actor.ts'
import { AppError } from '#base/errors.ts'
import { isAtLeast, type Session } from '#base/principal.ts'
import type { SessionStore } from '#sessions/store.ts'
import type { Database, Trx } from '#storage/database.ts'
import type { MemberStore } from './store.ts'

/** Of an account, without its owner. */
export const MEMBERS_MAX = 100
/** Accounts of others in which one person can work. */
export const MEMBERSHIPS_MAX = 50

export interface ChangeOptions {
  transact: Database['audit']['change']
  accounts: AccountStore
  sessions: Pick<SessionStore, 'enter' | 'endIn' | 'isLive'>
  store: MemberStore
}

export const forbidden = (detail: string): AppError => new AppError('role_forbidden', detail)
export const sessionEnded = (): AppError => new AppError('unauthenticated', 'The session has ended. Sign in again.')
export const tooMany = (detail: string): AppError => new AppError('member_limit_reached', detail)

/** The person behind a session in an account. */
export const personOf = ({ accountId, member }: Session): string => member?.id ?? accountId

export function createChange({ transact, accounts, sessions, store }: ChangeOptions) {
  return <T>(actor: Session, work: (trx: Trx) => Promise<T>): Promise<T> =>
    transact(async (trx) => {
      await accounts.lock(trx, actor.accountId)
      if (!(await sessions.isLive(trx, personOf(actor), actor.sessionId))) throw sessionEnded()
      const role = actor.member ? await store.roleOf(actor.accountId, actor.member.id, trx) : 'owner'
      if (role === null || !isAtLeast(role, 'admin')) throw forbidden('You are no longer an admin of this account.')
      return await work(trx)
    })
}

/** What a person does in the account of another without the rights of a role: the audit log of that account names the person. */
export const createOwnChange =
  ({ transact }: Pick<ChangeOptions, 'transact'>) =>
  <T>(personId: string, work: (trx: Trx) => Promise<T>): Promise<T> =>
    withActor(memberActor(personId), () => transact(work))

/** Refuses one member more than an account, or one account more than a person can have. */
export async function refuseTooMany(store: MemberStore, trx: Trx, accountId: string, personId?: string): Promise<void> {
  if ((await store.countIn(trx, accountId)) >= MEMBERS_MAX)
    throw tooMany(`The account has ${MEMBERS_MAX} members, the most it can have. Remove some first.`)
  if (personId !== undefined && (await store.countOf(trx, personId)) >= MEMBERSHIPS_MAX)
    throw tooMany(`You work in ${MEMBERSHIPS_MAX} accounts of others, the most there can be. Leave some first.`)
}
