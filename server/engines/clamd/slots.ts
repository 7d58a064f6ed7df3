/** Hands out the slots of several clamd: the least busy one first, and in the order of arrival when all are taken. */
import type { Daemon } from './daemon.ts'

export type Slot =
  | { kind: 'granted'; daemon: Daemon }
  /** None that is proven and untried. */
  | { kind: 'none' }
  /** Too many wait already. */
  | { kind: 'full' }
  | { kind: 'late' }

export interface Slots {
  /** `tried` are not asked again. */
  take(tried: ReadonlySet<Daemon>, signal: AbortSignal): Promise<Slot>
  release(daemon: Daemon): void
  /** To be called when a clamd was proven or lost. */
  changed(): void
  /** From now on there is none, also for those who wait. */
  close(): void
}

interface Waiting {
  tried: ReadonlySet<Daemon>
  settle: (slot: Slot) => void
}

export interface SlotLimits {
  perDaemonMax: number
  waitingMax: number
}

export function createSlots(daemons: readonly Daemon[], { perDaemonMax, waitingMax }: SlotLimits): Slots {
  const waiting = new Set<Waiting>()
  let closed = false

  /** Null: there are some, but all are busy. */
  function choose(tried: ReadonlySet<Daemon>): Slot | null {
    if (closed) return { kind: 'none' }
    const usable = daemons.filter((daemon) => !tried.has(daemon) && daemon.proof.trouble() === null)
    if (usable.length === 0) return { kind: 'none' }
    const [best] = usable
      .filter((daemon) => daemon.busy < perDaemonMax)
      .sort((a, b) => Number(a.suspect) - Number(b.suspect) || a.busy - b.busy)
    if (!best) return null
    best.busy++
    return { kind: 'granted', daemon: best }
  }

  function changed(): void {
    for (const each of waiting) {
      const slot = choose(each.tried)
      if (slot) each.settle(slot)
    }
  }

  return {
    async take(tried, signal) {
      if (signal.aborted) return { kind: 'late' }
      // Also when others wait: what they wait for may be what this one has tried, and the other way round.
      changed()
      const slot = choose(tried)
      if (slot) return slot
      if (waiting.size >= waitingMax) return { kind: 'full' }
      const { promise, resolve } = Promise.withResolvers<Slot>()
      const late = () => entry.settle({ kind: 'late' })
      const entry: Waiting = {
        tried,
        settle(settled) {
          waiting.delete(entry)
          signal.removeEventListener('abort', late)
          resolve(settled)
        },
      }
      waiting.add(entry)
      signal.addEventListener('abort', late, { once: true })
      return promise
    },
    release(daemon) {
      daemon.busy--
      changed()
    },
    changed,
    close() {
      closed = true
      changed()
    },
  }
}
