/** The document of a scan, read from an object store. */
import type { IncomingHttpHeaders } from 'node:http'
import { announcedLengths, hasEnd } from '#base/announced-length.ts'
import { workFactor } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'
import type { Source, streamSource } from '#scan/source.ts'
import { type StoreClient, StoreFault } from './client.ts'
import type { ObjectVersion } from './events.ts'
import { tagInProgress } from './mark.ts'
import type { ObjectSource } from './sources.ts'
import type { ObjectStore } from './store.ts'

/** Of an object of the size of uploads, from the first connection to the last byte. */
const FETCH_MS = 120_000
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+/
/** How long a document waits for memory as it arrives. */
const MEMORY_WAIT_MS = 60_000

/** What is stored, encrypted, until the object has its tag. */
export interface ObjectRequest {
  source: string
  object: ObjectVersion
  reference: string
}

/** Functions of the scan. */
export interface Scanning {
  streamSource: typeof streamSource
  fetchFailed: (why: string, isTemporary: boolean) => AppError
  aborted: (cause: unknown) => Error
  isAborted: (error: unknown) => boolean
  isOtherLength: (error: unknown) => boolean
  fileNameOf: (key: string) => string
}

interface FetchOptions extends Scanning {
  source: ObjectSource
  client: StoreClient
  store: Pick<ObjectStore, 'etagOf' | 'noteEtag' | 'noteFault'>
  bytesMax: number
}

type Opened = Awaited<ReturnType<StoreClient['open']>>

/** Stored with a coding, the bytes are not what a browser shows. */
const isCoded = ({ 'content-encoding': coding = '' }: IncomingHttpHeaders): boolean =>
  coding
    .toLowerCase()
    .split(',')
    .some((each) => !['', 'identity', 'aws-chunked'].includes(each.trim()))

export function objectSource(
  { object, reference }: ObjectRequest,
  scanId: string,
  options: FetchOptions,
  gone: AbortSignal,
): Source {
  const { client, store, bytesMax, fetchFailed } = options
  const fileName = options.fileNameOf(object.key)

  async function open(deadline: AbortSignal) {
    // An event without one: the first attempt decides which object is meant.
    const etag = object.etag ?? (await store.etagOf(scanId))
    const version = { ...object, etag }
    try {
      await tagInProgress({ source: options.source, client, object: version }, deadline)
      const opened = await client.open(version, deadline)
      if (opened.head.isAppendable) await store.noteFault(scanId, 'appendable')
      if (etag === null && opened.head.etag !== null) await store.noteEtag(scanId, opened.head.etag)
      return opened
    } catch (error) {
      throw gone.aborted ? options.aborted(error) : await noted(error)
    }
  }

  /** What becomes of the object depends on why it could not be read. */
  async function noted(error: unknown): Promise<unknown> {
    if (!(error instanceof StoreFault)) return error
    const { kind, why } = error
    if (kind === 'denied' || kind === 'changed' || kind === 'gone') await store.noteFault(scanId, kind)
    return fetchFailed(why, kind === 'temporary')
  }

  /** What an event or list says may be wrong: where it differs, or the response does not tell, the store is asked. */
  async function lengthsOf({ headers, head }: Opened, deadline: AbortSignal): Promise<number[]> {
    const lengths = announcedLengths(headers)
    const isKnown = headers['content-length'] !== undefined
    if (isKnown && (object.size === null || lengths.includes(object.size))) return lengths
    const { etag, size } = await client.head({ ...object, etag: head.etag }, deadline).catch(async (error: unknown) => {
      throw await noted(error)
    })
    if (head.etag !== null && etag !== head.etag) throw fetchFailed('the object has been replaced', true)
    if (size === null && !hasEnd(headers)) throw fetchFailed('the store does not say how long the object is', false)
    return size === null ? lengths : [...lengths, size]
  }

  async function receive(opened: Opened, deadline: AbortSignal, intake: Parameters<Source['receive']>[0]) {
    const { stream, headers } = opened
    if (isCoded(headers)) throw fetchFailed('the object is stored with a Content-Encoding', false)
    const declaredBytes = Number(headers['content-length'] ?? 0)
    const source = options.streamSource({
      ...{ stream, fileName, bytesMax, waitMs: MEMORY_WAIT_MS, lengths: await lengthsOf(opened, deadline) },
      declaredType: MEDIA_TYPE.exec(headers['content-type'] ?? '')?.[0].toLowerCase() ?? null,
      ...(declaredBytes > 0 && { declaredBytes }),
    })
    return Object.assign(await source.receive(intake), { reference })
  }

  /** What an upload would end with, for a document that no client sends. */
  function endOf(error: unknown, timeout: AbortSignal): unknown {
    if (gone.aborted) return options.aborted(error)
    if (timeout.aborted || (error instanceof AppError && error.code === 'request_timeout'))
      return fetchFailed('too slow', true)
    if (options.isOtherLength(error)) return fetchFailed('the object has another length than its store says', true)
    return options.isAborted(error) ? fetchFailed('the connection ended before the document', true) : error
  }

  return {
    // An event that is wrong must not take the memory of others.
    declaredBytes: (object.size ?? 0) > bytesMax ? null : object.size,
    check() {},
    async receive(intake) {
      const timeout = AbortSignal.timeout(Math.ceil(FETCH_MS * workFactor(Math.min(object.size ?? bytesMax, bytesMax))))
      const deadline = AbortSignal.any([gone, timeout])
      const opened = await open(deadline)
      try {
        return await receive(opened, deadline, intake)
      } catch (error) {
        throw endOf(error, timeout)
      } finally {
        opened.stream.destroy()
      }
    },
  }
}
