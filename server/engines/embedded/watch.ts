/** Looks every few seconds whether the operator's rules have changed, and has them applied. */

import { RulesRefused } from './complaint.ts'
import { fingerprint, type RuleSet, readRules } from './rules.ts'

export interface WatchOptions {
  /** Null: there is nothing to watch. */
  folder: string | null
  everyMs: number
  /** The fingerprint of the folder whose rules are in use, all of them; null if there is none. */
  inUse: string | null
  /** That of a folder that is known to be bad. */
  refused: string | null
  /** Rejects when the rules cannot be used. */
  apply(rules: RuleSet): Promise<void>
  /** What is in the folder is what is in use. */
  content(): void
  complain(error: unknown): void
}

// Times are compared by polling: notifications do not reach us from network file systems and some container mounts.
export function watchRules(options: WatchOptions): { close(): Promise<void> } {
  const { folder, everyMs } = options
  let { inUse, refused } = options
  let running = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function look(from: string): Promise<void> {
    const seen = await fingerprint(from)
    if (seen === refused) return
    if (seen !== inUse) {
      const rules = await readRules(from)
      // Bad rules stay bad until they change; a child that could not be started may have had bad luck.
      refused = null
      try {
        await options.apply(rules)
        inUse = rules.fingerprint
      } catch (error) {
        if (error instanceof RulesRefused) refused = rules.fingerprint
        throw error
      }
    }
    refused = null
    options.content()
  }

  async function lookAndTell(from: string): Promise<void> {
    try {
      await look(from)
    } catch (error) {
      // A folder that was away is told of anew, whatever is in it.
      if (!(error instanceof RulesRefused)) refused = null
      if (!closed) options.complain(error)
    }
  }

  function schedule(from: string): void {
    timer = setTimeout(() => {
      running = lookAndTell(from).then(() => {
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
