/** Commands for the audit log. */
import { accountOf, limitOf } from './accounts.ts'
import { type Command, UsageError } from './command.ts'

const ANCHOR = /^(?<seq>\d{1,15}):(?<hash>[0-9a-f]{64})$/

function anchorOf(given: string | undefined) {
  if (given === undefined) return null
  const { seq, hash } = ANCHOR.exec(given)?.groups ?? {}
  if (seq === undefined || hash === undefined)
    throw new UsageError('--anchor must be the number and the hash of an entry, such as 12:9f86d0….')
  return { seq: Number(seq), hash }
}

export const AUDIT_COMMANDS: Command[] = [
  {
    name: 'audit list',
    args: [],
    options: {
      account: 'Only events of this account.',
      event: 'Only events of this kind, such as key.created.',
      limit: 'Number of events, 100 by default.',
    },
    summary: 'List events of the audit log, newest first.',
    async run(admin, _args, { account, event, limit }) {
      const context = await admin.open()
      const count = limitOf(limit)
      // By id also after the account is deleted.
      const accountId = account?.includes('@') ? (await accountOf(context, account)).id : account
      return { data: await context.auditLog.list({ accountId, event, limit: count }) }
    },
  },
  {
    name: 'audit verify',
    args: [],
    options: {
      anchor:
        'SEQ:HASH of an entry that you noted and that is still kept; proves that the log was not rewritten since.',
    },
    summary: 'Check that no event was changed or removed. The exit code is 1 if one was.',
    async run(admin, _args, { anchor }) {
      const noted = anchorOf(anchor)
      const { entries, head, problem } = await (await admin.open()).auditLog.verify(noted)
      const data = { entries, head: `${head.seq}:${head.hash}`, problem }
      const verified = `${entries} events are unchanged. Note this to check against later: ${data.head}`
      return { data, message: problem ?? verified, isFailure: problem !== null }
    },
  },
  {
    name: 'audit export',
    args: [],
    summary: 'Print all events as stored, as JSON with their hashes, oldest first.',
    run: async (admin) => ({ data: await (await admin.open()).auditLog.exportAll(), isAlwaysJson: true }),
  },
]
