/** Reads tags of XML with their attributes, without building a tree. */

import { ownOf } from '#inspect/core/own.ts'
import { charge, keep } from '#inspect/core/work.ts'

export interface Tag {
  /** Without its prefix, in lower case. */
  name: string
  /** By name, without prefixes and in lower case. */
  attributes: ReadonlyMap<string, string>
  /** The text up to the next tag. */
  text: string
}

/** Work for each tag and each attribute, and memory for each attribute. */
const TAG_WORK = 1_500
const ATTRIBUTE_BYTES = 50
/** Work for each character. */
const CHARACTER_WORK = 4

// No match extends past a `<`, which XML forbids inside a tag, so a million tags are read only once.
const PREFIX = String.raw`<(?:[^\s<>:"'=/]+:)?`
const ATTRIBUTE = /\s*([^\s<>"'=/]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const REST = /[^<>]*>?([^<]*)/y

/** Matches the start of these tags, in any namespace. */
export function tagPattern(names: readonly string[]): RegExp {
  return new RegExp(`${PREFIX}(${names.join('|')})(?=[\\s/>])`, 'g')
}

/** The tags that a `tagPattern` names, in the order of the text. */
export function* tagsOf(text: string, pattern: RegExp): Generator<Tag> {
  charge(text.length * CHARACTER_WORK)
  for (const start of text.matchAll(pattern)) {
    charge(TAG_WORK)
    const attributes = new Map<string, string>()
    let end = start.index + start[0].length
    ATTRIBUTE.lastIndex = end
    for (let found = ATTRIBUTE.exec(text); found !== null; found = ATTRIBUTE.exec(text)) {
      charge(TAG_WORK)
      keep(ATTRIBUTE_BYTES)
      attributes.set(localName(found[1] ?? ''), decodeEntities(found[2] ?? found[3] ?? '').trim())
      end = ATTRIBUTE.lastIndex
    }
    REST.lastIndex = end
    yield { name: (start[1] ?? '').toLowerCase(), attributes, text: decodeEntities(REST.exec(text)?.[1] ?? '') }
  }
}

function localName(name: string): string {
  return name.slice(name.lastIndexOf(':') + 1).toLowerCase()
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name = '') => {
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : (ownOf(ENTITIES, name) ?? whole)
    },
  )
}

/** Markup that may interrupt a word. In a CDATA section, special characters are literal. */
const NO_TEXT = /<!--[\s\S]*?(?:-->|$)|<\?[\s\S]*?(?:\?>|$)|<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g
const SIGN = /[<>&"']/g

/** Without comments and instructions, and with CDATA sections as escaped text. */
export function withoutMarkup(text: string): string {
  charge(text.length * CHARACTER_WORK)
  if (!text.includes('<!') && !text.includes('<?', 1)) return text
  keep(text.length)
  return text.replace(NO_TEXT, (_, section: string | undefined) =>
    section === undefined ? '' : section.replace(SIGN, (sign) => `&#${sign.charCodeAt(0)};`),
  )
}
