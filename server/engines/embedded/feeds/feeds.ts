/** The lists of the operator: loads them, replaces those that change, and knows which are not in use or stale. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import type { IndicatorKind } from '#inspect/inspect.ts'
import { type Feed, type FeedEntry, INDICATORS_MAX, LIST_BYTES_MAX, listFeeds, readFeed } from './feed-files.ts'

interface FeedsOptions {
  /** Null: the operator has no lists. */
  folder: string | null
  /** Fires when the engine closes. */
  signal: AbortSignal
  log: Log
}

interface Loaded {
  entry: FeedEntry
  /** The last one that could be used. */
  feed: Feed | null
  bytes: number
  problem: string | null
}

export type Feeds = ReturnType<typeof createFeeds>

const HOUR_MS = 3_600_000

/** What workers shall collect. */
export function wantedBy(feeds: readonly Feed[]): IndicatorKind[] {
  const hasHashes = feeds.some(({ kind }) => kind === 'sha256')
  const hasAddresses = feeds.some(({ kind }) => kind !== 'sha256')
  return [...(hasAddresses ? ['address' as const] : []), ...(hasHashes ? ['hash' as const] : [])]
}

export function createFeeds({ folder, signal, log }: FeedsOptions) {
  const loaded = new Map<string, Loaded>()
  let folderProblem: string | null = null
  let inUse: readonly Feed[] = []
  let version = ''

  function leftBeside(name: string) {
    const others = [...loaded.values()].filter(({ entry }) => entry.name !== name)
    return {
      bytes: LIST_BYTES_MAX - others.reduce((sum, { bytes }) => sum + bytes, 0),
      indicators: INDICATORS_MAX - others.reduce((sum, { feed }) => sum + (feed?.keys.size ?? 0), 0),
    }
  }

  async function load(directory: string, entry: FeedEntry): Promise<void> {
    const before = loaded.get(entry.file)
    if (before?.entry.identity === entry.identity) return
    const read = await readFeed(directory, entry, leftBeside(entry.name))
    const isUsed = typeof read !== 'string'
    const feed = isUsed ? read : (before?.feed ?? null)
    loaded.set(entry.file, {
      entry,
      feed,
      bytes: isUsed ? entry.bytes : (before?.bytes ?? 0),
      problem: isUsed ? null : read,
    })
    if (isUsed) log.info({ feed: entry.file, indicators: read.keys.size }, 'List loaded')
    else log.error({ feed: entry.file, problem: read, staysInUse: feed !== null }, 'List rejected')
  }

  async function exchange(directory: string): Promise<void> {
    const entries = await listFeeds(directory)
    const files = new Set(entries.map(({ file }) => file))
    for (const file of loaded.keys()) if (!files.has(file)) loaded.delete(file)
    for (const entry of entries) if (!signal.aborted) await load(directory, entry)
  }

  async function update(directory: string): Promise<void> {
    try {
      await exchange(directory)
      folderProblem = null
    } catch (error) {
      if (folderProblem === null)
        log.error({ feedsDir: directory, problem: messageOf(error) }, 'Folder of lists not read')
      folderProblem = 'the folder of lists cannot be read'
    }
    const used = [...loaded.values()].filter(({ feed }) => feed !== null)
    inUse = used.flatMap(({ feed }) => feed ?? [])
    const identities = used.map(({ entry }) => entry.identity).join('\n')
    version = used.length === 0 ? '' : createHash('sha256').update(identities).digest('hex').slice(0, 12)
  }

  function problems(): string[] {
    const rejected = [...loaded.values()].flatMap(({ entry, problem }) =>
      problem === null ? [] : `${entry.file} ${problem}`,
    )
    return folderProblem === null ? rejected : [folderProblem, ...rejected]
  }

  return {
    inUse: () => inUse,
    /** Changes with the lists; empty without any. */
    version: () => version,
    /** Lists that are not in use, or in use as they were before, and why. */
    problem: () => problems().join(', ') || null,
    /** Lists in use that are older than they may be. */
    stale(now = Date.now()): string | null {
      const old = inUse.filter(({ changedMs, maxAgeHours }) => now - changedMs > maxAgeHours * HOUR_MS)
      const said = old.map(({ name, changedMs, maxAgeHours }) => {
        return `${name} is ${Math.floor((now - changedMs) / HOUR_MS)} hours old, allowed are ${maxAgeHours}`
      })
      return said.join(', ') || null
    },
    async load(): Promise<void> {
      if (folder !== null) await update(folder)
    },
    /** Until the signal fires. Polls, because notifications do not arrive from some mounts. */
    async watch(everyMs: number): Promise<void> {
      while (folder !== null && !signal.aborted) {
        await sleep(everyMs, undefined, { signal, ref: false }).catch(() => {})
        if (!signal.aborted) await update(folder)
      }
    },
  }
}
