/** Commands for keys, sessions and invites. */
import { SCOPES } from '#base/principal.ts'
import { accountOf, activeAccountOf } from './accounts.ts'
import { type Command, Refusal, UsageError } from './command.ts'

const GRACE_SECONDS_MAX = 604_800

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** Those of the API, as text. */
function limitsOf({ scopes, expires, addresses }: Record<string, string | undefined>) {
  const given = scopes === undefined ? undefined : SCOPES.filter((scope) => listOf(scopes).includes(scope))
  if (scopes !== undefined && (given?.length === 0 || given?.length !== listOf(scopes).length))
    throw new UsageError(`--scopes: some of ${SCOPES.join(',')} are needed.`)
  if (expires !== undefined && Number.isNaN(Date.parse(expires)))
    throw new UsageError('--expires: a date or time is needed, such as 2027-11-30.')
  return {
    ...(given && { scopes: given }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(addresses !== undefined && { allowedAddresses: listOf(addresses) }),
  }
}

export const ACCESS_COMMANDS: Command[] = [
  {
    name: 'keys list',
    args: ['ACCOUNT'],
    summary: 'List the API keys of an account, oldest first.',
    async run(admin, [selector]) {
      const context = await admin.open()
      const { id } = await accountOf(context, selector)
      return { data: await context.keyStore.list(id) }
    },
  },
  {
    name: 'keys issue',
    args: ['ACCOUNT'],
    options: {
      name: 'Its name.',
      scopes: `What it may do: some of ${SCOPES.join(',')}. Everything if absent.`,
      expires: 'When it expires, as a date or time.',
      addresses: 'Addresses and networks from which it is accepted, separated by commas.',
    },
    summary: 'Create an API key and print it. The limit of the plan does not apply; the owner is notified by mail.',
    async run(admin, [selector], { name, ...given }) {
      const limits = limitsOf(given)
      const context = await admin.open()
      const account = await activeAccountOf(context, selector)
      const { issued, insert } = context.keys.prepareFor(account.id, { ...(name !== undefined && { name }), ...limits })
      await context.change(insert)
      return { data: { id: issued.id, email: account.email, name: issued.name, apiKey: issued.secret } }
    },
  },
  {
    name: 'keys roll',
    args: ['KEY-ID'],
    options: { grace: 'Seconds for which the old secret still works, up to 604800. 0 if absent.' },
    summary: 'Give an API key a new secret and print it; the owner is notified by mail.',
    async run(admin, [keyId = ''], { grace = '0' }) {
      const graceSeconds = Number(grace)
      if (!/^\d{1,6}$/.test(grace) || graceSeconds > GRACE_SECONDS_MAX)
        throw new UsageError(`--grace: a number from 0 to ${GRACE_SECONDS_MAX} is needed.`)
      const context = await admin.open()
      const key = await context.store.findKey(keyId)
      const rolled = key && (await context.change((trx) => context.keys.rollFor(trx, key, graceSeconds)))
      if (!rolled) throw new Refusal(`No active key has the id "${keyId}".`)
      return { data: { id: rolled.id, name: rolled.name, apiKey: rolled.secret } }
    },
  },
  {
    name: 'keys revoke',
    args: ['KEY-ID'],
    summary: 'Revoke an API key at once and for good.',
    async run(admin, [keyId = '']) {
      const context = await admin.open()
      const key = await context.store.findKey(keyId)
      const isRevoked = key && (await context.change((trx) => context.keyStore.revoke(key.accountId, key.id, trx)))
      if (!isRevoked) throw new Refusal(`No active key has the id "${keyId}".`)
      return { data: { id: keyId, isRevoked }, message: `The key ${keyId} is revoked.` }
    },
  },
  {
    name: 'sessions list',
    args: ['ACCOUNT'],
    summary: 'List the sessions of an account, the most recently used first.',
    async run(admin, [selector]) {
      const context = await admin.open()
      const { id } = await accountOf(context, selector)
      return { data: await context.sessions.list(id) }
    },
  },
  {
    name: 'sessions end',
    args: ['ACCOUNT', '[SESSION-ID]'],
    summary: 'End one session of an account, or all.',
    async run(admin, [selector, sessionId]) {
      const context = await admin.open()
      const { id, email } = await accountOf(context, selector)
      await context.change(async (trx) => {
        if (sessionId === undefined) await context.sessions.endAll(trx, id)
        else if (!(await context.sessions.endOf(id, sessionId, trx)))
          throw new Refusal(`${email} has no session with the id "${sessionId}".`)
      })
      const what = sessionId === undefined ? `All sessions of ${email} have` : `The session ${sessionId} has`
      return { data: { id, email, sessionId: sessionId ?? null }, message: `${what} ended.` }
    },
  },
  {
    name: 'invites create',
    args: [],
    summary: 'Create a code for one sign-up within 14 days and print it, for DOCVET_SIGNUP=invite.',
    async run(admin) {
      const context = await admin.open()
      const { id, code, expiresAt } = await context.change((trx) => context.invites.create(trx))
      // In the fragment, which browsers do not send to servers.
      return { data: { id, code, link: `${context.config.publicUrl}/sign-up#invite=${code}`, expiresAt } }
    },
  },
  {
    name: 'invites list',
    args: [],
    summary: 'List invites, newest first, without their codes.',
    async run(admin) {
      const rows = await (await admin.open()).invites.list()
      const statusOf = ({ usedAt, expired }: (typeof rows)[number]) => {
        if (usedAt !== null) return 'used'
        return expired ? 'expired' : 'open'
      }
      return { data: rows.map(({ expired, ...row }) => ({ ...row, status: statusOf({ expired, ...row }) })) }
    },
  },
]
