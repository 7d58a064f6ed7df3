/** Commands for subscriptions and mail. */

import { activeAccountOf } from './accounts.ts'
import { type Command, Refusal, UsageError } from './command.ts'
import type { Context } from './context.ts'

async function subscriptionOf({ store }: Context, id = '') {
  const found = await store.findSubscription(id)
  if (!found) throw new Refusal(`No subscription has the id "${id}".`)
  return found
}

export const RECORD_COMMANDS: Command[] = [
  {
    name: 'subscriptions list',
    args: [],
    options: { status: 'Only those in this state, such as Subscribed.' },
    summary: 'List marketplace subscriptions, newest first.',
    async run(admin, _args, { status: given }) {
      const { store, statuses } = await admin.open()
      const status = statuses.find((each) => each.toLowerCase() === given?.toLowerCase())
      if (given !== undefined && status === undefined)
        throw new UsageError(`--status must be one of ${statuses.join(', ')}.`)
      const rows = await store.listSubscriptions(status)
      return {
        data: rows.map(({ id, email, plan, status: state, createdAt }) => ({
          id,
          email,
          plan,
          status: state,
          createdAt,
        })),
      }
    },
  },
  {
    name: 'subscriptions show',
    args: ['SUBSCRIPTION'],
    summary: 'Show one subscription, by our id or that of the marketplace.',
    run: async (admin, [id]) => ({ data: await subscriptionOf(await admin.open(), id) }),
  },
  {
    name: 'subscriptions relink',
    args: ['SUBSCRIPTION', 'ACCOUNT'],
    summary: 'Give a subscription to another account. The plans of both accounts follow.',
    async run(admin, [id, selector]) {
      const context = await admin.open()
      const { provider, externalId } = await subscriptionOf(context, id)
      const account = await activeAccountOf(context, selector)
      const linked = await context.change((trx) =>
        context.subscriptionsOf(provider).relink(trx, externalId, account.id),
      )
      if (linked === 'missing') throw new Refusal('The subscription has just changed. Try again.')
      if (linked === 'occupied') throw new Refusal(`${account.email} has another live subscription.`)
      return {
        data: await subscriptionOf(context, id),
        message: `The subscription ${externalId} belongs to ${account.email}.`,
      }
    },
  },
  {
    name: 'mail list',
    args: [],
    summary: 'List queued and failed mail, oldest first. Sent mail is not stored.',
    run: async (admin) => ({ data: await (await admin.open()).outbox.list() }),
  },
  {
    name: 'mail resend',
    args: ['MAIL-ID'],
    summary: 'Try failed or delayed mail again. The running service sends it within seconds.',
    async run(admin, [id = '']) {
      const context = await admin.open()
      const isQueued = await context.change((trx) => context.outbox.resend(trx, id))
      if (!isQueued) throw new Refusal(`No mail with the id "${id}" is waiting or failed.`)
      return { data: { id, isQueued }, message: `The mail ${id} is queued.` }
    },
  },
]
