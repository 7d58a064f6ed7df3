/** The commands of `docvet admin` for people in a browser: who may run which, by name in the audit log. */
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import type { Session } from '#base/principal.ts'
import type { Config } from '#config/config.ts'
import type { Prove } from '#sessions/proof.ts'
import { ACCESS_COMMANDS } from './access.ts'
import { ACCOUNT_COMMANDS } from './accounts.ts'
import { AUDIT_COMMANDS } from './audit.ts'
import { type Command, Refusal, UsageError } from './command.ts'
import type { Context } from './context.ts'
import { MEMBER_COMMANDS } from './members.ts'
import { withTimes } from './output.ts'
import { RECORD_COMMANDS } from './records.ts'
import { SCAN_COMMANDS } from './scans.ts'

const FRESH_MINUTES = 30

/** Not those that need the machine, such as a backup, or that print more than a page can show. */
const OFFERED: readonly Command[] = [
  ...ACCOUNT_COMMANDS,
  ...MEMBER_COMMANDS,
  ...ACCESS_COMMANDS,
  ...RECORD_COMMANDS,
  ...SCAN_COMMANDS,
  ...AUDIT_COMMANDS.filter(({ name }) => name !== 'audit export'),
]

interface OperatorOptions {
  config: Config
  log: Log
  accounts: Pick<AccountStore, 'find'>
  isOperator(person: Person): boolean
  prove: Prove
  /** Whose changes the audit log notes under this name. */
  contextOf(actor: string): Context
}

interface Asked {
  command: string
  args: readonly string[]
  options: Readonly<Record<string, string>>
}

interface Person {
  email: string
  provenAt: number | null
}

/** An address that nobody has proven may be that of somebody else. */
export function createIsOperator(addresses: readonly string[]) {
  const operators = new Set(addresses)
  return ({ email, provenAt }: Person): boolean => provenAt !== null && operators.has(email.toLowerCase())
}

export type Operator = ReturnType<typeof createOperator>

const wrong = (detail: string): AppError => new AppError('invalid_request', detail)

function commandOf({ command: name, args, options }: Asked): Command {
  const command = OFFERED.find((each) => each.name === name)
  if (!command) throw wrong('There is no such command, or it needs the machine of the service.')
  const unknown = Object.keys(options).find((each) => !Object.hasOwn(command.options ?? {}, each))
  if (unknown !== undefined) throw wrong(`\`${name}\` has no option of this name.`)
  const required = command.args.filter((each) => !each.startsWith('[')).length
  if (args.length < required || args.length > command.args.length)
    throw wrong(`\`${name}\` needs ${command.args.join(' ') || 'no arguments'}.`)
  return command
}

export function createOperator({ config, log, accounts, isOperator, prove, contextOf }: OperatorOptions) {
  /** For all others the page does not exist. */
  async function admit(session: Session): Promise<void> {
    const account = await accounts.find(session.accountId)
    if (account === undefined || !isOperator(account)) throw new AppError('not_found', 'There is no such page.')
    await prove(session, { minutes: FRESH_MINUTES })
  }

  /** Also commands that only read: what an operator looks at belongs to others. */
  async function note(context: Context, command: Command, { args, options }: Asked): Promise<void> {
    const [first = ''] = args
    const seen = command.args[0] === 'ACCOUNT' ? first : options.account
    const account = seen === undefined ? undefined : await context.store.findAccount(seen)
    const details = { command: command.name, options: Object.keys(options).sort().join(' ') }
    await context.change(async (trx) =>
      context.note(trx, { event: 'operator.command', accountId: account?.id ?? null, details }),
    )
  }

  return {
    async commands(session: Session) {
      await admit(session)
      return OFFERED.map(({ name, summary, args, options = {} }) => ({
        ...{ name, summary, args: [...args] },
        options: Object.entries(options).map(([option, meaning]) => ({ name: option, meaning })),
      }))
    },

    async run(session: Session, asked: Asked) {
      await admit(session)
      const command = commandOf(asked)
      const context = contextOf(`operator:${session.accountId}`)
      await note(context, command, asked)
      try {
        const admin = { config: () => config, open: async () => context, startEngines: async () => [], log }
        const { data, message, note: next } = await command.run(admin, asked.args, asked.options)
        return { data: withTimes(data), message: message ?? null, note: next ?? null }
      } catch (error) {
        if (error instanceof Refusal || error instanceof UsageError) throw wrong(error.message)
        throw error
      }
    },
  }
}
