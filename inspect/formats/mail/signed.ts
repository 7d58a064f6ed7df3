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
/** Work for each tag. */
const CANDIDATE_WORK = 300
/** The number of the tag follows in 7 bits per byte. BER readers accept it for small numbers, too. */
const HIGH_TAG = 0x1f
const LENGTH_BYTES_MAX = 6
/** RFC 5544: the version, an address, metadata and the content. */
const TIME_STAMPED_ELEMENTS_MAX = 4
/** Of an element, with its count: BER allows leading zeros. */
const LENGTH_FIELD_BYTES_MAX = 128

const PREFIX = Buffer.from('2a864886f70d01', 'hex')
/** Enveloped, signed and enveloped, encrypted, authenticated enveloped. */
const ENCRYPTED_TYPES = ['0703', '0704', '0706', '09100117'].map((hex) =>
  Buffer.concat([PREFIX, Buffer.from(hex, 'hex')]),
)
const COMPRESSED = Buffer.concat([PREFIX, Buffer.from('09100109', 'hex')])
const TIME_STAMPED = Buffer.concat([PREFIX, Buffer.from('0910011f', 'hex')])

interface Compression {
  declared: number
  unpacked: number
}

interface Element {
  tag: number
  at: number
  length: number
}

/** Inspects the octets of an element. false: the budget is spent. */
type Inspect = (element: Element) => boolean

export const signedMail: Format = {
  applies: ({ bytes }) => beginsWithType(view(bytes)),
  analyse(item, context) {
    const bytes = view(item.bytes)
    const take = createPieceBudget(item, context)
    const compression: Compression = { declared: 0, unpacked: 0 }
    const inspect: Inspect = (element) => inspectContent(item, bytes, element, compression, take, context)
    // Content of any type may be inside any other, each behind its type in an explicit tag.
    for (let at = bytes.indexOf(IDENTIFIER); at !== -1; at = bytes.indexOf(IDENTIFIER, at + 1)) {
      charge(CANDIDATE_WORK)
      const found = contentAfter(bytes, at)
      if (found === null) continue
      const { type, content } = found
      if (ENCRYPTED_TYPES.some((one) => one.equals(type)))
        context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
      if (COMPRESSED.equals(type)) compression.declared += 1
      const isRead = TIME_STAMPED.equals(type)
        ? inspectTimeStamped(item, bytes, content, inspect, context)
        : inspect(content)
      if (!isRead) return
    }
    if (compression.unpacked < compression.declared)
      context.addObstacle(item, 'too_complex', 'The compressed mail cannot be unpacked.')
  },
}

/** The type is the first element of the outer sequence. */
function beginsWithType(bytes: Buffer): boolean {
  if (bytes[0] !== SEQUENCE && bytes[0] !== (SEQUENCE | HIGH_TAG)) return false
  const outer = elementAt(bytes, 0)
  if (outer?.tag !== SEQUENCE) return false
  const type = elementAt(bytes, outer.at)
  return type?.tag === IDENTIFIER && startsWith(bytes, PREFIX, type.at)
}

/** The type whose tag ends here, if it is the first element of a sequence, and the content in the explicit tag after it. */
function contentAfter(bytes: Buffer, tagEnd: number): { type: Buffer; content: Element } | null {
  const type = lengthAt(bytes, tagEnd + 1)
  if (type === null || type.length === 0) return null
  const end = type.at + type.length
  const explicit = elementAt(bytes, end)
  const content = explicit?.tag === EXPLICIT ? elementAt(bytes, explicit.at) : null
  if (content === null || !beginsSequence(bytes, tagEnd)) return null
  return { type: bytes.subarray(type.at, end), content }
}

function beginsSequence(bytes: Buffer, tagEnd: number): boolean {
  let start = tagEnd
  while (bytes[start - 1] === 0x80) start -= 1
  start = bytes[start - 1] === HIGH_TAG ? start - 1 : tagEnd
  for (let at = start - 2; at >= Math.max(0, start - 1 - LENGTH_FIELD_BYTES_MAX); at--) {
    const before = bytes[at - 1]
    const isSequence =
      bytes[at] === SEQUENCE ||
      (bytes[at] === (SEQUENCE & HIGH_TAG) && (before === (SEQUENCE | HIGH_TAG) || before === 0x80))
    if (isSequence && lengthAt(bytes, at + 1)?.at === start) return true
  }
  return false
}

/** The octets are one of the elements of a sequence, without an explicit tag. */
function inspectTimeStamped(item: Item, bytes: Buffer, sequence: Element, inspect: Inspect, context: Context): boolean {
  let at = sequence.at
  for (let i = 0; i < TIME_STAMPED_ELEMENTS_MAX; i++) {
    const element = elementAt(bytes, at)
    // Without content, the time stamps follow.
    if (element?.tag === EXPLICIT) return true
    if (element === null) break
    if (element.tag === OCTETS || element.tag === OCTETS_IN_CHUNKS) return inspect(element)
    at = element.at + element.length
  }
  context.addObstacle(item, 'too_complex', 'The time-stamped content cannot be found.')
  return true
}

/** A detached signature has no content. false: the budget is spent. */
function inspectContent(
  item: Item,
  bytes: Buffer,
  { tag, at, length }: Element,
  compression: Compression,
  take: (length: number) => boolean,
  context: Context,
): boolean {
  if (tag !== OCTETS && tag !== OCTETS_IN_CHUNKS) return true
  const end = Math.min(bytes.length, at + length)
  const chunks = tag === OCTETS ? [bytes.subarray(at, end)] : chunksOf(bytes, at, end)
  if (chunks === null) {
    context.addObstacle(item, 'too_complex', 'The signed content cannot be reassembled.')
    return true
  }
  if (!take(chunks.reduce((sum, chunk) => sum + chunk.length, 0))) return false
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
    const chunk = elementAt(bytes, at)
    if (chunks.length === CHUNKS_MAX || chunk?.tag !== OCTETS) return null
    at = chunk.at + chunk.length
    if (at > bytes.length) return null
    chunks.push(bytes.subarray(chunk.at, at))
  }
  return chunks
}

/** Tags in several bytes are returned as the one byte that they could be. */
function elementAt(bytes: Buffer, start: number): Element | null {
  const first = bytes[start]
  if (first === undefined) return null
  if ((first & HIGH_TAG) !== HIGH_TAG) return withLength(bytes, first, start + 1)
  let at = start + 1
  while (bytes[at] === 0x80) at += 1
  const number = bytes[at] ?? HIGH_TAG
  return number < HIGH_TAG ? withLength(bytes, (first & ~HIGH_TAG) | number, at + 1) : null
}

function withLength(bytes: Buffer, tag: number, at: number): Element | null {
  const length = lengthAt(bytes, at)
  return length === null ? null : { tag, ...length }
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
