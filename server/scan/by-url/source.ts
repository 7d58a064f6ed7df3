/** A document that the service fetches from a URL. */
import { hash } from 'node:crypto'
import { announcedLengths, hasEnd } from '#base/announced-length.ts'
import { DOCUMENT_BYTES_MAX, workFactor } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'
import { type createOutboundHttp, isCompressed } from '#base/outbound-http.ts'
import type { Refused } from '#base/outbound-rules.ts'
import { failureWord } from '#base/outbound-words.ts'
import { VERSION } from '#base/version.ts'
import { FetchFailed, OTHER_LENGTH } from '#scan/fetch-failed.ts'
import { OtherLength, type Source, streamSource } from '#scan/source.ts'
import { UploadAborted } from '#scan/upload.ts'
import { fileNameOf } from './file-name.ts'

const REDIRECTS_MAX = 3
/** From the first connection to the last byte, of a document of the size of uploads. */
const FETCH_MS = 120_000
const HEADERS = { accept: '*/*', 'user-agent': `Docvet/${VERSION}` }
const MEDIA_TYPE = /^[!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+/

export interface FetchedDocument {
  url: string
  fileName?: string | undefined
  password?: string | undefined
  reference?: string | undefined
}

export type Http = Pick<ReturnType<typeof createOutboundHttp>, 'open'>

export function refusedUrl({ isForm, why }: Refused): AppError {
  return isForm
    ? new AppError('invalid_url', `The URL ${why}. Send an https URL without user name and fragment.`)
    : new AppError('url_not_allowed', `The URL ${why}. The operator can allow it with DOCVET_OUTBOUND_ALLOW.`)
}

/** Identifies a repeated request. */
export const identityOf = (url: string): string => hash('sha256', `url ${url}`, 'hex')

/** Statuses of a server that may answer otherwise in a moment. */
const isTemporaryStatus = (status: number): boolean => status >= 500 || status === 408 || status === 429

interface FetchLimits {
  /** How long the document may wait for memory. */
  waitMs?: number
  /** If not given, that of uploads. */
  bytesMax?: number
  /** Others need the place of a slow fetch. */
  hurry?: AbortSignal
}

/** `gone` ends the fetch: the client has disconnected, or the service stops. */
export function urlSource(document: FetchedDocument, http: Http, gone: AbortSignal, limits: FetchLimits = {}): Source {
  const { url, password, reference } = document
  const { waitMs = 0, bytesMax = DOCUMENT_BYTES_MAX, hurry } = limits

  async function open(deadline: AbortSignal) {
    const opened = await http.open({ method: 'GET', url, headers: HEADERS, deadline, redirectsMax: REDIRECTS_MAX })
    if (gone.aborted) throw new UploadAborted()
    if (opened.kind === 'refused') throw refusedUrl(opened)
    if (opened.kind !== 'opened') throw new FetchFailed(failureWord(opened), opened.kind !== 'invalid')
    const { status, headers, stream } = opened
    if (status === 200 && !isCompressed(headers) && hasEnd(headers)) return opened
    stream.destroy()
    if (status === 200 && !hasEnd(headers)) throw new FetchFailed('a response that does not say where it ends', false)
    if (status === 200) throw new FetchFailed('a response that is compressed', false)
    throw new FetchFailed(`status ${Math.floor(status / 100)}xx`, isTemporaryStatus(status))
  }

  return {
    declaredBytes: null,
    identity: identityOf(url),
    check() {},
    async receive(options) {
      const deadline = AbortSignal.timeout(Math.ceil(FETCH_MS * workFactor(bytesMax)))
      const timeout = hurry ? AbortSignal.any([deadline, hurry]) : deadline
      const { stream, headers } = await open(AbortSignal.any([gone, timeout]))
      try {
        const declaredBytes = Number(headers['content-length'] ?? 0)
        const source = streamSource({
          stream,
          fileName: fileNameOf(url, document.fileName, headers['content-disposition']),
          declaredType: MEDIA_TYPE.exec(headers['content-type'] ?? '')?.[0].toLowerCase() ?? null,
          ...(declaredBytes > 0 && { declaredBytes }),
          ...(password !== undefined && { password }),
          ...{ waitMs, bytesMax, lengths: announcedLengths(headers) },
        })
        return Object.assign(await source.receive(options), { reference: reference ?? null })
      } catch (error) {
        throw endOf(error, gone, timeout)
      } finally {
        stream.destroy()
      }
    },
  }
}

/** The error that an upload would end with, for a document that the client does not send itself. */
function endOf(error: unknown, gone: AbortSignal, timeout: AbortSignal): unknown {
  if (gone.aborted) return new UploadAborted(error)
  if (timeout.aborted || (error instanceof AppError && error.code === 'request_timeout'))
    return new FetchFailed('too slow', true)
  if (error instanceof OtherLength) return new FetchFailed(OTHER_LENGTH, true)
  return error instanceof UploadAborted ? new FetchFailed('the connection ended before the document', true) : error
}
