/** Reads the XML that says how a package is encrypted, as strictly as only a machine would write it. */

export type Attributes = ReadonlyMap<string, string>

/** Bytes of the XML. Office writes about 1,200. */
export const DESCRIPTOR_MAX = 16_384

const DECLARATION = /^\uFEFF?<\?xml[^<>]*\?>/
const ELEMENT = /<([^<>]*)>/g
const ATTRIBUTE = /\s+([\w:.-]+)\s*=\s*(?:"([^"&]*)"|'([^'&]*)')/y

/**
 * The attributes of the only elements with these names, whatever their prefix; or null. Readers disagree about comments,
 * entities, and elements or attributes that come twice, so a descriptor with any of them stays closed.
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
