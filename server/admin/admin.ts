/** `docvet admin`: parses the command line, runs one command and prints its result. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { AppError } from '#base/errors.ts'
import { escapeControls } from '#base/escape-controls.ts'
import { messageOf } from '#base/message-of.ts'
import { redactSecrets } from '#base/redact.ts'
import { ADMIN_COMMAND } from '#base/version.ts'
import { type Config, ConfigError } from '#config/config.ts'
import { parseEnvFile } from '#config/env-file.ts'
import { ACCESS_COMMANDS } from './access.ts'
import { ACCOUNT_COMMANDS } from './accounts.ts'
import { AUDIT_COMMANDS } from './audit.ts'
import { type Admin, type Command, Refusal, UsageError } from './command.ts'
import { FILES, openContext } from './context.ts'
import { EXPORT_COMMANDS } from './export.ts'
import { MEMBER_COMMANDS } from './members.ts'
import { OBJECT_COMMANDS } from './objects.ts'
import { printLines, render } from './output.ts'
import { RECEIPT_COMMANDS } from './receipts.ts'
import { RECORD_COMMANDS } from './records.ts'
import { SCAN_COMMANDS } from './scans.ts'
import { systemCommands } from './system.ts'

const EXIT_FAILED = 1
const EXIT_USAGE = 2

export const COMMANDS: readonly Command[] = [
  ...ACCOUNT_COMMANDS,
  ...MEMBER_COMMANDS,
  ...ACCESS_COMMANDS,
  ...RECORD_COMMANDS,
  ...SCAN_COMMANDS,
  ...EXPORT_COMMANDS,
  ...AUDIT_COMMANDS,
  ...OBJECT_COMMANDS,
  ...RECEIPT_COMMANDS,
  ...systemCommands(FILES),
]

type Env = Readonly<Record<string, string>>

/** `config` gets the variables of `--env-file`. */
type Installation = Omit<Admin, 'open' | 'config'> & { config(file: Env): Config }

const GENERAL_OPTIONS = {
  settings: 'Read settings from a file with NAME=value lines; they replace those of the environment.',
  'env-file': 'The same. Node and npx read this option too, and end with their own message if the file does not exist.',
  json: 'Print JSON.',
  help: 'Print this help.',
}

interface Printed {
  exitCode: number
  stdout: string
  stderr: string
}

const usageOf = ({ name, args, options = {} }: Command): string =>
  [name, ...args, ...Object.keys(options).map((option) => `[--${option} VALUE]`)].join(' ')

function helpOf(command: Command): string {
  const options = { ...command.options, ...GENERAL_OPTIONS }
  const lines = Object.entries(options).map(([name, meaning]) => `  --${name.padEnd(10)}${meaning}`)
  return [`Usage: ${ADMIN_COMMAND} ${usageOf(command)}`, '', command.summary, '', 'Options:', ...lines, ''].join('\n')
}

const help = (commands: readonly Command[]): string =>
  [
    `Usage: ${ADMIN_COMMAND} COMMAND [--settings FILE] [--json] [--help]`,
    '',
    'Uses the settings of the service, from the environment and FILE. ACCOUNT is an id or an e-mail address.',
    'Prints on standard error which database it uses.',
    'Exit codes: 0 done, 1 refused or failed, 2 wrong usage.',
    '',
    'Commands:',
    ...commands.flatMap((command) => [`  ${usageOf(command)}`, `      ${command.summary}`]),
    '',
  ].join('\n')

function findCommand(words: readonly string[]): Command | undefined {
  return COMMANDS.find(({ name }) => name.split(' ').every((word, index) => words[index] === word))
}

function parse(command: Command, args: string[]) {
  const named = Object.keys(command.options ?? {}).map((name) => [name, { type: 'string' as const }])
  try {
    const { values: parsed, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        settings: { type: 'string' },
        'env-file': { type: 'string' },
        ...Object.fromEntries(named),
      },
    })
    const values: Record<string, unknown> = parsed
    const given = positionals.slice(command.name.split(' ').length)
    const required = command.args.filter((name) => !name.startsWith('['))
    const isCountRight = given.length >= required.length && given.length <= command.args.length
    if (!values.help && !isCountRight) throw new UsageError(`Usage: ${ADMIN_COMMAND} ${usageOf(command)}`)
    return { values, given }
  } catch (error) {
    if (error instanceof UsageError) throw error
    // The first sentence of Node's text; the rest suggests what no command accepts.
    const [problem] = messageOf(error).split(/\.\s/)
    throw new UsageError(`${problem}.\nUsage: ${ADMIN_COMMAND} ${usageOf(command)}`)
  }
}

/** Without options that may come first: `--json accounts list`. */
const wordsOf = (args: readonly string[]): string[] =>
  args.filter((arg, index) => !arg.startsWith('-') && !/^--(?:settings|env-file)$/.test(args[index - 1] ?? ''))

const UNREADABLE: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist. Give the path of the file with the settings of the service.',
  EISDIR: 'is a folder. Give the path of a file with NAME=value lines.',
  ENOTDIR:
    'does not exist, because a part of its path is a file. Give the path of the file with the settings of the service.',
  EACCES: 'cannot be read by this user. Run the command as the user of the service, or as root.',
}

/** Of `--env-file`, Node loads the file too if it was not started with `--`, but lets the environment win and cuts values at `#`. */
function readEnvFile(option: string, file: unknown): Env {
  if (typeof file !== 'string') return {}
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Refusal(`--${option}: ${file} ${UNREADABLE[code] ?? `cannot be read (${messageOf(error)}).`}`)
  }
  try {
    return parseEnvFile(text)
  } catch (error) {
    throw new Refusal(`--${option}: ${file}, ${messageOf(error)}`)
  }
}

/** With a wrong data folder, a command would create an empty database and find nothing in it. */
function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== null || existsSync(join(dataDir, FILES.name))) return
  throw new Refusal(`No database in ${dataDir}: set DOCVET_DATA_DIR, or start the service once.`)
}

/** `onConfig` hears of the configuration before anything is done with it. */
async function runCommand(
  command: Command,
  args: string[],
  installation: Installation,
  onConfig: (config: Config) => void,
): Promise<Printed> {
  const { values, given } = parse(command, args)
  if (values.help) return { exitCode: 0, stdout: helpOf(command), stderr: '' }
  const { json, help: _help, settings, 'env-file': envFile, ...options } = values
  const file = { ...readEnvFile('env-file', envFile), ...readEnvFile('settings', settings) }
  const admin = {
    ...installation,
    config() {
      const config = installation.config(file)
      onConfig(config)
      return config
    },
  }
  let opened: ReturnType<typeof openContext> | undefined
  const open = () => {
    const config = admin.config()
    requireDatabase(config)
    opened ??= openContext(config, admin.log)
    return opened
  }
  try {
    const result = await command.run({ ...admin, open }, given, options as Record<string, string>)
    const exitCode = result.isFailure ? EXIT_FAILED : 0
    const stderr = result.note === undefined ? '' : `${escapeControls(result.note)}\n`
    const stdout = result.lines ? await printLines(result.lines, admin.stdout) : render(result, json === true)
    return { exitCode, stdout, stderr }
  } finally {
    await opened?.then(
      ({ close }) => close(),
      () => {},
    )
  }
}

function explain(error: unknown): string {
  const isPlain = error instanceof Refusal || error instanceof ConfigError || error instanceof UsageError
  if (isPlain) return error.message
  const cause = error instanceof AppError && error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return redactSecrets(`${messageOf(error)}${cause}`)
}

export async function runAdmin(args: string[], installation: Installation): Promise<Printed> {
  let used = ''
  const onConfig = (config: Config) => {
    used = `Database: ${escapeControls(FILES.describe(config))}\n`
  }
  try {
    const words = wordsOf(args)
    const command = findCommand(words)
    if (command) {
      const printed = await runCommand(command, args, installation, onConfig)
      return { ...printed, stderr: used + printed.stderr }
    }
    const group = COMMANDS.filter(({ name }) => words.length > 0 && name.split(' ')[0] === words[0])
    if (args.some((arg) => arg === '--help' || arg === '-h') || args.length === 0)
      return {
        exitCode: args.length === 0 ? EXIT_USAGE : 0,
        stdout: help(group.length > 0 ? group : COMMANDS),
        stderr: '',
      }
    const similar = group.map(({ name }) => name).join(', ')
    const hint = similar === '' ? `Run \`${ADMIN_COMMAND} --help\` to see all.` : `Commands: ${similar}.`
    throw new UsageError(`"${words.join(' ')}" is not a command. ${hint}`)
  } catch (error) {
    const exitCode = error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED
    const lines = explain(error).split('\n').map(escapeControls)
    return { exitCode, stdout: '', stderr: `${used}${lines.join('\n')}\n` }
  }
}
