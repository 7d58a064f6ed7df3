/** Unpacks one archive entry within the limits and verifies it. */

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

/** Methods that some program unpacks; 99 is AES. */
export const METHODS: ReadonlySet<number> = new Set([STORED, DEFLATED, 99, ...Object.keys(METHOD_NAMES).map(Number)])

/** Header fields of an entry. */
interface Declared {
  method: number
  /** null: unknown. Then the end of the packed data is unknown too, and nothing can be verified. */
  unpacked: number | null
  /** null: not checked, because the data was authenticated. */
  crc: number | null
}

export interface Unpacked {
  /** The readable part, also after a fault; null if nothing is readable. */
  bytes: Uint8Array | null
  /** Bytes to charge to the budget. */
  cost: number
  problem: { reason: 'damaged' | 'too_complex'; detail: string } | null
  bomb: boolean
  /** Packed bytes read. */
  consumed: number
  /** The packed data itself is corrupt, not only its header. */
  broken: boolean
}

function failed(reason: 'damaged' | 'too_complex', detail: string, cost = 0, bomb = false): Unpacked {
  return { bytes: null, cost, problem: { reason, detail }, bomb, consumed: 0, broken: false }
}

export function unpack(packed: Uint8Array, declared: Declared, remaining: number, limits: Limits): Unpacked {
  if (declared.method === STORED) return stored(packed, declared, remaining)
  if (declared.method !== DEFLATED) {
    const name = METHOD_NAMES[declared.method] ?? 'unknown'
    return failed('too_complex', `It uses compression method ${declared.method} (${name}), which is not unpacked.`)
  }
  const expected = declared.unpacked ?? 0
  if (expected > remaining) return tooLarge(packed, expected, remaining, limits)
  const inflated = inflate(packed, remaining, expected)
  if (inflated.outcome === 'corrupt') return corrupt(packed, remaining)
  // It declared less than it contains. The bytes up to the limit were unpacked and count.
  if (inflated.outcome === 'too_large')
    return failed('too_complex', exceedsBudget(remaining), remaining, isBomb(remaining, packed.length, limits))
  const { bytes, consumed } = inflated
  const fault = faultOf(inflated.outcome === 'truncated', packed.length - consumed, declared)
  return {
    bytes,
    cost: bytes.length,
    problem: fault ?? check(bytes, declared),
    bomb: isBomb(bytes.length, consumed, limits),
    consumed,
    broken: fault !== null,
  }
}

/** The data before the fault is inspected, because some readers show it. */
function corrupt(packed: Uint8Array, remaining: number): Unpacked {
  const bytes = inflatePartial(packed, remaining)
  const problem = damaged('Its compressed data is corrupt.')
  return { bytes, cost: bytes.length, problem, bomb: false, consumed: 0, broken: true }
}

/** Data after the end of the compressed data could be another archive. */
function faultOf(truncated: boolean, rest: number, { unpacked }: Declared): Unpacked['problem'] {
  if (truncated) return damaged('Its compressed data is truncated.')
  return rest > 0 && unpacked !== null ? damaged(`${rest} bytes follow its compressed data.`) : null
}

function stored(packed: Uint8Array, declared: Declared, remaining: number): Unpacked {
  if (packed.length > remaining) return failed('too_complex', exceedsBudget(remaining))
  return {
    bytes: packed,
    cost: packed.length,
    problem: check(packed, declared),
    bomb: false,
    consumed: packed.length,
    broken: false,
  }
}

function check(bytes: Uint8Array, { unpacked, crc }: Declared): Unpacked['problem'] {
  if (unpacked === null) return null
  if (bytes.length !== unpacked) return damaged(`It has ${bytes.length} bytes, but the archive declares ${unpacked}.`)
  return crc === null || crc32(bytes) === crc ? null : damaged('Its checksum is wrong.')
}

function damaged(detail: string): { reason: 'damaged'; detail: string } {
  return { reason: 'damaged', detail }
}

function isBomb(unpacked: number, packed: number, limits: Limits): boolean {
  return unpacked >= limits.bombBytesMin && unpacked >= packed * limits.bombRatioMin
}

const PROBE_BYTES = 65_536

/** Not unpacked completely. A declared size makes no bomb unless the start of the data expands as much. */
function tooLarge(packed: Uint8Array, declared: number, remaining: number, limits: Limits): Unpacked {
  const detail = `It declares an unpacked size of ${declared} bytes, but only ${remaining} bytes of the unpacking limit remain.`
  if (!isBomb(declared, packed.length, limits)) return failed('too_complex', detail)
  const start = packed.subarray(0, PROBE_BYTES)
  const probe = inflate(start, start.length * limits.bombRatioMin, Number.POSITIVE_INFINITY)
  return failed('too_complex', detail, start.length * limits.bombRatioMin, probe.outcome === 'too_large')
}
