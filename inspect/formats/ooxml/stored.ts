/** Texts of Office packages that macros read: variables, properties, cells, paragraphs and alternative texts. */

import { MACROS } from '#inspect/catalogue/macros.ts'
import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { factType } from '#inspect/core/facts.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { RUNS_UNKNOWN, storedCommand } from '#inspect/judge/stored.ts'
import { describeTarget } from '#inspect/judge/targets.ts'

const STORED_COMMAND = factType<string>('stored command')

/** The name of the part with macros, in the directory of the package. Other packages pay nothing. */
const PROJECT = mark(['vbaproject'], { ignoresCase: true })
const TEXTS = tagPattern([
  ...['t', 'docVar', 'docPr', 'cNvPr', 'lpwstr', 'lpstr', 'bstr'],
  ...['title', 'subject', 'creator', 'keywords', 'description', 'category', 'Company', 'Manager', 'HyperlinkBase'],
])
const ATTRIBUTES = ['val', 'descr', 'title']

const isPart = ({ parent, path }: Item): boolean =>
  parent?.sniffed.kind === 'ooxml' && parent.has(PROJECT) && /\.xml$/i.test(path.at(-1) ?? '')

export const storedTexts: Format = {
  applies: (item) => item.sniffed.kind === 'ooxml' || isPart(item),
  analyse(item, context) {
    if (!isPart(item)) return
    const command = storedCommand(textsOf(item))
    if (command !== null) context.record(item, STORED_COMMAND, describeTarget(command))
  },
  conclude(item, facts, context) {
    if (item.sniffed.kind !== 'ooxml' || facts.of(RUNS_UNKNOWN).length === 0) return
    const [stored] = facts.of(STORED_COMMAND)
    if (stored !== undefined) context.addFinding(item, { ...MACROS.autoProgram, detail: stored.value })
  },
}

function* textsOf({ bytes }: Item): Generator<string> {
  const xml = decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
  for (const { text, attributes } of tagsOf(xml, TEXTS))
    for (const each of [text, ...ATTRIBUTES.map((name) => attributes.get(name) ?? '')]) if (each !== '') yield each
}
