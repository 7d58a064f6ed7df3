/** Converts UTF-16 texts to UTF-8 for the rules and formats. */

import type { Format } from '#inspect/core/format.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'

export const utf16: Format = {
  applies: ({ sniffed, bytes }) =>
    sniffed.kind === 'text' && encodingOf(bytes.subarray(0, HEAD_BYTES))?.startsWith('utf-16') === true,
  analyse(item, context) {
    const encoding = encodingOf(item.bytes.subarray(0, HEAD_BYTES))
    if (encoding === null) return
    const text = Buffer.from(decodeText(item.bytes, encoding))
    if (!context.chargeBytes(item, text.length, 'stream')) return
    context.inspectMember(item, '(as UTF-8)', text)
  },
}
