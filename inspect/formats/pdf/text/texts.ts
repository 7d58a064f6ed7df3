/** Text of PDF documents, page by page, with what hides it. */

import { view } from '#inspect/core/bytes.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { createDeceptionJudge } from '#inspect/judge/deception/deception.ts'
import { mayAddress, mayAddressText, mayReplace } from '#inspect/judge/hidden/addressed.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { addressesModel } from '#inspect/judge/hidden/instructions.ts'
import type { PdfDocument } from '../active/document.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import type { PdfDictionary, PdfValue } from '../syntax/value-tree.ts'
import { drawnLines, mayDraw } from './drawn-lines.ts'
import { mayRemap } from './fonts.ts'
import type { Box } from './geometry.ts'
import type { Shown } from './graphics.ts'
import { judgeLinkTexts } from './link-texts.ts'
import { drawPage, OPERATORS_MAX } from './page.ts'
import { findPages, type PdfPage } from './pages.ts'
import { createResources, type StoredStream } from './resources.ts'
import { mayHide } from './signs.ts'

type Values = ReadonlyMap<string, readonly string[]>

/** Content of pages, forms and tables of characters that is kept. */
const CONTENT_BYTES_MAX = 8_000_000
/** Links and content of a document whose links are compared with their texts. */
export const LINKS_MAX = 10
export const LINKED_BYTES_MAX = 200_000
/** Content of a document without links that is read for what it asks. */
const PAGE_BYTES_MAX = 20_000
const STREAM_BYTES = 300
const SIGN_WORK = 2
/** Properties in XML. */
const METADATA_MAX = 100_000
const METADATA_WORK = 3
const TAG = /<[^<>]{0,1000}>/g
const isMetadata = (values: ReadonlyMap<string, readonly string[]>): boolean =>
  values.get('Type')?.at(-1)?.startsWith('/Metadata') === true

export function createTextReader(item: Item, objects: PdfObjects, document: PdfDocument, context: Context) {
  const streams = new Map<number, StoredStream & { start: number }>()
  const isAsked = context.texts !== null
  let left = CONTENT_BYTES_MAX
  let hasSigns = false
  let mayHaveCode = false
  const metadata: string[] = []

  function* drawn(found: ReturnType<typeof findPages>, operators: { operators: number }) {
    const store = { document, streams, layersOff: found.layersOff, fonts: new Map() }
    for (const page of found.pages ?? [])
      yield { page, shown: drawPage(contentsOf(page), page.box, createResources(page.resources, store), operators) }
  }

  function read(onText: (text: string) => void): void {
    const found = findPages(objects, document, isAsked)
    const { pages, root } = found
    const judge = createTextJudge(item, context)
    const operators = { operators: OPERATORS_MAX }
    const deception = createDeceptionJudge(item, context, { trustsText: false })
    const replaced = contents().filter(mayReplace)
    const said: string[] = []
    let letters = ''
    let number = 0
    for (const { page, shown } of drawn(found, operators)) {
      const place = `page ${++number}`
      markRemapped(shown)
      judgeShown(shown, place, judge)
      said.push(saidIn(shown))
      if (replaced.length > 0) letters += lettersOf(shown.map(({ text }) => text).join(''))
      judgeLinkTexts(page.dictionary, shown, document, deception)
      readNotes(page.dictionary, place, document, judge)
    }
    readProperties(root, document, judge)
    // What a page gives programs in the place of what it draws, unless it draws the same.
    for (const content of replaced)
      readDescriptions(content, document, (text) => letters.includes(lettersOf(text)) || judge.doubt(text, 'alt'))
    readDescriptions(objects.text, document, (text) => judge.doubt(text, 'alt', 'properties'))
    for (const data of metadata) judge.doubt(data.replace(TAG, '\n'), 'metadata', 'properties')
    if (pages === null || left < 0 || operators.operators < 0) context.texts?.addUnread(item)
    judge.finish()
    deception.finish()
    if (isShort()) onText(said.join('\n'))
  }

  function addMetadata(values: Values, bytes: Uint8Array): void {
    if (!isMetadata(values) || bytes.length > METADATA_MAX) return
    const text = view(bytes).toString()
    charge(text.length * METADATA_WORK)
    if (!mayAddressText(text)) return
    metadata.push(text)
    hasSigns = true
  }

  function noteSigns(content: string): void {
    charge(content.length * SIGN_WORK)
    mayHaveCode ||= mayDraw(content)
    if (!isAsked) hasSigns ||= isSign(content)
  }

  const contents = (): string[] =>
    [...streams.values()].flatMap(({ bytes }) => (bytes === null ? [] : view(bytes).toString('latin1')))

  function contentsOf({ contents }: PdfPage): Uint8Array[] {
    return contents.flatMap((number) => streams.get(number)?.bytes ?? [])
  }

  const isShort = (): boolean => CONTENT_BYTES_MAX - left <= LINKED_BYTES_MAX

  return {
    /** Every decoded stream. Of two readings of the same bytes the first counts, of two versions the last. */
    add(object: number, start: number, values: Values, bytes: Uint8Array): void {
      const before = streams.get(object)
      if (before?.start === start) return
      const isRead = isContent(values) && left >= bytes.length
      if (isContent(values) && !isRead) left = -1
      keep(STREAM_BYTES + (isRead ? bytes.length : 0))
      if (isRead) left -= bytes.length
      streams.set(object, { values, bytes: isRead ? bytes : null, start })
      addMetadata(values, bytes)
      if (isRead) noteSigns(view(bytes).toString('latin1'))
    },
    /** What is written on the pages, of short documents; null if it is not known. */
    written(): string | null {
      if (!isShort()) return null
      const pages = [...drawn(findPages(objects, document, false), { operators: OPERATORS_MAX })]
      if (pages.length === 0) return null
      return pages.flatMap(({ shown }) => shown.map(({ text }) => text)).join('')
    },
    /** Texts of pages that may be a code of characters. */
    *drawings(): Generator<string> {
      if (!mayHaveCode) return
      for (const { shown } of drawn(findPages(objects, document, false), { operators: OPERATORS_MAX }))
        yield drawnLines(shown).join('\n')
    },
    /** `links`: how many there are. What they lie over is read in short documents, as phishing is. `onText`: what such a document says. */
    conclude(links: number, onText: (text: string) => void): void {
      const isLinked = links > 0 && links <= LINKS_MAX && isShort()
      const isPage = links === 0 && left < CONTENT_BYTES_MAX && CONTENT_BYTES_MAX - left <= PAGE_BYTES_MAX
      if (isAsked || hasSigns || isLinked || isPage || mayAddress(item)) read(onText)
    },
  }
}

const saidIn = (shown: readonly Shown[]): string =>
  shown
    .filter(({ reasons }) => reasons.length === 0)
    .map(({ text, box }, at, all) => (isBelow(box, all[at - 1]?.box) ? ` ${text}` : text))
    .join('')

/** Another line, whose first word does not go on with the last one before it. */
const isBelow = (box: Box, before: Box | undefined): boolean =>
  before !== undefined && (box.top < before.bottom || box.bottom > before.top)

const isSign = (content: string): boolean => mayHide(content) || mayRemap(content) || mayReplace(content)

/** Scanned pages have several codes for a letter as well: only what addresses a model counts. */
function markRemapped(shown: readonly Shown[]): void {
  const remapped = shown.filter(({ isRemapped }) => isRemapped)
  if (remapped.length === 0 || !addressesModel(remapped.map(({ text }) => text).join(''), 'weak')) return
  for (const { reasons } of remapped) reasons.push('font')
}

function judgeShown(shown: readonly Shown[], place: string, judge: Judge): void {
  for (const { text, reasons, isDoubtful } of shown) {
    judge.add(text, reasons, place)
    if (isDoubtful && reasons.length === 0) judge.doubt(text, 'colour', place, true)
  }
  judgeScanned(shown, place, judge)
}

/** The text of a scanned page is that of its picture, unless it addresses a model. */
function judgeScanned(shown: readonly Shown[], place: string, judge: Judge): void {
  const scanned = shown.filter(({ isUndrawn, reasons }) => isUndrawn && reasons.length === 0)
  const text = scanned.map((each) => each.text).join('')
  if (text !== '' && addressesModel(text, 'shown')) judge.doubt(text, 'render-mode', place)
}

const NOTES_MAX = 500

type Judge = ReturnType<typeof createTextJudge>

/** Values of fields are seen; notes are not, until somebody opens them. */
function readNotes({ entries }: PdfDictionary, place: string, document: PdfDocument, judge: Judge): void {
  const [list] = (entries.get('Annots') ?? []).flatMap(document.resolve)
  for (const note of document.dictionaries(list?.kind === 'list' ? list.items.slice(0, NOTES_MAX) : [])) {
    const isField = document.names(note.entries.get('Subtype')).includes('Widget')
    const [text = ''] = document.texts(note.entries.get(isField ? 'V' : 'Contents'))
    if (text !== '') judge.add(`\n${text}\n`, isField ? [] : ['comment'], place)
  }
}

function readProperties(values: readonly PdfValue[], document: PdfDocument, judge: Judge): void {
  const [properties] = document.dictionaries(values).slice(-1)
  for (const value of [...(properties?.entries.values() ?? [])].slice(0, NOTES_MAX)) {
    const [text = ''] = document.texts(value)
    if (text !== '') judge.add(`${text}\n`, ['metadata'], 'properties')
  }
}

/** Texts of pictures and structure, titles of bookmarks, and values and tips of fields. */
const DESCRIPTION = /\/(?:Alt|ActualText|TU|TM|E|T|V|DV|Title|Desc|Subj|RC|CA)[\0\s]{0,9}(?=[(<])/g
const DESCRIPTIONS_MAX = 2_000
const SOURCE_WORK = 2

function readDescriptions(source: string, document: PdfDocument, add: (text: string) => unknown): void {
  charge(source.length * SOURCE_WORK)
  for (const { index, 0: key } of source.matchAll(DESCRIPTION).take(DESCRIPTIONS_MAX))
    for (const text of document.textsAt(source, index + key.length)) add(text)
}

/** To compare texts with other spaces and signs. */
function lettersOf(text: string): string {
  charge(text.length * SOURCE_WORK)
  return text.replace(/[^\p{L}\p{N}]+/gu, '')
}

/** Pages and forms, and tables of characters. Fonts, pictures and profiles have other entries. */
function isContent(values: Values): boolean {
  const subtype = values.get('Subtype')?.at(-1)
  if (subtype !== undefined) return subtype.startsWith('/Form')
  const type = values.get('Type')?.at(-1)
  const isOther = values.has('Length1') || values.has('FunctionType') || values.has('N') || values.has('ShadingType')
  return (type === undefined || type.startsWith('/CMap') || type.startsWith('/XObject')) && !isOther
}
