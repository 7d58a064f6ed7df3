/** Inflates PDF streams, including truncated and damaged ones and those with a wrong header. */

import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'

/** Bytes recovered from a damaged stream. With more, it is too complex. */
export const RECOVERED_MAX = 4_194_304

/** Bytes recovered from all damaged streams of a document. Limited, because recovery is slow. */
export const RECOVERED_TOTAL_MAX = 8_388_608

/** Damaged and truncated streams of a document. */
export const DAMAGED_MAX = 4000

/** Exhausted below zero. */
export interface RecoveryBudget {
  bytesLeft: number
  streamsLeft: number
}

export function createRecoveryBudget(): RecoveryBudget {
  return { bytesLeft: RECOVERED_TOTAL_MAX, streamsLeft: DAMAGED_MAX }
}

export function isExhausted({ bytesLeft, streamsLeft }: RecoveryBudget): boolean {
  return bytesLeft < 0 || streamsLeft < 0
}

export interface Step {
  bytes: Uint8Array
  fault: 'too_complex' | 'damaged' | null
}

/** `tail`: the data up to the end of the file. */
export function flate(
  bytes: Uint8Array,
  tail: Uint8Array | null,
  remaining: number,
  recovery: RecoveryBudget,
): Step | 'too_large' {
  if (isExhausted(recovery)) return { bytes: new Uint8Array(), fault: 'too_complex' }
  let longest: Step = { bytes: new Uint8Array(), fault: 'damaged' }
  for (const at of startsOf(bytes)) {
    const step = flateFrom(bytes.subarray(at), tail?.subarray(at) ?? null, remaining, recovery)
    if (step === 'too_large' || step.fault !== 'damaged') return step
    if (step.bytes.length > longest.bytes.length) longest = step
  }
  return longest
}

/** Most readers do not require the header, and some skip line ends before it. */
function startsOf(bytes: Uint8Array): number[] {
  if (hasZlibHeader(bytes)) return [ZLIB_HEADER_BYTES]
  let lines = 0
  while (bytes[lines] === 0x0a || bytes[lines] === 0x0d) lines += 1
  if (lines > 0 && hasZlibHeader(bytes, lines)) return [lines + ZLIB_HEADER_BYTES]
  return lines > 0 ? [0, lines, ZLIB_HEADER_BYTES] : [0, ZLIB_HEADER_BYTES]
}

function flateFrom(
  packed: Uint8Array,
  tail: Uint8Array | null,
  remaining: number,
  recovery: RecoveryBudget,
): Step | 'too_large' {
  const expected = Math.min(packed.length * 6, 4_194_304)
  const inflated = inflate(packed, remaining, expected)
  if (inflated.outcome === 'too_large') return 'too_large'
  if (inflated.outcome === 'corrupt') return recover(packed, remaining, recovery)
  if (inflated.outcome === 'whole' || tail === null) return { bytes: inflated.bytes, fault: null }
  return inflateTail(inflated.bytes, packed, tail, remaining, recovery)
}

/** Added to twice the truncated size as the first limit for the continued data. */
const FURTHER_BYTES = 65_536

/** The word `endstream` inside the data may have truncated it, so it may continue after the word. */
function inflateTail(
  start: Uint8Array,
  packed: Uint8Array,
  tail: Uint8Array,
  remaining: number,
  recovery: RecoveryBudget,
): Step | 'too_large' {
  const truncated: Step = { bytes: start, fault: null }
  if (tail.length <= packed.length) return truncated
  const short = Math.min(remaining, start.length * 2 + FURTHER_BYTES)
  let further = inflate(tail, short, short)
  const isLong = further.outcome === 'too_large'
  if (isLong && short < remaining) further = inflate(tail, remaining, short)
  if (further.outcome === 'too_large') return 'too_large'
  if (further.outcome === 'whole') return { bytes: further.bytes, fault: null }
  // Charges the maximum, because the size of the discarded output is unknown.
  if (isLong) recovery.bytesLeft -= RECOVERED_MAX
  recovery.streamsLeft -= 1
  return isExhausted(recovery) ? { ...truncated, fault: 'too_complex' } : truncated
}

/** Data before the fault. Too complex if it exceeds the limit, because readers show the rest too. */
function recover(packed: Uint8Array, remaining: number, recovery: RecoveryBudget): Step {
  const bytesMax = Math.min(remaining, RECOVERED_MAX + 1, recovery.bytesLeft + 1)
  const bytes = inflatePartial(packed, bytesMax)
  recovery.bytesLeft -= bytes.length
  recovery.streamsLeft -= 1
  return { bytes, fault: bytes.length < bytesMax && !isExhausted(recovery) ? 'damaged' : 'too_complex' }
}
