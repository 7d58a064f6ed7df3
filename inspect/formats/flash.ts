/** Unpacks Flash films compressed with zlib. They may contain any file. */

import { ascii, startsWith } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { inflate } from '#inspect/core/inflate.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'
import { binaryType } from '#inspect/detect/sniff.ts'

/** The other compression, LZMA, is not unpacked. */
const ZLIB = ascii('CWS')
/** The signature, the version and the unpacked size; then the header of zlib. */
const HEADER_BYTES = 10

export const flash: Format = {
  among: { binary: true },
  applies: ({ bytes }) => isZlibFilm(bytes),
  analyse(item, context) {
    const packed = item.bytes.subarray(HEADER_BYTES)
    const remaining = context.budget.remaining()
    const inflated = inflate(packed, remaining, Math.min(packed.length * 8, 1_048_576))
    if (inflated.outcome === 'whole') {
      context.budget.spend(inflated.bytes.length, 'archive')
      context.inspectMember(item, '(content)', inflated.bytes)
      return
    }
    const isTooLarge = inflated.outcome === 'too_large'
    if (isTooLarge) context.budget.spend(remaining, 'archive')
    const detail = isTooLarge ? exceedsBudget(remaining) : 'The compressed data is truncated or corrupt.'
    context.addObstacle(item, 'too_complex', detail)
  },
}

function isZlibFilm(bytes: Uint8Array): boolean {
  return startsWith(bytes, ZLIB) && binaryType(bytes) === 'application/vnd.adobe.flash.movie'
}
