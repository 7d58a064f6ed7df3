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

interface Marking extends Tagging {
  status: ObjectStatus
  fault: Fault | null
}

/** `unchanged`: it is another object now, or gone. */
export type Marked = 'tagged' | 'moved' | 'deleted' | 'unchanged'

const isSame = ({ etag }: ObjectHead, object: ObjectVersion): boolean => object.etag === null || etag === object.etag

/** Tags belong to the name: without a version, those of a newer object could be written. */
async function tag({ source, client, object }: Tagging, value: string, signal: AbortSignal): Promise<boolean> {
  const { tagKey } = source
  if (tagKey === null) return true
  if (!isSame(await client.head(object, signal), object)) return false
  const tags = await client.readTags(object, signal)
  if (!tags.has(tagKey) && tags.size >= TAGS_MAX) throw new Unmarkable(`the object has ${TAGS_MAX} tags of others`)
  if (tags.get(tagKey) !== value) await client.writeTags(object, tags.set(tagKey, value), signal)
  if (isSame(await client.head(object, signal), object)) return true
  // Replaced in between: the newer one must not have the word of the older, and has a scan of its own.
  const newer = await client.readTags(object, signal)
  if (newer.get(tagKey) === value && newer.delete(tagKey)) await client.writeTags(object, newer, signal)
  return false
}

async function move({ client, object }: Marking, { bucket, prefix }: Place, signal: AbortSignal): Promise<void> {
  await client.copy(object, { bucket, key: `${prefix}${object.key}` }, signal)
  await client.remove(object, signal)
}

/** Waiting does not help. */
const isUntaggable = (error: unknown): boolean =>
  error instanceof Unmarkable ||
  (error instanceof StoreFault && (error.kind === 'denied' || error.kind === 'permanent'))

/** Before an infected object goes: it goes without a tag too, because its uploader decides how many it has. */
async function tagIfPossible(marking: Marking, value: string, signal: AbortSignal): Promise<boolean> {
  try {
    return await tag(marking, value, signal)
  } catch (error) {
    if (!isUntaggable(error)) throw error
    return isSame(await marking.client.head(marking.object, signal), marking.object)
  }
}

async function act(marking: Marking, signal: AbortSignal): Promise<Marked> {
  const { source, client, object, status, fault } = marking
  const place = status === 'infected' ? source.quarantine : source.cleared
  const action = { infected: source.onInfected, clean: source.onClean }[status as string] ?? 'tag'
  const tagged = status === 'infected' && action !== 'tag' ? tagIfPossible : tag
  if (!(await tagged(marking, tagValue(source.tagKey ?? '', status, fault), signal))) return 'unchanged'
  if (action === 'move' && place !== null) {
    await move(marking, place, signal)
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
