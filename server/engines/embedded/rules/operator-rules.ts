/** The operator's rules: loads and reloads them, and knows which files are not in use and why. */
import { setTimeout as sleep } from 'node:timers/promises'
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
type Tried = { fingerprint: string; rejection: RulesRejected | null }

export type OperatorRules = ReturnType<typeof createOperatorRules>

export function createOperatorRules(options: OperatorRulesOptions) {
  const { folder, signal } = options
  const { report, problem } = createReporter(options)
  let inUse: Rules = []
  /** Fingerprint of the folder whose rules are all in use. */
  let applied: string | null = null
  /** The last folder that was tried. Rejected rules stay rejected until it changes. */
  let tried: Tried | null = null

  function conclude(fingerprint: string, rejections: readonly RulesRejected[]): void {
    if (rejections.length === 0) applied = fingerprint
    else {
      tried = { fingerprint, rejection: joined(rejections) }
      report(tried.rejection)
    }
  }

  /** Without a last good set at start: leaves rejected files out and uses the others. */
  async function load<Used>(use: (rules: Rules) => Promise<Used>): Promise<Used> {
    const set = (folder === null ? null : await readRules(folder).catch(report)) ?? NO_RULES
    const rejections = set.rejected.length === 0 ? [] : [unreadable(set.rejected)]
    for (let rules: Rules = set.files; ; ) {
      try {
        const used = await use(rules)
        inUse = rules
        conclude(set.fingerprint, rejections)
        return used
      } catch (error) {
        const rejection = await rejectionOf(error, rules, options)
        if (rejection === null) throw error
        rejections.push(rejection)
        rules = rules.filter(({ name }) => !has(rejection.files, name))
      }
    }
  }

  async function exchange({ files, rejected, fingerprint }: RuleSet, apply: Apply): Promise<Tried> {
    if (rejected.length > 0) return { fingerprint, rejection: unreadable(rejected) }
    try {
      if (fingerprint !== applied) await apply(files)
    } catch (error) {
      const rejection = await rejectionOf(error, files, options)
      if (rejection === null) throw error
      return { fingerprint, rejection }
    }
    inUse = files
    applied = fingerprint
    return { fingerprint, rejection: null }
  }

  return {
    load,
    /**
     * Applies the rules when the folder has changed, until the signal fires. If one file is rejected, the last good set
     * stays. Polls, because notifications do not arrive from network file systems and some container mounts.
     */
    async watch(everyMs: number, apply: Apply): Promise<void> {
      while (folder !== null && !signal.aborted) {
        await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {})
        try {
          const seen = await fingerprint(folder)
          if (seen !== tried?.fingerprint && !signal.aborted) tried = await exchange(await readRules(folder), apply)
          report(tried?.rejection ?? null)
        } catch (error) {
          // The folder cannot be read, or no worker starts: the next poll tries again.
          report(error)
        }
      }
    },
    inUse: () => inUse,
    /** Which files are not in use and why, without internals; null when all are in use. */
    problem,
  }
}

function createReporter({ folder, signal, log }: OperatorRulesOptions) {
  let problem: { message: string; publicMessage: string } | null = null
  return {
    problem: () => problem?.publicMessage ?? null,
    /** Null: all rules are in use. */
    report(error: unknown): void {
      if (signal.aborted) return
      const message = error === null ? null : messageOf(error)
      if (message !== null && message !== problem?.message)
        log.error({ rulesDir: folder, problem: message }, 'Operator rules rejected')
      problem = message === null ? null : { message, publicMessage: publicMessageOf(error) }
    },
  }
}

/** Null when the rules are not at fault. */
async function rejectionOf(error: unknown, rules: Rules, options: OperatorRulesOptions): Promise<RulesRejected | null> {
  const named = error instanceof RulesRejected ? error.files.filter(({ name }) => has(rules, name)) : []
  if (named.length > 0) return new RulesRejected(messageOf(error), named)
  if (rules.length === 0) return null
  const found = await bisect(rules, options.tryOut, { ...BISECT_LIMITS, signal: options.signal })
  return found === null ? null : rejectionFrom(found)
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
