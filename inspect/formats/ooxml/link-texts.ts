/** Texts of links in documents, slides and sheets that name another target than the relationship or the field. */

import { readInstruction } from '#inspect/codecs/field-instructions.ts'
import { decodeEntities, tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { createDeceptionJudge, SHOWN_TEXT_MAX } from '#inspect/judge/deception/deception.ts'
import { formulaLinks } from '#inspect/judge/deception/written.ts'
import { targetsOf } from './hover.ts'

/** `target`: of a formula, which has no relationship. */
interface LinkText {
  id: string
  shown: string
  target?: string
}

const LINK_TEXTS = factType<readonly LinkText[]>('link texts')

const LINK = mark(['<w:hyperlink ', '<hyperlink ', 'hlinkClick ', 'HYPERLINK('])
/** Fields with a link; others are numbers of pages and contents. */
const FIELD = mark(['instrText', 'fldSimple '], {
  fits: (bytes, at) => LINK_FIELD.test(bytes.toString('latin1', at, at + 200)),
})
const LINK_FIELD = /^\w{9,10}[^<]{0,120}HYPERLINK\s/i
/** A link with its runs, each of which has markup. */
const LINK_MAX = 4_000
const LINK_WORK = 6_000
const LINK_BYTES = 500

const OPENING = /<(w:hyperlink|a:hlinkClick)\s[^<>]{0,500}?r:id\s?=\s?"([^"<>]{1,100})"/g
const RUN = /<[aw]:t(?:\s[^<>]{0,100})?>([^<]{0,400})/g
const END = { 'w:hyperlink': '</w:hyperlink', 'a:hlinkClick': '</a:r>' }
const SHEET_LINK = tagPattern(['hyperlink'])

export const linkTexts: Format = {
  among: { marks: [LINK, FIELD], binary: true },
  applies: (item) => item.sniffed.kind === 'ooxml' || item.has(LINK) || item.has(FIELD),
  analyse(item, context) {
    if (!item.has(LINK) && !item.has(FIELD)) return
    const text = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    const fields = item.has(FIELD) ? fieldsIn(text) : []
    const found = [...textsIn(text), ...fields].filter(
      ({ shown }) => shown.includes('.') && shown.length <= SHOWN_TEXT_MAX,
    )
    keep(found.length * LINK_BYTES)
    if (found.length > 0) context.record(item, LINK_TEXTS, found)
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind === 'ooxml') judgeTexts(item, facts, context)
  },
}

function* textsIn(text: string): Generator<LinkText> {
  for (const { index, 1: name = '', 2: id = '' } of text.matchAll(OPENING)) {
    charge(LINK_WORK)
    const content = text.slice(index, index + LINK_MAX)
    const end = content.indexOf(END[name as keyof typeof END])
    if (end === -1) continue
    const runs = content.slice(0, end).matchAll(RUN)
    yield { id, shown: decodeEntities([...runs].map(([, run = '']) => run).join('')) }
  }
  for (const link of formulaLinks(text)) yield { id: '', ...link }
  if (!text.includes('<hyperlink ')) return
  for (const { attributes } of tagsOf(text, SHEET_LINK))
    yield { id: attributes.get('id') ?? '', shown: attributes.get('display') ?? '' }
}

const TOKEN =
  /<w:fldChar\s[^<>]{0,200}?w:fldCharType="(begin|separate|end)"|<w:instrText(?:\s[^<>]{0,100})?>([^<]{0,4000})|<w:t(?:\s[^<>]{0,100})?>([^<]{0,400})|<w:fldSimple\s[^<>]{0,200}?w:instr="([^"<>]{1,4000})"|<\/w:(fldSimple)>/g
const TOKEN_WORK = 300
const DEPTH_MAX = 20

interface Field {
  code: string
  shown: string
  isShown: boolean
}

/** Links as fields: an instruction, and the runs that are shown in its place. */
function* fieldsIn(text: string): Generator<LinkText> {
  const open: Field[] = []
  for (const found of text.matchAll(TOKEN)) {
    charge(TOKEN_WORK)
    const [, part, , , simple, end] = found
    if (part === 'begin' || simple !== undefined) start(open, simple)
    else if (part === 'end' || end !== undefined) yield* linkOf(open.pop())
    else if (open.length > 0) extend(open.at(-1) as Field, found)
  }
}

function start(open: Field[], code: string | undefined): void {
  if (open.length < DEPTH_MAX) open.push({ code: code ?? '', shown: '', isShown: code !== undefined })
}

function extend(field: Field, [, part, code = '', shown = '']: RegExpExecArray): void {
  if (part === 'separate') field.isShown = true
  else if (field.isShown) field.shown += shown
  else field.code += code
}

function linkOf(field: Field | undefined): LinkText[] {
  const read = field === undefined ? null : readInstruction(decodeEntities(field.code))
  const target = read?.name === 'HYPERLINK' ? read.values[0] : undefined
  return target === undefined ? [] : [{ id: '', shown: decodeEntities(field?.shown ?? ''), target }]
}

function judgeTexts(item: Item, facts: Facts, context: Context): void {
  for (const { value, path } of facts.of(LINK_TEXTS)) {
    if (path.length !== item.path.length + 1) continue
    const targets = targetsOf(path.at(-1) ?? '', facts)
    const deception = createDeceptionJudge(item, context, { trustsText: false })
    for (const { id, shown, target } of value) deception.addText(target ?? targets?.get(id) ?? '', shown)
    deception.finish()
  }
}
