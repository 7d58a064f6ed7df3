/** References that Office stores in the markup itself: Word 2003 XML, VML and mail merge settings. */

import { EXCEL } from '#inspect/catalogue/excel.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { type Tag, tagPattern, tagsOf, withoutMarkup } from '#inspect/codecs/xml-tags.ts'
import { findCommand } from '#inspect/commands/find.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { words } from '#inspect/core/words.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { createLinkJudge, targetDetail } from '#inspect/judge/links.ts'
import { judgeReference } from '#inspect/judge/references.ts'
import { describeTarget } from '#inspect/targets/targets.ts'

/** Type of the relationship that each tag replaces, and the attributes with the target. */
const REFERENCES: ReadonlyMap<string, { type: string; attributes: readonly string[] }> = new Map([
  ['sourcefilename', { type: 'frame', attributes: ['val'] }],
  ['attachedtemplate', { type: 'attachedtemplate', attributes: ['val'] }],
  ['imagedata', { type: 'image', attributes: ['src', 'href'] }],
  ['fill', { type: 'image', attributes: ['src', 'href'] }],
  ['datasource', { type: 'mailmergesource', attributes: ['val', 'src'] }],
  ['headersource', { type: 'mailmergesource', attributes: ['val'] }],
  ['connectstring', { type: 'mailmergesource', attributes: ['val'] }],
])
/** Tags that are links, and the attribute with the target. */
const LINKS: ReadonlyMap<string, string> = new Map([
  ['hlink', 'dest'],
  ['shape', 'href'],
  ['rect', 'href'],
  ['cell', 'href'],
])

/** The most frequent first: they are searched one after the other. */
const WORDS = [
  '<v:shape',
  'imagedata',
  '<v:rect',
  ' ss:HRef',
  '<w:hlink',
  'attachedTemplate',
  'mailMerge',
  'sourceFileName',
  'macrosPresent',
]
const MARK = mark(WORDS)
const TAG = tagPattern(
  words(`sourceFileName attachedTemplate imagedata fill dataSource headerSource connectString mailMerge query hlink
  shape rect Cell wordDocument`),
)

export const inlineReferences: Format = {
  among: { marks: [MARK] },
  applies: (item) => item.has(MARK),
  analyse(item, context) {
    const text = withoutMarkup(decodeText(item.bytes, encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'))
    if (!WORDS.some((word) => text.includes(word))) return
    const links = createLinkJudge(item, context)
    for (const { name, attributes } of tagsOf(text, TAG)) {
      const link = attributes.get(LINKS.get(name) ?? '')
      if (link !== undefined) links.add(link)
      if (attributes.get('macrospresent') === 'yes') context.addFinding(item, OFFICE.flatMacros)
      if (name === 'mailmerge') context.addFinding(item, OFFICE.mailMergeSource)
      if (name === 'query') checkQuery(item, attributes.get('val') ?? '', context)
      checkTag(item, name, attributes, context)
    }
    links.finish()
  },
}

/** Jet evaluates functions of Visual Basic in a query. */
function checkQuery(item: Item, query: string, context: Context): void {
  if (/\bshell\s*\(/i.test(query) || findCommand(query) !== null)
    context.addFinding(item, { ...EXCEL.programProvider, detail: describeTarget(query) })
}

const SOURCE = /(?:data source|dbq)\s*=\s*"?([^;"]+)/i

function checkTag(item: Item, name: string, attributes: Tag['attributes'], context: Context): void {
  const reference = REFERENCES.get(name)
  for (const attribute of reference?.attributes ?? []) {
    const value = attributes.get(attribute)
    if (value === undefined) continue
    const target = name === 'connectstring' ? (SOURCE.exec(value)?.[1] ?? '') : value
    const found = judgeReference(reference?.type ?? '', target, false)
    if (found !== null) context.addFinding(item, { ...found, detail: targetDetail(target) })
  }
}
