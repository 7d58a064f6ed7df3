/** Deflate data unpacked under a cap, by Node's zlib. */

import { constants, inflateRawSync } from 'node:zlib'

export type Inflated =
  | { outcome: 'whole' | 'truncated'; bytes: Uint8Array; consumed: number }
  | { outcome: 'too_large' }
  | { outcome: 'corrupt' }

const CHUNK_MIN = 256

/**
 * At most `bytesMax` bytes come out. `expected` is a hint that saves copies: with room for the whole output zlib needs
 * one buffer. Never more than deflate could make of the input, so that a lie about it costs no memory.
 */
export function inflate(packed: Uint8Array, bytesMax: number, expected: number): Inflated {
  if (bytesMax < 1) return { outcome: 'too_large' }
  const possible = Math.min(expected, packed.length * 1032, bytesMax)
  const options = { maxOutputLength: bytesMax, chunkSize: Math.max(CHUNK_MIN, possible + 16) }
  const first = attempt(packed, options)
  if (first.outcome !== 'truncated') return first
  // What came before the cut is worth a look.
  const rest = attempt(packed, { ...options, finishFlush: constants.Z_SYNC_FLUSH })
  return rest.outcome === 'whole' ? { ...rest, outcome: 'truncated' } : { outcome: 'corrupt' }
}

interface Options {
  maxOutputLength: number
  chunkSize: number
  finishFlush?: number
}

function attempt(packed: Uint8Array, options: Options): Inflated {
  // Broken data is thrown at us by the thousand, and making the stack of an error costs more than the attempt.
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    // With `info` zlib also says how much of the input it used; the types do not know.
    const result = inflateRawSync(packed, { ...options, info: true }) as unknown as {
      buffer: Buffer
      engine: { bytesWritten: number }
    }
    return { outcome: 'whole', bytes: result.buffer, consumed: result.engine.bytesWritten }
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'ERR_BUFFER_TOO_LARGE') return { outcome: 'too_large' }
    if (code === 'Z_BUF_ERROR') return { outcome: 'truncated', bytes: new Uint8Array(), consumed: 0 }
    return { outcome: 'corrupt' }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}
