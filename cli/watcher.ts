/** Finds files below folders that have come or changed, and are no longer being written. */
import { type Dirent, type FSWatcher, watch } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Found,
  type Globs,
  type Identity,
  identityOf,
  isExcluded,
  isIncluded,
  type Place,
  placeIn,
} from './files.ts'
import { keyOf } from './watch-state.ts'

/** Node reports no end of a write: a file is complete when it has not changed for so long. */
const SETTLE_MS = 2_000
const TICK_MS = 200
/** Events can be lost: when too many come at once, on network file systems, past the system's limit of watches. */
const WALK_EVERY_MS = 60_000

interface Pending {
  place: Place
  root: string
  /** When it was last seen to change, by `performance.now()`. */
  sinceMs: number
  identity: Identity | null
}

interface WatcherOptions extends Globs {
  folders: readonly string[]
  /** Files and folders that are none of ours, absolute. */
  passOver: readonly string[]
  isKnown(place: string, identity: Identity): boolean
  isBusy(place: string): boolean
  /** A folder cannot be read or watched. */
  onProblem(folder: string, error: unknown): void
  signal: AbortSignal
}

/** A name that tells places apart, also where they are not UTF-8. */
export const nameOf = (location: string | Buffer): string =>
  typeof location === 'string' ? path.resolve(location) : `${location.toString('latin1')}\0`

export function createWatcher(options: WatcherOptions) {
  const pending = new Map<string, Pending>()
  const folders = new Map<string, { watcher: FSWatcher | null; ino: bigint; isSeen: boolean }>()

  const note = (root: string, place: Place): void => {
    const below = path.relative(root, place.full)
    const name = path.basename(place.full)
    if (isPassedOver(place) || isExcluded(options, name, below)) return
    const key = nameOf(place.location)
    const known = pending.get(key)
    if (known === undefined) pending.set(key, { place, root, sinceMs: performance.now(), identity: null })
    else known.sinceMs = performance.now()
  }
  const isPassedOver = ({ full }: Place): boolean => options.passOver.includes(path.resolve(full))

  /** Watches before it reads, so that nothing comes in between. */
  async function enter(root: string, place: Place): Promise<void> {
    if (isPassedOver(place)) return
    try {
      await watchFolder(root, place)
      const entries: Dirent<Buffer>[] = await readdir(place.location, { withFileTypes: true, encoding: 'buffer' })
      for (const entry of entries) await look(root, placeIn(place, entry.name), entry)
    } catch (error) {
      // It may have gone meanwhile.
      if (!isGone(error) || place.full === root) options.onProblem(place.full, error)
    }
  }

  async function look(root: string, place: Place, entry: Dirent<Buffer>): Promise<void> {
    if (entry.isFile()) note(root, place)
    else if (entry.isDirectory() && !isExcluded(options, path.basename(place.full), path.relative(root, place.full)))
      await enter(root, place)
  }

  async function watchFolder(root: string, place: Place): Promise<void> {
    const key = nameOf(place.location)
    const { ino } = await lstat(place.location, { bigint: true })
    const known = folders.get(key)
    if (known?.ino === ino) {
      known.isSeen = true
      return
    }
    known?.watcher?.close()
    folders.set(key, { watcher: openWatcher(root, place), ino, isSeen: true })
  }

  function openWatcher(root: string, place: Place): FSWatcher | null {
    try {
      const watcher = watch(place.location, { encoding: 'buffer' }, (_, name) => {
        if (name !== null) note(root, placeIn(place, name))
      })
      watcher.on('error', () => watcher.close())
      return watcher
    } catch (error) {
      // Past a limit of the system; the walks still find its files.
      options.onProblem(place.full, error)
      return null
    }
  }

  async function walk(): Promise<void> {
    for (const each of folders.values()) each.isSeen = false
    for (const root of options.folders) await enter(root, { full: root, location: root })
    for (const [key, each] of folders) {
      if (each.isSeen) continue
      each.watcher?.close()
      folders.delete(key)
    }
  }

  /** The files that are complete now. */
  async function settled(): Promise<Found[]> {
    const due: Found[] = []
    const now = performance.now()
    for (const [key, each] of pending) {
      if (each.identity !== null && (now - each.sinceMs < SETTLE_MS || options.isBusy(key))) continue
      if (await isSettled(key, each)) due.push(foundAt(each.place))
    }
    return due
  }

  async function isSettled(key: string, each: Pending): Promise<boolean> {
    const { place, root } = each
    const info = await lstat(place.location, { bigint: true }).catch(() => null)
    if (info?.isFile() !== true) {
      pending.delete(key)
      if (info?.isDirectory()) await enter(root, place)
      return false
    }
    const identity = identityOf(info)
    const isOurs = isIncluded(options, path.basename(place.full), path.relative(root, place.full))
    if (!isOurs || options.isKnown(key, identity)) {
      pending.delete(key)
      return false
    }
    const isUnchanged = each.identity !== null && keyOf(each.identity) === keyOf(identity)
    each.identity = identity
    if (isUnchanged) return pending.delete(key)
    each.sinceMs = performance.now()
    return false
  }

  return {
    /** To be scanned again. */
    note: (file: string, location: string | Buffer) =>
      note(options.folders.find((root) => !path.relative(root, file).startsWith('..')) ?? '', { full: file, location }),
    /** Without an end, until the signal fires. `onReady`: all folders are watched. */
    async *files(onReady: () => void): AsyncGenerator<Found> {
      let walkedMs = Number.NEGATIVE_INFINITY
      let isReady = false
      try {
        while (!options.signal.aborted) {
          if (performance.now() - walkedMs >= WALK_EVERY_MS) {
            await walk()
            walkedMs = performance.now()
            if (!isReady) onReady()
            isReady = true
          }
          yield* await settled()
          await sleep(TICK_MS, undefined, { signal: options.signal }).catch(() => {})
        }
      } finally {
        for (const { watcher } of folders.values()) watcher?.close()
      }
    },
  }
}

const foundAt = ({ full, location }: Place): Found =>
  typeof location === 'string' ? { path: full } : { path: full, location }

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code))
