/** Records in the audit log that a key was refused although its secret is right: it may be stolen. */
import type { Log } from '#base/log.ts'
import type { KeyOwner } from './store.ts'

/** One entry per key and process, so that nobody can fill the log. */
const EVERY_MS = 3_600_000
const KEYS_MAX = 10_000

export function createRefusals(write: (owner: KeyOwner, reason: string) => Promise<void>, log: Log) {
  const notedAt = new Map<string, number>()
  return {
    /** Not awaited: the response must take as long as that for an unknown key. */
    note(owner: KeyOwner, reason: string): void {
      const nowMs = performance.now()
      if (nowMs - (notedAt.get(owner.secretId) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return
      if (notedAt.size >= KEYS_MAX) notedAt.clear()
      notedAt.set(owner.secretId, nowMs)
      write(owner, reason).catch((error) => {
        notedAt.delete(owner.secretId)
        log.warn({ err: error, keyId: owner.secretId }, 'Failed to record that a key was refused')
      })
    },
  }
}
