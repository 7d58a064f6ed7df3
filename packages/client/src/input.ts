/** What can be scanned, as the body of a request. */
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'

/** A string is the path of a file. */
export type Input = string | Blob | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array>

export interface Form {
  contentType: string
  /** A new one for each attempt. */
  body(): Promise<Blob | ReadableStream<Uint8Array>>
  /** A stream can be sent only once. */
  isRepeatable: boolean
}

type Field = readonly [name: string, value: string]

const UNNAMED = 'document'

/** Written here and not by `FormData`: that of Node leaves an unhandled rejection behind when a request is aborted. */
export function formOf(input: Input, fileName: string | undefined, fields: readonly Field[]): Form {
  const boundary = `docvet-${crypto.randomUUID()}`
  const contentType = `multipart/form-data; boundary=${boundary}`
  const frame = (name: string) => framed(boundary, name, fields)
  if (isStream(input)) {
    let isUsed = false
    const body = async () => {
      if (isUsed) throw new TypeError('A stream can be scanned only once')
      isUsed = true
      return streamed(input, frame(fileName ?? UNNAMED))
    }
    return { contentType, body, isRepeatable: false }
  }
  const { head, tail } = frame(fileName ?? nameOf(input))
  return { contentType, body: async () => new Blob([head, await blobOf(input), tail]), isRepeatable: true }
}

function isStream(input: Input): input is AsyncIterable<Uint8Array> {
  return typeof input === 'object' && Symbol.asyncIterator in input
}

async function blobOf(input: Exclude<Input, AsyncIterable<Uint8Array>>): Promise<Blob> {
  if (input instanceof Blob) return input
  if (typeof input === 'string') return await openAsBlob(input)
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
  const escaped = fileName.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
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
function streamed(input: AsyncIterable<Uint8Array>, { head, tail }: Frame): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield encoder.encode(head)
    yield* input
    yield encoder.encode(tail)
  }
  const iterator = chunks()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return(undefined)
    },
  })
}
