/** Commands for scans of all accounts. */
import { accountOf, limitOf } from './accounts.ts'
import { type Command, UsageError } from './command.ts'

const VERDICTS = ['clean', 'infected', 'refused'] as const

export function switchOf(name: string, given = 'off'): boolean {
  if (given !== 'on' && given !== 'off') throw new UsageError(`--${name} must be on or off.`)
  return given === 'on'
}

export const SCAN_COMMANDS: Command[] = [
  {
    name: 'scans list',
    args: [],
    options: {
      account: 'Only scans of this account.',
      verdict: `Only those with this verdict: ${VERDICTS.join(', ')}.`,
      names: 'on shows the names of files, which are personal data.',
      limit: 'Number of scans, 100 by default.',
    },
    summary: 'List scans of all accounts, newest first, without the names of files.',
    async run(admin, _args, { account, verdict: given, names, limit }) {
      const verdict = VERDICTS.find((each) => each === given)
      if (given !== undefined && verdict === undefined)
        throw new UsageError(`--verdict must be one of ${VERDICTS.join(', ')}.`)
      const [count, hasNames] = [limitOf(limit), switchOf('names', names)]
      const context = await admin.open()
      const accountId = account === undefined ? undefined : (await accountOf(context, account)).id
      return { data: await context.store.listScans({ accountId, verdict, limit: count, hasNames }) }
    },
  },
]
