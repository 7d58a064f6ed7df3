/** The command line of `docvet scan`. */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { PASSWORD_LENGTH_MAX } from '#base/document-limit.ts'
import { messageOf } from '#base/message-of.ts'

export const HELP = `Usage: docvet scan [OPTION]… [PATH]…

Scans files, and folders with everything in them, without a server. With - or without a path, standard input is scanned.

Options:
      --include GLOB   Scan only files whose name, or path below the folder, matches. Can be repeated.
      --exclude GLOB   Skip files and folders whose name or path matches. Can be repeated.
      --strict         Report suspicious files as infected.
      --password TEXT  Open encrypted documents with this password.
      --rules DIR      Use the YARA rules in this folder as well.
      --policy FILE    Rate findings as this policy says, like DOCVET_POLICY.
      --workers N      Number of worker processes. Default: one per CPU core.
      --json           Print one JSON document.
      --sarif          Print a SARIF 2.1.0 log.
  -i, --infected       Print only infected files.
      --no-summary     Print no summary.
  -h, --help           Print this help.

Exit codes: 0 every file is clean, 1 a file is infected, 2 none is infected but something was not scanned.
`

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Options = NonNullable<ReturnType<typeof parseOptions>>

const WORKERS_MAX = 256

/** Null: print the help. Throws `UsageError`. */
export function parseOptions(args: string[], isTerminal: boolean) {
  const { values, positionals } = parse(args)
  if (values.help) return null
  if (values.json && values.sarif) throw new UsageError('Use either --json or --sarif.')
  const paths = positionals.length === 0 && !isTerminal ? ['-'] : positionals
  if (paths.length === 0) throw new UsageError('Name the files and folders to scan.')
  if (paths.filter((each) => each === '-').length > 1) throw new UsageError('Name standard input (-) only once.')
  return {
    paths,
    ...filesOf(values),
    sensitivity: values.strict ? ('strict' as const) : ('standard' as const),
    password: passwordOf(values.password),
    workers: values.workers === undefined ? availableParallelism() : workersOf(values.workers),
    format: values.json ? ('json' as const) : values.sarif ? ('sarif' as const) : ('text' as const),
    onlyInfected: values.infected === true,
    summary: values['no-summary'] !== true,
  }
}

function filesOf({ include = [], exclude = [], rules, policy }: ReturnType<typeof parse>['values']) {
  return { include, exclude, rulesDir: rules ?? null, policyFile: policy ?? null }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        include: { type: 'string', multiple: true },
        exclude: { type: 'string', multiple: true },
        strict: { type: 'boolean' },
        rules: { type: 'string' },
        policy: { type: 'string' },
        password: { type: 'string' },
        workers: { type: 'string' },
        json: { type: 'boolean' },
        sarif: { type: 'boolean' },
        infected: { type: 'boolean', short: 'i' },
        'no-summary': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

function passwordOf(text: string | undefined): string | undefined {
  if ([...(text ?? '')].length > PASSWORD_LENGTH_MAX)
    throw new UsageError(`--password must have at most ${PASSWORD_LENGTH_MAX} characters.`)
  return text
}

function workersOf(text: string): number {
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= WORKERS_MAX) return count
  throw new UsageError(`--workers must be a whole number from 1 to ${WORKERS_MAX}.`)
}
