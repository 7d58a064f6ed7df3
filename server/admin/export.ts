/** Exports events of all accounts. */
import { type Command, UsageError } from './command.ts'
import { switchOf } from './scans.ts'

function timeOf(name: string, given: string): number {
  const time = Date.parse(given)
  if (Number.isNaN(time)) throw new UsageError(`--${name}: a time is needed, such as 2026-11-18T12:00:00Z.`)
  return time
}

export const EXPORT_COMMANDS: Command[] = [
  {
    name: 'export',
    args: [],
    options: {
      format: 'The format of the events: ocsf.',
      since: 'Only scans that ended at this time or later.',
      until: 'Only scans that ended before this time; about a minute ago if absent.',
      names: 'on writes the names of files, which are personal data, instead of hashes.',
    },
    summary:
      'Print the scans of all accounts as events, one in JSON per line. The next call continues without a gap with the --since that is printed on standard error.',
    async run(admin, _args, { format = 'ocsf', since = '1970-01-01', until: given, names }) {
      if (format !== 'ocsf') throw new UsageError('--format must be ocsf.')
      const [start, hasNames] = [timeOf('since', since), switchOf('names', names)]
      const asked = given === undefined ? Number.POSITIVE_INFINITY : timeOf('until', given)
      const context = await admin.open()
      // Later ones may still be written.
      const until = Math.min(asked, await context.events.end())
      await context.change(async (trx) =>
        context.note(trx, { event: 'scans.exported', accountId: null, details: { names: hasNames } }),
      )
      const next = new Date(Math.max(start, until)).toISOString()
      return {
        data: null,
        lines: context.events.ofAll({ since: start, until }, hasNames),
        note: `Next: --since ${next}`,
      }
    },
  },
]
