/** The text of a PDF page under each of its links: it may show another address than the link opens. */

import { charge } from '#inspect/core/work.ts'
import type { createDeceptionJudge } from '#inspect/judge/deception/deception.ts'
import type { PdfDocument } from '../active/document.ts'
import type { PdfDictionary } from '../syntax/value-tree.ts'
import { type Box, common, isEmpty } from './geometry.ts'
import type { Shown } from './graphics.ts'
import { boxIn } from './pages.ts'

/** Links of a page. */
const LINKS_MAX = 500
const TEXT_WORK = 30
/** Words under a link. More are a sentence that may mention an address. */
export const WORDS_MAX = 4

export function judgeLinkTexts(
  { entries }: PdfDictionary,
  shown: readonly Shown[],
  document: PdfDocument,
  deception: ReturnType<typeof createDeceptionJudge>,
): void {
  const [list] = (entries.get('Annots') ?? []).flatMap(document.resolve)
  const visible = shown.filter(
    ({ reasons, isUndrawn, text }) => reasons.length === 0 && !isUndrawn && text.trim() !== '',
  )
  for (const note of document.dictionaries(list?.kind === 'list' ? list.items.slice(0, LINKS_MAX) : [])) {
    if (!document.names(note.entries.get('Subtype')).includes('Link')) continue
    const area = boxIn(note.entries.get('Rect'), document)
    const [action] = document.dictionaries(note.entries.get('A'))
    const [target] = document.texts(action?.entries.get('URI'))
    charge(visible.length * TEXT_WORK)
    if (area === null || target === undefined) continue
    const text = textIn(area, visible)
    if (text.split(/\s+/, WORDS_MAX + 1).length <= WORDS_MAX) deception.addText(target, text)
  }
}

/** Widths of glyphs are estimates: a word counts if most of its place is in the area. */
function textIn(area: Box, shown: readonly Shown[]): string {
  return shown
    .filter(({ box }) => !isEmpty(common(box, area)))
    .map(({ text, box }) => wordsIn(text, box, area))
    .join('')
    .trim()
}

function wordsIn(text: string, box: Box, area: Box): string {
  const width = (box.right - box.left) / Math.max(1, text.length)
  return text.replace(/\S+/g, (word, at: number) => {
    const place = { ...box, left: box.left + at * width, right: box.left + (at + word.length) * width }
    return isInside(place, area) ? word : ' '
  })
}

/** Of its height and of its width. */
const MOST = 0.5

function isInside(box: Box, area: Box): boolean {
  const both = common(box, area)
  return (
    both.right - both.left >= MOST * (box.right - box.left) && both.top - both.bottom >= MOST * (box.top - box.bottom)
  )
}
