/** LZMA data, which has no signature. */

import type { LzmaHeader } from '#inspect/codecs/lzma-probe.ts'
import { view } from '#inspect/core/bytes.ts'

/** Properties, dictionary size and content size. A zero byte follows. */
const LZMA_HEADER_BYTES = 13
/** lc=3, lp=0, pb=2: the properties that every program writes by default. */
const USUAL_PROPERTIES = 0x5d
const PROPERTIES_MAX = 224
/** lc + lp in xz. */
const LITERAL_BITS_MAX = 4
/** Values that programs write. They read more. */
const DICTIONARY_MIN = 1 << 12
const DICTIONARY_MAX = 3 * (1 << 29)
const CONTENT_UNKNOWN = 0xffff_ffff_ffff_ffffn
/** Same limit as in 7-Zip. */
const CONTENT_MAX = 1n << 56n

/** The header, if 7-Zip or xz accepts it. Chance data may have it too. */
export function lzmaHeaderOf(source: Uint8Array): LzmaHeader | null {
  const bytes = view(source)
  const properties = bytes[0] ?? 255
  if (bytes.length <= LZMA_HEADER_BYTES || bytes[LZMA_HEADER_BYTES] !== 0 || properties > PROPERTIES_MAX) return null
  const content = bytes.readBigUInt64LE(5)
  const isUnknown = content === CONTENT_UNKNOWN
  if (!isUnknown && (content === 0n || content >= CONTENT_MAX)) return null
  const literalContextBits = properties % 9
  const literalPositionBits = Math.floor(properties / 9) % 5
  const dictionary = bytes.readUInt32LE(1)
  const isStandard = isDictionarySize(dictionary)
  const isShort = literalContextBits + literalPositionBits <= LITERAL_BITS_MAX
  if (!isStandard && !isShort) return null
  return {
    literalContextBits,
    literalPositionBits,
    positionBits: Math.floor(properties / 45),
    contentBytes: isUnknown ? Number.POSITIVE_INFINITY : Number(content),
    isUsual: isStandard && properties === USUAL_PROPERTIES,
    isWritten: isShort && dictionary >= DICTIONARY_MIN && dictionary <= DICTIONARY_MAX,
  }
}

/** 2^n or 1.5 * 2^n: programs that detect the format accept no other. */
function isDictionarySize(size: number): boolean {
  if (size === 0) return false
  if (size === 0xffff_ffff) return true
  const odd = size / ((size & -size) >>> 0)
  return odd === 1 || odd === 3
}
