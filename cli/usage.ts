/** Reads the arguments of a command as its declaration says, and prints its help. */
import { parseArgs } from 'node:util'
import { messageOf } from '#base/message-of.ts'
import { type Command, EXIT_STATUS, type Option } from './commands.ts'

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** What was given, by the names of the declaration. */
export interface Given {
  is(name: string): boolean
  text(name: string): string | undefined
  texts(name: string): readonly string[]
  positionals: readonly string[]
}

/** Throws `UsageError`. */
export function parse({ options }: Command, args: readonly string[]): Given {
  const declared = options.map(({ name, short, value, many }) => [
    name,
    {
      type: value === undefined ? ('boolean' as const) : ('string' as const),
      ...(short !== undefined && { short }),
      ...(many && { multiple: true }),
    },
  ])
  const parsed = attempt(() =>
    parseArgs({ args: [...args], allowPositionals: true, options: Object.fromEntries(declared) }),
  )
  const values: Record<string, unknown> = parsed.values
  for (const { name, choices } of options) {
    const given = values[name]
    if (choices === undefined || given === undefined || choices.includes(String(given))) continue
    throw new UsageError(`--${name} must be ${new Intl.ListFormat('en', { type: 'disjunction' }).format(choices)}.`)
  }
  return {
    is: (name) => values[name] === true,
    text: (name) => values[name] as string | undefined,
    texts: (name) => (values[name] ?? []) as string[],
    positionals: parsed.positionals,
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new UsageError(messageOf(error))
  }
}

const NAME_WIDTH = 22

/** `-i, --infected`. */
export const spelled = ({ name, short, value }: Option): string =>
  `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`

export function helpOf({ name, usage, about, more, options }: Command): string {
  return [
    `Usage: ${usage}`,
    '',
    [`${about}.`, ...(more === undefined ? [] : [more])].join(' '),
    '',
    'Options:',
    ...options.map((option) => `  ${spelled(option).padEnd(NAME_WIDTH)} ${option.help}`),
    ...(name === 'scan' ? ['', `Exit codes: ${EXIT_STATUS}`] : []),
    '',
  ].join('\n')
}
