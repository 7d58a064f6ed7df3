/** Commands for the keys of receipts. */
import { type Command, Refusal, UsageError } from './command.ts'

export const RECEIPT_COMMANDS: Command[] = [
  {
    name: 'receipts keys',
    args: [],
    summary: 'List the public keys of receipts, newest first.',
    async run(admin) {
      const rows = await (await admin.open()).receipts.store.keys()
      return {
        data: rows.map(({ kid, since, until, revokedAt }) => ({ kid, sinceAt: since, untilAt: until, revokedAt })),
      }
    },
  },
  {
    name: 'receipts rotate',
    args: [],
    summary:
      'Replace the key in the data folder. Running processes use the new one within a second; the old one stays valid for what it signed.',
    async run(admin) {
      const context = await admin.open()
      if (context.config.receiptKey !== null)
        throw new Refusal(
          'The key is that of DOCVET_RECEIPT_KEY. To rotate it, make another one with `openssl genpkey -algorithm ed25519`, set it on all replicas and restart them.',
        )
      const { problem, rotate } = context.receipts
      if (problem !== null) throw new Refusal(problem)
      const kid = await context.change(rotate)
      return { data: { kid }, message: `Receipts are signed by the key ${kid} from now on.` }
    },
  },
  {
    name: 'receipts revoke',
    args: ['KID'],
    options: { since: 'From when on it is not to be trusted, as a date or time. Now if absent.' },
    summary: 'Mark a key as not to be trusted, for example because it was stolen. Rotate it first if it is in use.',
    async run(admin, [kid = ''], { since }) {
      const sinceMs = since === undefined ? Date.now() : Date.parse(since)
      if (Number.isNaN(sinceMs)) throw new UsageError('--since: a date or time is needed, such as 2027-11-30.')
      const context = await admin.open()
      const isRevoked = await context.change((trx) => context.receipts.store.revoke(kid, sinceMs, trx))
      if (!isRevoked) throw new Refusal(`No key of receipts has the id "${kid}".`)
      return {
        data: { kid, revokedAt: sinceMs },
        message: `The key ${kid} is revoked from ${new Date(sinceMs).toISOString()}.`,
      }
    },
  },
]
