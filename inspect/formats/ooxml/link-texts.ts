/** Texts of links in documents, slides and sheets that name another target than the relationship or the field. */

import { readInstruction } from '#inspect/codecs/field-instructions.ts'
import { decodeEntities, tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { SHOWN_TEXT_MAX } from '#inspect/judge/deception/claims.ts'
import { createDeceptionJudge } from '#inspect/judge/deception/deception.ts'
import { formulaLinks } from '#inspect/judge/deception/written.ts'
import { shownText } from '#inspect/judge/pictures/pretexts.ts'
import { targetsOf } from './hover.ts'

/** `target`: of a formula, which has no relationship. `string`: the number of the shared string that is shown. */
interface LinkText {
  id: string
  shown: string
  target?: string
  string?: number
}

/** What a short part with links says. */
const SAID = factType<string>('text beside links')
const LINK_TEXTS = factType<readonly LinkText[]>('link texts')
/** Of the strings of a workbook, those that may be addresses, by their numbers. */
const SHARED_STRINGS = factType<ReadonlyMap<number, string>>('shared strings')
const SHARED = mark(['<sst ', '<sst>'])

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
/** Runs, and what ends a line. */
const PIECE = /<[aw]:t(?:\s[^<>]{0,100})?>([^<]{0,400})|<\/[aw]:p>/g
const END = { 'w:hyperlink': '</w:hyperlink', 'a:hlinkClick': '</a:r>' }
const SHEET_LINK = tagPattern(['hyperlink'])

export const linkTexts: Format = {
  among: { marks: [LINK, FIELD, SHARED], binary: true },
  applies: (item) => item.sniffed.kind === 'ooxml' || item.has(LINK) || item.has(FIELD) || item.has(SHARED),
  analyse(item, context) {
    if (item.has(SHARED)) recordStrings(item, context)
    if (!item.has(LINK) && !item.has(FIELD)) return
    const text = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    recordSaid(item, text, context)
    const fields = item.has(FIELD) ? fieldsIn(text) : []
    const found = [...textsIn(text), ...fields].filter(
      ({ shown, string, target }) =>
        string !== undefined || target !== undefined || (shown.includes('.') && shown.length <= SHOWN_TEXT_MAX),
    )
    keep(found.length * LINK_BYTES)
    if (found.length > 0) context.record(item, LINK_TEXTS, found)
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind !== 'ooxml') return
    judgeTexts(item, facts, context)
    judgeSaid(item, facts, context)
  },
}

/** A letter and a notice are no longer, and have few links. */
const SAID_MAX = 3_000
const SOURCE_MAX = 200_000
const LINKS_MAX = 5
const RUN_WORK = 8

function recordSaid(item: Item, text: string, context: Context): void {
  if (text.length > SOURCE_MAX) return
  charge(text.length * RUN_WORK)
  const said = decodeEntities([...text.matchAll(PIECE)].map(([, run]) => run ?? '\n').join(''))
  if (said.length > SAID_MAX) return
  keep(said.length * 2)
  context.record(item, SAID, said)
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
  const unnamed = new Map<string, string>()
  for (const { attributes } of tagsOf(text, SHEET_LINK)) {
    const [id, shown] = [attributes.get('id') ?? '', attributes.get('display') ?? '']
    if (shown.includes('.')) yield { id, shown }
    else if (unnamed.size < CELLS_MAX) unnamed.set((attributes.get('ref') ?? '').split(':', 1)[0] ?? '', id)
  }
  if (unnamed.size > 0) yield* cellsIn(text, unnamed)
}

const STRINGS_MAX = 5_000
const STRING = /<si(?=[\s>/])/g
const ADDRESS = /(?<=>\s{0,9})(?:https?:\/\/|(?:[a-z0-9-]{1,63}\.){2,5}[a-z])[^<]{1,300}/gi
/** For each character of the part, and for each of its strings up to the last address. */
const SOURCE_WORK = 6
const STRING_WORK = 60

function recordStrings(item: Item, context: Context): void {
  charge(item.bytes.length * SOURCE_WORK)
  const text = decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
  const starts = text.matchAll(STRING)
  const strings = new Map<number, string>()
  let [number, next] = [-1, starts.next().value?.index ?? text.length]
  for (const { index, 0: shown } of text.matchAll(ADDRESS).take(STRINGS_MAX)) {
    for (; next < index; number++) {
      charge(STRING_WORK)
      next = starts.next().value?.index ?? text.length
    }
    keep(LINK_BYTES)
    strings.set(number, decodeEntities(shown))
  }
  if (strings.size > 0) context.record(item, SHARED_STRINGS, strings)
}

/** Cells of links, which show their own text. */
const CELLS_MAX = 1_000
const CELL = /<c\s[^<>]{0,100}?r="([A-Z]{1,3}[1-9]\d{0,6})"[^<>]{0,100}>/g
const CELL_WORK = 300
const NUMBER = /<v>(\d{1,7})</
const WRITTEN = /<(?:t|v)(?:\s[^<>]{0,100})?>([^<]{0,400})/g

function* cellsIn(text: string, ids: Map<string, string>): Generator<LinkText> {
  for (const { index, 0: tag, 1: reference = '' } of text.matchAll(CELL)) {
    charge(CELL_WORK)
    const id = ids.get(reference)
    if (id === undefined || tag.endsWith('/>')) continue
    ids.delete(reference)
    charge(LINK_WORK)
    const [content = ''] = text.slice(index + tag.length, index + LINK_MAX).split('</c>', 1)
    const number = /\st="s"/.test(tag) ? NUMBER.exec(content)?.[1] : undefined
    if (number !== undefined) yield { id, shown: '', string: Number(number) }
    else yield { id, shown: decodeEntities([...content.matchAll(WRITTEN)].map(([, part = '']) => part).join('')) }
  }
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

/** Whether a short document poses as who its text names. */
function judgeSaid(item: Item, facts: Facts, context: Context): void {
  for (const { value, path } of facts.of(SAID)) {
    if (path.length !== item.path.length + 1) continue
    const fields = facts.of(LINK_TEXTS).find((fact) => fact.path.at(-1) === path.at(-1))?.value ?? []
    const targets = [
      ...(targetsOf(path.at(-1) ?? '', facts)?.values() ?? []),
      ...fields.flatMap(({ target }) => target ?? []),
    ]
    if (targets.length === 0 || targets.length > LINKS_MAX) continue
    const about = () => shownText(value, true)
    const deception = createDeceptionJudge(item, context, { trustsText: false, needsStrong: true, about })
    for (const target of targets) deception.add(target)
    deception.finish()
  }
}

function judgeTexts(item: Item, facts: Facts, context: Context): void {
  const strings = facts.of(SHARED_STRINGS).find(({ path }) => path.length === item.path.length + 1)?.value
  for (const { value, path } of facts.of(LINK_TEXTS)) {
    if (path.length !== item.path.length + 1) continue
    const targets = targetsOf(path.at(-1) ?? '', facts)
    const deception = createDeceptionJudge(item, context, { trustsText: false, needsStrong: true })
    for (const { id, shown, target, string } of value) {
      const text = string === undefined ? shown : (strings?.get(string) ?? '')
      if (target === undefined) deception.addText(targets?.get(id) ?? '', text)
      else deception.add(target, text)
    }
    deception.finish()
  }
}
