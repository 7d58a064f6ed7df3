/** Events of object stores become scans: of objects of our sources, each upload once. */
import type { Log } from '#base/log.ts'
import type { Principal } from '#base/principal.ts'
import type { Trx } from '#storage/database.ts'
import { type CreatedObject, type Ignored, type IgnoredReason, identityOf, type Notice } from './events.ts'
import type { ObjectRequest } from './fetch.ts'
import { hasPrefix, isOwnCopy, type ObjectSource } from './sources.ts'
import type { NewObjectScan, ObjectStore } from './store.ts'

export interface QueuedObject {
  principal: { keyId: string; accountId: string; address: string }
  request: ObjectRequest
  fileName: string
  reference: string
  requestId: string
}

export interface KeyOwner {
  keyId: string
  accountId: string
}

export interface IntakeOptions {
  sources: readonly ObjectSource[]
  store: Pick<ObjectStore, 'seen' | 'release' | 'insert'>
  /** Null if the key was revoked. */
  findKey: (keyId: string) => Promise<KeyOwner | null>
  /** Returns the ids of the scans. */
  queue: (trx: Trx, scans: readonly QueuedObject[]) => Promise<string[]>
  wake: () => void
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  fileNameOf: (key: string) => string
  log: Log
}

interface Taken {
  scanIds: string[]
  ignored: Ignored[]
}

const REFERENCE_MAX = 256
/** Another process may store the same events at the same time. */
const ATTEMPTS_MAX = 3

/** For reports and callbacks: control characters are replaced, and the end counts. */
const referenceOf = (source: string, key: string): string =>
  `${source}/${key}`
    .replace(/\p{Cc}/gu, '\uFFFD')
    .slice(-REFERENCE_MAX)
    .toWellFormed()

/** Each source has its own share, whichever client sends its events. */
const addressOf = ({ name }: ObjectSource): string => `source ${name}`

export const queuedObject = (
  source: ObjectSource,
  { accountId }: KeyOwner,
  object: ObjectRequest['object'],
  more: Pick<QueuedObject, 'fileName' | 'requestId'>,
): QueuedObject => {
  const { bucket, key, size, etag, version } = object
  const reference = referenceOf(source.name, key)
  return {
    principal: { keyId: source.keyId, accountId, address: addressOf(source) },
    request: { source: source.name, object: { bucket, key, size, etag, version }, reference },
    reference,
    ...more,
  }
}

/** Azure names a hierarchical account by this host. */
const HIERARCHICAL_HOST = /\.dfs\./

/** Containers of several storage accounts can have the same name. */
function isOfSource({ kind, bucket, endpoint }: ObjectSource, object: CreatedObject): boolean {
  if (object.kind !== kind || object.bucket !== bucket) return false
  if (kind !== 'azure') return true
  return (object.url ?? '')
    .replace(HIERARCHICAL_HOST, '.blob.')
    .toLowerCase()
    .startsWith(`${endpoint}/${bucket}/`.toLowerCase())
}

export function createIntake(options: IntakeOptions) {
  const { sources, store, log } = options

  function candidatesOf(object: CreatedObject): ObjectSource[] | IgnoredReason {
    const isOwn = (store: ObjectSource) => isOwnCopy(sources, store, object)
    const ofBucket = sources.filter((source) => isOfSource(source, object))
    // Another store can have a bucket of the same name, with documents of its own.
    const foreign = ofBucket.filter((source) => !isOwn(source))
    const found = foreign.filter((source) => hasPrefix(source, object.key))
    if (found.length > 0) return found
    if (foreign.length > 0) return 'outside the prefixes of the source'
    const isCopy = sources.some((source) => source.kind === object.kind && isOwn(source))
    return isCopy ? 'quarantine or cleared documents' : 'no source for this bucket'
  }

  /** Keys of other accounts cannot cause scans that the owner of the source pays for. */
  async function ownerOf(source: ObjectSource, accountId: string): Promise<KeyOwner | IgnoredReason> {
    const owner = await options.findKey(source.keyId)
    if (owner === null) {
      log.warn({ source: source.name, keyId: source.keyId }, 'Key of an object source is not active')
      return 'the key of the source is not active'
    }
    return owner.accountId === accountId ? owner : 'no source for this bucket'
  }

  /** Several stores can have a bucket of this name: that with the key of the sender comes first, then those of its account. */
  function createSelection(principal: Principal) {
    const owners = new Map<ObjectSource, Promise<KeyOwner | IgnoredReason>>()
    const isOfSender = ({ keyId }: ObjectSource) => principal.kind === 'key' && principal.keyId === keyId
    return async (object: CreatedObject): Promise<{ source: ObjectSource; owner: KeyOwner } | IgnoredReason> => {
      const candidates = candidatesOf(object)
      if (typeof candidates === 'string') return candidates
      let reason: IgnoredReason = 'no source for this bucket'
      for (const source of candidates.toSorted((a, b) => Number(isOfSender(b)) - Number(isOfSender(a)))) {
        const asked = owners.get(source) ?? ownerOf(source, principal.accountId)
        owners.set(source, asked)
        const owner = await asked
        if (typeof owner !== 'string') return { source, owner }
        if (owner !== 'no source for this bucket') reason = owner
      }
      return reason
    }
  }

  async function selected(notices: readonly Notice[], principal: Principal, requestId: string) {
    const found: { scan: QueuedObject; identity: string | null; object: CreatedObject }[] = []
    const ignored: Ignored[] = []
    const select = createSelection(principal)
    for (const notice of notices) {
      if ('ignored' in notice) {
        ignored.push(notice.ignored)
        continue
      }
      const object = notice.created
      const selection = await select(object)
      if (typeof selection === 'string') {
        ignored.push({ reason: selection, bucket: object.bucket, key: object.key })
        continue
      }
      const { source, owner } = selection
      const scan = queuedObject(source, owner, object, { fileName: options.fileNameOf(object.key), requestId })
      found.push({ scan, identity: identityOf(source.name, object), object })
    }
    return { found, ignored }
  }

  type Found = Awaited<ReturnType<typeof selected>>['found']

  /** Null if another process has stored one of the events meanwhile. */
  async function takeOnce(trx: Trx, found: Found): Promise<Taken | null> {
    const seen = await store.seen(
      trx,
      found.flatMap(({ identity }) => identity ?? []),
    )
    for (const identity of await store.release(trx, [...seen])) seen.delete(identity)
    const fresh: Found = []
    const ignored: Ignored[] = []
    for (const each of found) {
      const { bucket, key } = each.object
      if (each.identity !== null && seen.has(each.identity)) ignored.push({ reason: 'repeated event', bucket, key })
      else fresh.push(each)
      if (each.identity !== null) seen.add(each.identity)
    }
    const scanIds = await options.queue(
      trx,
      fresh.map(({ scan }) => scan),
    )
    const rows = fresh.map(
      ({ scan, identity }, index): NewObjectScan => ({
        ...{ scanId: scanIds[index] ?? '', source: scan.request.source, identity, listingId: null },
        ...{ key: scan.request.object.key, etag: scan.request.object.etag },
      }),
    )
    return (await store.insert(trx, rows)) ? { scanIds, ignored } : null
  }

  async function take(found: Found): Promise<Taken> {
    class Raced extends Error {}
    for (let attempt = 1; ; attempt++) {
      try {
        return await options.transaction(async (trx) => {
          const taken = await takeOnce(trx, found)
          if (taken === null) throw new Raced('The same events are stored by another process')
          return taken
        })
      } catch (error) {
        if (!(error instanceof Raced) || attempt === ATTEMPTS_MAX) throw error
      }
    }
  }

  return async (notices: readonly Notice[], principal: Principal, requestId: string): Promise<Taken> => {
    const { found, ignored } = await selected(notices, principal, requestId)
    const taken = found.length === 0 ? { scanIds: [], ignored: [] } : await take(found)
    if (taken.scanIds.length > 0) options.wake()
    const all = [...ignored, ...taken.ignored]
    for (const reason of new Set(all.map((each) => each.reason)))
      log.info(
        { requestId, reason, count: all.filter((each) => each.reason === reason).length },
        'Ignored events of objects',
      )
    return { scanIds: taken.scanIds, ignored: all }
  }
}
