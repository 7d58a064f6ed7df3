/** What can be scanned, as the body of a request. */
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'

/** A string is the path of a file. */
export type Input = string | Blob | Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array>

export interface Form {
  /** Of each attempt anew. */
  body(): Promise<FormData> | Promise<{ stream: ReadableStream<Uint8Array>; contentType: string }>
  /** A stream can be sent only once. */
  isRepeatable: boolean
}

const UNNAMED = 'document'

export function formOf(input: Input, fileName: string | undefined, fields: Record<string, string | undefined>): Form {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  if (isStream(input)) {
    let isUsed = false
    return {
      isRepeatable: false,
      async body() {
        if (isUsed) throw new TypeError('A stream can be scanned only once')
        isUsed = true
        return streamed(input, fileName ?? UNNAMED, given)
      },
    }
  }
  return {
    isRepeatable: true,
    async body() {
      const form = new FormData()
      // Before the file, because the service reads them in order.
      for (const [name, value] of given) form.append(name, value)
      form.append('file', await blobOf(input), fileName ?? nameOf(input))
      return form
    },
  }
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

/** As browsers escape names in forms. */
const escaped = (name: string): string => name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** A form that is written while the stream is read, so that its memory does not depend on the size. */
function streamed(input: AsyncIterable<Uint8Array>, fileName: string, fields: readonly [string, string][]) {
  const boundary = `docvet-${crypto.randomUUID()}`
  const encoder = new TextEncoder()
  const part = (about: string) => `--${boundary}\r\nContent-Disposition: form-data; ${about}`
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (const [name, value] of fields) yield encoder.encode(`${part(`name="${name}"`)}\r\n\r\n${value}\r\n`)
    const type = 'Content-Type: application/octet-stream'
    yield encoder.encode(`${part(`name="file"; filename="${escaped(fileName)}"`)}\r\n${type}\r\n\r\n`)
    for await (const chunk of input) yield chunk
    yield encoder.encode(`\r\n--${boundary}--\r\n`)
  }
  const iterator = chunks()
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await iterator.return(undefined)
    },
  })
  return { stream, contentType: `multipart/form-data; boundary=${boundary}` }
}
