/** Remembers when keys were used and writes it down now and then, so that a request costs no write. */
import type { Log } from '#base/log.ts'

const WRITE_EVERY_MS = 10_000

export interface LastUsed {
  note(keyId: string): void
  /** What is not written down yet. */
  pending(keyId: string): number | undefined
  close(): Promise<void>
}

export function trackLastUsed(write: (uses: ReadonlyMap<string, number>) => Promise<void>, log: Log): LastUsed {
  let uses = new Map<string, number>()
  /** On its way to the database; still ours to tell until it is there. */
  let leaving = new Map<string, number>()

  async function flush(): Promise<void> {
    if (uses.size === 0 || leaving.size > 0) return
    leaving = uses
    uses = new Map()
    try {
      await write(leaving)
    } catch (error) {
      // Kept for the next round; what was noted since then is newer and stays.
      uses = new Map([...leaving, ...uses])
      log.warn({ err: error }, 'Could not write down when keys were last used')
    }
    leaving = new Map()
  }

  const timer = setInterval(flush, WRITE_EVERY_MS)
  timer.unref()
  return {
    note: (keyId) => uses.set(keyId, Date.now()),
    pending: (keyId) => uses.get(keyId) ?? leaving.get(keyId),
    close() {
      clearInterval(timer)
      return flush()
    },
  }
}
