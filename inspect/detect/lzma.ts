/** LZMA data, which has no signature. */

import { type ProbeBudget, type ProbeResult, probeLzma } from '#inspect/codecs/lzma-probe.ts'
import { view } from '#inspect/core/bytes.ts'

const LZMA_HEADER_BYTES = 13
/** lc=3, lp=0, pb=2: the properties that every program writes. */
const USUAL_PROPERTIES = 0x5d
const PROPERTIES_MAX = 224
const CONTENT_UNKNOWN = 0xffff_ffff_ffff_ffffn
/** Same limit as in 7-Zip. */
const CONTENT_MAX = 1n << 56n

/** LZMA_Alone header: properties, dictionary size, content size, then a zero byte. */
export function isLzma(source: Uint8Array): boolean {
  const bytes = view(source)
  if (bytes.length <= LZMA_HEADER_BYTES || bytes[LZMA_HEADER_BYTES] !== 0) return false
  if (!isDictionarySize(bytes.readUInt32LE(1))) return false
  const properties = bytes[0] ?? 0
  const content = bytes.readBigUInt64LE(5)
  // Tables of numbers look similar, so either the size must be unknown, as programs write it, or the properties usual.
  if (content === CONTENT_UNKNOWN) return properties <= PROPERTIES_MAX
  return properties === USUAL_PROPERTIES && content > 0n && content < CONTENT_MAX
}

/** The header alone may be chance, so the first bytes are decoded, unless the properties are unusual. */
export function probe(source: Uint8Array, budget: ProbeBudget): ProbeResult {
  if (!isLzma(source)) return { isLzma: false, content: null }
  const bytes = view(source)
  if (bytes[0] !== USUAL_PROPERTIES) return { isLzma: true, content: null }
  const content = bytes.readBigUInt64LE(5)
  return probeLzma(bytes, content === CONTENT_UNKNOWN ? Number.POSITIVE_INFINITY : Number(content), budget)
}

/** 2^n or 1.5 * 2^n: programs that detect the format accept no other. */
function isDictionarySize(size: number): boolean {
  if (size === 0) return false
  if (size === 0xffff_ffff) return true
  const odd = size / ((size & -size) >>> 0)
  return odd === 1 || odd === 3
}
