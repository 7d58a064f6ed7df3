/** Text that is nothing else, and characters without a shape in texts of every kind. */

import { isCard, linesOfCard } from '#inspect/codecs/cards.ts'
import { decodeEntities } from '#inspect/codecs/xml-tags.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { createTextJudge, reportConcealed } from '#inspect/judge/hidden/hidden.ts'
import { concealedIn } from '#inspect/judge/hidden/unicode.ts'
import { isFile } from './readings.ts'

/** Tags and selectors in UTF-8. */
const INVISIBLE = mark(['\xf3\xa0\x80', '\xf3\xa0\x81', '\xf3\xa0\x84', '\xf3\xa0\x85', '\xf3\xa0\x86', '\xf3\xa0\x87'])
/** Joiners and spaces without a width, next to each other. */
const ROWS = mark(['\xe2\x80\x8b', '\xe2\x80\x8c', '\xe2\x80\x8d'], {
  fits: (bytes, at) => IN_ROW.test(bytes.toString('latin1', at, at + 24)),
})
const IN_ROW = /^(?:\xe2\x80[\x8b-\x8d]|\xe2\x81[\xa0-\xa4]|\xef\xbb\xbf){8}/
/** References in markup. */
const REFERENCES = mark(['&#xe00', '&#xe01', '&#9175', '&#9176', '&#9177'], { ignoresCase: true })
const CHARACTER_WORK = 5
/** Longer texts are read up to here. */
const TEXT_BYTES_MAX = 8_000_000

export const invisibleTexts: Format = {
  among: { marks: [INVISIBLE, ROWS, REFERENCES] },
  applies: (item) => item.sniffed.kind === 'text' && [INVISIBLE, ROWS, REFERENCES].some((sign) => item.has(sign)),
  analyse(item, context) {
    const bytes = item.bytes.subarray(0, TEXT_BYTES_MAX)
    charge(bytes.length * CHARACTER_WORK)
    const head = view(bytes.subarray(0, HEAD_BYTES))
    // A long line of a card may be folded inside of a flag.
    const text = isCard(head.toString('latin1'))
      ? linesOfCard(view(bytes))
      : decodeText(bytes, encodingOf(head) ?? 'utf-8')
    reportConcealed(item, concealedIn(item.has(REFERENCES) ? decodeEntities(text) : text), context)
  },
}

const PLAIN = new Set(['text/plain', 'application/json'])
/** Documents whose text is not read. */
const UNREAD = new Set(['ole2', 'onenote'])

/** Only for those who ask: what is plain hides nothing else. */
export const plainTexts: Format = {
  applies: (item) =>
    (item.sniffed.kind === 'text' && PLAIN.has(item.sniffed.type)) || UNREAD.has(item.sniffed.kind ?? ''),
  analyse(item, context) {
    if (context.texts === null || !isFile(item)) return
    if (item.sniffed.kind !== 'text') {
      context.texts.addUnread(item)
      return
    }
    const judge = createTextJudge(item, context)
    judge.add(decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'))
    judge.finish()
  },
}
