/** Stylesheets and entities that an XML file loads from elsewhere, and formulas of workbooks in XML that start programs. */

import { LINKS } from '#inspect/catalogue/links.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { unreferenced } from '#inspect/codecs/character-references.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'

const REFERENCES = mark(['<?xml-stylesheet', '<!ENTITY'])
const STYLESHEET = /<\?xml-stylesheet\b[^?>]{0,500}\bhref\s{0,4}=\s{0,4}(?:"([^"]{1,1000})"|'([^']{1,1000})')/g
/** Entities with a public name are definitions of standards. */
const ENTITY =
  /<!ENTITY\s{1,9}(?:%\s{1,9})?[^\s"'<>&%;]{1,99}\s{1,9}SYSTEM\s{1,9}(?:"([^"]{1,1000})"|'([^']{1,1000})')/g
const CHARACTER_WORK = 4

export const xmlReferences: Format = {
  among: { marks: [REFERENCES] },
  // PDF judges its forms and metadata itself.
  applies: (item) => item.sniffed.kind === 'text' && item.parent?.sniffed.kind !== 'pdf' && item.has(REFERENCES),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    charge(text.length * CHARACTER_WORK)
    // Texts about XML quote declarations, but do not begin with one.
    if (!/^(?:\xef\xbb\xbf)?\s*<[?!]/.test(text)) return
    for (const [, double, single] of text.matchAll(STYLESHEET)) judge(item, double ?? single ?? '', false, context)
    for (const [, double, single] of text.matchAll(ENTITY)) judge(item, double ?? single ?? '', true, context)
  },
}

/** A stylesheet on the web is that of a feed; an entity is part of the data. */
function judge(item: Item, value: string, isEntity: boolean, context: Context): void {
  const text = unreferenced(value)
  const { kind, isRemote } = classifyTarget(text)
  const detail = describeTarget(text)
  if (kind === 'share') context.addFinding(item, { ...LINKS.fileServerAutomatic, detail })
  else if (isEntity ? isRemote || kind === 'file' : kind === 'webIp' || kind === 'script')
    context.addFinding(item, { ...OFFICE.externalEntity, detail })
}
