/** Collects the bytes of one document while they arrive: counts, hashes and keeps them in memory that can be reused. */
import { createHash, type Hash, hash } from 'node:crypto'
import { DOCUMENT_BYTES_MAX } from '#base/document-limit.ts'
import { AppError } from '#base/errors.ts'
import type { SampleWriter, Whole } from '#engines/sample.ts'
import { BLOCK_BYTES, createBlocks } from './blocks.ts'

/** A smaller piece is copied into a block: on its own it would cost more memory than its bytes. */
const PIECE_BYTES_MIN = 4_096
const SMALL_BLOCK_BYTES = 16_384
/** All pieces of a document above this size are copied: a heap that held many of them keeps their memory when they are freed. */
export const PIECES_KEPT_BYTES_MAX = 4_194_304

export interface FileInfo {
  fileName: string
  declaredType: string | null
  /** As its sender has announced it. */
  bytes?: number | null
}

/** A complete document. Its bytes are held until it is disposed. */
export interface Received extends FileInfo, Disposable {
  size: number
  /** In hex. */
  sha256: string
  whole: Whole
  /** Of the client, for its own use. */
  reference: string | null
  /** Returns the memory at once. Only when every engine has read all of it. */
  free(): void
}

export interface CollectorOptions {
  createSample: () => SampleWriter
  /** Called with the number of bytes to be kept. An error thrown here refuses the document. */
  onGrowth?: (bytes: number) => void
  /** Of a document that the service fetches; if not given, that of uploads. */
  bytesMax?: number
}

export type Collector = ReturnType<typeof createCollector>

export const tooLarge = (bytesMax = DOCUMENT_BYTES_MAX): AppError =>
  new AppError(
    'file_too_large',
    `The document exceeds the maximum of ${bytesMax} bytes (${Math.floor(bytesMax / MEGABYTE)} MB).`,
  )

const MEGABYTE = 1_048_576

const blocks = createBlocks()

/** Frees the memory at once where nothing else can be in it: garbage collection would cost more than the scan. */
function discard(piece: Buffer): void {
  piece.fill(0)
  const { buffer } = piece
  // Later, because the parser of the request may still be reading from it.
  if (buffer instanceof ArrayBuffer && piece.length === buffer.byteLength) setImmediate(() => buffer.transfer(0))
}

/** `declaredBytes` is the length of the transfer, 0 when unknown. */
export function createCollector(info: FileInfo, options: CollectorOptions, declaredBytes: number) {
  const { createSample, onGrowth, bytesMax = DOCUMENT_BYTES_MAX } = options
  const writer = createSample()
  /** The first chunk until another arrives: a document of one chunk is hashed faster in one call. */
  let first: Buffer | null = null
  let hasher: Hash | null = null
  let size = 0
  let block = Buffer.alloc(0)
  let blockStart = 0
  let blockEnd = 0

  function accept(chunk: Buffer): void {
    if (hasher !== null) hasher.update(chunk)
    else if (first === null) first = chunk
    else {
      hasher = createHash('sha256').update(first).update(chunk)
      first = null
    }
    writer.push(chunk)
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

  const isLarge = () => Math.max(declaredBytes, size) > PIECES_KEPT_BYTES_MAX

  return {
    /** The memory of a piece of 4 KB or more must belong to the document alone, because it is kept and freed. */
    add(piece: Buffer): void {
      size += piece.length
      if (size > bytesMax) throw tooLarge(bytesMax)
      onGrowth?.(size)
      if (piece.length < PIECE_BYTES_MIN || (isLarge() && piece.length < BLOCK_BYTES)) gather(piece)
      else {
        flush()
        accept(piece)
      }
    },

    /** Throws 400 for an empty document. */
    end(password: () => string | undefined): Received {
      if (size === 0) throw new AppError('empty_file', 'The document is empty. Send at least one byte.')
      flush()
      if (block.buffer.resizable) block.buffer.resize(blockEnd)
      const sha256 = hasher?.digest('hex') ?? hash('sha256', first ?? '', 'hex')
      first = null
      const whole = writer.end(sha256, { password: password(), name: info.fileName })
      const free = () => writer.free(blocks.release)
      return { ...info, size, sha256, whole, reference: null, free, [Symbol.dispose]: writer.dispose }
    },

    dispose(): void {
      first = null
      writer.dispose()
    },
  }
}
