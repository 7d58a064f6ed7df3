/** Unpacks signed S/MIME (CMS) messages, and detects encrypted ones. */

import { startsWith, view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { charge } from '#inspect/core/work.ts'

const SEQUENCE = 0x30
const OCTETS = 0x04
const OCTETS_IN_CHUNKS = 0x24
const EXPLICIT = 0xa0
/** Programs write thousands of bytes per chunk. */
export const CHUNKS_MAX = 100_000
const IDENTIFIER = 0x06
const TYPE_BYTES_MAX = 24
/** Work for each tag. */
const CANDIDATE_WORK = 150
/** One byte of length follows. BER allows it for short values, too. */
const LONG_LENGTH = 0x81
const LENGTH_BYTES_MAX = 6

const PREFIX = Buffer.from('2a864886f70d01', 'hex')
/** Enveloped, signed and enveloped, encrypted, authenticated enveloped. */
const ENCRYPTED_TYPES = ['0703', '0704', '0706', '09100117'].map((hex) =>
  Buffer.concat([PREFIX, Buffer.from(hex, 'hex')]),
)
const COMPRESSED = Buffer.concat([PREFIX, Buffer.from('09100109', 'hex')])

interface Compression {
  declared: number
  unpacked: number
}

export const signedMail: Format = {
  applies: ({ bytes }) => bytes[0] === SEQUENCE && beginsWithType(view(bytes)),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const take = createPieceBudget(item, context)
    const compression: Compression = { declared: 0, unpacked: 0 }
    // Content of any type may be inside any other, each behind its type in an explicit tag.
    for (let at = bytes.indexOf(EXPLICIT); at !== -1; at = bytes.indexOf(EXPLICIT, at + 1)) {
      charge(CANDIDATE_WORK)
      const type = typeBefore(bytes, at)
      if (type === null) continue
      if (ENCRYPTED_TYPES.some((one) => one.equals(type)))
        context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
      if (COMPRESSED.equals(type)) compression.declared += 1
      if (!inspectContent(item, bytes, at, compression, take, context)) return
    }
    if (compression.unpacked < compression.declared)
      context.addObstacle(item, 'too_complex', 'The compressed mail cannot be unpacked.')
  },
}

/** The type is the first element of the outer sequence. */
function beginsWithType(bytes: Buffer): boolean {
  const outer = lengthAt(bytes, 1)
  if (outer === null || bytes[outer.at] !== IDENTIFIER) return false
  const type = lengthAt(bytes, outer.at + 1)
  return type !== null && startsWith(bytes, PREFIX, type.at)
}

/** The content of the object identifier that ends here, or null. */
function typeBefore(bytes: Buffer, end: number): Buffer | null {
  for (let length = 1; length <= TYPE_BYTES_MAX; length++) {
    const start = end - length
    const lengthAtStart = bytes[start - 2] === LONG_LENGTH ? start - 2 : start - 1
    if (bytes[start - 1] === length && bytes[lengthAtStart - 1] === IDENTIFIER) return bytes.subarray(start, end)
  }
  return null
}

/** A detached signature has no content. false: the budget is spent. */
function inspectContent(
  item: Item,
  bytes: Buffer,
  at: number,
  compression: Compression,
  take: (length: number) => boolean,
  context: Context,
): boolean {
  const outer = lengthAt(bytes, at + 1)
  const inner = outer === null ? null : lengthAt(bytes, outer.at + 1)
  const tag = outer === null ? undefined : bytes[outer.at]
  if (inner === null || (tag !== OCTETS && tag !== OCTETS_IN_CHUNKS)) return true
  const end = Math.min(bytes.length, inner.at + inner.length)
  const chunks = tag === OCTETS ? [bytes.subarray(inner.at, end)] : chunksOf(bytes, inner.at, end)
  if (chunks === null) {
    context.addObstacle(item, 'too_complex', 'The signed content cannot be reassembled.')
    return true
  }
  if (!take(chunks.reduce((sum, { length }) => sum + length, 0))) return false
  const content = Buffer.concat(chunks)
  if (content.length > 0) context.inspectMember(item, '(signed)', content)
  if (compression.declared > 0 && hasZlibHeader(content)) inspectCompressed(item, content, compression, context)
  return true
}

/** The only algorithm is zlib. */
function inspectCompressed(item: Item, content: Buffer, compression: Compression, context: Context): void {
  const remaining = context.budget.remaining()
  const packed = content.subarray(ZLIB_HEADER_BYTES)
  const inflated = inflate(packed, remaining, packed.length * 4)
  if (inflated.outcome === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
  }
  if (inflated.outcome !== 'whole') return
  compression.unpacked += 1
  context.budget.spend(inflated.bytes.length, 'archive')
  if (inflated.bytes.length > 0) context.inspectMember(item, '(message)', inflated.bytes)
}

/** The chunks up to the end or the end-of-contents octets; null if invalid or too many. */
function chunksOf(bytes: Buffer, from: number, end: number): Buffer[] | null {
  const chunks: Buffer[] = []
  for (let at = from; at < end; ) {
    if (bytes[at] === 0 && bytes[at + 1] === 0) return chunks
    const length = lengthAt(bytes, at + 1)
    if (chunks.length === CHUNKS_MAX || bytes[at] !== OCTETS) return null
    if (length === null || length.at + length.length > bytes.length) return null
    chunks.push(bytes.subarray(length.at, length.at + length.length))
    at = length.at + length.length
  }
  return chunks
}

/** A length and the offset after it. Indefinite lengths are infinite. */
function lengthAt(bytes: Buffer, at: number): { at: number; length: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x80) return { at: at + 1, length: first }
  const digits = first & 0x7f
  if (digits === 0) return { at: at + 1, length: Number.POSITIVE_INFINITY }
  const end = at + 1 + digits
  if (end > bytes.length) return null
  // Leading zeros are allowed.
  let start = at + 1
  while (start < end && bytes[start] === 0) start += 1
  if (end - start > LENGTH_BYTES_MAX) return null
  return { at: end, length: start === end ? 0 : bytes.readUIntBE(start, end - start) }
}
