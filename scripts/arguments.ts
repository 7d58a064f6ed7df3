/** Reads the arguments of a script of `package.json`: wrong ones are refused before anything is done. */

import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { messageOf } from '#base/message-of.ts'

interface Accepted<Options> {
  options?: Options
  /** How many arguments it takes besides, and how many of the first are numbers. */
  max?: number
  numbers?: number
}

const EXIT_USAGE = 2

/** Prints the usage and exits where that is asked for. */
export function readArguments<const Options extends ParseArgsOptionsConfig = Record<never, never>>(
  usage: string,
  { options = {} as Options, max = 0, numbers = 0 }: Accepted<Options> = {},
  args = process.argv.slice(2),
) {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(`Usage: ${usage}`)
    process.exit()
  }
  try {
    const read = parseArgs({ args, options, allowPositionals: true })
    const given: readonly string[] = read.positionals
    const [extra] = given.slice(max)
    if (extra !== undefined) refuse(`Unexpected argument '${extra}'`, usage)
    const wrong = given.slice(0, numbers).find((each) => !/^\d+(?:\.\d+)?$/.test(each))
    if (wrong !== undefined) refuse(`'${wrong}' is not a number`, usage)
    return read
  } catch (error) {
    return refuse(messageOf(error), usage)
  }
}

/** Ends a script that was called wrongly. */
export function refuse(problem: string, usage: string): never {
  console.error(`${problem}\nUsage: ${usage}`)
  process.exit(EXIT_USAGE)
}
