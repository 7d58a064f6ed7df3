/** Unpacks signed S/MIME (CMS) messages, and detects encrypted ones. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'

const SEQUENCE = 0x30
const OCTETS = 0x04
const OCTETS_IN_CHUNKS = 0x24
const EXPLICIT = 0xa0
/** Programs write thousands of bytes per chunk. */
export const CHUNKS_MAX = 100_000
/** Largest offset of the type: after a tag and a length of four bytes. */
const TYPE_WITHIN = 6

const oid = (hex: string): Buffer => Buffer.from(`06${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`, 'hex')
const PKCS7 = '2a864886f70d0107'
const PREFIX = Buffer.from('2a864886f70d01', 'hex')
const SIGNED = oid(`${PKCS7}02`)
const DATA = oid(`${PKCS7}01`)
/** Enveloped, signed and enveloped, encrypted, authenticated enveloped. */
const ENCRYPTED_TYPES = [oid(`${PKCS7}03`), oid(`${PKCS7}04`), oid(`${PKCS7}06`), oid('2a864886f70d0109100117')]
const COMPRESSED = oid('2a864886f70d0109100109')

/** End offset of the content type, or -1 if it is another. */
function typeEnd(bytes: Buffer, type: Buffer): number {
  if (bytes[0] !== SEQUENCE) return -1
  const at = bytes.subarray(0, TYPE_WITHIN + type.length).indexOf(type)
  return at === -1 ? -1 : at + type.length
}

export const signedMail: Format = {
  applies: ({ bytes }) =>
    bytes[0] === SEQUENCE && view(bytes.subarray(0, TYPE_WITHIN + PREFIX.length + 2)).includes(PREFIX),
  analyse(item, context) {
    const bytes = view(item.bytes)
    if (ENCRYPTED_TYPES.some((type) => typeEnd(bytes, type) !== -1))
      context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
    if (typeEnd(bytes, COMPRESSED) !== -1)
      context.addObstacle(item, 'too_complex', 'The mail uses an unsupported compression.')
    const signed = typeEnd(bytes, SIGNED)
    if (signed !== -1) inspectContent(item, bytes, signed, context)
  },
}

/** A detached signature has no content. */
function inspectContent(item: Item, bytes: Buffer, from: number, context: Context): void {
  const take = createPieceBudget(item, context)
  for (let at = bytes.indexOf(DATA, from); at !== -1; at = bytes.indexOf(DATA, at + 1)) {
    const outer = lengthAt(bytes, at + DATA.length + 1)
    if (bytes[at + DATA.length] !== EXPLICIT || outer === null) continue
    const inner = lengthAt(bytes, outer.at + 1)
    const tag = bytes[outer.at]
    if (inner === null || (tag !== OCTETS && tag !== OCTETS_IN_CHUNKS)) continue
    const end = Math.min(bytes.length, inner.at + inner.length)
    const chunks = tag === OCTETS ? [bytes.subarray(inner.at, end)] : chunksOf(bytes, inner.at, end)
    if (chunks === null) {
      context.addObstacle(item, 'too_complex', 'The signed content cannot be reassembled.')
      continue
    }
    if (!take(chunks.reduce((sum, { length }) => sum + length, 0))) return
    const content = Buffer.concat(chunks)
    context.inspectMember(item, '(signed)', content)
  }
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
