/** Collects when keys were last used and writes it in batches, so that a request costs no write. */
import type { Log } from '#base/log.ts'

const WRITE_EVERY_MS = 10_000

export interface KeyUse {
  at: number
  /** Only for keys with limits. */
  address: string | null
}

export type LastUsed = ReturnType<typeof trackLastUsed>

export function trackLastUsed(write: (uses: ReadonlyMap<string, KeyUse>) => Promise<void>, log: Log) {
  let uses = new Map<string, KeyUse>()
  /** Being written, and reported as pending until then. */
  let writing = new Map<string, KeyUse>()

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
    record(keyId: string, address: string | null = null): void {
      uses.set(keyId, { at: Date.now(), address })
    },
    /** The last use that is not stored yet. */
    pending: (keyId: string): KeyUse | undefined => uses.get(keyId) ?? writing.get(keyId),
    close(): Promise<void> {
      clearInterval(timer)
      return flush()
    },
  }
}
