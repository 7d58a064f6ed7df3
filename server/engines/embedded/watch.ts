/** Looks every few seconds whether the operator's rules have changed, and has them applied. */

import { RulesRefused } from './child-process.ts'
import { fingerprint, type RuleSet, readRules } from './rules.ts'

export interface WatchOptions {
  /** Null: there is nothing to watch. */
  folder: string | null
  everyMs: number
  /** The fingerprint of what is known already. */
  seen: string
  /** Rejects when the rules are no good. */
  apply(rules: RuleSet): Promise<void>
  complain(error: unknown): void
}

// Times are compared by polling: notifications do not reach us from network file systems and some container mounts.
export function watchRules({ folder, everyMs, apply, complain, ...options }: WatchOptions): { close(): Promise<void> } {
  let seen = options.seen
  let running = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function look(from: string): Promise<void> {
    try {
      if ((await fingerprint(from)) === seen) return
      const rules = await readRules(from)
      try {
        await apply(rules)
        seen = rules.fingerprint
      } catch (error) {
        // Bad rules stay bad until they change; a child that could not be started may have had bad luck.
        if (error instanceof RulesRefused) seen = rules.fingerprint
        throw error
      }
    } catch (error) {
      if (!closed) complain(error)
    }
  }

  function schedule(from: string): void {
    timer = setTimeout(() => {
      running = look(from).then(() => {
        if (!closed) schedule(from)
      })
    }, everyMs)
    timer.unref()
  }

  if (folder !== null) schedule(folder)
  return {
    close() {
      closed = true
      clearTimeout(timer)
      return running
    },
  }
}
