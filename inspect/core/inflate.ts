/** Inflates deflate data up to a size limit, with Node's zlib. */

import { constants, inflateRawSync } from 'node:zlib'
import { BudgetExceeded, charge } from './work.ts'

/** Work for a call, for each packed byte and for each unpacked byte. */
const CALL_WORK = 10_000
const PACKED_WORK = 5
const UNPACKED_WORK = 2
/** Charged in advance. zlib does not say how far it came in corrupt data, and most of it fails at once. */
const PACKED_FAILED = 4_096

type Inflated =
  | { outcome: 'whole' | 'truncated'; bytes: Uint8Array; consumed: number }
  | { outcome: 'too_large' }
  | { outcome: 'corrupt' }

const CHUNK_MIN = 256
export const ZLIB_HEADER_BYTES = 2

export function hasZlibHeader(bytes: Uint8Array, at = 0): boolean {
  const [method = 0, flags = 0] = bytes.subarray(at, at + ZLIB_HEADER_BYTES)
  return (method & 0x8f) === 0x08 && ((method << 8) | flags) % 31 === 0
}

/**
 * Returns at most `bytesMax` bytes. `expected` sizes the output buffer, so that zlib needs only one. It is capped at
 * what deflate could produce from the input, so a false size in the document costs no memory.
 */
export function inflate(packed: Uint8Array, bytesMax: number, expected: number): Inflated {
  if (bytesMax < 1) return { outcome: 'too_large' }
  const possible = Math.min(expected, packed.length * 1032, bytesMax)
  const options = { maxOutputLength: bytesMax, chunkSize: Math.max(CHUNK_MIN, possible + 16) }
  const first = attempt(packed, options)
  if (first.outcome !== 'truncated') return first
  // Keep the data before the cut: it is inspected as well.
  const rest = attempt(packed, { ...options, finishFlush: constants.Z_SYNC_FLUSH })
  return rest.outcome === 'whole' ? { ...rest, outcome: 'truncated' } : { outcome: 'corrupt' }
}

interface Options {
  maxOutputLength: number
  chunkSize: number
  finishFlush?: number
}

function attempt(packed: Uint8Array, options: Options): Inflated {
  charge(CALL_WORK + Math.min(packed.length, PACKED_FAILED) * PACKED_WORK)
  // Attackers send corrupt data by the thousand, and capturing a stack trace costs more than the attempt.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    // With `info` zlib also returns the number of input bytes used, which the types do not declare.
    const result = inflateRawSync(packed, { ...options, info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    charge(result.engine.bytesWritten * PACKED_WORK + result.buffer.length * UNPACKED_WORK)
    return { outcome: 'whole', bytes: result.buffer, consumed: result.engine.bytesWritten }
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error
    const code = (error as { code?: string }).code
    if (code === 'ERR_BUFFER_TOO_LARGE') return { outcome: 'too_large' }
    if (code === 'Z_BUF_ERROR') return { outcome: 'truncated', bytes: new Uint8Array(), consumed: 0 }
    return { outcome: 'corrupt' }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
