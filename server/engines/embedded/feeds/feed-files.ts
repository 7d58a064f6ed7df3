/** The lists in the folder of the operator: which files there are, and what each of them holds. */
import { constants } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { readText } from '#engines/embedded/rules/rule-files.ts'
import { type FeedSettings, KEY_OF, parseSettings, SIDE_CAR_BYTES_MAX } from './feed.ts'
import { createKeyTable, type KeyTable } from './key-table.ts'
import { readList } from './lines.ts'

export const FEEDS_MAX = 100
/** Of all lists together. */
export const LIST_BYTES_MAX = 512 * 1024 * 1024
export const INDICATORS_MAX = 5_000_000

export interface Feed extends FeedSettings {
  name: string
  keys: KeyTable
  changedMs: number
  /** Not of the operator. */
  isOfChannel?: true
}

export interface FeedEntry {
  /** Of the file with the list. */
  file: string
  /** Without its ending: that of the finding. */
  name: string
  /** Changes with the list or its side-car. */
  identity: string
  bytes: number
  changedMs: number
  /** Why it cannot be used, or null. */
  reason: string | null
}

const LIST = /^(.+)\.(?:txt|csv|json)$/
const SIDE_CAR = '.feed.json'
const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

/** Rejects if the folder cannot be read. */
export async function listFeeds(folder: string): Promise<FeedEntry[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
  const lists = names.filter((name) => LIST.test(name) && !name.endsWith(SIDE_CAR))
  const orphans = names.filter(
    (name) => name.endsWith(SIDE_CAR) && !lists.some((list) => baseOf(list) === baseOf(name)),
  )
  const entries = await Promise.all(lists.slice(0, FEEDS_MAX).map((file) => entryOf(folder, file, lists)))
  const others = [
    ...lists.slice(FEEDS_MAX).map((file) => unusable(file, `exceeds the limit of ${FEEDS_MAX} lists`)),
    ...orphans.map((file) => unusable(file, 'has no list')),
  ]
  return [...entries, ...others]
}

const baseOf = (file: string): string => file.replace(SIDE_CAR, '.json').replace(LIST, '$1')

function unusable(file: string, reason: string): FeedEntry {
  return { file, name: baseOf(file), identity: `${file}:${reason}`, bytes: 0, changedMs: 0, reason }
}

async function entryOf(folder: string, file: string, lists: readonly string[]): Promise<FeedEntry> {
  const name = baseOf(file)
  if (!NAME.test(name)) return unusable(file, 'has a name with other characters than letters, digits, - and _')
  if (lists.some((other) => other !== file && baseOf(other) === name))
    return unusable(file, 'has the name of another list')
  try {
    const found = await stat(path.join(folder, file))
    if (!found.isFile()) return unusable(file, 'is not a file')
    const beside = await stat(path.join(folder, name + SIDE_CAR)).catch(() => null)
    if (beside === null) return unusable(file, `has no side-car ${name}${SIDE_CAR}`)
    const identity = [found, beside]
      .map(({ size, mtimeMs, ctimeMs, ino }) => [size, mtimeMs, ctimeMs, ino].join())
      .join(':')
    return { file, name, identity: `${file}:${identity}`, bytes: found.size, changedMs: found.mtimeMs, reason: null }
  } catch {
    return unusable(file, 'cannot be read')
  }
}

interface Left {
  bytes: number
  indicators: number
}

/** A string is the reason why not. `left`: what the other lists leave of the limits. */
export async function readFeed(folder: string, entry: FeedEntry, left: Left): Promise<Feed | string> {
  const { file, name, changedMs } = entry
  if (entry.reason !== null) return entry.reason
  if (entry.bytes > left.bytes) return `exceeds the limit of ${LIST_BYTES_MAX} bytes for all lists`
  const read = await readText(path.join(folder, name + SIDE_CAR), SIDE_CAR_BYTES_MAX, 'is too large')
  if (typeof read === 'string') return `has a side-car that ${read}`
  const settings = parseSettings(read.text)
  if (typeof settings === 'string') return settings
  const table = createKeyTable()
  const keyOf = KEY_OF[settings.kind]
  let [count, wrong] = [0, 0]
  const take = (indicator: string): boolean => {
    const key = keyOf(indicator)
    if (key === null) wrong += 1
    else table.add(key)
    return ++count <= left.indicators
  }
  try {
    // Non-blocking and checked again, because opening a pipe would wait for its writer.
    await using handle = await open(path.join(folder, file), constants.O_RDONLY | constants.O_NONBLOCK)
    if (!(await handle.stat()).isFile()) return 'is not a file'
    const problem = await readList(handle, file, settings.column, take)
    if (problem !== null) return problem
  } catch {
    return 'cannot be read'
  }
  if (count === 0) return `has no ${settings.kind}`
  // The page of an error that was saved in its place, or another column.
  if (wrong * 2 > count) return `has ${wrong} lines of ${count} that are no ${settings.kind}`
  return { ...settings, name, changedMs, keys: table.build() }
}
