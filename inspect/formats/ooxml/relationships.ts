/** Finds external templates and objects in the relationships of Office documents. */

import { LINKS } from '#inspect/catalogue/links.ts'
import { OFFICE } from '#inspect/catalogue/office.ts'
import { type Tag, tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import type { Context, Format, Item, NewFinding } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'

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
  // Flat documents contain relationships without a part of their own.
  applies: (item) => /\.rels$/i.test(item.path.at(-1) ?? '') || item.has(TAG) || isWideMention(item),
  analyse(item, context) {
    const encoding = encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'
    for (const tag of tagsOf(decodeText(item.bytes, encoding), RELATIONSHIP)) checkRelationship(item, tag, context)
  },
}

const IP_ADDRESS_URL =
  /^https?:\/\/(?:[^/@]*@)?(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]+|\d{8,10}|\[[0-9a-f:]+\])(?=[:/]|$)/i
const FILE_SERVER = /^(?:\\\\|\/\/|file:(?:\/\/|\\\\)(?:\/\/|\\\\)?(?![/\\]|[a-z]:)[^/\\]|file:\/\/\/(?:\\\\|\/\/))/i
/** Office links charts and sheets to workbooks there. Files need a sign-in, and are never served as scripts. */
const CLOUD_STORAGE =
  /^https:\/\/(?:d\.docs\.live\.net|[a-z0-9-]+\.sharepoint\.com)\/[^?#]*\.(?:xls[xmb]?|pptx?|docx?)(?:[?#!]|$)/i
const WEB_DAV = /@SSL\b|\\DavWWWRoot\\/i

function checkRelationship(item: Item, { attributes }: Tag, context: Context): void {
  const type = (attributes.get('type') ?? '').split('/').at(-1) ?? ''
  const target = attributes.get('target') ?? ''
  const found = findingFor(type.toLowerCase(), target)
  if (found !== null) context.addFinding(item, { ...found, detail: target.slice(0, 200) })
}

function findingFor(type: string, target: string): Omit<NewFinding, 'detail'> | null {
  if (/^ms-msdt:/i.test(target)) return LINKS.troubleshooter
  if (type === 'attachedtemplate') {
    if (IP_ADDRESS_URL.test(target) || FILE_SERVER.test(target) || WEB_DAV.test(target)) return OFFICE.remoteTemplate
    return /^https?:/i.test(target) ? OFFICE.webTemplate : null
  }
  if (type === 'oleobject') {
    if (CLOUD_STORAGE.test(target)) return OFFICE.fileServerObject
    if (/^(?:mhtml|https?|x-usc|script):/i.test(target)) return OFFICE.remoteObject
    return FILE_SERVER.test(target) ? OFFICE.fileServerObject : null
  }
  return null
}
