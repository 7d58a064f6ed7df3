/** The command `docvet`. Each of its commands is loaded only when it is used. */
import { getSystemErrorMap } from 'node:util'
import { escapeControls } from '#base/escape-controls.ts'
import { messageOf } from '#base/message-of.ts'
import { VERSION } from '#base/version.ts'
import { COMMANDS } from './commands.ts'
import { UsageError } from './usage.ts'

const EXIT_ERROR = 2
const NAME_WIDTH = 12

const RUN: Record<string, (args: string[]) => Promise<number>> = {
  scan: async (args) => (await import('./scan.ts')).runScan(args, { key: process.env.DOCVET_KEY }),
  watch: async (args) => (await import('./watch-command.ts')).runWatch(args),
  quarantine: async (args) => (await import('./quarantine-command.ts')).runQuarantine(args),
  verify: async (args) => (await import('./verify.ts')).runVerify(args),
  mcp: async (args) => (await import('./mcp.ts')).runMcp(args, process.env.DOCVET_KEY),
  updates: async (args) => (await import('./updates.ts')).runUpdates(args),
  channel: async (args) => (await import('./channel.ts')).runChannel(args),
  completion: async (args) => (await import('./completion.ts')).runCompletion(args),
  help: async (args) => {
    process.stdout.write(args[0] === '--man' ? (await import('./manual.ts')).manualPage() : help())
    return 0
  },
  version: async () => {
    process.stdout.write(`${VERSION}\n`)
    return 0
  },
}
const SWITCHES: Record<string, string> = { '-h': 'help', '--help': 'help', '-v': 'version', '--version': 'version' }
/** Of the service, which is another package. */
const ELSEWHERE = [['admin', 'Manage accounts and keys of a service, in its installation']] as const
const ADMIN_HINT = 'Accounts and keys are managed where the service is installed: npx @docvet/server admin'

function help(): string {
  const rows = [...COMMANDS.map(({ name, about }) => [name, about] as const), ...ELSEWHERE, ['help', 'Print this help']]
  return [
    'Usage: docvet COMMAND [OPTION]…',
    '',
    'Scans documents for malware, in sandboxed processes and without a network.',
    '',
    'Commands:',
    ...rows.map(([name = '', about]) => `  ${name.padEnd(NAME_WIDTH)} ${about}`),
    '',
    'docvet COMMAND --help prints the options of a command. For example: docvet scan ~/Downloads',
    '',
  ].join('\n')
}

async function main([name = 'help', ...args]: string[]): Promise<number> {
  const command = SWITCHES[name] ?? name
  try {
    const run = Object.hasOwn(RUN, command) ? RUN[command] : undefined
    if (run === undefined) throw new UsageError(name === 'admin' ? ADMIN_HINT : `There is no command ${name}.`)
    return await run(args)
  } catch (error) {
    const known = COMMANDS.some((each) => each.name === command) ? `docvet ${command} --help` : 'docvet help'
    const hint = error instanceof UsageError ? `\nRun \`${known}\` to see the options.` : ''
    // It may have the name of a file.
    const lines = messageOf(error).split('\n').map(escapeControls)
    process.stderr.write(`${lines.join('\n')}${hint}\n`)
    return EXIT_ERROR
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` may close the pipe early.
  if (error.code !== 'EPIPE') {
    const [, what] = getSystemErrorMap().get(error.errno ?? 0) ?? []
    process.stderr.write(`Standard output cannot be written: ${what ?? messageOf(error)} (${error.code})\n`)
  }
  process.exit(EXIT_ERROR)
})
// Unhandled, a closed pipe would end the scan with 1, as if a file were infected.
process.stderr.on('error', () => {})
process.exitCode = await main(process.argv.slice(2))
