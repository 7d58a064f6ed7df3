/** Objects that are in a store already: listed page by page, and queued for all processes of the service. */
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#base/ids.ts'
import type { Trx } from '#storage/database.ts'
import { type StoreClient, StoreFault } from './client.ts'
import type { ListedObject, ListedPage } from './dialect.ts'
import { type KeyOwner, type QueuedObject, queuedObject } from './intake.ts'
import { hasPrefix, isOwnCopy, type ObjectSource } from './sources.ts'
import type { Listing, ObjectStore } from './store.ts'

/** Jobs that wait: beyond them the list waits, so that the queue stays small however large the bucket is. */
const WAITING_MAX = 10_000
const LOOK_EVERY_MS = 1_000
/** Attempts at one page. */
const ATTEMPTS_MAX = 8
const RETRY_MS = 2_000

interface Progress {
  listed: number
  queued: number
  done: number
  isListed: boolean
  counts: ReadonlyMap<string, number>
}

export interface BacklogOptions {
  source: ObjectSource
  /** All of them: copies for another one are no documents of this one. */
  sources: readonly ObjectSource[]
  owner: KeyOwner
  /** Asked for each page, because credentials may be replaced meanwhile. */
  clientOf: () => Pick<StoreClient, 'list'>
  store: Pick<ObjectStore, 'newest' | 'openListing' | 'advance' | 'insert' | 'counts'>
  queue: (trx: Trx, scans: readonly QueuedObject[]) => Promise<string[]>
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** Of scans of objects. */
  waitingJobs: () => Promise<number>
  fileNameOf: (key: string) => string
  /** Objects that changed before are left out. */
  since: number
  /** Objects per second, null for no limit. */
  rate: number | null
  onProgress: (progress: Progress) => void
  /** Shorter in tests. */
  lookEveryMs?: number
}

const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, each) => sum + each, 0)

export function createBacklog(options: BacklogOptions) {
  const { source, store, transaction, since, rate, lookEveryMs = LOOK_EVERY_MS } = options
  const signal = new AbortController().signal
  const startedMs = performance.now()
  let queuedNow = 0

  /** The newest list with the same arguments, unless all of it was scanned. */
  async function openListing(prefix: string): Promise<Listing> {
    const newest = await store.newest(source.name, prefix, since)
    const isOpen = newest && (newest.is_listed === 0 || sumOf(await store.counts(newest.id)) < newest.queued)
    if (newest && isOpen) return newest
    const listing = {
      id: newId(),
      source: source.name,
      prefix,
      since,
      cursor: null,
      is_listed: 0,
      listed: 0,
      queued: 0,
    }
    await transaction((trx) => store.openListing(trx, listing))
    return { ...listing, created_at: Date.now() }
  }

  async function pageOf({ prefix, cursor }: Listing): Promise<ListedPage> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await options.clientOf().list({ bucket: source.bucket, prefix }, cursor, signal)
      } catch (error) {
        if (!(error instanceof StoreFault) || error.kind !== 'temporary' || attempt === ATTEMPTS_MAX) throw error
        await sleep(RETRY_MS * attempt)
      }
    }
  }

  function isWanted({ key, changedAt }: ListedObject): boolean {
    const { bucket } = source
    const isOld = since > 0 && changedAt < since
    return (
      !isOld && !key.endsWith('/') && hasPrefix(source, key) && !isOwnCopy(options.sources, source, { bucket, key })
    )
  }

  /** With its jobs, the place in the list is stored: nothing is queued twice or left out. */
  async function queuePage(listing: Listing, { objects, next }: ListedPage): Promise<Listing> {
    const wanted = objects.filter(isWanted)
    const scans = wanted.map(({ key, size, etag }) => {
      const object = { bucket: source.bucket, key, size, etag, version: null }
      return queuedObject(source, options.owner, object, { fileName: options.fileNameOf(key), requestId: listing.id })
    })
    return await transaction(async (trx) => {
      const scanIds = await options.queue(trx, scans)
      const rows = scanIds.map((scanId, index) => ({
        ...{ scanId, source: source.name, identity: null, listingId: listing.id },
        ...{ key: wanted[index]?.key ?? '', etag: wanted[index]?.etag ?? null },
      }))
      await store.insert(trx, rows)
      const advanced = await store.advance(trx, listing, next, { listed: objects.length, queued: scans.length })
      if (advanced === null) throw new Error('Another process lists the same objects')
      queuedNow += scans.length
      return advanced
    })
  }

  async function report({ id, listed, queued, is_listed }: Listing): Promise<Progress> {
    const counts = await store.counts(id)
    const progress = { listed, queued, done: sumOf(counts), isListed: is_listed === 1, counts }
    options.onProgress(progress)
    return progress
  }

  async function untilThereIsRoom(listing: Listing): Promise<void> {
    while ((await options.waitingJobs()) > WAITING_MAX) {
      await report(listing)
      await sleep(lookEveryMs)
    }
    if (rate !== null) await sleep(Math.max(0, (queuedNow / rate) * 1_000 - (performance.now() - startedMs)))
  }

  /** Resolves when all of them were scanned. */
  return async (prefix: string): Promise<Progress> => {
    let listing = await openListing(prefix)
    while (listing.is_listed === 0) {
      await untilThereIsRoom(listing)
      listing = await queuePage(listing, await pageOf(listing))
      await report(listing)
    }
    for (;;) {
      const progress = await report(listing)
      if (progress.done >= progress.queued) return progress
      await sleep(lookEveryMs)
    }
  }
}
