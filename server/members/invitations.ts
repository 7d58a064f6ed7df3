/** Invitations to an account: by mail, bound to an address, and accepted by a person who has proven to own it. */
import type { parseEmail } from '#accounts/email.ts'
import { AppError, invalidField } from '#base/errors.ts'
import type { MemberRole, Session } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import { type ChangeOptions, createChange, createOwnChange, personOf, refuseTooMany, tooMany } from './change.ts'
import type { InvitationStore } from './invitation-store.ts'

export const INVITATIONS_OPEN_MAX = 50
/** An account that invites and revokes must not send mail without end. */
export const INVITATIONS_PER_DAY_MAX = 100
export const INVITATIONS_PER_ADDRESS_MAX = 5

interface InvitationsOptions extends ChangeOptions {
  parseEmail: typeof parseEmail
  invitations: InvitationStore
  hashToken: (token: string) => string
  isToken: (text: string) => boolean
  mail: {
    memberInvited(trx: Trx, invitationId: string): Promise<void>
    memberJoined(trx: Trx, membership: { accountId: string; personId: string }): Promise<void>
    wake(): void
  }
}

export type Invitations = ReturnType<typeof createInvitations>

type Open = NonNullable<Awaited<ReturnType<InvitationStore['find']>>>

const invalidInvitation = (): AppError =>
  new AppError(
    'invalid_invitation',
    'This invitation is not valid: it was already used, has expired, or was revoked. Ask for a new one.',
  )

const unproven = (what: string): AppError =>
  new AppError(
    'email_unverified',
    `Nobody has proven yet that the address of your account is yours, so ${what}. Sign in with a provider that has verified it, or set a password through the link that the page "Forgot your password?" sends to you.`,
  )

export function createInvitations(options: InvitationsOptions) {
  const { accounts, sessions, store, invitations, mail } = options
  const [change, asMember] = [createChange(options), createOwnChange(options)]

  /** Outside of the transaction, because a member who joins meanwhile only gets a needless invitation. */
  async function refuseMember(accountId: string, email: string, emailKey: string): Promise<void> {
    const owner = await accounts.find(accountId)
    const all = [owner?.email ?? '', ...(await store.list(accountId)).map((member) => member.email)]
    if (all.some((each) => each.toLowerCase() === emailKey))
      throw invalidField('email', `${email} is a member of this account already`)
  }

  async function refuseMany(trx: Trx, accountId: string, emailKey: string): Promise<void> {
    await refuseTooMany(store, trx, accountId)
    const { open, today, toAddress, ownToAddress } = await invitations.counts(trx, accountId, emailKey)
    if (open >= INVITATIONS_OPEN_MAX)
      throw tooMany(`${INVITATIONS_OPEN_MAX} invitations are open, the most an account can have. Revoke some first.`)
    // The first one of an account is always sent: nobody can keep others from inviting a person.
    const isTooOften = ownToAddress > 0 && toAddress >= INVITATIONS_PER_ADDRESS_MAX
    if (today >= INVITATIONS_PER_DAY_MAX || isTooOften)
      throw tooMany(
        `An account can send ${INVITATIONS_PER_DAY_MAX} invitations in 24 hours. One address gets ${INVITATIONS_PER_ADDRESS_MAX} at most, and one from each account that has sent none.`,
      )
  }

  /** The token alone is not enough, because mail is forwarded. */
  async function refuseOthers(trx: Trx, personId: string, { emailKey }: Open): Promise<void> {
    const person = await accounts.addressOf(trx, personId)
    if (person?.emailKey !== emailKey)
      throw new AppError(
        'invitation_mismatch',
        'This invitation was sent to another address. Sign in with the account that has it.',
      )
    // Otherwise somebody could sign up with the address of another and wait for a link.
    if (person.provenAt === null) throw unproven('you cannot accept the invitation')
  }

  async function join(trx: Trx, { accountId: personId, sessionId }: Session, accountId: string, hash: string) {
    // In this order, because two accounts may invite each other's owners.
    for (const id of [accountId, personId].sort()) await accounts.lock(trx, id)
    const invitation = await invitations.find(hash, trx)
    if (!invitation || !(await sessions.isLive(trx, personId, sessionId))) throw invalidInvitation()
    await refuseOthers(trx, personId, invitation)
    await refuseTooMany(store, trx, accountId, personId)
    if (!(await invitations.redeem(trx, hash))) throw invalidInvitation()
    const role = invitation.role as MemberRole
    await store.add(trx, { accountId, personId, role, invitedBy: invitation.invitedBy }, true)
    await mail.memberJoined(trx, { accountId, personId })
    return { accountId, role }
  }

  return {
    list: (accountId: string) => invitations.list(accountId),

    /** The same for an address with an account and for one without. */
    async invite(actor: Session, given: string, role: MemberRole) {
      const { accountId } = actor
      const email = options.parseEmail(given)
      await refuseMember(accountId, email.address, email.key)
      const invited = await change(actor, async (trx) => {
        const person = await accounts.addressOf(trx, personOf(actor))
        if (person?.provenAt == null) throw unproven('you cannot invite others')
        await refuseMany(trx, accountId, email.key)
        const created = await invitations.create(trx, { accountId, email, role, invitedBy: personOf(actor) })
        await mail.memberInvited(trx, created.id)
        return created
      })
      mail.wake()
      return invited
    },

    async revoke(actor: Session, id: string): Promise<void> {
      const revoked = await change(actor, (trx) => invitations.revoke(trx, actor.accountId, id))
      if (!revoked) throw new AppError('not_found', 'This account has no open invitation with this id.')
    },

    async accept(person: Session, token: string) {
      const hash = options.hashToken(token)
      const found = options.isToken(token) ? await invitations.find(hash) : undefined
      if (!found) throw invalidInvitation()
      const joined = await asMember(person.accountId, (trx) => join(trx, person, found.accountId, hash))
      mail.wake()
      return { ...joined, email: (await accounts.find(joined.accountId))?.email ?? '' }
    },
  }
}
