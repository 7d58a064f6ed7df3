/** One client for every object store: reads, tags, moves, deletes and lists objects. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { createOutboundHttp, Failed, Outcome } from '#base/outbound-http.ts'
import { failureWord } from '#base/outbound-words.ts'
import { azureDialect } from './azure.ts'
import { type Dialect, type ListedPage, type StoreRequest, UnsafeKey } from './dialect.ts'
import { type ObjectVersion, plainEtag, versionOf } from './events.ts'
import { s3Dialect } from './s3.ts'
import type { ObjectSource, Place } from './sources.ts'
import { elements, textIn } from './xml.ts'

/** `changed`: the object is another one now. `gone`: it was deleted. */
type FaultKind = 'temporary' | 'denied' | 'gone' | 'changed' | 'permanent'

/** `why` is a word of ours, never the text of the store. */
export class StoreFault extends Error {
  readonly kind: FaultKind
  readonly why: string
  /** Of the answer, if there was one. */
  readonly status: number | null

  constructor(kind: FaultKind, why: string, status: number | null = null) {
    super(why)
    this.kind = kind
    this.why = why
    this.status = status
  }
}

type Http = Pick<ReturnType<typeof createOutboundHttp>, 'open' | 'send'>

const ANSWER_BYTES_MAX = 262_144
/** A page of the longest keys, encoded. */
const LIST_BYTES_MAX = 16_777_216
const CALL_MS = 30_000
/** Characters of a refusal that are read. */
const REFUSAL_MAX = 16_384

const PRECONDITION_FAILED = 412
const NOT_FOUND = 404
/** By status. Others from 400 are permanent: the request is wrong, or the region. */
const KINDS: Readonly<Record<number, FaultKind>> = {
  ...{ 401: 'denied', 403: 'denied', [PRECONDITION_FAILED]: 'changed', [NOT_FOUND]: 'temporary', 410: 'temporary' },
  ...{ 408: 'temporary', 409: 'temporary', 423: 'temporary', 425: 'temporary', 429: 'temporary' },
}

const WORDS: Readonly<Record<FaultKind, string>> = {
  temporary: 'the store has a problem',
  denied: 'access denied',
  gone: 'the object does not exist',
  changed: 'the object has been replaced',
  permanent: 'the store refused the request',
}

/** What stores say of an object that was deleted. A proxy, or a store that has lost its bucket, says 404 as well. */
const GONE = /^BlobNotFound$|<Code>\s{0,9}NoSuch(?:Key|Version)\s{0,9}<\/Code>/

/** `said`: the code or the body of the answer. */
function faultOf(status: number, said = ''): StoreFault {
  const isGone = status === NOT_FOUND && GONE.test(said)
  const kind = isGone ? 'gone' : (KINDS[status] ?? (status >= 500 ? 'temporary' : 'permanent'))
  return new StoreFault(kind, `${WORDS[kind]} (status ${status})`, status)
}

const codeOf = (headers: IncomingHttpHeaders): string => String(headers['x-ms-error-code'] ?? '')

/** The body of a refusal, or its beginning. */
async function bodyOf(stream: Readable): Promise<string> {
  let body = ''
  try {
    for await (const chunk of stream) {
      body += String(chunk)
      if (body.length > REFUSAL_MAX) break
    }
  } catch {
    // What has arrived may say it.
  }
  return body
}

/** A URL that may not be called will not be allowed by waiting; a name that cannot be resolved may come back. */
const unanswered = (failed: Failed): StoreFault =>
  new StoreFault(failed.kind === 'refused' ? 'permanent' : 'temporary', failureWord(failed))

export interface ObjectHead {
  etag: string | null
  size: number | null
  /** Null if the store keeps none. */
  version: string | null
  /** Empty if the store should say it and does not; null if it need not. */
  checksum: string | null
  isAppendable: boolean
}

export type StoreClient = ReturnType<typeof createStoreClient>

const dialectOf = (source: ObjectSource): Dialect =>
  source.kind === 'azure' ? azureDialect(source) : s3Dialect(source)

/** `formerOf`: the same with credentials that were replaced lately. */
export function createStoreClient(
  source: ObjectSource,
  http: Http,
  formerOf: () => readonly ObjectSource[] = () => [],
) {
  const dialect = dialectOf(source)
  const versionQuery = ({ version }: ObjectVersion) => (version === null ? {} : dialect.versionQuery(version))
  function checksumOf(headers: IncomingHttpHeaders): string | null {
    if (dialect.checksumHeader === null) return null
    const { name, value } = dialect.checksumHeader
    return value.exec(String(headers[name] ?? ''))?.[1] ?? ''
  }
  const headOf = (headers: IncomingHttpHeaders): ObjectHead => ({
    etag: headers.etag === undefined ? null : plainEtag(headers.etag),
    size: headers['content-length'] === undefined ? null : Number(headers['content-length']),
    version: dialect.versionHeader === null ? null : versionOf(headers[dialect.versionHeader]),
    checksum: checksumOf(headers),
    isAppendable: dialect.isAppendable(headers),
  })
  const ifMatch = ({ etag }: ObjectVersion): Record<string, string> =>
    etag === null ? {} : { 'if-match': `"${etag}"` }

  function addressed(request: StoreRequest, { address }: Dialect) {
    try {
      return { method: request.method, ...address(request), ...(request.body && { body: request.body }) }
    } catch (error) {
      throw error instanceof UnsafeKey ? new StoreFault('permanent', error.message) : error
    }
  }
  type Addressed = ReturnType<typeof addressed>

  /** Where credentials are denied, perhaps because only one of two files has been replaced, the former ones may be valid. */
  async function asked<Answer>(request: StoreRequest, ask: (addressed: Addressed) => Promise<Answer>): Promise<Answer> {
    let denied: unknown
    for (const each of [dialect, ...formerOf().map(dialectOf)]) {
      try {
        return await ask(addressed(request, each))
      } catch (error) {
        if (!(error instanceof StoreFault && error.kind === 'denied')) throw error
        denied = error
      }
    }
    throw denied
  }

  const call = (request: StoreRequest, signal: AbortSignal, responseBytesMax = ANSWER_BYTES_MAX) =>
    asked(request, async (signed) => {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)])
      const outcome: Outcome = await http.send({ ...signed, deadline, responseBytesMax })
      if (outcome.kind !== 'answered') throw unanswered(outcome)
      if (outcome.status < 200 || outcome.status > 299)
        throw faultOf(outcome.status, codeOf(outcome.headers) || outcome.body)
      return outcome
    })

  async function head(object: ObjectVersion, signal: AbortSignal): Promise<ObjectHead> {
    const { bucket, key } = object
    const query = versionQuery(object)
    try {
      const { headers } = await call({ method: 'HEAD', bucket, key, query }, signal)
      return headOf(headers)
    } catch (error) {
      // The answer has no body that says what is missing.
      if (!(error instanceof StoreFault && error.status === NOT_FOUND && error.kind !== 'gone')) throw error
      const { stream, head: found } = await open({ ...object, etag: null }, signal)
      stream.destroy()
      return found
    }
  }

  /** The response whose stream is the object. Destroy it if it is not read to its end. */
  async function open(object: ObjectVersion, deadline: AbortSignal) {
    const { bucket, key } = object
    const request = { method: 'GET', bucket, key, query: versionQuery(object), headers: ifMatch(object) } as const
    return await asked(request, async (signed) => {
      const opened = await http.open({ ...signed, deadline })
      if (opened.kind !== 'opened') throw unanswered(opened)
      const { status, headers, stream } = opened
      const found = headOf(headers)
      // Some stores and caches ignore If-Match.
      const isOther = object.etag !== null && found.etag !== null && found.etag !== object.etag
      if (status === 200 && !isOther) return { headers, stream, head: found }
      const said = status === NOT_FOUND ? codeOf(headers) || (await bodyOf(stream)) : ''
      stream.destroy()
      throw faultOf(status === 200 ? PRECONDITION_FAILED : status, said)
    })
  }

  return {
    open,

    head,

    async readTags({ bucket, key, ...object }: ObjectVersion, signal: AbortSignal): Promise<Map<string, string>> {
      const query = { ...dialect.tagsQuery, ...versionQuery({ bucket, key, ...object }) }
      const { body } = await call({ method: 'GET', bucket, key, query }, signal)
      // Without this, an answer of another kind would be no tags, and those of others would be lost.
      if (elements(body, 'TagSet').length !== 1) throw new StoreFault('permanent', 'an answer without tags')
      return new Map(elements(body, 'Tag').map((tag) => [textIn(tag, 'Key') ?? '', textIn(tag, 'Value') ?? '']))
    },

    async writeTags(object: ObjectVersion, tags: ReadonlyMap<string, string>, signal: AbortSignal): Promise<void> {
      const { bucket, key } = object
      const query = { ...dialect.tagsQuery, ...versionQuery(object) }
      const headers = { 'content-type': 'application/xml' }
      await call({ method: 'PUT', bucket, key, query, headers, body: dialect.writeTags(tags) }, signal)
    },

    /** Rejects unless the copy is there, with all bytes. */
    async copy(object: ObjectVersion, to: { bucket: string; key: string }, signal: AbortSignal): Promise<void> {
      const from = await head(object, signal)
      const copyHeaders = dialect.copyHeaders({ ...object, etag: object.etag ?? from.etag })
      const { headers, body } = await call({ method: 'PUT', ...to, headers: copyHeaders }, signal)
      const copy = await head({ ...to, size: null, etag: null, version: null }, signal)
      // Another object, which was not scanned, must not stay where cleared ones are.
      if (copy.checksum !== from.checksum || copy.checksum === '') await call({ method: 'DELETE', ...to }, signal)
      else if (dialect.isCopied(headers, body) && copy.size !== null && copy.size === from.size) return
      throw new StoreFault('temporary', 'the object was not copied')
    },

    async remove(object: ObjectVersion, signal: AbortSignal): Promise<void> {
      const { bucket, key } = object
      await call({ method: 'DELETE', bucket, key, query: versionQuery(object), headers: ifMatch(object) }, signal)
    },

    async list(place: Place, cursor: string | null, signal: AbortSignal): Promise<ListedPage> {
      const query = dialect.listQuery(place, cursor)
      const { body } = await call({ method: 'GET', bucket: place.bucket, key: null, query }, signal, LIST_BYTES_MAX)
      // An answer of another kind must not be taken for an empty bucket.
      if (!/<(?:ListBucketResult|EnumerationResults)[\s>]/.test(body))
        throw new StoreFault('permanent', 'an answer without a list')
      const page = dialect.readList(body)
      // It would end here, and the objects behind it would never be scanned.
      if (page.next === '') throw new StoreFault('permanent', 'a list that goes on behind no object')
      return page
    },
  }
}
