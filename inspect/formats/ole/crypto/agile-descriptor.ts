/** Strict reader for the XML descriptor of agile encryption. */

export type Attributes = ReadonlyMap<string, string>

/** Bytes of the XML. Office writes about 1,200. */
export const DESCRIPTOR_MAX = 16_384

const DECLARATION = /^\uFEFF?<\?xml[^<>]*\?>/
const ELEMENT = /<([^<>]*)>/g
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"&]*)"|'([^'&]*)')/y

/**
 * Returns the attributes of the elements with these names, ignoring prefixes. null: a comment, an entity, or a duplicate
 * element or attribute, about which readers disagree.
 */
export function readDescriptor(bytes: Buffer, names: readonly string[]): Attributes[] | null {
  if (bytes.length > DESCRIPTOR_MAX) return null
  const text = bytes.toString('utf8').replace(DECLARATION, '')
  if (/<[!?]/.test(text)) return null
  const found = new Map<string, Attributes>()
  for (const [, inside = ''] of text.matchAll(ELEMENT)) {
    const tag = /^[\w:.-]+/.exec(inside)?.[0] ?? ''
    const name = tag.slice(tag.indexOf(':') + 1)
    if (!names.includes(name)) continue
    const attributes = attributesOf(inside.slice(tag.length))
    if (attributes === null || found.has(name)) return null
    found.set(name, attributes)
  }
  const all = names.flatMap((name) => found.get(name) ?? [])
  return all.length === names.length ? all : null
}

function attributesOf(text: string): Attributes | null {
  const attributes = new Map<string, string>()
  let at = 0
  for (;;) {
    ATTRIBUTE.lastIndex = at
    const match = ATTRIBUTE.exec(text)
    if (match === null) break
    const [whole, name = '', double, single] = match
    if (attributes.has(name)) return null
    attributes.set(name, double ?? single ?? '')
    at += whole.length
  }
  return /^\s*\/?$/.test(text.slice(at)) ? attributes : null
}
