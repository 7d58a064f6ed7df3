/** Commands for subscriptions and jobs. */

import { activeAccountOf } from './accounts.ts'
import { type Command, Refusal, UsageError } from './command.ts'
import type { Context } from './context.ts'

async function subscriptionOf({ store }: Context, id = '') {
  const found = await store.findSubscription(id)
  if (!found) throw new Refusal(`No subscription has the id "${id}".`)
  return found
}

const LISTED_MAX = 1_000
const STATES = ['waiting', 'running', 'failed'] as const

/** With the kind of a mail, such as `mail key_created`. */
const kindOf = (kind: string, data: { kind?: unknown }): string =>
  typeof data.kind === 'string' ? `${kind} ${data.kind}` : kind

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
    name: 'jobs list',
    args: [],
    options: {
      kind: 'Only those of this kind, such as mail.',
      state: `Only those in this state: ${STATES.join(', ')}.`,
    },
    summary: `List jobs that wait, run or have failed, oldest first, at most ${LISTED_MAX.toLocaleString('en')}. Done ones are not stored.`,
    async run(admin, _args, { kind, state: given }) {
      const state = STATES.find((each) => each === given)
      if (given !== undefined && state === undefined)
        throw new UsageError(`--state must be one of ${STATES.join(', ')}.`)
      const { jobs } = await admin.open()
      const filter = { ...(kind !== undefined && { kind }), ...(state && { state }) }
      const listed = await jobs.list(filter, LISTED_MAX)
      return { data: listed.map(({ data, ...job }) => ({ ...job, kind: kindOf(job.kind, data) })) }
    },
  },
  {
    name: 'jobs retry',
    args: ['JOB-ID'],
    summary: 'Run a failed or waiting job again, with all its attempts. The running service starts it within seconds.',
    async run(admin, [id = '']) {
      const { change, jobs, repeated, note } = await admin.open()
      await change(async (trx) => {
        const job = await jobs.rerun(trx, id)
        if (job === null) throw new Refusal(`No job with the id "${id}" waits or has failed.`)
        await repeated(trx, job)
        note(trx, { event: 'job.retried', accountId: null, subject: id, details: { kind: job.kind } })
      })
      return { data: { id }, message: `The job ${id} is queued.` }
    },
  },
  {
    name: 'jobs drop',
    args: ['JOB-ID'],
    summary:
      'Delete a failed or waiting job. It is not run any more: a scan ends as failed, a callback is not sent, an object stays as it is.',
    async run(admin, [id = '']) {
      const { change, jobs, dropped, note } = await admin.open()
      await change(async (trx) => {
        const job = await jobs.drop(trx, id)
        if (job === null) throw new Refusal(`No job with the id "${id}" waits or has failed.`)
        await dropped(trx, job)
        note(trx, { event: 'job.dropped', accountId: null, subject: id, details: { kind: job.kind } })
      })
      return { data: { id }, message: `The job ${id} is deleted.` }
    },
  },
]
