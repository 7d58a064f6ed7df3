/** Reads the relationships of Office documents and judges those that lead out of the package. */

import { type Tag, tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { createLinkJudge, targetDetail } from '#inspect/judge/links.ts'
import { judgeReference } from '#inspect/judge/references.ts'
import { createTargetRecord } from './hover.ts'

const LESS = 0x3c
const COLON = 0x3a
/** The name of a tag, before a space. Not a word of prose. */
const TAG = mark(['Relationship'], {
  fits(bytes, at) {
    const before = bytes[at - 1]
    const after = bytes[at + 'Relationship'.length] ?? 0x21
    return (before === LESS || before === COLON) && (after <= 0x20 || after >= 0x80)
  },
})

/** In UTF-16, the bytes around the word do not show whether it is a tag. */
function isWideMention(item: Item): boolean {
  return item.mentions('relationship') && /^utf-16/.test(encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? '')
}

const RELATIONSHIP = tagPattern(['Relationship'])

export const relationships: Format = {
  among: { marks: [TAG], keywords: ['relationship'], members: true },
  // Flat documents contain relationships without a part of their own.
  applies: (item) => /\.rels$/i.test(item.path.at(-1) ?? '') || item.has(TAG) || isWideMention(item),
  analyse(item, context) {
    const encoding = encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'
    const links = createLinkJudge(item, context)
    const targets = createTargetRecord(item, context)
    for (const { attributes } of tagsOf(decodeText(item.bytes, encoding), RELATIONSHIP)) {
      const target = attributes.get('target') ?? ''
      if (typeOf(attributes) === 'hyperlink') {
        links.add(target)
        targets.add(attributes.get('id') ?? '', target)
      } else checkReference(item, attributes, context)
    }
    links.finish()
    targets.finish()
  },
}

function typeOf(attributes: Tag['attributes']): string {
  return ((attributes.get('type') ?? '').split('/').at(-1) ?? '').toLowerCase()
}

function checkReference(item: Item, attributes: Tag['attributes'], context: Context): void {
  const target = attributes.get('target') ?? ''
  const isExternal = (attributes.get('targetmode') ?? '').toLowerCase() === 'external'
  const found = judgeReference(typeOf(attributes), target, isExternal)
  if (found !== null) context.addFinding(item, { ...found, detail: targetDetail(target) })
}
