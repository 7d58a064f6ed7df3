/** Characters without a shape: finds the texts that are written in them, and removes them from visible text. */

/** Tags, variation selectors, joiners and spaces without a width, marks of direction. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each of them is looked for by itself
const ANY = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\u{e0000}-\u{e01ef}]/u
/** A flag is a sign followed by at most six letters and an end. */
const FLAG = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu
const TAGS = /[\u{e0000}-\u{e007f}]{2,}/gu
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3,}/gu
const ZERO_WIDTHS = /[\u180e\u200b-\u200d\u2060-\u2064\ufeff]{2,}/gu

/** Selectors in a row. A character has one. */
export const SELECTORS_MIN = 8
/** Signs that are two letters in bits. */
export const BITS_MIN = 16

export interface Concealed {
  text: string
  kind: 'tags' | 'selectors' | 'bits'
}

export const mayConceal = (text: string): boolean => ANY.test(text)

/** Texts in characters without a shape. */
export function concealedIn(text: string): Concealed[] {
  if (!mayConceal(text)) return []
  const rest = text.replace(FLAG, '')
  return [
    ...(rest.match(TAGS) ?? []).map((found) => ({ text: fromTags(found), kind: 'tags' as const })),
    ...(rest.match(SELECTORS) ?? [])
      .filter((found) => [...found].length >= SELECTORS_MIN)
      .map((found) => ({ text: fromSelectors(found), kind: 'selectors' as const })),
    ...(rest.match(ZERO_WIDTHS) ?? []).flatMap((found) => {
      const read = fromBits(found)
      return read === null ? [] : [{ text: read, kind: 'bits' as const }]
    }),
  ]
}

function fromTags(found: string): string {
  return Array.from(found, (char) => String.fromCharCode((char.codePointAt(0) ?? 0) & 0x7f))
    .join('')
    .replace(/[^ -~]/g, '')
}

function fromSelectors(found: string): string {
  const bytes = Array.from(found, (char) => {
    const code = char.codePointAt(0) ?? 0
    return code < 0x10000 ? code - 0xfe00 : code - 0xe0100 + 16
  })
  return Buffer.from(bytes)
    .toString()
    .replace(/[^\P{Cc}\n]/gu, '')
}

const LETTERS = /^[\x20-\x7e\n]{2,}$|^[\P{C}\n]{8,}$/u

/** Two signs are the bits of a text; a third one may separate its bytes. */
function fromBits(found: string): string | null {
  const signs = [...new Set(found)]
  if (found.length < BITS_MIN || signs.length < 2 || signs.length > 3) return null
  for (const separator of [undefined, ...signs]) {
    const [zero, one, ...others] = signs.filter((sign) => sign !== separator)
    if (zero === undefined || one === undefined || others.length > 0) continue
    const bits = [...found].map((sign) => (sign === separator ? ' ' : sign === zero ? '0' : '1')).join('')
    for (const written of [bits, bits.replace(/[01]/g, (bit) => (bit === '0' ? '1' : '0'))]) {
      const text = fromDigits(written)
      if (LETTERS.test(text)) return text
    }
  }
  return null
}

function fromDigits(bits: string): string {
  const bytes = bits.includes(' ') ? bits.trim().split(/ +/) : (bits.match(/[01]{8}/g) ?? [])
  const text = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2) & 0xff)).toString()
  return text.includes('\ufffd') ? '' : text
}

/** Marks of direction, and a byte order mark. */
const REMOVED = /[\u202a-\u202e\u2066-\u206f\ufeff]/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are no text
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g
const FLAG_OR_TAGS = new RegExp(`(${FLAG.source})|[\\u{e0000}-\\u{e007f}]`, 'gu')

/** Text as a reader sees it: without characters that have no shape, but with joiners and selectors that shape others. */
export function shownCharacters(text: string): string {
  const plain = text.replace(CONTROLS, '')
  if (!mayConceal(plain)) return plain.toWellFormed().normalize('NFC')
  return plain
    .replace(FLAG_OR_TAGS, '$1')
    .replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/gu, '')
    .replace(ZERO_WIDTHS, '')
    .replace(REMOVED, '')
    .toWellFormed()
    .normalize('NFC')
}
