/** Commands for the members of accounts. */
import { MEMBER_ROLES } from '#base/principal.ts'
import { accountOf, activeAccountOf } from './accounts.ts'
import { type Command, Refusal, UsageError } from './command.ts'

export const MEMBER_COMMANDS: Command[] = [
  {
    name: 'members list',
    args: ['ACCOUNT'],
    summary: 'List the members of an account, without its owner.',
    async run(admin, [selector]) {
      const context = await admin.open()
      const { id } = await accountOf(context, selector)
      return { data: await context.members.list(id) }
    },
  },
  {
    name: 'members add',
    args: ['ACCOUNT', 'PERSON'],
    options: { role: `Its role: ${MEMBER_ROLES.join(', ')}. member if absent.` },
    summary: 'Let the owner of an account work in another one, without an invitation, or change the role.',
    async run(admin, [selector, personSelector], { role: given = 'member' }) {
      const role = MEMBER_ROLES.find((each) => each === given)
      if (role === undefined) throw new UsageError(`--role: one of ${MEMBER_ROLES.join(', ')} is needed.`)
      const context = await admin.open()
      const account = await activeAccountOf(context, selector)
      const person = await activeAccountOf(context, personSelector)
      if (account.id === person.id) throw new Refusal(`${person.email} is the owner of this account.`)
      if ((await context.accounts.find(person.id))?.provenAt == null)
        throw new Refusal(
          `Nobody has proven yet that ${person.email} is theirs. A reset link or a provider of sign-in does that.`,
        )
      await context.change(async (trx) => {
        for (const id of [account.id, person.id].sort()) await context.accounts.lock(trx, id)
        await context.members.add(trx, { accountId: account.id, personId: person.id, role, invitedBy: null }, true)
        await context.revokeKeysOf(trx, account.id, person.id, role)
      })
      return {
        data: { account: account.email, person: person.email, role },
        message: `${person.email} is ${role} of the account of ${account.email}.`,
      }
    },
  },
  {
    name: 'members remove',
    args: ['ACCOUNT', 'PERSON'],
    summary:
      'End a membership, the sessions of the person in the account, and the keys that the person has created there.',
    async run(admin, [selector, personSelector]) {
      const context = await admin.open()
      const account = await accountOf(context, selector)
      const person = await accountOf(context, personSelector)
      await context.change(async (trx) => {
        await context.accounts.lock(trx, account.id)
        if (!(await context.members.remove(trx, account.id, person.id, 'removed')))
          throw new Refusal(`${person.email} is not a member of the account of ${account.email}.`)
        await context.sessions.endIn(trx, person.id, account.id)
        await context.revokeKeysOf(trx, account.id, person.id, null)
      })
      return {
        data: { account: account.email, person: person.email, isRemoved: true },
        message: `${person.email} is no longer a member of the account of ${account.email}.`,
      }
    },
  },
]
