/** The little of XML that object stores answer with: elements without attributes of interest, searched from left to right. */

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const CODE_POINT_MAX = 0x10_ff_ff

function decodeEntity(whole: string, name: string): string {
  const number = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(name)
  if (number === null) return ENTITIES[name] ?? whole
  const code = number[1] === undefined ? Number(number[2]) : Number.parseInt(number[1], 16)
  return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole
}

const decodeXml = (text: string): string => text.replace(/&(#?\w{1,8});/g, decodeEntity)

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (each) => ESCAPES[each] ?? each)

/** What each element of this name holds, as it is written. Elements of the same name must not be nested. */
export function elements(xml: string, name: string): string[] {
  const found: string[] = []
  const [open, close] = [`<${name}`, `</${name}>`]
  for (let at = xml.indexOf(open); at !== -1; at = xml.indexOf(open, at)) {
    at += open.length
    if (!/[\s>/]/.test(xml[at] ?? '')) continue
    const start = xml.indexOf('>', at)
    if (start === -1) return found
    at = start + 1
    if (xml[start - 1] === '/') {
      found.push('')
      continue
    }
    const end = xml.indexOf(close, at)
    if (end === -1) return found
    found.push(xml.slice(at, end))
    at = end + close.length
  }
  return found
}

/** The text of the first element of this name, null without one. */
export function textIn(xml: string, name: string): string | null {
  const [found] = elements(xml, name)
  return found === undefined ? null : decodeXml(found)
}
