/** Unpacks files that are zlib data from their first byte on. */

import type { Format } from '#inspect/core/format.ts'
import { hasZlibHeader, inflate, ZLIB_HEADER_BYTES } from '#inspect/core/inflate.ts'
import { exceedsBudget } from '#inspect/core/obstacles.ts'

export const zlib: Format = {
  applies: ({ bytes }) => hasZlibHeader(bytes),
  analyse(item, context) {
    const packed = item.bytes.subarray(ZLIB_HEADER_BYTES)
    const remaining = context.budget.remaining()
    const inflated = inflate(packed, remaining, Math.min(packed.length * 4, 1_048_576))
    if (inflated.outcome === 'too_large') {
      context.budget.spend(remaining, 'archive')
      context.addObstacle(item, 'too_complex', exceedsBudget(remaining))
    }
    // Two bytes may match by chance, so corrupt data is no fault.
    if (inflated.outcome === 'too_large' || inflated.outcome === 'corrupt' || inflated.bytes.length === 0) return
    context.budget.spend(inflated.bytes.length, 'archive')
    context.inspectMember(item, '(content)', inflated.bytes)
  },
}
