/** Counts the words beside the pictures of pages, mails and Office documents. */

import { isCard, linesOfCard } from '#inspect/codecs/cards.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, hold } from '#inspect/core/work.ts'
import { type ShownText, shownText, withoutTags } from '#inspect/judge/pictures/pretexts.ts'
import { hasPictureFiles, isAmongFirst, recordText, recordTextApart } from '#inspect/judge/pictures/report.ts'
import { CELLS } from './cells.ts'

/** Beside it, a part of a package is read. */
const PICTURE = mark(['/media/', 'Pictures/', 'image/', '<svg', '\xe2\x96\x88', '<td', '<img', 'w:shd'], {
  ignoresCase: true,
})
/** Parts of packages with the text that a reader sees. */
const PART =
  /^(?:word\/(?:document|header|footer)\d*\.xml|ppt\/slides\/slide\d+\.xml|xl\/(?:sharedstrings|worksheets\/sheet\d+|drawings\/drawing\d+)\.xml|content\.xml)$/i
const TEXTS: ReadonlySet<string> = new Set([
  'text/html',
  'text/plain',
  'message/rfc822',
  'image/svg+xml',
  'application/xhtml+xml',
  'text/markdown',
])
/** Characters that are read, with their markup. */
const SOURCE_MAX = 200_000
/** Bytes of the parts of a document that are copied. Further ones are read at once, because thousands of them cannot be kept. */
export const COPIES_MAX = 8_000_000
const copied = new WeakMap<Item, number>()
const CARD_HEAD = 20
/** For copying each of them, and for reading it if there is a code. */
const COPY_WORK = 0.1
const CHARACTER_WORK = 5

export const shownWords: Format = {
  applies: (item) => item.sniffed.kind === 'text' && isShown(item) && (isBeside(item) || archiveAround(item) !== null),
  analyse(item, context) {
    const archive = isBeside(item) ? null : archiveAround(item)
    if (archive !== null && !isAmongFirst(item, archive, context)) return
    const start = view(item.bytes.subarray(0, SOURCE_MAX))
    const isMail = item.sniffed.type === 'message/rfc822'
    if (!isBody(item) && !mayCopy(item, start.length)) {
      const text = textOf(start, isMail)
      return record(item, () => text, context)
    }
    charge(start.length * COPY_WORK)
    hold(start.length)
    const copy = Buffer.from(start)
    record(item, () => textOf(copy, isMail), context)
  },
}

function record(item: Item, read: () => ShownText, context: Context): void {
  if (isBeside(item)) recordText(item, read, context)
  else recordTextApart(item, read, context)
}

const isBeside = (item: Item): boolean => isBody(item) || hasPicture(item)

/** Of a letter in an archive, or in a mail: the picture may be another file. */
function archiveAround({ parent }: Item): Item | null {
  const around = (isPackage(parent) ? parent?.parent : parent) ?? null
  if (around === null || hasPictureFiles(around)) return around
  return isPackage(parent) && around.sniffed.type === 'message/rfc822' ? around : null
}
const isPackage = (item: Item | null): boolean => item?.sniffed.kind === 'ooxml' || item?.sniffed.kind === 'odf'

function mayCopy(item: Item, bytes: number): boolean {
  let document = item
  while (document.parent !== null) document = document.parent
  const sum = (copied.get(document) ?? 0) + bytes
  if (sum <= COPIES_MAX) copied.set(document, sum)
  return sum <= COPIES_MAX
}

/** The document itself, or a part of a mail. */
const isBody = ({ parent }: Item): boolean => parent === null || parent.sniffed.type === 'message/rfc822'

/** Pictures of a workbook may be its cells. */
const STRINGS = /^xl\/sharedstrings\.xml$/i
const hasPicture = (item: Item): boolean =>
  item.has(PICTURE) || item.has(CELLS) || STRINGS.test(item.path.at(-1) ?? '') || (item.parent?.has(PICTURE) ?? false)

function textOf(bytes: Buffer, isMail: boolean): ShownText {
  charge(bytes.length * CHARACTER_WORK)
  const source = isCard(bytes.toString('latin1', 0, CARD_HEAD)) ? linesOfCard(bytes) : bytes.toString()
  return shownText(withoutTags((isMail ? bodyOf(source) : source).replace(CODED, ' ')))
}

function isShown({ parent, path, sniffed }: Item): boolean {
  const kind = parent?.sniffed.kind
  // Its content is no text of its own, and read with its pictures.
  if (kind === 'pdf' || kind === 'rtf') return false
  if (kind === 'ooxml' || kind === 'odf') return PART.test(path.at(-1) ?? '')
  return TEXTS.has(sniffed.type)
}

/** Lines of headers, boundaries and Base64 are no text. */
const NO_TEXT = /^(?:[\w-]{1,60}:(?!\/\/)[^\n]*(?:\n[ \t][^\n]*)*|--[^\n]*|[A-Za-z0-9+/=]{40,}\r?)$/gm

/** A picture in a text. */
const CODED = /[A-Za-z0-9+/]{100,}={0,2}/g

function bodyOf(source: string): string {
  return source.replace(NO_TEXT, '')
}
