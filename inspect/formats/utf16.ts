/** Shows the rules a text in UTF-16 as they expect text: in UTF-8. */

import { HEAD_BYTES } from '../sniff.ts'
import { decodeText, encodingOf } from '../text.ts'
import type { Format } from '../visit.ts'

export const utf16: Format = {
  applies: ({ sniffed, bytes }) =>
    sniffed.kind === 'text' && encodingOf(bytes.subarray(0, HEAD_BYTES))?.startsWith('utf-16') === true,
  analyse(item, visit) {
    const encoding = encodingOf(item.bytes.subarray(0, HEAD_BYTES))
    if (encoding === null) return
    const text = Buffer.from(decodeText(item.bytes, encoding))
    visit.spend(text.length, 'stream')
    visit.show(item, '(as UTF-8)', text)
  },
}
