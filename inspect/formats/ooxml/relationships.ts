/** Finds external templates and objects in the relationships of Office documents. */

import type { Context, Format, Item, NewFinding } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'
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

export const relationships: Format = {
  // Flat documents contain relationships without a part of their own.
  applies: (item) => /\.rels$/i.test(item.path.at(-1) ?? '') || item.has(TAG) || isWideMention(item),
  analyse(item, context) {
    const encoding = encodingOf(item.bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8'
    for (const tag of tagsOf(decodeText(item.bytes, encoding))) checkRelationship(item, tag, context)
  },
}

/** Work for each tag and each attribute, and memory for each attribute. */
const TAG_WORK = 1_500
const ATTRIBUTE_BYTES = 50

type Tag = ReadonlyMap<string, string>

// No match extends past a `<`, which XML forbids inside a tag, so a million tags are read only once.
const START = /<(?:[^\s<>:"'=/]+:)?Relationship(?=\s)/g
const ATTRIBUTE = /\s*([^\s<>"'=/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y

/** The attributes of each relationship. */
function* tagsOf(text: string): Generator<Tag> {
  for (const start of text.matchAll(START)) {
    charge(TAG_WORK)
    const tag = new Map<string, string>()
    ATTRIBUTE.lastIndex = start.index + start[0].length
    for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
      charge(TAG_WORK)
      keep(ATTRIBUTE_BYTES)
      tag.set(found[1] ?? '', decodeEntities(found[2] ?? found[3] ?? '').trim())
    }
    yield tag
  }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = '') => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : (ENTITIES[name] ?? whole)
    },
  )
}

const IP_ADDRESS_URL =
  /^https?:\/\/(?:[^/@]*@)?(?:\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]+|\d{8,10}|\[[0-9a-f:]+\])(?=[:/]|$)/i
const FILE_SERVER = /^(?:\\\\|\/\/|file:(?:\/\/|\\\\)(?:\/\/|\\\\)?(?![/\\]|[a-z]:)[^/\\]|file:\/\/\/(?:\\\\|\/\/))/i
/** Office links charts and sheets to workbooks there. Files need a sign-in, and are never served as scripts. */
const CLOUD_STORAGE =
  /^https:\/\/(?:d\.docs\.live\.net|[a-z0-9-]+\.sharepoint\.com)\/[^?#]*\.(?:xls[xmb]?|pptx?|docx?)(?:[?#!]|$)/i
const WEB_DAV = /@SSL\b|\\DavWWWRoot\\/i

function checkRelationship(item: Item, tag: Tag, context: Context): void {
  const type = (tag.get('Type') ?? '').split('/').at(-1) ?? ''
  const target = tag.get('Target') ?? ''
  const found = findingFor(type.toLowerCase(), target)
  if (found !== null) context.addFinding(item, { ...found, detail: target.slice(0, 200) })
}

function findingFor(type: string, target: string): Omit<NewFinding, 'detail'> | null {
  if (/^ms-msdt:/i.test(target)) return TROUBLESHOOTER
  if (type === 'attachedtemplate') {
    if (IP_ADDRESS_URL.test(target) || FILE_SERVER.test(target) || WEB_DAV.test(target)) return REMOTE_TEMPLATE
    return /^https?:/i.test(target) ? WEB_TEMPLATE : null
  }
  if (type === 'oleobject') {
    if (CLOUD_STORAGE.test(target)) return FILE_SERVER_OBJECT
    if (/^(?:mhtml|https?|x-usc|script):/i.test(target)) return REMOTE_OBJECT
    return FILE_SERVER.test(target) ? FILE_SERVER_OBJECT : null
  }
  return null
}

const TROUBLESHOOTER = {
  id: 'Docvet.Link.Troubleshooter',
  severity: 'malicious',
  title: 'Link that abuses the Windows troubleshooter',
  reason: 'The document opens the Windows troubleshooter (ms-msdt), which can run commands.',
  technique: 'T1203',
} as const

const REMOTE_TEMPLATE = {
  id: 'Docvet.Ooxml.RemoteTemplate',
  severity: 'malicious',
  title: 'Template loaded from an IP address or a file server',
  reason:
    'Opening the document fetches a template with its macros from a location that legitimate templates do not use.',
  technique: 'T1221',
} as const

const WEB_TEMPLATE = {
  id: 'Docvet.Ooxml.WebTemplate',
  severity: 'suspicious',
  title: 'Template loaded from the web',
  reason: 'Opening the document fetches a template with its macros from a web server.',
  technique: 'T1221',
} as const

const REMOTE_OBJECT = {
  id: 'Docvet.Ooxml.RemoteObject',
  severity: 'malicious',
  title: 'Object loaded from the web',
  reason: 'Opening the document fetches an object or a script from a web server and runs it.',
  technique: 'T1221',
} as const

const FILE_SERVER_OBJECT = {
  id: 'Docvet.Ooxml.FileServerObject',
  severity: 'suspicious',
  title: 'Object loaded from a file server',
  reason: 'Opening the document contacts a file server, which learns who opened it and can replace the object.',
  technique: 'T1187',
} as const
