/**
 * Hands out the slots of several clamd: the least busy one first, and in the order of arrival when all are taken. Bytes
 * flow to clamd while they arrive, but an upload that trickles in holds its slot long: only half of them are for those.
 */
import type { Daemon, Upload } from './daemon.ts'

export type Slot =
  | { kind: 'granted'; daemon: Daemon }
  /** None that is proven and untried. */
  | { kind: 'none' }
  /** Too many wait already. */
  | { kind: 'full' }
  | { kind: 'late' }

export interface Slots {
  /** `tried` are not asked again. */
  take(upload: Upload, tried: ReadonlySet<Daemon>, signal: AbortSignal): Promise<Slot>
  release(upload: Upload, daemon: Daemon): void
  /** To be called when a clamd was proven or lost, and when an upload has become whole. */
  changed(): void
  /** From now on there is none, also for those who wait. */
  close(): void
}

interface Waiting {
  upload: Upload
  tried: ReadonlySet<Daemon>
  settle: (slot: Slot) => void
}

export interface SlotLimits {
  perDaemonMax: number
  /** Only those that are whole count: the others could not be scanned to the end anyway. */
  waitingMax: number
}

export function createSlots(daemons: readonly Daemon[], { perDaemonMax, waitingMax }: SlotLimits): Slots {
  const waiting = new Set<Waiting>()
  const partialMax = Math.floor(perDaemonMax / 2)
  let closed = false

  function hasRoom({ holders }: Daemon, { isWhole }: Upload): boolean {
    if (holders.size >= perDaemonMax) return false
    return isWhole || [...holders].filter((each) => !each.isWhole).length < partialMax
  }

  /** Null: there are some, but all are busy. */
  function choose(upload: Upload, tried: ReadonlySet<Daemon>): Slot | null {
    if (closed) return { kind: 'none' }
    const usable = daemons.filter((daemon) => !tried.has(daemon) && daemon.proof.trouble() === null)
    if (usable.length === 0) return { kind: 'none' }
    const [best] = usable
      .filter((daemon) => hasRoom(daemon, upload))
      .sort((a, b) => Number(a.suspect) - Number(b.suspect) || a.holders.size - b.holders.size)
    if (!best) return null
    best.holders.add(upload)
    return { kind: 'granted', daemon: best }
  }

  function changed(): void {
    let whole = 0
    for (const each of waiting) {
      const slot = choose(each.upload, each.tried)
      if (slot) each.settle(slot)
      else if (each.upload.isWhole && ++whole > waitingMax) each.settle({ kind: 'full' })
    }
  }

  return {
    async take(upload, tried, signal) {
      if (signal.aborted) return { kind: 'late' }
      const { promise, resolve } = Promise.withResolvers<Slot>()
      const late = () => entry.settle({ kind: 'late' })
      const entry: Waiting = {
        upload,
        tried,
        settle(settled) {
          waiting.delete(entry)
          signal.removeEventListener('abort', late)
          resolve(settled)
        },
      }
      waiting.add(entry)
      signal.addEventListener('abort', late, { once: true })
      // In line with the others: what they wait for may be what this one has tried, and the other way round.
      changed()
      return promise
    },
    release(upload, daemon) {
      daemon.holders.delete(upload)
      changed()
    },
    changed,
    close() {
      closed = true
      changed()
    },
  }
}
