/** The documents in the body of an HTTP message: decoded, and one for each file of a form. */
import type { Readable } from 'node:stream'
import type { OutcomeName } from '#listeners/outcomes.ts'
import type { Listener } from '#listeners/specification.ts'
import type { Section } from './decoder.ts'
import { DECODERS, decodedStream } from './decoding.ts'
import { type FormTools, type ScanDocument, scanForm } from './form.ts'
import { type Headers, parseMessage, type RequestHead } from './request.ts'

/** Of the scan over HTTP, which may not be imported. */
export interface ContentTools extends FormTools {
  documentBytesMax: number
  /** As many bytes as `passes` needs. */
  headBytes: number
  /** Whether content that begins so is of one of the families, such as `image`. */
  passes(head: Buffer, families: readonly string[]): boolean
}

export interface Content {
  /** Known from the headers alone. */
  refusal: OutcomeName | null
  fileName: string
  declaredType: string | null
  declaredBytes: number | null
  coding: string | null
  isForm: boolean
}

const IDENTITY = ['', 'identity']
/** Chunked, as it was before the client of the listener read it. */
const TRANSFER_CODINGS = [...IDENTITY, 'chunked']
const PARTIAL = /^HTTP\/\d\.\d +206\b/
const FORM = /^multipart\/form-data\b/i

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return encoded
  }
}

/** From `Content-Disposition`, else the last segment of the URL. */
function fileNameOf(headers: Headers, requestLine: string): string {
  const disposition = headers.get('content-disposition') ?? ''
  const [, extended] = /;\s*filename\*\s*=\s*[\w-]+'[\w-]*'([^;\s]+)/i.exec(disposition) ?? []
  if (extended !== undefined) return decodeName(extended)
  const [, quoted, plain] = /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition) ?? []
  const given = quoted ?? plain
  if (given !== undefined) return Buffer.from(given, 'latin1').toString()
  const [, path = ''] = /^\S+ +(?:[a-z]+:\/\/[^/?#\s]*)?([^?#\s]*)/i.exec(requestLine) ?? []
  return decodeName(path.slice(path.lastIndexOf('/') + 1))
}

/**
 * Some of the content is not in the body, or not as the codings that are known have it. Most servers store a request as it is
 * instead of decoding it, and the packed form can be another document, such as a PDF in a header of gzip.
 */
function isIncomplete(isRequest: boolean, startLine: string, headers: Headers, coding: string): boolean {
  const transferCodings = (headers.get('transfer-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
  const isKnown = IDENTITY.includes(coding) || (!isRequest && Object.hasOwn(DECODERS, coding))
  const isPartial = PARTIAL.test(startLine) || headers.has('content-range')
  return isPartial || !isKnown || !transferCodings.every((each) => TRANSFER_CODINGS.includes(each))
}

/** Whether the first bytes of a body can decide that it passes. */
export const mayPass = ({ refusal, coding, isForm }: Content, { other }: Listener): boolean =>
  typeof other === 'object' && refusal !== 'too_complex' && coding === null && !isForm

/** The headers of an encapsulated message about its body. */
export function describeContent({ method }: RequestHead, sections: readonly Section[], tools: ContentTools): Content {
  const messageOf = (wanted: string) =>
    parseMessage(sections.find(({ name }) => name === wanted)?.bytes.toString('latin1') ?? '')
  const request = messageOf('req-hdr')
  const isRequest = method === 'REQMOD'
  const { startLine, headers } = isRequest ? request : messageOf('res-hdr')
  const coding = (headers.get('content-encoding') ?? '').toLowerCase()
  const type = headers.get('content-type') ?? null
  const isForm = isRequest && FORM.test(type ?? '')
  const isCoded = !IDENTITY.includes(coding)
  const length = headers.get('content-length') ?? ''
  const declaredBytes = /^\d{1,15}$/.test(length) ? Number(length) : null
  const isTooLarge = !isForm && (declaredBytes ?? 0) > tools.documentBytesMax
  return {
    refusal: isIncomplete(isRequest, startLine, headers, coding) ? 'too_complex' : isTooLarge ? 'too_large' : null,
    fileName: tools.displayFileName(fileNameOf(headers, request.startLine)),
    declaredType: type,
    declaredBytes: isCoded || isForm ? null : declaredBytes,
    coding: isCoded ? coding : null,
    isForm,
  }
}

/** Scans the body of a message. Null when the client has disconnected. */
export async function scanContent(body: Readable, content: Content, tools: ContentTools, scan: ScanDocument) {
  const { coding, isForm, fileName, declaredType, declaredBytes } = content
  const stream = coding === null ? body : decodedStream(body, coding)
  if (isForm) return scanForm(stream, declaredType ?? '', tools, scan)
  const outcome = await scan({ stream, fileName, declaredType, declaredBytes })
  stream.destroy()
  // A stream that cannot be decoded ends like one whose client has disconnected.
  return outcome === null && coding !== null ? ({ name: 'damaged' } as const) : outcome
}
