/** The text of RTF as Word reads it: without groups, formats and escapes, so that these hide no field and no link. */

const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d
const QUOTE = 0x27
const STAR = 0x2a
const SPACE = 0x20
const LINE_FEED = 0x0a

/** Kept in front of their text, because rules and readers go by them. */
const KEPT = new Set(['fldinst', 'objclass'])
/** Destinations that need not be known, and whose text counts all the same. */
const READ = new Set([...KEPT, 'htmltag', 'mhtmltag'])
/** Destinations that hold digits. */
const DIGITS = new Set(['pict', 'objdata', 'datastore', 'themedata'])
const LINES = new Set(['par', 'line', 'cell', 'row', 'sect', 'page'])

/** Never changed: inner groups share it. */
interface Group {
  /** Its text does not count. */
  skipped: boolean
  /** Characters that follow one in Unicode, for readers that do not know it. */
  fallbacks: number
}

interface Word {
  name: string
  number: number
  end: number
}

/** Groups in groups. Word opens no document with so many. */
export const DEPTH_MAX = 100_000

/** Fields and classes of objects. With more, it takes the rules too long. */
export const FIELDS_MAX = 100_000

/** null: there are too many fields, or groups lie in each other too deep. */
export function textOf(bytes: Uint8Array): Uint8Array | null {
  // A word that is kept gets one character more.
  const out = Buffer.allocUnsafe(Math.ceil((bytes.length * 9) / 8) + 16)
  let length = 0
  const outer: Group[] = []
  let group: Group = { skipped: false, fallbacks: 1 }
  let pending = 0
  let afterKept = false
  let starred = false
  let kept = 0

  function put(byte: number): void {
    if (pending > 0) {
      pending -= 1
      return
    }
    const char = byte === 0x09 ? SPACE : byte
    if (group.skipped || (afterKept && char === SPACE)) return
    afterKept = false
    out[length++] = char
  }

  function putWord({ name, number, end }: Word): number {
    if (DIGITS.has(name) || (starred && !READ.has(name))) group = { ...group, skipped: true }
    starred = false
    if (name === 'bin' && number > 0 && number <= bytes.length - end) return end + number
    if (KEPT.has(name)) keep(name)
    else if (name === 'uc') group = { ...group, fallbacks: Math.max(0, number) }
    else if (name === 'u') putCode(number)
    else putSpace(name)
    return end
  }

  function putSpace(name: string): void {
    if (name === 'tab') put(SPACE)
    else if (LINES.has(name)) put(LINE_FEED)
  }

  function keep(name: string): void {
    // A shape that need not be known may have one.
    group = { ...group, skipped: false }
    kept += 1
    length += out.write(`\\${name} `, length)
    afterKept = true
  }

  function putCode(number: number): void {
    for (const byte of Buffer.from(String.fromCharCode(number & 0xffff))) put(byte)
    pending = group.fallbacks
  }

  /** A symbol, or a character in hexadecimal. */
  function putSymbol(at: number): number {
    const symbol = bytes[at] ?? SPACE
    if (symbol === QUOTE)
      put(Number.parseInt(Buffer.from(bytes.subarray(at + 1, at + 3)).toString('latin1'), 16) & 0xff)
    else if (symbol === STAR) starred = true
    else if (symbol === 0x7e) put(SPACE)
    else if (symbol === BACKSLASH || symbol === OPEN || symbol === CLOSE) put(symbol)
    return symbol === QUOTE ? at + 3 : at + 1
  }

  function nest(byte: number): void {
    pending = 0
    starred = false
    if (byte === OPEN) {
      outer.push(group)
    } else group = outer.pop() ?? group
  }

  for (let at = 0; at < bytes.length; ) {
    if (outer.length > DEPTH_MAX || kept > FIELDS_MAX) return null
    const byte = bytes[at] as number
    at += 1
    if (byte === BACKSLASH) {
      const word = wordAt(bytes, at)
      at = word === null ? putSymbol(at) : putWord(word)
    } else if (byte === OPEN || byte === CLOSE) nest(byte)
    else if (byte !== 0x0d && byte !== LINE_FEED && byte !== 0) put(byte)
  }
  return out.subarray(0, length)
}

function wordAt(bytes: Uint8Array, from: number): Word | null {
  let at = from
  while (((bytes[at] ?? 0) | 0x20) >= 0x61 && ((bytes[at] ?? 0) | 0x20) <= 0x7a) at += 1
  if (at === from) return null
  const name = Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(at - from, 32)).toString('latin1')
  const isNegative = bytes[at] === 0x2d
  if (isNegative) at += 1
  let number = 0
  let digits = 0
  for (; (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39; at++, digits++)
    number = number * 10 + (bytes[at] ?? 0) - 0x30
  // A minus sign alone is none.
  if (digits === 0 && isNegative) at -= 1
  return { name, number: isNegative ? -number : number, end: bytes[at] === SPACE ? at + 1 : at }
}
