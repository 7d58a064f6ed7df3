/** Deflated data of PDF streams: whole, cut off, broken, or with another header than it should have. */

import { inflate } from '#inspect/core/inflate.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'

/** Bytes that are saved of a broken stream. One with more is too complex. */
export const SALVAGE_MAX = 4_194_304

/** Bytes saved of all broken streams of a document: it is slow. Past them, a broken stream is too complex. */
export const SALVAGE_TOTAL_MAX = 8_388_608

/** Broken streams of a document, and those that are cut off. Past them, it is too complex. */
export const BROKEN_MAX = 4000

/** How many bytes, and of how many streams, may still be saved. Below zero nothing more is looked at. */
export interface Salvage {
  bytesLeft: number
  streamsLeft: number
}

export function createSalvage(): Salvage {
  return { bytesLeft: SALVAGE_TOTAL_MAX, streamsLeft: BROKEN_MAX }
}

export function isSpent({ bytesLeft, streamsLeft }: Salvage): boolean {
  return bytesLeft < 0 || streamsLeft < 0
}

export interface Step {
  bytes: Uint8Array
  fault: 'too_complex' | 'damaged' | null
}

export function hasZlibHeader(bytes: Uint8Array): boolean {
  const [method = 0, flags = 0] = bytes
  return (method & 0x8f) === 0x08 && ((method << 8) | flags) % 31 === 0
}

/** `tail` goes on past the end of the stream. */
export function flate(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  remaining: number,
  salvage: Salvage,
): Step | 'too_large' {
  if (isSpent(salvage)) return { bytes: new Uint8Array(), fault: 'too_complex' }
  let longest: Step = { bytes: new Uint8Array(), fault: 'damaged' }
  for (const at of startsOf(bytes)) {
    const done = flateFrom(bytes.subarray(at), tail?.subarray(at) ?? null, remaining, salvage)
    if (done === 'too_large' || done.fault !== 'damaged') return done
    if (done.bytes.length > longest.bytes.length) longest = done
  }
  return longest
}

/** Few readers insist on the header, and some pass over line ends in front of it. */
function startsOf(bytes: Uint8Array): number[] {
  if (hasZlibHeader(bytes)) return [HEADER_BYTES]
  let lines = 0
  while (bytes[lines] === 0x0a || bytes[lines] === 0x0d) lines += 1
  if (lines > 0 && hasZlibHeader(bytes.subarray(lines, lines + HEADER_BYTES))) return [lines + HEADER_BYTES]
  return lines > 0 ? [0, lines, HEADER_BYTES] : [0, HEADER_BYTES]
}

const HEADER_BYTES = 2

function flateFrom(
  packed: Uint8Array,
  tail: Uint8Array | null,
  remaining: number,
  salvage: Salvage,
): Step | 'too_large' {
  const expected = Math.min(packed.length * 6, 4_194_304)
  const inflated = inflate(packed, remaining, expected)
  if (inflated.outcome === 'too_large') return 'too_large'
  if (inflated.outcome === 'corrupt') return saved(packed, remaining, salvage)
  if (inflated.outcome === 'whole' || tail === null) return { bytes: inflated.bytes, fault: null }
  return continued(inflated.bytes, packed, tail, remaining, salvage)
}

/** Bytes that cut off data may make when it goes on, besides twice those before the cut. With more, it goes on for long. */
const FURTHER_BYTES = 65_536

/** Cut off, perhaps by the word `endstream` inside the data: then it goes on behind it. */
function continued(
  start: Uint8Array,
  packed: Uint8Array,
  tail: Uint8Array,
  remaining: number,
  salvage: Salvage,
): Step | 'too_large' {
  const asItIs: Step = { bytes: start, fault: null }
  if (tail.length <= packed.length) return asItIs
  const short = Math.min(remaining, start.length * 2 + FURTHER_BYTES)
  let further = inflate(tail, short, short)
  const isLong = further.outcome === 'too_large'
  if (isLong && short < remaining) further = inflate(tail, remaining, short)
  if (further.outcome === 'too_large') return 'too_large'
  if (further.outcome === 'whole') return { bytes: further.bytes, fault: null }
  // Nothing says how much came out in vain.
  if (isLong) salvage.bytesLeft -= SALVAGE_MAX
  salvage.streamsLeft -= 1
  return isSpent(salvage) ? { ...asItIs, fault: 'too_complex' } : asItIs
}

/** What comes before the fault. If that is more than we save, something is left that readers show. */
function saved(packed: Uint8Array, remaining: number, total: Salvage): Step {
  const bytesMax = Math.min(remaining, SALVAGE_MAX + 1, total.bytesLeft + 1)
  const bytes = inflatePartial(packed, bytesMax)
  total.bytesLeft -= bytes.length
  total.streamsLeft -= 1
  return { bytes, fault: bytes.length < bytesMax && !isSpent(total) ? 'damaged' : 'too_complex' }
}
