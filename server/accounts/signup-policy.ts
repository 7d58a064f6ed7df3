/** Decides who can sign up: everyone, nobody, or everyone with an invite code. */
import { AppError } from '#base/errors.ts'
import type { Config } from '#config/config.ts'
import type { Trx } from '#storage/database.ts'
import { INVITE_DAYS, type InviteStore } from './invite-store.ts'

const closed = (): AppError =>
  new AppError('signup_closed', 'This service does not accept new accounts. Ask its operator to create one for you.')

const missing = (): AppError =>
  new AppError('invite_required', 'Sign-up requires an invite code. Ask the operator of this service for one.', {
    errors: [{ field: 'inviteCode', message: 'is required' }],
  })

const invalid = (): AppError =>
  new AppError(
    'invite_required',
    `This invite code is not valid: it is unknown, already used, or older than ${INVITE_DAYS} days. Ask the operator of this service for a new one.`,
    { errors: [{ field: 'inviteCode', message: 'is unknown, used or expired' }] },
  )

export type SignupPolicy = ReturnType<typeof createSignupPolicy>

export function createSignupPolicy(mode: Config['signup'], invites: Pick<InviteStore, 'isValid' | 'redeem'>) {
  return {
    /** Before any other check, so that a stranger learns nothing about existing accounts. */
    async check(code: string | undefined): Promise<void> {
      if (mode === 'closed') throw closed()
      if (mode === 'open') return
      if (code === undefined) throw missing()
      if (!(await invites.isValid(code))) throw invalid()
    },

    /** In the transaction that creates the account, so that a code creates one account and is used only if it does. */
    async admit(trx: Trx, accountId: string, code: string | undefined): Promise<void> {
      if (mode !== 'invite') return
      if (code === undefined || !(await invites.redeem(trx, code, accountId))) throw invalid()
    },
  }
}
