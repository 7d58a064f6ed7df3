/** Reads XML from its beginning to its end, as events: elements that open and close, and the texts between them. */

import { charge } from '#inspect/core/work.ts'
import { decodeEntities } from './xml-tags.ts'

interface XmlHandler {
  /** `name`: without its prefix. `attributes`: as they are written. */
  open(name: string, attributes: string, isEmpty: boolean): void
  close(name: string): void
  text(text: string): void
}

const CHARACTER_WORK = 3
const TAG_WORK = 150

/** Comments and instructions are skipped. The rest of a tag without an end is its attributes. */
export function readXml(source: string, handler: XmlHandler): void {
  charge(source.length * CHARACTER_WORK)
  let from = 0
  for (let at = source.indexOf('<'); at !== -1; at = source.indexOf('<', from)) {
    charge(TAG_WORK)
    if (at > from) handler.text(decodeEntities(source.slice(from, at)))
    from = readTag(source, at, handler)
  }
  if (from < source.length) handler.text(decodeEntities(source.slice(from)))
}

/** Returns the position after it. */
function readTag(source: string, at: number, handler: XmlHandler): number {
  if (source.startsWith('<!--', at)) return endOf(source, '-->', at + 4)
  if (source.startsWith('<![CDATA[', at)) {
    const end = endOf(source, ']]>', at + 9)
    handler.text(source.slice(at + 9, end - 3))
    return end
  }
  const end = endOf(source, '>', at)
  const next = source.charCodeAt(at + 1)
  if (next === QUESTION || next === EXCLAMATION) return end
  if (next === SLASH) {
    handler.close(localName(source.slice(at + 2, end - 1).trim()))
    return end
  }
  const isEmpty = source.charCodeAt(end - 2) === SLASH
  const inner = source.slice(at + 1, isEmpty ? end - 2 : end - 1)
  const space = inner.search(/\s/)
  const name = localName(space === -1 ? inner : inner.slice(0, space))
  handler.open(name, space === -1 ? '' : inner.slice(space), isEmpty)
  if (isEmpty) handler.close(name)
  return end
}

const [QUESTION, EXCLAMATION, SLASH] = [0x3f, 0x21, 0x2f]

function endOf(source: string, text: string, from: number): number {
  const at = source.indexOf(text, from)
  return at === -1 ? source.length : at + text.length
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const VALUE = /=\s{0,9}(?:"([^"]*)"|'([^']*)')/g

/** Values of all attributes. */
export const attributesIn = (attributes: string): string[] =>
  Array.from(attributes.matchAll(VALUE), ([, one, other]) => decodeEntities(one ?? other ?? ''))

const patterns = new Map<string, RegExp>()

/** The value of an attribute, under any prefix. */
export function attributeOf(attributes: string, name: string): string | null {
  if (!attributes.includes(name)) return null
  let pattern = patterns.get(name)
  if (pattern === undefined) {
    pattern = new RegExp(String.raw`(?:^|\s)(?:[\w.-]{1,40}:)?${name}\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')`)
    patterns.set(name, pattern)
  }
  const found = pattern.exec(attributes)
  return found === null ? null : decodeEntities(found[1] ?? found[2] ?? '')
}
