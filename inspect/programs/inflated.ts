/** Texts that scripts have packed: raw, of zlib or of gzip. */

import { MAGIC, readHeader } from '#inspect/codecs/gzip-header.ts'
import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'

export const INFLATED_MAX = 1_000_000

/** Of text whose characters are bytes. null: it is not packed. */
export function inflatedBytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'latin1')
  const isGzip = bytes.subarray(0, MAGIC.length).equals(MAGIC)
  const from = isGzip ? (readHeader(bytes, 0)?.dataAt ?? 0) : hasZlibHeader(bytes) ? ZLIB_HEADER_BYTES : 0
  const found = inflate(bytes.subarray(from), INFLATED_MAX, bytes.length * 4)
  return 'bytes' in found && found.bytes.length > 0 ? Buffer.from(found.bytes) : null
}
