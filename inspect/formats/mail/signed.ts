/** Unpacks signed S/MIME (CMS) messages, and detects encrypted ones. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
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
/** Largest offset of the type: after a tag and a length of four bytes. */
const TYPE_WITHIN = 6

const oid = (hex: string): Buffer => Buffer.from(`06${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`, 'hex')
const PKCS7 = '2a864886f70d0107'
const PREFIX = Buffer.from('2a864886f70d01', 'hex')
/** Enveloped, signed and enveloped, encrypted, authenticated enveloped. */
const ENCRYPTED_TYPES = [oid(`${PKCS7}03`), oid(`${PKCS7}04`), oid(`${PKCS7}06`), oid('2a864886f70d0109100117')]
const COMPRESSED = oid('2a864886f70d0109100109')

export const signedMail: Format = {
  applies: ({ bytes }) =>
    bytes[0] === SEQUENCE && view(bytes.subarray(0, TYPE_WITHIN + PREFIX.length + 2)).includes(PREFIX),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const take = createPieceBudget(item, context)
    // Content of any type may be inside any other, each behind its type in an explicit tag.
    for (let at = bytes.indexOf(EXPLICIT); at !== -1; at = bytes.indexOf(EXPLICIT, at + 1)) {
      charge(CANDIDATE_WORK)
      const type = typeBefore(bytes, at)
      if (type === null) continue
      if (ENCRYPTED_TYPES.some((one) => one.equals(type)))
        context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
      if (COMPRESSED.equals(type)) context.addObstacle(item, 'too_complex', 'The mail uses an unsupported compression.')
      if (!inspectContent(item, bytes, at, take, context)) return
    }
  },
}

/** The object identifier that ends here, or null. */
function typeBefore(bytes: Buffer, end: number): Buffer | null {
  for (let length = 1; length <= TYPE_BYTES_MAX; length++)
    if (bytes[end - length - 2] === IDENTIFIER && bytes[end - length - 1] === length)
      return bytes.subarray(end - length - 2, end)
  return null
}

/** A detached signature has no content. false: the budget is spent. */
function inspectContent(
  item: Item,
  bytes: Buffer,
  at: number,
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
  return true
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
  if (digits > 4 || at + 1 + digits > bytes.length) return null
  return { at: at + 1 + digits, length: bytes.readUIntBE(at + 1, digits) }
}
