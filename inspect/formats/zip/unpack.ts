/** The bytes of one archive entry, unpacked within the limits, and whether they are what the archive promised. */

import { crc32 } from 'node:zlib'
import { inflate } from '../../inflate.ts'
import type { Limits } from '../../limits.ts'

export const STORED = 0
const DEFLATED = 8

const METHOD_NAMES: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
}

/** What the archive says about an entry. */
export interface Promised {
  method: number
  unpacked: number
  crc: number
}

export interface Unpacked {
  /** What could be read, also if something was wrong; null if nothing. */
  bytes: Uint8Array | null
  /** Bytes of the budget that it cost. */
  cost: number
  problem: { reason: 'damaged' | 'too_complex'; detail: string } | null
  bomb: boolean
}

function failed(reason: 'damaged' | 'too_complex', detail: string, cost = 0, bomb = false): Unpacked {
  return { bytes: null, cost, problem: { reason, detail }, bomb }
}

export function unpack(packed: Uint8Array, promised: Promised, room: number, limits: Limits): Unpacked {
  if (promised.method === STORED) return stored(packed, promised, room)
  if (promised.method !== DEFLATED) {
    const name = METHOD_NAMES[promised.method] ?? 'unknown'
    return failed('too_complex', `It is compressed by method ${promised.method} (${name}), which is not unpacked.`)
  }
  if (promised.unpacked > room) return tooLarge(packed, promised, room, limits)
  const inflated = inflate(packed, room, promised.unpacked)
  if (inflated.outcome === 'corrupt') return failed('damaged', 'Its compressed data is corrupt.')
  // It promised less than it holds. What was unpacked before the cap has been paid for.
  if (inflated.outcome === 'too_large')
    return failed('too_complex', over(room), room, isBomb(room, packed.length, limits))
  const { bytes, consumed } = inflated
  return {
    bytes,
    cost: bytes.length,
    problem: inflated.outcome === 'truncated' ? damaged('Its compressed data breaks off.') : check(bytes, promised),
    bomb: isBomb(bytes.length, consumed, limits),
  }
}

function stored(packed: Uint8Array, promised: Promised, room: number): Unpacked {
  if (packed.length > room) return failed('too_complex', over(room))
  return { bytes: packed, cost: packed.length, problem: check(packed, promised), bomb: false }
}

function check(bytes: Uint8Array, { unpacked, crc }: Promised): Unpacked['problem'] {
  if (bytes.length !== unpacked) return damaged(`It has ${bytes.length} bytes where the archive says ${unpacked}.`)
  return crc32(bytes) === crc ? null : damaged('Its checksum is wrong.')
}

function damaged(detail: string): { reason: 'damaged'; detail: string } {
  return { reason: 'damaged', detail }
}

function over(room: number): string {
  return `It unpacks to more than the ${room} bytes that are left.`
}

function isBomb(unpacked: number, packed: number, limits: Limits): boolean {
  return unpacked >= limits.bombBytesMin && unpacked >= packed * limits.bombRatioMin
}

const PROBE_BYTES = 65_536

/** Not unpacked whole. If it says of itself that it is a bomb, the beginning must show it: a wrong number is no bomb. */
function tooLarge(packed: Uint8Array, promised: Promised, room: number, limits: Limits): Unpacked {
  const detail = `It says that it unpacks to ${promised.unpacked} bytes, and ${room} are left.`
  if (!isBomb(promised.unpacked, packed.length, limits)) return failed('too_complex', detail)
  const start = packed.subarray(0, PROBE_BYTES)
  const probe = inflate(start, start.length * limits.bombRatioMin, Number.POSITIVE_INFINITY)
  return failed('too_complex', detail, start.length * limits.bombRatioMin, probe.outcome === 'too_large')
}
