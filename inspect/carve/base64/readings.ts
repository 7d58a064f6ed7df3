/** A text as browsers, script engines and XML readers see it: without escapes, comments and split strings. */

import { mayHaveReferences, unreferenced } from '#inspect/codecs/character-references.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { createSurvey, type Survey } from '#inspect/core/matcher/classes.ts'
import { rewritten } from '#inspect/core/rewritten.ts'
import { charge } from '#inspect/core/work.ts'
import { addedBase64 } from './changes.ts'
import {
  joinsList,
  type Rewriting,
  scriptUnescaped,
  styleUnescaped,
  withoutJoints,
  withoutListJoints,
  withoutZeros,
} from './rewriting.ts'
import { signsIn } from './signs.ts'
import { hasSigns } from './survey.ts'

/** Work for each character of a text, for all patterns together. */
const SEARCH_WORK = 1

/** Pages in the attribute of a page. Each level has its own references. */
export const PAGES_DEEP_MAX = 4
const NO_CONTENT = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[|\]\]>/g

/** Text directly after a comment, an instruction or the edge of a section. Elsewhere they interrupt nothing. */
const INTERRUPTED = /(?:-->|\?>|\]\]>|<!\[CDATA\[)\s*[\w+/=&]/
/** References to letters, digits and signs that occur in URLs and Base64. Markup needs the others. */
const HIDING =
  /&(?:#[xX]0*(?:[9aAdD]|2[1-3589a-fA-F]|3[0-9abdABDfF]|[4-7][0-9a-fA-F])(?![0-9a-fA-F])|#0*(?:9|10|13|3[3567]|4\d|5[0-9]|61|6[3-9]|[789]\d|1[01]\d|12[0-7])(?!\d)|(?!(?:amp|lt|gt|quot|apos|nbsp);)[A-Za-z]{2,16};)/

const CONCATENATION = mark(['.concat('])
const LIST_JOIN = mark(['.join'])
/** Characters of references, escapes, tags and strings, without which no pattern here matches. */
const classesIn = createSurvey([/[&\\<>\0]/, /\+/, /\$/, /["'`]/])
const [TELLING, PLUS, DOLLAR, QUOTE] = [1, 2, 4, 8]

/** false: no reader sees the bytes in another way than they are. */
export function mayHaveReadings(item: Item, survey: Survey): boolean {
  if (item.has(LIST_JOIN)) return true
  if (!hasSigns(survey)) return false
  const { seen } = classesIn(item.bytes)
  if ((seen & TELLING) !== 0) return true
  if ((seen & QUOTE) !== 0 && ((seen & PLUS) !== 0 || item.has(CONCATENATION))) return true
  return (seen & DOLLAR) !== 0 && view(item.bytes).includes('${')
}

const EMPTY = Buffer.alloc(0)

export interface Reading {
  bytes: Buffer
  /** Only data URLs in it may differ from those of the text. */
  onlyUrls: boolean
}

/** Every reading that has something that the text has not. */
export function* readingsOf(text: string): Generator<Reading> {
  charge(text.length * SEARCH_WORK)
  const zeros = text.includes('\0') ? withoutZeros(Buffer.from(text, 'latin1')) : null
  const plain = zeros === null ? text : zeros.bytes.toString('latin1')
  const page = unreferenced(plain)
  const isHiding = page !== plain && HIDING.test(plain)
  if (isHiding) yield wholeOf(page)
  if (mayHaveReferences(page) && /srcdoc/i.test(page)) for (const inner of innerPagesOf(page)) yield wholeOf(inner)
  if (mayInterrupt(text) && INTERRUPTED.test(text)) yield wholeOf(unreferenced(rewritten(text, NO_CONTENT, () => '')))
  yield* rewritingsOf(Buffer.from(page, 'latin1'), page === plain || isHiding, isHiding ? null : zeros)
}

export function wholeOf(text: string): Reading {
  return { bytes: Buffer.from(text, 'latin1'), onlyUrls: false }
}

/** As scripts and style sheets read it. `isSearched`: the text itself is searched, too, except for what `zeros` interrupted. */
function* rewritingsOf(text: Buffer, isSearched: boolean, zeros: Rewriting | null): Generator<Reading> {
  let signs: ReturnType<typeof signsIn> | undefined
  function* readingsBy(bytes: Buffer, changed: readonly (Rewriting | null)[]): Generator<Reading> {
    if (changed.every((each) => each === null)) return
    signs ??= signsIn(text)
    const isWhole = !isSearched || signs.hasElement
    const added = isWhole ? [bytes] : changed.map((each) => (each === null ? EMPTY : addedBase64(each)))
    // The last of several changes is made to the result of the others.
    const isAll = added.some((each, index) => each.length > 0 && each === changed[index]?.bytes) || isWhole
    if (isAll) yield { bytes, onlyUrls: false }
    else yield* added.filter(({ length }) => length > 0).map((each) => ({ bytes: each, onlyUrls: false }))
    if (!isAll && signs.hasDataUrl) yield { bytes, onlyUrls: true }
  }
  yield* readingsBy(text, [zeros])
  const unescaped = scriptUnescaped(text)
  const joined = withoutJoints(unescaped?.bytes ?? text)
  const script = joined?.bytes ?? unescaped?.bytes ?? text
  yield* readingsBy(script, [unescaped, joined])
  const list = joinsList(script) ? withoutListJoints(script) : null
  if (list !== null) yield* readingsBy(list.bytes, [unescaped, joined, list])
  const style = styleUnescaped(text)
  if (style !== null) yield* readingsBy(style.bytes, [style])
}

const mayInterrupt = (text: string): boolean => ['-->', '?>', ']]>', '<![CDATA['].some((sign) => text.includes(sign))

function* innerPagesOf(page: string): Generator<string> {
  let outer = page
  for (let depth = 0; depth < PAGES_DEEP_MAX && HIDING.test(outer); depth++) {
    outer = unreferenced(outer)
    yield outer
  }
}
