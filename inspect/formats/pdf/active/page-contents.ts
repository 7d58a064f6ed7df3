/** The content of pages that is kept until all pictures are known: what may draw a code, page by page. */

import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import { findPages } from '../text/pages.ts'
import type { PdfDocument } from './document.ts'
import { mayDraw } from './shapes.ts'

/** Characters of all that is written, and of all that may draw a code. */
const CONTENTS_MAX = 262_144

export function createPageContents(objects: PdfObjects, document: PdfDocument) {
  const texts: string[] = []
  const drawn = new Map<number, string>()
  let left = { text: CONTENTS_MAX, drawn: CONTENTS_MAX }

  return {
    add(object: number, bytes: Uint8Array): void {
      const text = view(bytes.subarray(0, CONTENTS_MAX)).toString('latin1')
      charge(text.length)
      const isDrawn = left.drawn > 0 && mayDraw(text)
      const kept = { text: Math.min(left.text, text.length), drawn: isDrawn ? Math.min(left.drawn, text.length) : 0 }
      left = { text: left.text - kept.text, drawn: left.drawn - kept.drawn }
      keep(Math.max(kept.text, kept.drawn))
      if (kept.text > 0) texts.push(text.slice(0, kept.text))
      if (isDrawn) drawn.set(object, [drawn.get(object) ?? '', text.slice(0, kept.drawn)].join('\n'))
    },
    text: (): string => texts.join('\n'),
    /** Each page draws over itself only. What is on no page is a form. */
    drawings(): string[] {
      if (drawn.size < 2) return [...drawn.values()]
      const rest = new Set(drawn.keys())
      const pages = (findPages(objects, document, false).pages ?? []).map(({ contents }) => {
        for (const number of contents) rest.delete(number)
        return contents.flatMap((number) => drawn.get(number) ?? []).join('\n')
      })
      return [...pages.filter((page) => page !== ''), ...[...rest].flatMap((number) => drawn.get(number) ?? [])]
    },
  }
}
