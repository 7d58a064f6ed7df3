/** The operator's rules: loads and reloads them, and knows which files are not in use and why. */
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import { publicMessageOf, type RejectedFile, RulesRejected, SelfTestFailed } from '#engines/embedded/errors.ts'
import { BISECT_LIMITS, type Bisection, bisect } from './bisect.ts'
import { fingerprint, NO_RULES, type RuleFile, type RuleSet, readRules } from './rule-files.ts'

type Rules = readonly RuleFile[]

interface OperatorRulesOptions {
  /** Null: the operator has no rules. */
  folder: string | null
  /** Starts a worker with these rules, runs its self-test and ends it. Rejects when one of these fails. */
  tryOut(rules: Rules): Promise<void>
  /** Fires when the engine closes. */
  signal: AbortSignal
  log: Log
}

type Apply = (rules: Rules) => Promise<void>

export type OperatorRules = ReturnType<typeof createOperatorRules>

export function createOperatorRules({ folder, tryOut, signal, log }: OperatorRulesOptions) {
  let inUse: Rules = []
  /** Fingerprint of the folder whose rules are all in use. */
  let applied: string | null = null
  /** Fingerprint of a folder that is known to be rejected. */
  let rejected: string | null = null
  let problem: { message: string; publicMessage: string } | null = null

  function report(error: unknown): void {
    const message = messageOf(error)
    if (message !== problem?.message) log.error({ rulesDir: folder, problem: message }, 'Operator rules rejected')
    problem = { message, publicMessage: publicMessageOf(error) }
  }

  async function read(): Promise<RuleSet> {
    if (folder === null) return NO_RULES
    try {
      return await readRules(folder)
    } catch (error) {
      report(error)
      return NO_RULES
    }
  }

  /** Null when the rules are not at fault. */
  async function rejectionOf(error: unknown, rules: Rules): Promise<RulesRejected | null> {
    const named = error instanceof RulesRejected ? error.files.filter(({ name }) => has(rules, name)) : []
    if (named.length > 0) return new RulesRejected(messageOf(error), named)
    if (rules.length === 0) return null
    const found = await bisect(rules, tryOut, { ...BISECT_LIMITS, signal })
    return found === null ? null : rejectionFrom(found)
  }

  /** Notifications do not arrive from network file systems and some container mounts, so the folder is polled. */
  async function poll(from: string, apply: Apply): Promise<void> {
    let seen: string | null = null
    try {
      seen = await fingerprint(from)
      if (seen === rejected) return
      if (seen !== applied) {
        const set = await readRules(from)
        seen = set.fingerprint
        await exchange(set, apply)
        applied = seen
      }
      rejected = null
      problem = null
    } catch (error) {
      // Rejected rules stay rejected until they change; a worker that failed to start may succeed next time.
      rejected = error instanceof RulesRejected ? seen : null
      if (!signal.aborted) report(error)
    }
  }

  async function exchange(set: RuleSet, apply: Apply): Promise<void> {
    if (set.rejected.length > 0) throw unreadable(set.rejected)
    try {
      await apply(set.files)
    } catch (error) {
      throw (await rejectionOf(error, set.files)) ?? error
    }
    inUse = set.files
  }

  /** Without a last good set at start: leaves rejected files out and uses the others. */
  async function load<Used>(use: (rules: Rules) => Promise<Used>): Promise<Used> {
    const set = await read()
    const rejections = set.rejected.length === 0 ? [] : [unreadable(set.rejected)]
    for (let rules: Rules = set.files; ; ) {
      try {
        const used = await use(rules)
        inUse = rules
        if (rejections.length > 0) report(joined(rejections))
        remember(set.fingerprint)
        return used
      } catch (error) {
        const rejection = await rejectionOf(error, rules)
        if (rejection === null) throw error
        rejections.push(rejection)
        rules = rules.filter(({ name }) => !has(rejection.files, name))
      }
    }
  }

  function remember(loaded: string): void {
    // A folder without rules may be one that could not be read.
    const isComplete = problem === null || loaded === NO_RULES.fingerprint
    applied = isComplete ? loaded : null
    rejected = isComplete ? null : loaded
  }

  return {
    load,
    /** Applies the rules when the folder has changed. If one file is rejected, the last good set stays. */
    watch(everyMs: number, apply: Apply) {
      let running = Promise.resolve()
      let timer: NodeJS.Timeout | undefined
      function schedule(from: string): void {
        timer = setTimeout(() => {
          running = poll(from, apply).then(() => {
            if (!signal.aborted) schedule(from)
          })
        }, everyMs).unref()
      }
      if (folder !== null) schedule(folder)
      return {
        close(): Promise<void> {
          clearTimeout(timer)
          return running
        },
      }
    },
    inUse: () => inUse,
    /** Which files are not in use and why, without internals; null when all are in use. */
    problem: () => problem?.publicMessage ?? null,
  }
}

function has(files: readonly { name: string }[], wanted: string): boolean {
  return files.some(({ name }) => name === wanted)
}

function unreadable(files: readonly RejectedFile[]): RulesRejected {
  return new RulesRejected(files.map(({ name, reason }) => `${name} ${reason}`).join('\n'), files)
}

function joined(rejections: readonly RulesRejected[]): RulesRejected {
  return new RulesRejected(
    rejections.map(({ message }) => message).join('\n'),
    rejections.flatMap(({ files }) => files),
  )
}

function rejectionFrom({ atFault, untried }: Bisection<RuleFile>): RulesRejected | null {
  const files = [
    ...atFault.map(({ rule, error }) => ({ name: rule.name, reason: reasonOf(error), message: messageOf(error) })),
    ...untried.map(({ name }) => ({ name, reason: 'was not tried: too many files fail', message: 'not tried' })),
  ]
  if (files.length === 0) return null
  return new RulesRejected(files.map(({ name, message }) => `${name}: ${message}`).join('\n'), files)
}

function reasonOf(error: unknown): string {
  return error instanceof SelfTestFailed ? `fails the self-test with ${error.canary}` : 'prevents workers from starting'
}
