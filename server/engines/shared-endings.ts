/** Tells other processes and replicas which documents ended workers here, and refuses those that did so elsewhere. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import type { EndingsStore } from '#storage/worker-endings.ts'
import type { Engine } from './engine.ts'

interface SharingOptions {
  engines: readonly Engine[]
  store: EndingsStore
  log: Log
  /** For tests. */
  everyMs?: number
}

/** A document with so many endings is refused everywhere. */
const ENDINGS_TO_REFUSE = 2
/** Between two looks at what others have noted. */
const EVERY_MS = 2_000
/** Read again each time: a transaction may become visible later than others that began after it. */
const OVERLAP_MS = 10_000

export function shareEndings({ engines, store, log, everyMs = EVERY_MS }: SharingOptions) {
  const stop = new AbortController()
  const writing = new Set<Promise<void>>()
  let isLost = false

  function lost(error: unknown): void {
    if (!isLost) log.warn({ err: error }, 'Documents that ended workers are not shared with other processes')
    isLost = true
  }

  /** Engines remember what ended their own workers, so that a failure only concerns others. */
  function note(sha256: string): void {
    const written = store.note(sha256).catch(lost)
    writing.add(written)
    written.finally(() => writing.delete(written))
  }

  const bans = engines.map((engine) => engine.shareEndings?.({ note })).filter((ban) => ban !== undefined)

  async function watch(): Promise<void> {
    for (let since = 0; !stop.signal.aborted; ) {
      try {
        const { documents, now } = await store.list(ENDINGS_TO_REFUSE, since)
        for (const { sha256, leftMs } of documents) for (const ban of bans) ban(sha256, leftMs)
        since = now - OVERLAP_MS
        isLost = false
      } catch (error) {
        lost(error)
      }
      await sleep(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => {})
    }
  }

  const watching = bans.length === 0 ? Promise.resolve() : watch()
  return {
    async close(): Promise<void> {
      stop.abort()
      await Promise.all([watching, ...writing])
    },
  }
}
