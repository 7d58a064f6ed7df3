/** Text of parts without formats, such as comments and properties. */

import { readXml } from '#inspect/codecs/xml-events.ts'
import type { Reason } from '#inspect/core/texts.ts'
import type { createTextJudge } from '#inspect/judge/hidden/hidden.ts'

export function readSimplePart(
  source: string,
  reasons: readonly Reason[],
  place: string,
  judge: ReturnType<typeof createTextJudge>,
): void {
  readXml(source, {
    open() {},
    close() {},
    text(text) {
      if (text.trim() !== '') judge.add(`${text}\n`, reasons, place)
    },
  })
}
