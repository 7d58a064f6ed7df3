/** Text of Office documents (OOXML): collects the parts of a package, and reads them together. */

import { attributeOf } from '#inspect/codecs/xml-events.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { mayAddressIn } from '#inspect/judge/hidden/addressed.ts'
import { WHITE } from '#inspect/judge/hidden/colours.ts'
import { createTextJudge } from '#inspect/judge/hidden/hidden.ts'
import { cellFormatsOf, readSheet, sharedStringsOf } from './sheets.ts'
import { readSimplePart } from './simple-part.ts'
import { backOf, isHiddenSlide, readSlide, slideSizeOf } from './slides.ts'
import { readValues } from './values.ts'
import { backgroundsOf, hidesText, readWordPart, readWordStyles, type WordStyles } from './word.ts'

/** Bytes after a mark that decide. */
const WINDOW = 50

interface Part {
  name: string
  bytes: Uint8Array
  /** It may hide text. */
  hasSigns: boolean
  /** It may address a model. */
  addresses: boolean
}

const PART = factType<Part>('text part')

/** Without one of these, a part hides nothing. */
const STYLE_SIGNS = [
  mark(['w:vanish', 'w:specVanish']),
  following(['w:sz w:val="'], /^[0-4]"/),
  following([':color w:val="'], /^[EF].[EF].[EF].?"/i),
]
const SIGNS = [
  ...STYLE_SIGNS,
  mark([
    ...['w:delText', '<w:background ', ' show="0"', ' hidden="1"', ' hidden="true"', '<a:off x="-', 'Clr val="bg1"'],
    ...['state="hidden"', 'state="veryHidden"', ';;;', '<sz val="1"', '<sz val="2"', '<color theme="0"'],
    ...['<w:comment ', '<comment ', '<p:notes ', '<p:cm ', ' sz="100"', ' sz="150"', ' sz="200"'],
  ]),
  following(['srgbClr val="', '<color rgb="'], /^(?:F{2})?[EF].[EF].[EF].?"/i),
  following(['w:fill="'], /^(?!F{6}|auto)[0-9A-F]{6}"/i),
  following([' descr="', '<dc:description>', '<cp:keywords>', '<dc:subject>', '<vt:lpwstr>'], /^[^"<]{40}/),
  following(['<a:alpha val="', 'w14:alpha w14:val="'], /^(?:[0-4]?\d{1,3}|9[5-9]\d{3}|100000)"/),
  following(['<wp:posOffset>', 'margin-left:'], /^-\d{4}|^\d{8}/),
  following(['<a:off x="'], /^\d{8,9}"/),
]

/** One of the texts, and after it what the pattern says. */
function following(texts: readonly string[], pattern: RegExp) {
  const length = Math.max(...texts.map((text) => text.length))
  const fits = (bytes: Buffer, at: number): boolean => {
    const window = bytes.toString('latin1', at, at + length + WINDOW)
    const text = texts.find((each) => window.startsWith(each))
    return text !== undefined && pattern.test(window.slice(text.length))
  }
  return mark(texts, { fits })
}

const NAMES = {
  word: /^word\/(?:document\d*|header\d+|footer\d+|footnotes|endnotes|comments)\.xml$/i,
  styles: /^(?:word|xl)\/styles\.xml$/i,
  slide: /^ppt\/slides\/slide\d+\.xml$/i,
  notes: /^ppt\/notesSlides\/notesSlide\d+\.xml$/i,
  frame: /^ppt\/(?:slideLayouts\/slideLayout|slideMasters\/slideMaster)\d+\.xml$/i,
  presentation: /^ppt\/(?:presentation|_rels\/presentation)\.xml(?:\.rels)?$/i,
  workbook: /^xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels)$/i,
  sheet: /^xl\/worksheets\/sheet\d+\.xml$/i,
  strings: /^xl\/sharedStrings\.xml$/i,
  remarks:
    /^(?:xl\/(?:comments\/?(?:comment)?|threadedComments\/threadedComment)\d*|ppt\/comments\/[\w-]{1,60})\.xml$/i,
  others:
    /^(?:xl\/(?:drawings|charts|tables|externalLinks|queryTables)\/|xl\/connections\.xml$|xl\/pivotCache\/pivotCacheDefinition|(?:word|ppt|xl)\/(?:diagrams|charts|glossary|tags)\/|customXml\/|ppt\/(?:handoutMasters|slideLayouts|slideMasters)\/|word\/(?:settings|document|footnotes|commentsExtended)\.xml$|xl\/workbook\.xml$|xl\/worksheets\/)/i,
  properties: /^docProps\/(?:core|custom|app)\.xml$/i,
}

const ALL = Object.values(NAMES)
/** Parts that are read for what they show. */
const TEXTS = ALL.filter((pattern) => pattern !== NAMES.others)
/** Parts of a package whose text is read. Larger ones are not. */
const PARTS_BYTES_MAX = 16_000_000
/** The same if nobody asks for the text: of a document of 12 MB, reading it took as long as all the rest. */
const UNASKED_BYTES_MAX = 8_000_000
const PART_BYTES = 300

const partName = ({ path }: Item): string => (path.at(-1) ?? '').replace(/^\//, '')

export const officeTexts: Format = {
  among: { members: true, binary: true },
  applies: (item) =>
    item.sniffed.kind === 'ooxml' ||
    (item.parent?.sniffed.kind === 'ooxml' && ALL.some((pattern) => pattern.test(partName(item)))),
  analyse(item, context) {
    if (item.sniffed.kind === 'ooxml') return
    keep(PART_BYTES)
    const name = partName(item)
    const addresses = mayAddressIn(item)
    if (NAMES.others.test(name) && !addresses && !TEXTS.some((pattern) => pattern.test(name))) return
    const signs = name === 'word/styles.xml' ? STYLE_SIGNS : SIGNS
    context.record(item, PART, {
      name,
      bytes: item.bytes,
      hasSigns: signs.some((sign) => item.has(sign)) || (addresses && signs !== STYLE_SIGNS) || isNote(name, item),
      addresses,
    })
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind === 'ooxml') readPackage(item, facts, context)
  },
}

/** Remarks and notes are short, and read whatever their words are. */
const NOTE = /comments?\d{0,9}\.xml$|notesSlide\d{1,9}\.xml$/i
const NOTE_BYTES_MAX = 60_000
const isNote = (name: string, { bytes }: Item): boolean => NOTE.test(name) && bytes.length <= NOTE_BYTES_MAX

function readPackage(item: Item, facts: Facts, context: Context): void {
  const own = facts.of(PART).filter(({ path }) => path.length === item.path.length + 1)
  if (context.texts === null && !own.some(({ value }) => value.hasSigns)) return
  let left = context.texts === null ? UNASKED_BYTES_MAX : PARTS_BYTES_MAX
  const parts = own
    .map(({ value }) => value)
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
    .filter(({ bytes }) => {
      left -= bytes.length
      return left >= 0
    })
  if (parts.length < own.length) context.texts?.addUnread(item)
  const judge = createTextJudge(item, context)
  const isAsked = context.texts !== null
  const named = (pattern: RegExp): Part[] => parts.filter(({ name }) => pattern.test(name))
  const read = { judge, isAsked, named }
  readWord(read)
  readSlides(read)
  readWorkbook(read)
  for (const part of [...named(NAMES.remarks), ...named(NAMES.properties)])
    if (isAsked || part.hasSigns)
      readSimplePart(sourceOf(part), [NAMES.remarks.test(part.name) ? 'comment' : 'metadata'], part.name, judge)
  for (const part of named(NAMES.others)) if (part.addresses) readValues(sourceOf(part), part.name, judge)
  judge.finish()
}

interface Read {
  judge: ReturnType<typeof createTextJudge>
  isAsked: boolean
  named(pattern: RegExp): Part[]
}

function sourceOf({ bytes }: Part): string {
  return decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
}

const NO_STYLES: WordStyles = { looks: new Map(), base: {} }

function readWord({ judge, isAsked, named }: Read): void {
  const parts = named(NAMES.word)
  if (parts.length === 0) return
  const [style] = named(/^word\/styles\.xml$/i)
  const isStyled = isAsked || style?.hasSigns || parts.some(({ name, hasSigns }) => hasSigns && !/comments/i.test(name))
  if (!isStyled && !parts.some(({ hasSigns }) => hasSigns)) return
  const styles = style === undefined || !isStyled ? NO_STYLES : readWordStyles(sourceOf(style))
  const hiding = [...styles.looks].filter(([, look]) => hidesText(look)).map(([id]) => `"${id}"`)
  const main = parts.find(({ name }) => /document/i.test(name))
  const mainSource = main === undefined ? '' : sourceOf(main)
  for (const part of parts) {
    const source = sourceOf(part)
    if (!isAsked && !part.hasSigns && !hiding.some((id) => source.includes(id)) && !hidesText(styles.base)) continue
    const reasons: Reason[] = /comments/i.test(part.name) ? ['comment'] : []
    const place = part === main ? null : part.name
    readWordPart({ source, styles, reasons, place, ...backgroundsOf(source, mainSource) }, judge)
  }
}

function readSlides({ judge, isAsked, named }: Read): void {
  const slides = named(NAMES.slide)
  const isRead = ({ hasSigns }: Part): boolean => isAsked || hasSigns
  if (![...slides, ...named(NAMES.notes)].some(isRead)) return
  const presentation = named(NAMES.presentation).find(({ name }) => /presentation\.xml$/i.test(name))
  const size = slideSizeOf(presentation === undefined ? '' : sourceOf(presentation))
  const frames = named(NAMES.frame).map((part) => backOf(sourceOf(part)))
  const around = frames.includes('unknown') ? 'unknown' : (frames.find((back) => back !== null) ?? WHITE)
  for (const part of slides.filter(isRead)) {
    const source = sourceOf(part)
    const number = /slide(\d+)/i.exec(part.name.slice('ppt/slides/'.length))?.[1] ?? ''
    const reasons: Reason[] = isHiddenSlide(source) ? ['hidden-slide'] : []
    readSlide({ source, size, reasons, place: `slide ${number}`, behind: backOf(source) ?? around }, judge)
  }
  for (const part of named(NAMES.notes).filter(isRead))
    readSlide({ source: sourceOf(part), size, reasons: ['comment'], place: part.name, behind: 'unknown' }, judge)
}

const textsOf = <T>([part]: readonly Part[], read: (source: string) => T[]): T[] =>
  part === undefined ? [] : read(sourceOf(part))

function readWorkbook({ judge, isAsked, named }: Read): void {
  const sheets = named(NAMES.sheet)
  const signs = [...sheets, ...named(NAMES.workbook), ...named(NAMES.styles), ...named(NAMES.strings)]
  if (sheets.length === 0 || (!isAsked && !signs.some(({ hasSigns }) => hasSigns))) return
  const workbook = named(NAMES.workbook).map(sourceOf).join('\n')
  const formats = textsOf(named(/^xl\/styles\.xml$/i), cellFormatsOf)
  const known = sheetsOf(workbook)
  const isRead =
    isAsked || formats.some((format) => format.length > 0) || named(NAMES.strings).some(({ addresses }) => addresses)
  const hidden = [...known.values()].filter(({ reasons }) => reasons.length > 0)
  const isAny = isRead || hidden.length > 0 || sheets.some(({ hasSigns }) => hasSigns)
  const texts = isAny ? textsOf(named(NAMES.strings), sharedStringsOf) : []
  for (const part of sheets) {
    const { name, reasons } = known.get(part.name.replace(/^xl\//i, '')) ?? { name: part.name, reasons: [] }
    if (isRead || reasons.length > 0 || part.hasSigns)
      readSheet({ source: sourceOf(part), strings: texts, formats, reasons, place: name }, judge)
  }
}

const SHEET = /<(?:\w{1,10}:)?sheet\s([^<>]{1,1000})>/g
const RELATION = /<Relationship\s([^<>]{1,1000})>/g

interface KnownSheet {
  name: string
  reasons: readonly Reason[]
}

/** Names and states of the sheets, by the names of their parts. */
function sheetsOf(workbook: string): ReadonlyMap<string, KnownSheet> {
  const targets = new Map<string, string>()
  for (const [, attributes = ''] of workbook.matchAll(RELATION))
    targets.set(
      attributeOf(attributes, 'Id') ?? '',
      (attributeOf(attributes, 'Target') ?? '').replace(/^(?:\/?xl)?\//, ''),
    )
  const sheets = new Map<string, KnownSheet>()
  for (const [, attributes = ''] of workbook.matchAll(SHEET)) {
    const id = / r:id\s?=\s?"([^"]{1,100})"|\sid\s?=\s?"([^"]{1,100})"/.exec(attributes)
    const reasons: Reason[] = /hidden/i.test(attributeOf(attributes, 'state') ?? '') ? ['hidden-sheet'] : []
    sheets.set(targets.get(id?.[1] ?? id?.[2] ?? '') ?? '', { name: attributeOf(attributes, 'name') ?? '', reasons })
  }
  return sheets
}
