/** Extracts one document from a form while it arrives, or refuses it early. */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { DOCUMENT_BYTES_MAX, PASSWORD_LENGTH_MAX, REFERENCE_LENGTH_MAX } from '#base/document-limit.ts'
import { AppError, invalidField } from '#base/errors.ts'
import { type Collector, createCollector, type Received, tooLarge } from './collector.ts'
import { displayFileName } from './file-name.ts'
import { createMultipartReader } from './multipart.ts'
import { malformed, type Part, parseBoundary } from './part-header.ts'
import type { IntakeOptions, Source } from './source.ts'
import { readUpload } from './upload.ts'

/** The largest document and its form, which is limited to less than half of the difference. */
export const BODY_BYTES_MAX = DOCUMENT_BYTES_MAX + 65_536

const FILE_PART = 'file'

/** The fields beside the document, with the number of characters that they may have. */
const TEXT_PARTS = { password: PASSWORD_LENGTH_MAX, reference: REFERENCE_LENGTH_MAX } as const
type TextPart = keyof typeof TEXT_PARTS

interface Form {
  boundary: string
  stream: Readable
  /** Length of the body, null when unknown. */
  declaredBytes?: number | null
}

/** Refuses all that the request headers allow to refuse, in the order of the contract: 415, 413, 400. */
export function parseHead(headers: IncomingHttpHeaders): { boundary: string; declaredBytes: number | null } {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError(
      'unsupported_content_type',
      'A compressed request body is not accepted. Send it without `Content-Encoding`.',
    )
  }
  const length = headers['content-length']
  const declaredBytes = length === undefined ? null : Number(length)
  const isTooLarge = declaredBytes !== null && declaredBytes > BODY_BYTES_MAX
  try {
    const boundary = parseBoundary(headers['content-type'])
    if (!isTooLarge) return { boundary, declaredBytes }
  } catch (error) {
    if (!isTooLarge || (error instanceof AppError && error.code === 'unsupported_content_type')) throw error
  }
  throw tooLarge()
}

export function isAcceptableHead(headers: IncomingHttpHeaders): boolean {
  try {
    return parseHead(headers).boundary !== ''
  } catch {
    return false
  }
}

/** Only a name that cannot mislead a reader is repeated in the answer. */
const quoted = (name: string) => (/^[\w.[\]-]+$/.test(name) ? `named \`${name}\`` : 'with another name')

/** Any other parameter, such as a name, may make it a file. */
const FIELD_TYPE = /^text\/plain *(?:; *charset=(?:[\w.:+-]+|"[\w.:+-]+") *)?$/i

function checkField(name: string, type: string | null): void {
  if (name === FILE_PART) {
    throw new AppError('missing_file', 'The field `file` has no file name. Send the document as a file.')
  }
  // Some parsers take a field of another type for a file.
  if (type !== null && !FIELD_TYPE.test(type)) {
    throw malformed(`the field ${quoted(name)} has a type other than text/plain, which only the file may have`)
  }
}

const UTF8_BYTES_MAX = 4
const tooLong = (name: TextPart) => invalidField(name, `must have at most ${TEXT_PARTS[name]} characters`)

/** Undefined when none was sent. Throws 400 for one that is too long. */
function textOf(name: TextPart, pieces: readonly Buffer[]): string | undefined {
  const text = Buffer.concat(pieces).toString()
  for (const piece of pieces) piece.fill(0)
  if ([...text].length > TEXT_PARTS[name]) throw tooLong(name)
  return text === '' ? undefined : text
}

/** It is shown in lists and sent back. */
function referenceOf(pieces: readonly Buffer[]): string | null {
  const text = textOf('reference', pieces) ?? null
  if (text !== null && /[\p{Cc}\p{Cs}\uFFFD]/u.test(text))
    throw invalidField('reference', 'must be UTF-8 text without control characters, for example "upload-4711"')
  return text
}

/** Receives the events of the multipart reader and collects the document. */
function createDocument(options: IntakeOptions, declaredBytes: number) {
  let file: Collector | null = null
  const texts = new Map<TextPart, Buffer[]>()
  /** The field whose value arrives. */
  let current: TextPart | null = null

  function startText(name: TextPart): void {
    if (texts.has(name)) throw invalidField(name, 'must be sent once')
    texts.set(name, [])
  }

  return {
    onPart({ name, fileName, type }: Part): void {
      current = fileName === null && Object.hasOwn(TEXT_PARTS, name) ? (name as TextPart) : null
      if (fileName === null) {
        checkField(name, type)
        if (current !== null) startText(current)
        return
      }
      if (file !== null) {
        throw new AppError('too_many_files', 'The form contains more than one file. Send one document per request.')
      }
      if (name !== FILE_PART) {
        throw new AppError(
          'missing_file',
          `The file is in a field ${quoted(name)}. Send the document in a multipart field named \`file\`.`,
        )
      }
      const info = { fileName: displayFileName(fileName), declaredType: type }
      file = createCollector(info, options, declaredBytes)
      options.onFileStart({ ...info })
    },

    onData(piece: Buffer): void {
      file?.add(piece)
    },

    onValue(data: Buffer): void {
      const pieces = current === null ? undefined : texts.get(current)
      if (current === null || pieces === undefined) return
      const bytes = pieces.reduce((sum, piece) => sum + piece.length, data.length)
      if (bytes > TEXT_PARTS[current] * UTF8_BYTES_MAX) throw tooLong(current)
      // A copy, because the chunk is reused.
      pieces.push(Buffer.from(data))
    },

    finish(): Received {
      if (file === null) {
        throw new AppError('missing_file', 'No file was sent. Send the document in a multipart field named `file`.')
      }
      const reference = referenceOf(texts.get('reference') ?? [])
      return Object.assign(
        file.end(() => textOf('password', texts.get('password') ?? [])),
        { reference },
      )
    },

    fail(): void {
      file?.dispose()
    },
  }
}

/** Resolves with the document of a valid form. Rejects with a refusal, or with `UploadAborted` after a disconnect. */
export async function receive({ boundary, stream, declaredBytes }: Form, options: IntakeOptions): Promise<Received> {
  const document = createDocument(options, declaredBytes ?? 0)
  const reader = createMultipartReader(boundary, document)
  try {
    const bytes = await readUpload(stream, reader.write, options.rate)
    // An empty body is a form without a file, not a malformed one.
    if (bytes > 0) reader.end()
    return document.finish()
  } catch (error) {
    document.fail()
    throw error
  }
}

/** The form of an HTTP request. `invalid` is a validation error: a 400, so other refusals come before it. */
export function formSource(headers: IncomingHttpHeaders, stream: Readable, invalid?: Error | undefined): Source {
  const { 'content-length': length } = headers
  return {
    declaredBytes: length === undefined ? null : Number(length),
    place: stream,
    check(): void {
      parseHead(headers)
      if (invalid) throw invalid
    },
    receive: (options) => receive({ ...parseHead(headers), stream }, options),
  }
}
