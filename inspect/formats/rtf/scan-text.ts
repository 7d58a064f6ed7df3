/** Scans the text of RTF documents, including those inside mail or another text. */

import { UNKNOWN_NAME } from '#inspect/codecs/field-names.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { createPieceBudget } from '#inspect/core/piece-budget.ts'
import { judgeText } from './judge-text.ts'
import { type RtfText, readText } from './text.ts'

const SIGNATURE = Buffer.from('{\\rt')
const FROM_HTML = Buffer.from('\\fromhtml')

export const SIGNATURE_MARK = mark(['{\\rt'])

export function mayBeRtf(item: Item): boolean {
  return item.has(SIGNATURE_MARK) && view(item.bytes).includes(SIGNATURE)
}

type Take = (length: number) => boolean

export function scanTexts(item: Item, context: Context): void {
  const take = createPieceBudget(item, context)
  if (item.sniffed.kind === 'rtf') {
    scanText(item, 0, take, context)
    return
  }
  const bytes = view(item.bytes)
  let end = 0
  for (let at = bytes.indexOf(SIGNATURE); at !== -1; at = bytes.indexOf(SIGNATURE, at + 1)) {
    // A signature found by chance may seem to start a document that covers the next one.
    if (at < end && !isStart(bytes, at)) continue
    const next = take(0) ? scanText(item, at, take, context) : null
    if (next === null) return
    end = Math.max(end, next)
  }
}

/** Control words for the text direction start like the signature. Word writes thousands of them. */
const DIRECTION = /^l(?:ch|doc|gutter|mark|par|row|sect)(?![a-z])/
const DIRECTION_BYTES = 8
/** The body of a mail follows an empty line. */
const EMPTY_LINE = /(?:\n|\r(?!\n))[ \t]*[\r\n]\s*$/
const SPACE_BYTES = 64

function isStart(bytes: Buffer, at: number): boolean {
  const word = at + SIGNATURE.length
  if (!DIRECTION.test(bytes.toString('latin1', word, word + DIRECTION_BYTES))) return true
  return EMPTY_LINE.test(bytes.toString('latin1', Math.max(0, at - SPACE_BYTES), at))
}

/** Returns the end of the document, or null after an obstacle. */
function scanText(item: Item, start: number, take: Take, context: Context): number | null {
  const full = readText(item.bytes, 'full', start)
  const basic = full?.ambiguous === true ? readText(item.bytes, 'basic', start) : null
  if (full === null || (full.ambiguous && basic === null)) {
    context.addObstacle(item, 'too_complex', 'It has too many fields, recursive fields, or groups nested too deeply.')
    return null
  }
  if (full.hasUnknownName || basic?.hasUnknownName) context.addObstacle(item, 'too_complex', UNKNOWN_NAME)
  for (const reading of [full, basic]) if (reading !== null) judgeText(item, reading, context)
  if (!inspectText(item, start, full, take, context)) return null
  if (basic !== null) inspectReading(item, basic.text, isPageIn(item, start, full.end), context)
  return full.end
}

/** Outlook converts HTML to RTF, so such text is inspected as a page. */
function isPageIn({ bytes }: Item, start: number, end: number): boolean {
  return view(bytes).subarray(start, end).includes(FROM_HTML)
}

function inspectText(item: Item, start: number, { text, end }: RtfText, take: Take, context: Context): boolean {
  const isPage = isPageIn(item, start, end)
  if ((isPage || start > 0) && !take(end - start)) return false
  inspectReading(item, text, isPage, context)
  return true
}

function inspectReading(item: Item, text: Uint8Array, isPage: boolean, context: Context): void {
  if (isPage) context.inspectMember(item, 'text', text)
  else context.scan(item, 'text', text)
}
