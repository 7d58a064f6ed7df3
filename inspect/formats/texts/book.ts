/** Text of books whose styles are in files of their own: what these hide is known when the whole book was read. */

import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { keep } from '#inspect/core/work.ts'
import { decodeText } from '#inspect/detect/text.ts'
import { mayAddress } from '#inspect/judge/hidden/addressed.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { readPage } from './page.ts'

const STYLES = factType<string>('styles of a book')
const PAGE = factType<string>('page of a book')

const BOOK = 'application/epub+zip'
/** Longer parts are not read, and not more of them. */
const PART_BYTES_MAX = 50_000
const STYLES_MAX = 2
const PAGES_MAX = 10

const isStyles = ({ path }: Item): boolean => path.at(-1)?.toLowerCase().endsWith('.css') === true
const isPart = ({ sniffed, parent }: Item): boolean => sniffed.kind === 'text' && parent?.sniffed.type === BOOK

export const bookTexts: Format = {
  applies: (item) =>
    item.sniffed.type === BOOK ||
    (isPart(item) && (isStyles(item) || (item.sniffed.type === 'text/html' && mayAddress(item)))),
  analyse(item, context) {
    if (!isPart(item) || context.texts !== null || item.bytes.length > PART_BYTES_MAX) return
    keep(item.bytes.length)
    context.record(item, isStyles(item) ? STYLES : PAGE, decodeText(item.bytes, 'utf-8'))
  },
  conclude(item, facts, context) {
    if (item.sniffed.type === BOOK) judgePages(item, facts, context)
  },
}

function judgePages(item: Item, facts: Facts, context: Context): void {
  const own = ({ path }: { path: readonly string[] }): boolean => path.length === item.path.length + 1
  const styles = facts.of(STYLES).filter(own).slice(0, STYLES_MAX)
  if (styles.length === 0) return
  const judge = createTextJudge(item, context, { isRated: false })
  for (const { value } of facts.of(PAGE).filter(own).slice(0, PAGES_MAX))
    readPage(value, judge, { isDrawing: false, reasons: [], styles: styles.map((each) => each.value) })
  judge.finish()
}
