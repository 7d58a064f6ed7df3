/** Carves Zstandard frames out of other data, such as the private data of Illustrator in a PDF. */

import { zstdDecompressSync } from 'node:zlib'
import { ascii, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { exceedsBudget, unsupportedArchive } from '#inspect/core/obstacles.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'

const MAGIC = ascii('\x28\xb5\x2f\xfd')
const MARK = mark(['\x28\xb5\x2f\xfd'], { fits: isFrame })

export const carvedZstandard: Format = {
  among: { marks: [MARK] },
  applies: (item) => item.has(MARK),
  analyse(item, context) {
    const take = createPieceBudget(item, context)
    for (let at = next(item.bytes, 0); at !== -1; ) {
      const end = inspectFrame(item, at, take, context)
      if (end === null) return
      at = next(item.bytes, end)
    }
  },
}

function next(source: Uint8Array, from: number): number {
  const bytes = view(source)
  for (let at = bytes.indexOf(MAGIC, from); at !== -1; at = bytes.indexOf(MAGIC, at + 1)) {
    charge(CANDIDATE_WORK)
    if (isFrame(bytes, at)) return at
  }
  return -1
}

/** Inspects the frame and returns the offset after it; null when nothing more is to be done. */
function inspectFrame(item: Item, at: number, take: (length: number) => boolean, context: Context): number | null {
  const remaining = context.budget.remaining()
  const unpacked = decompress(item.bytes.subarray(at), remaining)
  charge(typeof unpacked === 'string' ? FRAME_WORK : FRAME_WORK + unpacked.bytes.length * UNPACKED_WORK)
  if (unpacked === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return null
  }
  if (unpacked === 'corrupt') {
    context.addObstacle(item, 'too_complex', unsupportedArchive('application/zstd'))
    return null
  }
  if (!take(unpacked.consumed)) return null
  context.budget.spend(unpacked.bytes.length, 'archive')
  if (unpacked.bytes.length > 0) context.inspectMember(item, '(Zstandard)', unpacked.bytes)
  return at + unpacked.consumed
}

/** Work for each signature, for each frame and for each unpacked byte. */
const CANDIDATE_WORK = 300
const FRAME_WORK = 20_000
const UNPACKED_WORK = 2

type Unpacked = { bytes: Uint8Array; consumed: number } | 'too_large' | 'corrupt'

/** One frame. Data after it is ignored. */
function decompress(packed: Uint8Array, bytesMax: number): Unpacked {
  if (bytesMax < 1) return 'too_large'
  try {
    // With `info` zlib also returns the number of input bytes used, which the types do not declare.
    const result = zstdDecompressSync(packed, { maxOutputLength: bytesMax, info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    return { bytes: result.buffer, consumed: result.engine.bytesWritten }
  } catch (error) {
    return (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'corrupt'
  }
}

const BLOCK_MAX = 131_072
/** Block headers that are checked. So many are not valid by chance. */
const BLOCKS = 4
const RUN = 1
const RESERVED = 3

/** Follows the first block headers, because four bytes may match by chance. */
function isFrame(bytes: Buffer, start: number): boolean {
  const byte = (at: number): number => bytes[at] ?? 0xff
  const flags = byte(start + 4)
  if ((flags & 8) !== 0) return false
  const single = (flags & 0x20) !== 0
  const contentSize = [single ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0
  let at = start + 5 + (single ? 0 : 1) + ([0, 1, 2, 4][flags & 3] ?? 0) + contentSize
  for (let i = 0; i < BLOCKS && at + 3 <= bytes.length; i++) {
    const head = bytes.readUIntLE(at, 3)
    const type = (head >> 1) & 3
    if (type === RESERVED || head >> 3 > BLOCK_MAX) return false
    if ((head & 1) === 1) return true
    at += 3 + (type === RUN ? 1 : head >> 3)
  }
  return true
}
