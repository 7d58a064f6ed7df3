/** What becomes of an object after its scan: tagged, moved or deleted, unless it is another one by then. */
import { type ObjectHead, type StoreClient, StoreFault } from './client.ts'
import type { ObjectVersion } from './events.ts'
import type { ObjectSource, Place } from './sources.ts'
import { type Fault, type ObjectStatus, tagValue } from './words.ts'

/** Of one object, in every store. */
const TAGS_MAX = 10

const IN_PROGRESS = 'in_progress'

/** The object cannot be marked, and waiting does not help. */
export class Unmarkable extends Error {}

interface Tagging {
  source: ObjectSource
  client: StoreClient
  object: ObjectVersion
}

interface Retraction {
  /** What an earlier attempt may have written, perhaps on a newer object. Null for the first one. */
  earlier: ObjectStatus | null
  /** Before a word is taken from a newer object: it may be the newer one's own. */
  rescan: () => Promise<void>
}

const NEVER: Retraction = { earlier: null, rescan: async () => {} }

interface Marking extends Tagging, Retraction {
  status: ObjectStatus
  fault: Fault | null
}

/** `unchanged`: it is another object now, or gone, or stays infected. */
export type Marked = 'tagged' | 'moved' | 'deleted' | 'unchanged'

const isSame = ({ etag }: ObjectHead, object: ObjectVersion): boolean => object.etag === null || etag === object.etag

/**
 * Null if it was replaced. In a bucket with versions, an object that was named without one gets it: otherwise a deleted one
 * could still be read, and the tags of a newer one be written.
 */
async function current(client: StoreClient, object: ObjectVersion, signal: AbortSignal): Promise<ObjectVersion | null> {
  const head = await client.head(object, signal)
  return isSame(head, object) ? { ...object, version: object.version ?? head.version } : null
}

/** False if another scan of the same bytes has called them infected: bytes that are stored anew have no tag. */
async function writeTag(
  { client }: Tagging,
  [key, value]: readonly [string, string],
  found: ObjectVersion,
  signal: AbortSignal,
): Promise<boolean> {
  const tags = await client.readTags(found, signal)
  const infected = tagValue(key, 'infected', null)
  if (tags.get(key) === infected && value !== infected) return false
  if (!tags.has(key) && tags.size >= TAGS_MAX) throw new Unmarkable(`the object has ${TAGS_MAX} tags of others`)
  if (tags.get(key) !== value) await client.writeTags(found, tags.set(key, value), signal)
  return true
}

/** The object, or null if it was replaced or stays infected. Tags belong to the name: without a version, those of a newer one could be written. */
async function tag(
  tagging: Tagging,
  value: string,
  signal: AbortSignal,
  { earlier, rescan }: Retraction = NEVER,
): Promise<ObjectVersion | null> {
  const { client, object } = tagging
  const { tagKey } = tagging.source
  const found = tagKey === null && object.version !== null ? object : await current(client, object, signal)
  if (tagKey === null || (found === null && earlier === null)) return found
  if (found !== null) {
    if (!(await writeTag(tagging, [tagKey, value], found, signal))) return null
    if ((await current(client, found, signal)) !== null) return found
  }
  // Replaced in between: the newer one must not have the word of the older.
  const newer = await client.readTags(object, signal)
  const words = [value, earlier && tagValue(tagKey, earlier, null)]
  if (!words.includes(newer.get(tagKey) ?? '')) return null
  await rescan()
  newer.delete(tagKey)
  await client.writeTags(object, newer, signal)
  return null
}

async function move(client: StoreClient, object: ObjectVersion, { bucket, prefix }: Place, signal: AbortSignal) {
  await client.copy(object, { bucket, key: `${prefix}${object.key}` }, signal)
  await client.remove(object, signal)
}

/** Waiting does not help. */
const isUntaggable = (error: unknown): boolean =>
  error instanceof Unmarkable ||
  (error instanceof StoreFault && (error.kind === 'denied' || error.kind === 'permanent'))

/** Before an infected object goes: it goes without a tag too, because its uploader decides how many it has. */
async function tagIfPossible(marking: Marking, value: string, signal: AbortSignal): Promise<ObjectVersion | null> {
  try {
    return await tag(marking, value, signal, marking)
  } catch (error) {
    if (!isUntaggable(error)) throw error
    return await current(marking.client, marking.object, signal)
  }
}

async function act(marking: Marking, signal: AbortSignal): Promise<Marked> {
  const { source, client, status, fault } = marking
  const place = status === 'infected' ? source.quarantine : source.cleared
  const action = { infected: source.onInfected, clean: source.onClean }[status as string] ?? 'tag'
  if (action === 'tag' && source.tagKey === null) return 'tagged'
  const value = tagValue(source.tagKey ?? '', status, fault)
  const isGoing = status === 'infected' && action !== 'tag'
  const object = await (isGoing ? tagIfPossible(marking, value, signal) : tag(marking, value, signal, marking))
  if (object === null) return 'unchanged'
  if (action === 'move' && place !== null) {
    await move(client, object, place, signal)
    return 'moved'
  }
  if (action !== 'delete') return 'tagged'
  await client.remove(object, signal)
  return 'deleted'
}

/** Before an object is read, if its source asks for it. An object that cannot be tagged is scanned all the same. */
export async function tagInProgress(tagging: Tagging, signal: AbortSignal): Promise<void> {
  if (!tagging.source.inProgress) return
  await tag(tagging, IN_PROGRESS, signal).catch((error: unknown) => {
    if (!(error instanceof StoreFault || error instanceof Unmarkable)) throw error
  })
}

/** Throws `StoreFault` of a temporary kind, or `Unmarkable`. */
export async function mark(marking: Marking, signal: AbortSignal): Promise<Marked> {
  const { fault } = marking
  if (fault === 'changed' || fault === 'gone') return 'unchanged'
  try {
    return await act(marking, signal)
  } catch (error) {
    if (!(error instanceof StoreFault) || error.kind === 'temporary') throw error
    if (error.kind === 'gone' || error.kind === 'changed') return 'unchanged'
    throw new Unmarkable(error.why)
  }
}
