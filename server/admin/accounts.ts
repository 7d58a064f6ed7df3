/** Commands for accounts. */
import { newId } from '#base/ids.ts'
import { ADMIN_COMMAND } from '#base/version.ts'
import { type Command, Refusal, UsageError } from './command.ts'
import type { Context } from './context.ts'

const LISTED_MAX = 100_000
const LISTED = 100

export async function accountOf({ store }: Context, selector = '') {
  const account = await store.findAccount(selector)
  if (!account) throw new Refusal(`No account has the id or e-mail address "${selector}".`)
  return account
}

/** For commands whose effect a disabled account could not use. */
export async function activeAccountOf(context: Context, selector?: string) {
  const account = await accountOf(context, selector)
  if (account.status === 'active') return account
  throw new Refusal(
    `${account.email} is disabled. To enable it, run: ${ADMIN_COMMAND} accounts enable ${account.email}`,
  )
}

function planIn({ config }: Context, plan: string): string {
  if (Object.hasOwn(config.plans, plan)) return plan
  throw new Refusal(`"${plan}" is not a plan. Plans: ${Object.keys(config.plans).join(', ')}.`)
}

export function limitOf(given: string | undefined): number {
  if (given === undefined) return LISTED
  const limit = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (limit < 1 || limit > LISTED_MAX) throw new UsageError(`--limit must be a whole number from 1 to ${LISTED_MAX}.`)
  return limit
}

function switching(verb: 'disable' | 'enable', summary: string): Command {
  const isDisabled = verb === 'disable'
  return {
    name: `accounts ${verb}`,
    args: ['ACCOUNT'],
    summary,
    async run(admin, [selector]) {
      const context = await admin.open()
      const { id, email } = await accountOf(context, selector)
      const isChanged = await context.change(async (trx) => {
        const changed = await context.accounts.setDisabled(trx, id, isDisabled)
        if (isDisabled) await context.sessions.endAll(trx, id)
        return changed
      })
      return {
        data: { id, email, status: isDisabled ? 'disabled' : 'active', isChanged },
        message: `${email} is ${verb}d.`,
      }
    },
  }
}

export const ACCOUNT_COMMANDS: Command[] = [
  {
    name: 'accounts list',
    args: [],
    options: {
      plan: 'Only accounts on this plan.',
      search: 'Only accounts with this text in their e-mail address.',
      limit: `Number of accounts, ${LISTED} by default.`,
    },
    summary: 'List accounts, newest first.',
    async run(admin, _args, { plan, search, limit }) {
      const { store } = await admin.open()
      return { data: await store.listAccounts({ plan, search, limit: limitOf(limit) }) }
    },
  },
  {
    name: 'accounts show',
    args: ['ACCOUNT'],
    summary: 'Show one account.',
    async run(admin, [selector]) {
      const context = await admin.open()
      const account = await accountOf(context, selector)
      return { data: { ...account, ...(await context.store.summary(account.id)) } }
    },
  },
  {
    name: 'accounts create',
    args: ['EMAIL'],
    options: { plan: 'Its plan; by default DOCVET_DEFAULT_PLAN.' },
    summary: 'Create an account and print its first API key, whatever DOCVET_SIGNUP is.',
    async run(admin, [given = ''], options) {
      const context = await admin.open()
      const { address: email, key: emailKey } = context.parseEmail(given)
      const plan = planIn(context, options.plan ?? context.config.defaultPlan)
      const id = newId()
      const { issued, insert } = context.keys.prepareFirst(id)
      await context.change(async (trx) => {
        const isNew = await context.accounts.insert(trx, { id, email, emailKey, plan })
        if (!isNew) throw new Refusal(`An account with the e-mail address ${email} already exists.`)
        await insert(trx)
      })
      return { data: { id, email, plan, apiKey: issued.secret } }
    },
  },
  {
    name: 'accounts set-plan',
    args: ['ACCOUNT', 'PLAN'],
    summary: 'Change the plan, from the next request on. A marketplace subscription that changes replaces it.',
    async run(admin, [selector, given = '']) {
      const context = await admin.open()
      const plan = planIn(context, given)
      const { id, email, plan: before } = await accountOf(context, selector)
      await context.change((trx) => context.accounts.setPlan(trx, id, plan))
      const message =
        before === plan ? `is on the plan ${plan} already.` : `is on the plan ${plan}; it was on ${before}.`
      return { data: { id, email, plan, before }, message: `${email} ${message}` }
    },
  },
  switching('disable', 'Reject the keys, sessions and password of an account from now on. Nothing is deleted.'),
  switching('enable', 'Accept the keys and password of a disabled account again.'),
  {
    name: 'accounts allow-other-ways',
    args: ['ACCOUNT'],
    summary:
      'Let the password and the providers of an account sign in again, after its owner allowed only passkeys and lost them.',
    async run(admin, [selector]) {
      const context = await admin.open()
      const { id, email } = await accountOf(context, selector)
      await context.change(async (trx) => {
        await context.accounts.setPasskeysOnly(trx, id, false)
        context.note(trx, { event: 'passkeys_only.off', accountId: id })
      })
      return { data: { id, email, passkeysOnly: false }, message: `${email} can sign in in every way again.` }
    },
  },
  {
    name: 'accounts export',
    args: ['ACCOUNT'],
    summary: 'Print everything stored about an account as JSON, without hashes of secrets.',
    async run(admin, [selector]) {
      const context = await admin.open()
      const { id } = await accountOf(context, selector)
      await context.change(async (trx) => context.note(trx, { event: 'account.exported', accountId: id }))
      const data = await context.exportAccount(id)
      return { data, isAlwaysJson: true }
    },
  },
  {
    name: 'accounts delete',
    args: ['ACCOUNT'],
    options: { confirm: 'The e-mail address of the account, to confirm.' },
    summary: 'Delete an account and everything personal. Anonymous rows of the ledger of charges stay.',
    async run(admin, [selector], { confirm }) {
      const context = await admin.open()
      const { id, email } = await accountOf(context, selector)
      if (confirm?.toLowerCase() !== email.toLowerCase()) throw new Refusal(`To delete it, add --confirm ${email}`)
      await context.change(async (trx) => {
        await context.accounts.lock(trx, id)
        await context.erase(trx, id)
      })
      return { data: { id, email, isDeleted: true }, message: `${email} is deleted.` }
    },
  },
]
