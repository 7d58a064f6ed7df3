/** The options of `docvet scan`. */
import { availableParallelism } from 'node:os'
import { PASSWORD_LENGTH_MAX } from '#base/document-limit.ts'
import type { FAIL_ON } from './commands.ts'
import { SCAN } from './commands.ts'
import { type Given, parse, UsageError } from './usage.ts'

export type Options = NonNullable<ReturnType<typeof parseOptions>>
export type FailOn = (typeof FAIL_ON)[number]
export type Action = { kind: 'move' | 'copy'; folder: string } | { kind: 'remove' }

const WORKERS_MAX = 256
/** Requests at once to a service, which has workers of its own. */
const REQUESTS = 4

/** Null: print the help. Throws `UsageError`. */
export function parseOptions(args: readonly string[], isTerminal: boolean) {
  const given = parse(SCAN, args)
  if (given.is('help')) return null
  if (given.is('json') && given.is('sarif')) throw new UsageError('Use either --json or --sarif.')
  const fileList = given.text('file-list') ?? null
  const server = serverOf(given)
  return {
    paths: pathsOf(given.positionals, fileList, isTerminal),
    fileList,
    include: given.texts('include'),
    exclude: given.texts('exclude'),
    server,
    ...judgingOf(given, server === null ? availableParallelism() : REQUESTS),
    action: actionOf(given),
    failOn: (given.text('fail-on') ?? 'any') as FailOn,
    format: given.is('json') ? ('json' as const) : given.is('sarif') ? ('sarif' as const) : ('text' as const),
    notices: given.is('notices'),
    onlyInfected: given.is('infected'),
    summary: !given.is('no-summary'),
  }
}

/** How documents are judged. */
export function judgingOf(given: Given, workersByDefault = availableParallelism()) {
  const workers = given.text('workers')
  return {
    sensitivity: given.is('strict') ? ('strict' as const) : ('standard' as const),
    password: passwordOf(given.text('password')),
    rulesDir: given.text('rules') ?? null,
    feedsDir: given.text('feeds') ?? null,
    policyFile: given.text('policy') ?? null,
    workers: workers === undefined ? workersByDefault : workersOf(workers),
  }
}

function pathsOf(given: readonly string[], fileList: string | null, isTerminal: boolean): readonly string[] {
  const fromInput = given.filter((each) => each === '-').length + (fileList === '-' ? 1 : 0)
  if (fromInput > 1) throw new UsageError('Name standard input (-) only once.')
  if (given.length > 0 || fileList !== null) return given
  if (isTerminal) throw new UsageError('Name the files and folders to scan.')
  return []
}

/** Throws `UsageError`. */
export function serverOf(given: Given): { url: string; keyFile: string | null } | null {
  const [url, keyFile = null] = [given.text('server'), given.text('key-file')]
  if (url === undefined) {
    if (keyFile !== null) throw new UsageError('Use --key-file with --server.')
    return null
  }
  const { protocol = '', username, password } = URL.parse(url) ?? {}
  if (!/^https?:/.test(protocol)) throw new UsageError('--server must be an http(s) URL.')
  if (username || password) throw new UsageError('--server must not have a user name or password.')
  // They would be silently without effect.
  const local = ['strict', 'rules', 'feeds', 'policy'].find((name) => given.is(name) || given.text(name) !== undefined)
  if (local !== undefined) throw new UsageError(`With --server, the service decides on --${local}.`)
  return { url, keyFile }
}

function actionOf(given: Given): Action | null {
  const [move, copy] = [given.text('move'), given.text('copy')]
  const actions: Action[] = [
    ...(move === undefined ? [] : [{ kind: 'move' as const, folder: move }]),
    ...(copy === undefined ? [] : [{ kind: 'copy' as const, folder: copy }]),
    ...(given.is('remove') ? [{ kind: 'remove' as const }] : []),
  ]
  if (actions.length > 1) throw new UsageError('Use only one of --move, --copy and --remove.')
  return actions[0] ?? null
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
