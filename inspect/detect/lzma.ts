/** LZMA data, which has no signature. */

import { view } from '#inspect/core/bytes.ts'

export const LZMA_HEADER_BYTES = 13
/** Three bits of context: what every program writes. */
const USUAL_PROPERTIES = 0x5d
const PROPERTIES_MAX = 224
export const CONTENT_UNKNOWN = 0xffff_ffff_ffff_ffffn
/** 7-Zip draws the line there as well. */
const CONTENT_MAX = 1n << 56n

/** LZMA before it had a signature: properties, size of the dictionary, size of the content, and a zero. */
export function isLzma(source: Uint8Array): boolean {
  const bytes = view(source)
  if (bytes.length <= LZMA_HEADER_BYTES || bytes[LZMA_HEADER_BYTES] !== 0) return false
  if (!isDictionarySize(bytes.readUInt32LE(1))) return false
  const properties = bytes[0] ?? 0
  const content = bytes.readBigUInt64LE(5)
  // Tables of numbers look alike. So either the size is left open, as programs do, or the properties are the usual ones.
  if (content === CONTENT_UNKNOWN) return properties <= PROPERTIES_MAX
  return properties === USUAL_PROPERTIES && content > 0n && content < CONTENT_MAX
}

/** A power of two, or one and a half of it: who guesses the format accepts no other. */
function isDictionarySize(size: number): boolean {
  if (size === 0) return false
  if (size === 0xffff_ffff) return true
  const odd = size / ((size & -size) >>> 0)
  return odd === 1 || odd === 3
}
