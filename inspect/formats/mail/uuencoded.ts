/** Decodes uuencoded files in texts without a MIME header. Mail programs show them as attachments. */

import { uudecode } from '#inspect/codecs/transfer-encodings.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { safeName } from '#inspect/core/names.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'

const BEGIN = /^begin [0-7]{3,4} ([^\r\n]{1,255})\r?\n/gm

export const uuencoded: Format = {
  applies: (item) => item.sniffed.kind === 'text' && item.mentions('uuencode'),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    const take = createPieceBudget(item, context)
    for (const { start, end, name } of filesOf(text)) {
      if (!take(end - start)) return
      const file = uudecode(item.bytes.subarray(start, end))
      if (file.length > 0) context.inspectMember(item, safeName(name), file)
    }
  },
}

/** Each extends to the next one; data after its end does no harm. */
function* filesOf(text: string): Generator<{ start: number; end: number; name: string }> {
  let last: { start: number; name: string } | null = null
  for (const { index, 1: name = '' } of text.matchAll(BEGIN)) {
    if (last !== null) yield { ...last, end: index }
    last = { start: index, name }
  }
  if (last !== null) yield { ...last, end: text.length }
}
