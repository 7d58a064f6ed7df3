/** The shape of an admin command, and its refusals. */
import type { Log } from '#base/log.ts'
import type { Config } from '#config/config.ts'
import type { Engine } from '#engines/engine.ts'
import type { Context } from './context.ts'

/** The command was understood, but cannot be carried out. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The command line is wrong: the exit code is 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Admin {
  /** Throws `ConfigError`. */
  config(): Config
  /** Opens the database once; closed after the command. */
  open(): Promise<Context>
  startEngines(config: Config, log: Log): Promise<Engine[]>
  log: Log
  /** For lines. */
  stdout?: NodeJS.WritableStream
  /** For progress. */
  stderr?: { isTTY?: boolean; write(text: string): unknown }
}

export interface Result {
  /** Printed with `--json`, and without it as a table unless there is a message. Times are fields that end in `At`. */
  data: unknown
  message?: string
  /** The next step, on standard error. */
  note?: string
  isAlwaysJson?: boolean
  /** Printed instead of `data`, as it comes: it may be larger than memory. */
  lines?: AsyncIterable<string>
  /** The exit code is 1. */
  isFailure?: boolean
}

type Options = Readonly<Record<string, string | undefined>>

export interface Command {
  /** Such as `accounts set-plan`. */
  name: string
  /** Names of the required arguments; an optional one is in brackets. */
  args: readonly string[]
  /** Options with a value, and the meaning of each. */
  options?: Readonly<Record<string, string>>
  summary: string
  run(admin: Admin, args: readonly string[], options: Options): Promise<Result>
}
