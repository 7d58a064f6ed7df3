/** The operator's rules: what of them can be used, and which files cannot and why. */
import type { Log } from '#base/log.ts'
import { type BadFile, messageOf, ProofFailed, RulesRefused, shownOf } from './complaint.ts'
import { findCulprits, SEARCH_LIMITS } from './culprits.ts'
import { NO_RULES, type RuleFile, type RuleSet, readRules } from './rules.ts'
import { watchRules } from './watch.ts'

type Rules = readonly RuleFile[]

export interface OperatorRulesOptions {
  /** Null: there are none. */
  folder: string | null
  /** Starts a child with these rules, proves it and ends it. Rejects when that cannot be done. */
  tryOut(rules: Rules): Promise<void>
  /** Everything closes. */
  signal: AbortSignal
  log: Log
}

export interface OperatorRules {
  /** At start there is no last good set: files that are at fault stay out, the others count. */
  begin<Used>(use: (rules: Rules) => Promise<Used>): Promise<Used>
  /** Has the rules exchanged when the folder has changed. If one file is at fault, the last good set stays. */
  watch(everyMs: number, exchange: (rules: Rules) => Promise<void>): { close(): Promise<void> }
  inUse(): Rules
  /** Which files are not in use and why, for everybody to read; null when all are. */
  problem(): string | null
}

export function createOperatorRules({ folder, tryOut, signal, log }: OperatorRulesOptions): OperatorRules {
  let inUse: Rules = []
  /** The fingerprint of what was found at the start. */
  let found = NO_RULES.fingerprint
  let problem: { message: string; shown: string } | null = null

  function complain(error: unknown): void {
    const message = messageOf(error)
    if (message !== problem?.message)
      log.error({ rulesDir: folder, problem: message }, 'the rules of the operator cannot be used')
    problem = { message, shown: shownOf(error) }
  }

  async function read(): Promise<RuleSet> {
    if (folder === null) return NO_RULES
    try {
      return await readRules(folder)
    } catch (error) {
      complain(error)
      return NO_RULES
    }
  }

  /** Null when it is not the rules' fault. */
  async function refusalOf(error: unknown, rules: Rules): Promise<RulesRefused | null> {
    const named = error instanceof RulesRefused ? error.files.filter(({ name }) => has(rules, name)) : []
    if (named.length > 0) return new RulesRefused(messageOf(error), named)
    if (rules.length === 0) return null
    const culprits = await findCulprits(rules, tryOut, { ...SEARCH_LIMITS, signal })
    if (culprits === null) return null
    const { atFault, untried } = culprits
    const files = [
      ...atFault.map(({ rule, error }) => ({ name: rule.name, reason: reasonOf(error) })),
      ...untried.map(({ name }) => ({ name, reason: 'was not tried: too many files are at fault' })),
    ]
    if (files.length === 0) return null
    const words = atFault.map(({ rule, error }) => `${rule.name}: ${messageOf(error)}`)
    return new RulesRefused([...words, ...untried.map(({ name }) => `${name}: not tried`)].join('\n'), files)
  }

  return {
    async begin(use) {
      const set = await read()
      found = set.fingerprint
      const refusals = set.bad.length === 0 ? [] : [unreadable(set.bad)]
      for (let rules: Rules = set.files; ; ) {
        try {
          const used = await use(rules)
          inUse = rules
          const words = refusals.map(({ message }) => message).join('\n')
          if (refusals.length > 0)
            complain(
              new RulesRefused(
                words,
                refusals.flatMap(({ files }) => files),
              ),
            )
          return used
        } catch (error) {
          const refusal = await refusalOf(error, rules)
          if (refusal === null) throw error
          refusals.push(refusal)
          rules = rules.filter(({ name }) => !has(refusal.files, name))
        }
      }
    },
    watch(everyMs, exchange) {
      // Nothing that was found is what is in use if a part of it was left out.
      const [whole, refused] = problem === null || found === '' ? [found, null] : [null, found]
      return watchRules({
        folder,
        everyMs,
        inUse: whole,
        refused,
        async apply({ files, bad }) {
          if (bad.length > 0) throw unreadable(bad)
          try {
            await exchange(files)
          } catch (error) {
            throw (await refusalOf(error, files)) ?? error
          }
          inUse = files
        },
        content() {
          problem = null
        },
        complain,
      })
    },
    inUse: () => inUse,
    problem: () => problem?.shown ?? null,
  }
}

function has(files: readonly { name: string }[], wanted: string): boolean {
  return files.some(({ name }) => name === wanted)
}

function unreadable(bad: readonly BadFile[]): RulesRefused {
  return new RulesRefused(bad.map(({ name, reason }) => `${name} ${reason}`).join('\n'), bad)
}

function reasonOf(error: unknown): string {
  return error instanceof ProofFailed ? `fails the proof with ${error.canary}` : 'lets no child start'
}
