/** Collects when keys were last used and writes it in batches, so that a request costs no write. */
import type { Log } from '#base/log.ts'

const WRITE_EVERY_MS = 10_000

export type LastUsed = ReturnType<typeof trackLastUsed>

export function trackLastUsed(write: (uses: ReadonlyMap<string, number>) => Promise<void>, log: Log) {
  let uses = new Map<string, number>()
  /** Being written, and reported as pending until then. */
  let writing = new Map<string, number>()

  async function flush(): Promise<void> {
    if (uses.size === 0 || writing.size > 0) return
    writing = uses
    uses = new Map()
    try {
      await write(writing)
    } catch (error) {
      // Retried with the next batch. Uses recorded meanwhile are newer.
      uses = new Map([...writing, ...uses])
      log.warn({ err: error }, 'Failed to store when keys were last used')
    }
    writing = new Map()
  }

  const timer = setInterval(flush, WRITE_EVERY_MS)
  timer.unref()
  return {
    record(keyId: string): void {
      uses.set(keyId, Date.now())
    },
    /** The last use that is not stored yet. */
    pending: (keyId: string): number | undefined => uses.get(keyId) ?? writing.get(keyId),
    close(): Promise<void> {
      clearInterval(timer)
      return flush()
    },
  }
}
