/** Unpacks OpenPGP messages that are not encrypted: literal and compressed data, signed or not. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'

const TAGS = {
  publicKeySession: 1,
  signature: 2,
  symmetricSession: 3,
  onePass: 4,
  compressed: 8,
  encrypted: 9,
  marker: 10,
  literal: 11,
  protected: 18,
  aead: 20,
} as const

const SESSIONS = new Set<number>([TAGS.publicKeySession, TAGS.symmetricSession])
const ENCRYPTED = new Set<number>([...SESSIONS, TAGS.encrypted, TAGS.protected, TAGS.aead])
const BEFORE_CONTENT = new Set<number>([TAGS.signature, TAGS.onePass, TAGS.marker])
const LITERAL_FORMATS = new Set([...'btulm1'].map((char) => char.charCodeAt(0)))
const VERSION_MAX = 6
/** Signatures before the content, and chunks of one packet. Programs write one signature and large chunks. */
export const PACKETS_MAX = 10_000

interface Packet {
  tag: number
  body: Uint8Array
  end: number
  /** It has more chunks than the limit. */
  cut: boolean
}

export const openPgp: Format = {
  applies: ({ bytes }) => ((bytes[0] ?? 0) & 0x80) !== 0 && isMessage(view(bytes)),
  analyse(item, context) {
    const bytes = view(item.bytes)
    let at = 0
    for (let count = 0; count < PACKETS_MAX; count++) {
      const packet = packetAt(bytes, at)
      if (packet === null || !isPlausible(packet)) return
      if (!inspectPacket(item, packet, context)) return
      at = packet.end
    }
    context.addObstacle(item, 'too_complex', 'The message has too many packets.')
  },
}

/** One packet may be valid by chance, so those before the content must lead to it. */
function isMessage(bytes: Buffer): boolean {
  const first = packetAt(bytes, 0)
  if (first === null || !isPlausible(first)) return false
  if (first.tag === TAGS.literal || first.tag === TAGS.compressed) return true
  const next = packetAt(bytes, first.end)
  if (next === null || !isPlausible(next)) return false
  return SESSIONS.has(first.tag) ? ENCRYPTED.has(next.tag) : BEFORE_CONTENT.has(first.tag)
}

function isPlausible({ tag, body }: Packet): boolean {
  const [first = 0xff, second = 0xff] = body
  if (tag === TAGS.literal) return LITERAL_FORMATS.has(first) && second + 6 <= body.length
  if (tag === TAGS.compressed) return first <= 3 && body.length > 1
  if (tag === TAGS.marker) return view(body).toString('latin1') === 'PGP'
  if (tag === TAGS.encrypted) return body.length > 0
  return first > 0 && first <= VERSION_MAX && (ENCRYPTED.has(tag) || BEFORE_CONTENT.has(tag))
}

/** false: nothing after it can be read. */
function inspectPacket(item: Item, { tag, body, cut }: Packet, context: Context): boolean {
  if (cut) context.addObstacle(item, 'too_complex', 'A packet of the message has too many parts.')
  if (ENCRYPTED.has(tag)) {
    context.addObstacle(item, 'encrypted', 'The message is encrypted.')
    return false
  }
  if (tag === TAGS.compressed) return inspectCompressed(item, body, context)
  if (tag !== TAGS.literal) return true
  if (!context.chargeBytes(item, body.length, 'stream')) return false
  const nameEnd = 2 + (body[1] ?? 0)
  const name = nameEnd > 2 ? safeName(decodeName(body.subarray(2, nameEnd))) : '(message)'
  const data = body.subarray(nameEnd + 4)
  if (data.length > 0) context.inspectMember(item, name, data)
  return true
}

const UNCOMPRESSED = 0
const ZIP = 1
const ZLIB = 2
const ZLIB_HEADER_BYTES = 2

function inspectCompressed(item: Item, body: Uint8Array, context: Context): boolean {
  const algorithm = body[0]
  const remaining = context.budget.remaining()
  const packed = body.subarray(algorithm === ZLIB ? 1 + ZLIB_HEADER_BYTES : 1)
  if (algorithm === UNCOMPRESSED) {
    if (context.chargeBytes(item, packed.length, 'stream')) context.inspectMember(item, '(message)', packed)
    return true
  }
  if (algorithm !== ZIP && algorithm !== ZLIB) {
    if (/^BZh[1-9]/.test(view(packed).toString('latin1', 0, 4)))
      context.addObstacle(item, 'too_complex', 'The message uses an unsupported compression.')
    return false
  }
  const inflated = inflate(packed, remaining, packed.length * 4)
  if (inflated.outcome === 'too_large') {
    context.budget.spend(remaining, 'archive')
    context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    return false
  }
  // Other data begins like a packet by chance, so this is no fault.
  if (inflated.outcome === 'corrupt') return false
  context.budget.spend(inflated.bytes.length, 'archive')
  if (inflated.bytes.length > 0) context.inspectMember(item, '(message)', inflated.bytes)
  return true
}

function packetAt(bytes: Buffer, at: number): Packet | null {
  const first = bytes[at] ?? 0
  if ((first & 0x80) === 0) return null
  return (first & 0x40) === 0 ? oldPacket(bytes, at) : newPacket(bytes, at)
}

function oldPacket(bytes: Buffer, at: number): Packet | null {
  const tag = ((bytes[at] ?? 0) >> 2) & 0xf
  const lengthBytes = [1, 2, 4, 0][(bytes[at] ?? 0) & 3] ?? 0
  const start = at + 1 + lengthBytes
  if (start >= bytes.length) return null
  const length = lengthBytes === 0 ? bytes.length - start : bytes.readUIntBE(at + 1, lengthBytes)
  const end = Math.min(bytes.length, start + length)
  return { tag, body: bytes.subarray(start, end), end, cut: false }
}

/** The length may come in parts, each before its chunk. */
function newPacket(bytes: Buffer, from: number): Packet | null {
  const tag = (bytes[from] ?? 0) & 0x3f
  const chunks: Buffer[] = []
  let at = from + 1
  let cut = true
  while (cut && chunks.length < PACKETS_MAX) {
    const part = partAt(bytes, at)
    if (part === null) return null
    chunks.push(bytes.subarray(part.start, part.end))
    at = part.end
    cut = part.isPartial
  }
  const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
  return { tag, body, end: at, cut }
}

function partAt(bytes: Buffer, at: number): { start: number; end: number; isPartial: boolean } | null {
  const first = bytes[at]
  if (first === undefined) return null
  const of = (used: number, length: number, isPartial = false) => ({
    start: Math.min(bytes.length, at + used),
    end: Math.min(bytes.length, at + used + length),
    isPartial,
  })
  if (first < 192) return of(1, first)
  if (first < 224) return of(2, (first - 192) * 256 + (bytes[at + 1] ?? 0) + 192)
  if (first < 255) return of(1, 2 ** (first & 0x1f), true)
  return at + 5 <= bytes.length ? of(5, bytes.readUInt32BE(at + 1)) : null
}
