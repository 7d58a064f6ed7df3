/** Unpacks OpenPGP messages that are not encrypted: literal and compressed data, signed or not. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { decodeName, safeName } from '#inspect/core/names.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'
import { charge } from '#inspect/core/work.ts'

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

const VERSION_MAX = 6
/** Work for each packet and each of its parts. */
const PACKET_WORK = 500
const ALGORITHM_MAX = 3
/** Signatures before the content, and chunks of one packet. Programs write one signature and large chunks. */
export const PACKETS_MAX = 10_000

interface Packet {
  tag: number
  /** null: no valid packet. */
  kind: 'before' | 'content' | 'encrypted' | 'other' | 'session' | null
  body: Uint8Array
  end: number
  /** It has more chunks than the limit. */
  cut: boolean
}

export const openPgp: Format = {
  applies: ({ bytes }) => isOpenPgpMessage(bytes),
  analyse(item, context) {
    const bytes = view(item.bytes)
    let isAfterHeaders = false
    let count = 0
    for (const packet of packetsOf(bytes)) {
      const { kind, cut } = packet
      count += 1
      if (count > PACKETS_MAX) {
        context.addObstacle(item, 'too_complex', 'The message has too many packets.')
        return
      }
      if (cut) context.addObstacle(item, 'too_complex', 'A packet of the message has too many parts.')
      if (isEncrypted(bytes, packet, isAfterHeaders)) {
        context.addObstacle(item, 'encrypted', 'The message is encrypted.')
        return
      }
      if (kind === 'content' && !inspectContent(item, packet, context)) return
      isAfterHeaders = kind === 'before' && (isAfterHeaders || count === 1)
    }
  },
}

/** Programs ignore packets that they do not know, but other data consists of such packets by chance. */
export function isOpenPgpMessage(source: Uint8Array): boolean {
  if (((source[0] ?? 0) & 0x80) === 0) return false
  const bytes = view(source)
  let isAfterHeaders = false
  let count = 0
  for (const packet of packetsOf(bytes)) {
    count += 1
    if (count > PACKETS_MAX) return isAfterHeaders
    if (packet.kind === 'content' || isEncrypted(bytes, packet, isAfterHeaders)) return true
    isAfterHeaders = packet.kind === 'before' && (isAfterHeaders || count === 1)
  }
  return false
}

function* packetsOf(bytes: Buffer): Generator<Packet> {
  for (let packet = packetAt(bytes, 0); packet?.kind; packet = packetAt(bytes, packet.end)) {
    charge(PACKET_WORK)
    yield packet
  }
}

/** A session key and the data. `isAfterHeaders`: the data may also follow a signature or marker. */
function isEncrypted(bytes: Buffer, { kind, end }: Packet, isAfterHeaders: boolean): boolean {
  if (kind === 'encrypted') return isAfterHeaders
  const next = kind === 'session' ? packetAt(bytes, end)?.kind : null
  return next === 'session' || next === 'encrypted'
}

/** The kind of each tag, and whether the first bytes are valid. Programs ignore the format of literal data. */
const hasVersion = ([version = 0]: Uint8Array): boolean => version > 0 && version <= VERSION_MAX
const KINDS: Readonly<Record<number, readonly [kind: Packet['kind'], isValid: (body: Uint8Array) => boolean]>> = {
  [TAGS.publicKeySession]: ['session', hasVersion],
  [TAGS.signature]: ['before', hasVersion],
  [TAGS.symmetricSession]: ['session', hasVersion],
  [TAGS.onePass]: ['before', hasVersion],
  [TAGS.compressed]: ['content', (body) => (body[0] ?? 0xff) <= ALGORITHM_MAX && body.length > 1],
  [TAGS.encrypted]: ['encrypted', (body) => body.length > 0],
  [TAGS.marker]: ['before', (body) => view(body).toString('latin1') === 'PGP'],
  [TAGS.literal]: ['content', (body) => (body[1] ?? 0xff) + 6 <= body.length],
  [TAGS.protected]: ['encrypted', hasVersion],
  [TAGS.aead]: ['encrypted', hasVersion],
}

function kindOf(tag: number, body: Uint8Array): Packet['kind'] {
  if (tag === 0) return null
  const [kind, isValid] = KINDS[tag] ?? ['other', () => true]
  if (isValid(body)) return kind
  // Programs skip versions that they do not know, but not content that they cannot read.
  return kind === 'content' ? null : 'other'
}

/** false: nothing after it can be read. */
function inspectContent(item: Item, { tag, body }: Packet, context: Context): boolean {
  if (tag === TAGS.compressed) return inspectCompressed(item, body, context)
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
  // Other data begins like a packet by chance, so corrupt data is no fault.
  const isCorrupt = inflated.outcome === 'corrupt'
  const message = isCorrupt ? inflatePartial(packed, remaining) : inflated.bytes
  context.budget.spend(message.length, 'archive')
  if (message.length > 0) context.inspectMember(item, '(message)', message)
  return !isCorrupt
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
  const body = bytes.subarray(start, end)
  return { tag, kind: kindOf(tag, body), body, end, cut: false }
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
    charge(PACKET_WORK)
    chunks.push(bytes.subarray(part.start, part.end))
    at = part.end
    cut = part.isPartial
  }
  const body = chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)
  return { tag, kind: kindOf(tag, body), body, end: at, cut }
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
