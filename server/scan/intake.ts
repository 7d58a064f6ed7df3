/** Takes one document out of a form while it arrives: counted, hashed and handed on, or refused as early as can be. */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'
import { shownFileName } from './file-name.ts'
import { createMultipartReader } from './multipart.ts'
import { type Part, parseBoundary } from './part-header.ts'
import { pump } from './pump.ts'
import type { UploadRateOptions } from './upload-rate.ts'

/** The largest document with generous room for what frames it: the reader allows less than half of that. */
export const BODY_BYTES_MAX = DOCUMENT_BYTES_MAX + 65_536

const FILE_PART = 'file'
/** A smaller piece is copied: kept by itself it would cost more than its bytes, and single bytes a hundred times more. */
const PIECE_BYTES_MIN = 4_096
const BLOCK_BYTES = 16_384

/** What `engines/sample.ts` gives; a feature room does not know that room. */
export interface SampleWriter<S> {
  sample: S
  push(chunk: Buffer): void
  end(sha256: string): void
  fail(reason: unknown): void
  dispose(): void
  free(): void
}

export interface FileInfo {
  fileName: string
  declaredType: string | null
}

export interface IntakeOptions<S> {
  createSample: () => SampleWriter<S>
  /** The first moment at which engines can start. What it throws refuses the upload. */
  onFileStart: (info: FileInfo, sample: S) => void
  /** That many bytes of the document are to be kept. What it throws refuses the upload. */
  onGrowth?: (bytes: number) => void
  rate?: UploadRateOptions
}

/** The whole document. Disposing of it lets go of its bytes; until then they count as in flight. */
export interface Received<S> extends FileInfo, Disposable {
  size: number
  /** In hex. */
  sha256: string
  sample: S
  /** Gives the memory back at once. Only when every engine has had all of it. */
  free(): void
}

export interface Form {
  boundary: string
  stream: Readable
}

const tooLarge = () => new AppError('file_too_large', `A document may have up to ${DOCUMENT_BYTES_MAX} bytes (25 MB).`)

/** All that can be refused without reading a byte of the body, in the order of the contract: 415, 413, 400. */
export function refuseByHeaders(headers: IncomingHttpHeaders): { boundary: string; declaredBytes: number | null } {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('unsupported_content_type', 'A compressed request body is not accepted: send it as it is.')
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

/** Only what cannot mislead a reader of the answer is repeated in it. */
const quoted = (name: string) => (/^[\w.[\]-]+$/.test(name) ? `named "${name}"` : 'of another name')

/** The document of a form: what the reader finds goes in, what engines read comes out. */
function createDocument<S>({ createSample, onFileStart, onGrowth }: IntakeOptions<S>) {
  const hash = createHash('sha256')
  let file: { info: FileInfo; writer: SampleWriter<S> } | null = null
  let size = 0
  let block = Buffer.alloc(0)
  let blockStart = 0
  let blockEnd = 0

  function accept(chunk: Buffer): void {
    hash.update(chunk)
    file?.writer.push(chunk)
  }

  function flush(): void {
    if (blockEnd > blockStart) accept(block.subarray(blockStart, blockEnd))
    blockStart = blockEnd
  }

  function gather(piece: Buffer): void {
    if (piece.length > block.length - blockEnd) {
      flush()
      // Not from Node's pool, where what is left of a document would stay beside other things.
      block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
      blockStart = 0
      blockEnd = 0
    }
    blockEnd += piece.copy(block, blockEnd)
  }

  return {
    onPart({ name, fileName, type }: Part): void {
      if (fileName === null) {
        if (name !== FILE_PART) return
        throw new AppError('missing_file', 'The part named "file" has no file name, so it is a field and not a file.')
      }
      if (file !== null) throw new AppError('too_many_files', 'One request scans one document: send one file.')
      if (name !== FILE_PART) {
        throw new AppError('missing_file', `The file is in a part ${quoted(name)}: it must be named "file".`)
      }
      file = { info: { fileName: shownFileName(fileName), declaredType: type }, writer: createSample() }
      onFileStart({ ...file.info }, file.writer.sample)
    },

    onData(piece: Buffer): void {
      size += piece.length
      if (size > DOCUMENT_BYTES_MAX) throw tooLarge()
      onGrowth?.(size)
      if (piece.length < PIECE_BYTES_MIN) gather(piece)
      else {
        flush()
        accept(piece)
      }
    },

    finish(): Received<S> {
      if (file === null) throw new AppError('missing_file', 'The form has no part named "file" with a document in it.')
      if (size === 0) throw new AppError('empty_file', 'The document is empty: it must have at least one byte.')
      flush()
      const { info, writer } = file
      const sha256 = hash.digest('hex')
      writer.end(sha256)
      const { sample, dispose } = writer
      return { ...info, size, sha256, sample, free: () => writer.free(), [Symbol.dispose]: dispose }
    },

    fail(reason: unknown): void {
      if (file === null) return
      const { writer } = file
      writer.fail(reason)
      // Whoever reads the sample is told the reason first.
      setImmediate(() => writer.dispose())
    },
  }
}

/**
 * Resolves when the whole form has arrived and is in order. Rejects with a refusal (answer it, with `Connection: close`:
 * the rest of the body is not read) or with `UploadAborted` (there is nobody to answer).
 */
export async function receive<S>({ boundary, stream }: Form, options: IntakeOptions<S>): Promise<Received<S>> {
  const document = createDocument(options)
  const reader = createMultipartReader(boundary, document)
  try {
    const bytes = await pump(stream, reader.write, options.rate)
    // No body at all is a form without a file, not a broken one.
    if (bytes > 0) reader.end()
    return document.finish()
  } catch (error) {
    document.fail(error)
    throw error
  }
}
