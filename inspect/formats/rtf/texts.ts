/** Shows the text of RTF to the rules: of a whole document, and of one that stands in a mail or another text as it is. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { type RtfText, textOf } from './text.ts'

const BEGINNING = Buffer.from('{\\rt')
const FROM_PAGE = Buffer.from('\\fromhtml')

export function mayBeRtf(bytes: Uint8Array): boolean {
  return view(bytes).includes(BEGINNING)
}

type Take = (length: number) => boolean

export function lookAtTexts(item: Item, context: Context): void {
  const take = createPieceBudget(item, context)
  if (item.sniffed.kind === 'rtf') {
    lookAt(item, 0, take, context)
    return
  }
  const bytes = view(item.bytes)
  let end = 0
  for (let at = bytes.indexOf(BEGINNING); at !== -1; at = bytes.indexOf(BEGINNING, at + 1)) {
    // What is no document may seem to be one, and go on over the next.
    if (at < end && !isBeginning(bytes, at)) continue
    const next = take(0) ? lookAt(item, at, take, context) : null
    if (next === null) return
    end = Math.max(end, next)
  }
}

/** Words for the direction of text, of which Word writes thousands. */
const DIRECTION = /^l(?:ch|doc|gutter|mark|par|row|sect)(?![a-z])/
const DIRECTION_BYTES = 8
/** The body of a mail begins behind an empty line. */
const EMPTY_LINE = /(?:\n|\r(?!\n))[ \t]*[\r\n]\s*$/
const SPACE_BYTES = 64

function isBeginning(bytes: Buffer, at: number): boolean {
  const word = at + BEGINNING.length
  if (!DIRECTION.test(bytes.toString('latin1', word, word + DIRECTION_BYTES))) return true
  return EMPTY_LINE.test(bytes.toString('latin1', Math.max(0, at - SPACE_BYTES), at))
}

/** Where it ends, or null when no more is to be looked at. */
function lookAt(item: Item, start: number, take: Take, context: Context): number | null {
  const known = textOf(item.bytes, 'knowing', start)
  const simple = known?.unclear === true ? textOf(item.bytes, 'simple', start) : null
  if (known === null || (known.unclear && simple === null)) {
    context.addObstacle(item, 'too_complex', 'It has too many fields, recursive fields, or groups nested too deeply.')
    return null
  }
  if (!show(item, start, known, take, context)) return null
  if (simple !== null) context.scan(item, 'text', simple.text)
  return known.end
}

/** Outlook writes pages as RTF: what comes out is a page again. */
function show(item: Item, start: number, { text, end }: RtfText, take: Take, context: Context): boolean {
  const isPage = view(item.bytes).subarray(start, end).includes(FROM_PAGE)
  if ((isPage || start > 0) && !take(end - start)) return false
  if (isPage) context.inspectMember(item, 'text', text)
  else context.scan(item, 'text', text)
  return true
}
