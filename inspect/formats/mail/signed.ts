/** Mails in the wrapping of S/MIME (CMS): encrypted, or signed with the content inside, which may lie there in chunks. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'

const SEQUENCE = 0x30
const OCTETS = 0x04
const OCTETS_IN_CHUNKS = 0x24
const EXPLICIT = 0xa0
/** Programs write thousands of bytes into each. */
export const CHUNKS_MAX = 100_000
/** How far behind the first byte the type stands, at most: behind a tag and a length of four bytes. */
const TYPE_WITHIN = 6

const oid = (hex: string): Buffer => Buffer.from(`06${(hex.length / 2).toString(16).padStart(2, '0')}${hex}`, 'hex')
const PKCS7 = '2a864886f70d0107'
const PREFIX = Buffer.from('2a864886f70d01', 'hex')
const SIGNED = oid(`${PKCS7}02`)
const DATA = oid(`${PKCS7}01`)
/** Enveloped, signed and enveloped, encrypted; enveloped with authentication. */
const SEALED = [oid(`${PKCS7}03`), oid(`${PKCS7}04`), oid(`${PKCS7}06`), oid('2a864886f70d0109100117')]
const COMPRESSED = oid('2a864886f70d0109100109')

/** Where the identifier ends that says what this is, or -1. */
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
    if (SEALED.some((type) => typeEnd(bytes, type) !== -1))
      context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
    if (typeEnd(bytes, COMPRESSED) !== -1)
      context.addObstacle(item, 'too_complex', 'The mail is compressed in a way that is not known.')
    const signed = typeEnd(bytes, SIGNED)
    if (signed !== -1) lookAtContent(item, bytes, signed, context)
  },
}

/** Without content it is a signature of something that stands elsewhere. */
function lookAtContent(item: Item, bytes: Buffer, from: number, context: Context): void {
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
      context.addObstacle(item, 'too_complex', 'The signed content cannot be put together.')
      continue
    }
    if (!take(chunks.reduce((sum, { length }) => sum + length, 0))) return
    const content = Buffer.concat(chunks)
    context.inspectMember(item, '(signed)', content)
  }
}

/** What the chunks hold, up to the end or to the mark of the end; null where something else stands among them, or too many. */
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

/** A length, and where what it measures begins. Without an end it is as long as can be. */
function lengthAt(bytes: Buffer, at: number): { at: number; length: number } | null {
  const first = bytes[at]
  if (first === undefined) return null
  if (first < 0x80) return { at: at + 1, length: first }
  const digits = first & 0x7f
  if (digits === 0) return { at: at + 1, length: Number.POSITIVE_INFINITY }
  if (digits > 4 || at + 1 + digits > bytes.length) return null
  return { at: at + 1 + digits, length: bytes.readUIntBE(at + 1, digits) }
}
