/** What can be scanned, as the body of a request. */
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { types } from 'node:util'

/** A string is the path of a file. */
export type Input = string | Blob | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array>

export interface Form {
  contentType: string
  /** A new one for each attempt. */
  body(): Promise<Blob | ReadableStream<Uint8Array>>
  /** A stream can be sent only once. */
  isRepeatable: boolean
  /** Of the document, as sent; null while it is not sent whole. */
  documentBytes(): number | null
  /** Why the document could not be read, which is no fault of the service. */
  readError(): unknown
}

type Field = readonly [name: string, value: string]

const UNNAMED = 'document'
/** The service shows at most 255 bytes of a name, and refuses forms with much longer ones. The end has the type. */
const NAME_LENGTH_MAX = 255

/** Written here and not by `FormData`: that of Node leaves an unhandled rejection behind when a request is aborted. */
export function formOf(input: Input, fileName: string | undefined, fields: readonly Field[]): Form {
  const boundary = `docvet-${crypto.randomUUID()}`
  const contentType = `multipart/form-data; boundary=${boundary}`
  const frame = (name: string) => framed(boundary, name, fields)
  if (isStream(input)) return streamForm(input, contentType, frame(fileName || UNNAMED))
  const { head, tail } = frame(fileName || nameOf(input))
  let documentBytes: number | null = null
  const body = async () => {
    const blob = await blobOf(input)
    documentBytes = blob.size
    return new Blob([head, blob, tail])
  }
  return { contentType, body, isRepeatable: true, documentBytes: () => documentBytes, readError: () => undefined }
}

function isStream(input: Input): input is AsyncIterable<Uint8Array> {
  return typeof input === 'object' && Symbol.asyncIterator in input
}

async function blobOf(input: Exclude<Input, AsyncIterable<Uint8Array>>): Promise<Blob> {
  if (input instanceof Blob) return input
  if (typeof input === 'string') return await openAsBlob(input)
  // Of anything else `Blob` takes the text "[object Object]", which is clean.
  if (!ArrayBuffer.isView(input) && !types.isAnyArrayBuffer(input))
    throw new TypeError('Scan a path, Blob, File, Buffer, or a stream of bytes')
  return new Blob([input as BlobPart])
}

function nameOf(input: Exclude<Input, AsyncIterable<Uint8Array>>): string {
  if (typeof input === 'string') return basename(input)
  return input instanceof Blob && 'name' in input && typeof input.name === 'string' && input.name !== ''
    ? input.name
    : UNNAMED
}

type BlobPart = ConstructorParameters<typeof Blob>[0] extends Iterable<infer Part> | undefined ? Part : never

interface Frame {
  head: string
  tail: string
}

/** What stands before and after the file. Names are escaped as browsers do it. */
function framed(boundary: string, fileName: string, fields: readonly Field[]): Frame {
  // The service refuses a form with NUL in a name.
  const short = fileName.replaceAll('\0', '').slice(-NAME_LENGTH_MAX)
  const escaped = short.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const part = (about: string, more = '') => `--${boundary}\r\nContent-Disposition: form-data; ${about}\r\n${more}\r\n`
  return {
    head: [
      // Before the file, because the service reads them in order.
      ...fields.map(([name, value]) => `${part(`name="${name}"`)}${value}\r\n`),
      part(`name="file"; filename="${escaped}"`, 'Content-Type: application/octet-stream\r\n'),
    ].join(''),
    tail: `\r\n--${boundary}--\r\n`,
  }
}

/** Written while the stream is read, so that its memory does not depend on the size. */
function streamForm(input: AsyncIterable<Uint8Array>, contentType: string, { head, tail }: Frame): Form {
  const encoder = new TextEncoder()
  let [bytes, isUsed, isWhole] = [0, false, false]
  let readError: unknown
  async function* document(): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of input) {
        if (!types.isUint8Array(piece)) throw new TypeError('A stream to be scanned must be one of bytes')
        bytes += piece.length
        yield piece
      }
      isWhole = true
    } catch (error) {
      readError = error
      throw error
    }
  }
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(head)
    yield* document()
    yield encoder.encode(tail)
  }
  const body = async () => {
    if (isUsed) throw new TypeError('A stream can be scanned only once')
    isUsed = true
    return streamOf(chunks())
  }
  return {
    ...{ contentType, body, isRepeatable: false },
    documentBytes: () => (isWhole ? bytes : null),
    readError: () => readError,
  }
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
