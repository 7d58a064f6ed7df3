/** Decodes a body that has a `Content-Encoding`. */
import { type Readable, Transform } from 'node:stream'
import zlib from 'node:zlib'

type Decoder = Transform & { bytesWritten: number }

const gunzip = (): Decoder => zlib.createGunzip()

/** 8 MiB, as RFC 9659 has it. Without a limit, each body could take 128 MiB of memory. */
const ZSTD_WINDOW_LOG_MAX = 23

/** By the name of the coding. They get the first byte of the body. */
export const DECODERS: Record<string, (first: number) => Decoder> = {
  gzip: gunzip,
  'x-gzip': gunzip,
  // Servers send both, as browsers know: the header of zlib has the method in its lower half.
  deflate: (first) => ((first & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  zstd: () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG_MAX } }),
}

/** With its own memory, because the scan frees it. */
const createOutput = (): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const copy = Buffer.allocUnsafeSlow(chunk.length)
      chunk.copy(copy)
      chunk.fill(0)
      done(null, copy)
    },
  })

/** Is destroyed if the body cannot be decoded, or not completely: another decoder may read what follows its end. */
export function decodedStream(body: Readable, coding: string): Readable {
  const output = createOutput()
  let decoder: Decoder | undefined
  let received = 0
  let isComplete = false

  const fail = (error: Error): void => {
    output.destroy(error)
  }
  // Handled by the reader, if there is one.
  output.on('error', () => {})
  output.once('close', () => {
    body.destroy()
    decoder?.destroy()
  })

  function start(first: number): Decoder {
    const created = DECODERS[coding]?.(first)
    if (created === undefined) throw new Error(`Unknown coding ${coding}`)
    created.on('error', fail)
    created.once('end', () => {
      if (isComplete && created.bytesWritten === received) output.end()
      else fail(new Error('Bytes follow the end of the coded data'))
    })
    created.pipe(output, { end: false })
    return created
  }

  async function feed(): Promise<void> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      decoder ??= start(chunk[0] ?? 0)
      received += chunk.length
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      decoder.write(chunk, (error) => (error ? reject(error) : resolve()))
      await promise
      chunk.fill(0)
    }
    isComplete = true
    if (decoder === undefined) output.end()
    else decoder.end()
  }

  feed().catch(fail)
  return output
}
