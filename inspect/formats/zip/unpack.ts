/** The bytes of one archive entry, unpacked within the limits, and whether they are what the archive promised. */

import { crc32 } from 'node:zlib'
import { inflate } from '#inspect/core/inflate.ts'
import type { Limits } from '#inspect/core/limits.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { inflatePartial } from '#inspect/core/partial-inflate.ts'

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

/** Those that some program unpacks; 99 is AES. */
export const METHODS: ReadonlySet<number> = new Set([STORED, DEFLATED, 99, ...Object.keys(METHOD_NAMES).map(Number)])

/** What the archive says about an entry. */
export interface Promised {
  method: number
  /** null: nobody says. Then the end of the packed data is not known either, and nothing can be checked. */
  unpacked: number | null
  crc: number
}

export interface Unpacked {
  /** What could be read, also if something was wrong; null if nothing. */
  bytes: Uint8Array | null
  /** Bytes of the budget that it cost. */
  cost: number
  problem: { reason: 'damaged' | 'too_complex'; detail: string } | null
  bomb: boolean
  /** Packed bytes that were used. */
  consumed: number
  /** The packed data itself is broken, not only what the archive says about it. */
  broken: boolean
}

function failed(reason: 'damaged' | 'too_complex', detail: string, cost = 0, bomb = false): Unpacked {
  return { bytes: null, cost, problem: { reason, detail }, bomb, consumed: 0, broken: false }
}

export function unpack(packed: Uint8Array, promised: Promised, remaining: number, limits: Limits): Unpacked {
  if (promised.method === STORED) return stored(packed, promised, remaining)
  if (promised.method !== DEFLATED) {
    const name = METHOD_NAMES[promised.method] ?? 'unknown'
    return failed('too_complex', `It is compressed by method ${promised.method} (${name}), which is not unpacked.`)
  }
  const expected = promised.unpacked ?? 0
  if (expected > remaining) return tooLarge(packed, expected, remaining, limits)
  const inflated = inflate(packed, remaining, expected)
  if (inflated.outcome === 'corrupt') return corrupt(packed, remaining)
  // It promised less than it holds. What was unpacked before the cap has been paid for.
  if (inflated.outcome === 'too_large')
    return failed('too_complex', exceedsBudget(remaining), remaining, isBomb(remaining, packed.length, limits))
  const { bytes, consumed } = inflated
  const fault = faultOf(inflated.outcome === 'truncated', packed.length - consumed, promised)
  return {
    bytes,
    cost: bytes.length,
    problem: fault ?? check(bytes, promised),
    bomb: isBomb(bytes.length, consumed, limits),
    consumed,
    broken: fault !== null,
  }
}

/** What came before the fault is worth a look: some readers show it. */
function corrupt(packed: Uint8Array, remaining: number): Unpacked {
  const bytes = inflatePartial(packed, remaining)
  const problem = damaged('Its compressed data is corrupt.')
  return { bytes, cost: bytes.length, problem, bomb: false, consumed: 0, broken: true }
}

/** Behind the end of the compressed data there is room for another archive. */
function faultOf(truncated: boolean, rest: number, { unpacked }: Promised): Unpacked['problem'] {
  if (truncated) return damaged('Its compressed data breaks off.')
  return rest > 0 && unpacked !== null ? damaged(`It has ${rest} bytes behind its compressed data.`) : null
}

function stored(packed: Uint8Array, promised: Promised, remaining: number): Unpacked {
  if (packed.length > remaining) return failed('too_complex', exceedsBudget(remaining))
  return {
    bytes: packed,
    cost: packed.length,
    problem: check(packed, promised),
    bomb: false,
    consumed: packed.length,
    broken: false,
  }
}

function check(bytes: Uint8Array, { unpacked, crc }: Promised): Unpacked['problem'] {
  if (unpacked === null) return null
  if (bytes.length !== unpacked) return damaged(`It has ${bytes.length} bytes where the archive says ${unpacked}.`)
  return crc32(bytes) === crc ? null : damaged('Its checksum is wrong.')
}

function damaged(detail: string): { reason: 'damaged'; detail: string } {
  return { reason: 'damaged', detail }
}

function isBomb(unpacked: number, packed: number, limits: Limits): boolean {
  return unpacked >= limits.bombBytesMin && unpacked >= packed * limits.bombRatioMin
}

const PROBE_BYTES = 65_536

/** Not unpacked whole. If it says of itself that it is a bomb, the beginning must show it: a wrong number is no bomb. */
function tooLarge(packed: Uint8Array, promised: number, remaining: number, limits: Limits): Unpacked {
  const detail = `It says that it unpacks to ${promised} bytes, and ${remaining} are left.`
  if (!isBomb(promised, packed.length, limits)) return failed('too_complex', detail)
  const start = packed.subarray(0, PROBE_BYTES)
  const probe = inflate(start, start.length * limits.bombRatioMin, Number.POSITIVE_INFINITY)
  return failed('too_complex', detail, start.length * limits.bombRatioMin, probe.outcome === 'too_large')
}
