/** Texts of Office packages that macros read: variables, properties, cells, paragraphs and alternative texts. */

import { MACROS } from '#inspect/catalogue/macros.ts'
import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { factType } from '#inspect/core/facts.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { ownOf } from '#inspect/core/own.ts'
import { words } from '#inspect/core/words.ts'
import { keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { judgeAgain, UNKNOWN_MACROS } from '#inspect/judge/macros/again.ts'
import { RUNS_UNKNOWN, storedCommand } from '#inspect/judge/stored.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { CONTROL_PART, controlTexts } from './stored-controls.ts'

const STORED_COMMAND = factType<string>('stored command')
/** A part that may contain one. */
const STORED_PART = factType<Uint8Array>('part with texts')

/** The name of the part with macros, in the directory of the package. Other packages pay nothing. */
const PROJECT = mark(['vbaproject'], { ignoresCase: true })
const TEXTS = tagPattern(
  words(`t docVar docPr cNvPr lpwstr lpstr bstr title subject creator keywords description category Company Manager
  HyperlinkBase`),
)
const ATTRIBUTES = ['val', 'descr', 'title']

const PART = new RegExp(`\\.xml$|${CONTROL_PART.source}`, 'i')

const isPart = ({ parent, path }: Item): boolean =>
  parent?.sniffed.kind === 'ooxml' && parent.has(PROJECT) && PART.test(path.at(-1) ?? '')

export const storedTexts: Format = {
  among: { members: true, binary: true },
  applies: (item) => item.sniffed.kind === 'ooxml' || isPart(item),
  analyse(item, context) {
    if (!isPart(item) || item.parent === null) return
    const held = (heldBytes.get(item.parent) ?? 0) + item.bytes.length
    if (held <= HELD_BYTES_MAX) {
      heldBytes.set(item.parent, held)
      context.record(item, STORED_PART, item.bytes)
      return
    }
    const command = storedCommand(textsOf(item.bytes))
    if (command !== null) context.record(item, STORED_COMMAND, command)
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind !== 'ooxml') return
    const macros = facts.of(UNKNOWN_MACROS)
    if (macros.length > 0) {
      const parts = facts.of(STORED_PART)
      const texts = namedTexts(parts)
      const controls = controlTexts(new Map(parts.map(({ value, path }) => [path.at(-1)?.toLowerCase() ?? '', value])))
      if (texts.size > 0 || controls.size > 0)
        for (const { value } of macros) judgeAgain(item, value, { texts, controls }, context)
    }
    if (facts.of(RUNS_UNKNOWN).length === 0) return
    const command = facts.of(STORED_COMMAND)[0]?.value ?? firstCommand(facts.of(STORED_PART))
    if (command !== null) context.addFinding(item, { ...MACROS.autoProgram, detail: describeTarget(command) })
  },
}

/** Parts of one package that stay in memory until it is known whether a macro runs such a text. Others are searched at once. */
const HELD_BYTES_MAX = 8_000_000
const heldBytes = new WeakMap<Item, number>()

function firstCommand(parts: readonly { value: Uint8Array }[]): string | null {
  for (const { value } of parts) {
    const command = storedCommand(textsOf(value))
    if (command !== null) return command
  }
  return null
}

const NAMED = tagPattern(['docVar', 'property', 'lpwstr', 'lpstr', 'bstr'])
const BUILT_IN = tagPattern([
  'title',
  'subject',
  'creator',
  'keywords',
  'description',
  'category',
  'Company',
  'Manager',
])
/** Names that macros have for them. */
const BUILT_IN_NAMES: Readonly<Record<string, string>> = { creator: 'author', description: 'comments' }

/** Variables and properties of the document, as macros name them. */
function namedTexts(parts: readonly { value: Uint8Array; path: readonly string[] }[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { value, path } of parts) {
    const isProperties = /^docprops\//i.test(path.at(-1) ?? '')
    if (!isProperties && !/settings\d*\.xml$/i.test(path.at(-1) ?? '')) continue
    const xml = decodeText(value, encodingOf(value.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    for (const [key, text] of namedIn(xml, isProperties)) {
      keep(text.length + TEXT_BYTES)
      texts.set(key, text)
    }
  }
  return texts
}

function* namedIn(xml: string, isProperties: boolean): Generator<[key: string, text: string]> {
  let property = ''
  for (const { name, text, attributes } of tagsOf(xml, NAMED)) {
    const own = attributes.get('name')?.toLowerCase() ?? ''
    if (name === 'docvar') yield [`variables(${own})`, attributes.get('val') ?? '']
    else if (name === 'property') property = own
    else yield [`customdocumentproperties(${property})`, text]
  }
  if (!isProperties) return
  for (const { name, text } of tagsOf(xml, BUILT_IN))
    yield [`builtindocumentproperties(${ownOf(BUILT_IN_NAMES, name) ?? name})`, text]
}

const TEXT_BYTES = 200

function* textsOf(bytes: Uint8Array): Generator<string> {
  const xml = decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
  for (const { text, attributes } of tagsOf(xml, TEXTS))
    for (const each of [text, ...ATTRIBUTES.map((name) => attributes.get(name) ?? '')]) if (each !== '') yield each
}
