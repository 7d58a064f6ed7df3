/** Extracts one document from a form while it arrives: counts, hashes and forwards it, or refuses it early. */
import { createHash, type Hash, hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { DOCUMENT_BYTES_MAX, PASSWORD_LENGTH_MAX } from '#base/document-limit.ts'
import { AppError, invalidField } from '#base/errors.ts'
import type { SampleWriter, Whole } from '#engines/sample.ts'
import { BLOCK_BYTES, createBlocks } from './blocks.ts'
import { displayFileName } from './file-name.ts'
import { createMultipartReader } from './multipart.ts'
import { malformed, type Part, parseBoundary } from './part-header.ts'
import { readUpload, type UploadRateOptions } from './upload.ts'

/** The largest document and its form, which is limited to less than half of the difference. */
export const BODY_BYTES_MAX = DOCUMENT_BYTES_MAX + 65_536

const FILE_PART = 'file'
const PASSWORD_PART = 'password'
/** A smaller piece is copied into a block: on its own it would cost more memory than its bytes. */
const PIECE_BYTES_MIN = 4_096
const SMALL_BLOCK_BYTES = 16_384
/** All pieces of a document above this size are copied: a heap that held many of them keeps their memory when they are freed. */
export const PIECES_KEPT_BYTES_MAX = 4_194_304

export interface FileInfo {
  fileName: string
  declaredType: string | null
}

export interface IntakeOptions {
  createSample: () => SampleWriter
  /** Before the first byte. An error thrown here refuses the upload. */
  onFileStart: (info: FileInfo) => void
  /** Called with the number of bytes to be kept. An error thrown here refuses the upload. */
  onGrowth?: (bytes: number) => void
  rate?: UploadRateOptions
}

/** A complete document. Its bytes are held until it is disposed. */
export interface Received extends FileInfo, Disposable {
  size: number
  /** In hex. */
  sha256: string
  whole: Whole
  /** Returns the memory at once. Only when every engine has read all of it. */
  free(): void
}

interface Form {
  boundary: string
  stream: Readable
  /** Length of the body, null when unknown. */
  declaredBytes?: number | null
}

const tooLarge = () =>
  new AppError('file_too_large', `The document exceeds the maximum of ${DOCUMENT_BYTES_MAX} bytes (25 MB).`)

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

const blocks = createBlocks()

/** Frees the memory at once where nothing else can be in it: garbage collection would cost more than the scan. */
function discard(piece: Buffer): void {
  piece.fill(0)
  const { buffer } = piece
  // Later, because the parser of the request may still be reading from it.
  if (buffer instanceof ArrayBuffer && piece.length === buffer.byteLength) setImmediate(() => buffer.transfer(0))
}

/** In UTF-8. */
const PASSWORD_BYTES_MAX = PASSWORD_LENGTH_MAX * 4
const passwordTooLong = () => invalidField(PASSWORD_PART, `must have at most ${PASSWORD_LENGTH_MAX} characters`)

/** Undefined when none was sent. Throws 400 for one that is too long. */
function passwordOf(pieces: readonly Buffer[]): string | undefined {
  const text = Buffer.concat(pieces).toString()
  for (const piece of pieces) piece.fill(0)
  if ([...text].length > PASSWORD_LENGTH_MAX) throw passwordTooLong()
  return text === '' ? undefined : text
}

/** Receives the events of the multipart reader and writes the sample. */
function createDocument({ createSample, onFileStart, onGrowth }: IntakeOptions, declaredBytes: number) {
  /** The first chunk until another arrives: a document of one chunk is hashed faster in one call. */
  let first: Buffer | null = null
  let hasher: Hash | null = null
  let file: { info: FileInfo; writer: SampleWriter } | null = null
  let size = 0
  let block = Buffer.alloc(0)
  let blockStart = 0
  let blockEnd = 0
  let password: Buffer[] | null = null
  let isPassword = false

  function accept(chunk: Buffer): void {
    if (hasher !== null) hasher.update(chunk)
    else if (first === null) first = chunk
    else {
      hasher = createHash('sha256').update(first).update(chunk)
      first = null
    }
    file?.writer.push(chunk)
  }

  function flush(): void {
    if (blockEnd > blockStart) accept(block.subarray(blockStart, blockEnd))
    blockStart = blockEnd
  }

  function gather(piece: Buffer): void {
    if (piece.length > block.length - blockEnd) {
      flush()
      // Not from Node's pool, where bytes of a document would stay among others.
      block = isLarge() ? blocks.take() : Buffer.allocUnsafeSlow(SMALL_BLOCK_BYTES)
      blockStart = 0
      blockEnd = 0
    }
    blockEnd += piece.copy(block, blockEnd)
    if (piece.length >= PIECE_BYTES_MIN) discard(piece)
  }

  function startPassword(): void {
    if (password !== null) throw invalidField(PASSWORD_PART, 'must be sent once')
    password = []
  }

  const isLarge = () => Math.max(declaredBytes, size) > PIECES_KEPT_BYTES_MAX

  return {
    onPart({ name, fileName, type }: Part): void {
      isPassword = fileName === null && name === PASSWORD_PART
      if (fileName === null) {
        checkField(name, type)
        if (isPassword) startPassword()
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
      file = { info: { fileName: displayFileName(fileName), declaredType: type }, writer: createSample() }
      onFileStart({ ...file.info })
    },

    onData(piece: Buffer): void {
      size += piece.length
      if (size > DOCUMENT_BYTES_MAX) throw tooLarge()
      onGrowth?.(size)
      if (piece.length < PIECE_BYTES_MIN || (isLarge() && piece.length < BLOCK_BYTES)) gather(piece)
      else {
        flush()
        accept(piece)
      }
    },

    onValue(data: Buffer): void {
      if (!isPassword || password === null) return
      const bytes = password.reduce((sum, piece) => sum + piece.length, data.length)
      if (bytes > PASSWORD_BYTES_MAX) throw passwordTooLong()
      // A copy, because the chunk is reused.
      password.push(Buffer.from(data))
    },

    finish(): Received {
      if (file === null) {
        throw new AppError('missing_file', 'No file was sent. Send the document in a multipart field named `file`.')
      }
      if (size === 0) throw new AppError('empty_file', 'The document is empty. Send at least one byte.')
      flush()
      if (block.buffer.resizable) block.buffer.resize(blockEnd)
      const { info, writer } = file
      const sha256 = hasher?.digest('hex') ?? hash('sha256', first ?? '', 'hex')
      first = null
      const whole = writer.end(sha256, { password: passwordOf(password ?? []), name: info.fileName })
      const free = () => writer.free(blocks.release)
      return { ...info, size, sha256, whole, free, [Symbol.dispose]: writer.dispose }
    },

    fail(): void {
      first = null
      file?.writer.dispose()
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
