/** PDF names, strings and dictionary values. */

import { BACKSLASH, CLOSING, isLineEnd, OPENING } from './characters.ts'
import { decodedName, readDictionary } from './dictionary.ts'

/** Matches a name with or without escapes: `/Encrypt`, `/#45ncrypt`. */
function nameSource(name: string): string {
  return [...name]
    .map((letter) => {
      const code = letter.charCodeAt(0).toString(16)
      return `(?:${letter}|#${[...code].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('')})`
    })
    .join('')
}

/** Matches `/name` as a whole name, for any of these names. */
export function nameExpression(...names: string[]): RegExp {
  return new RegExp(`/(?:${names.map(nameSource).join('|')})(?=[\\0\\s/<>[\\]()%]|$)`, 'g')
}

/** The value as text. Readers use the last of duplicate keys. */
export function rawValue(dictionary: string, key: string): string | null {
  return readDictionary(dictionary, dictionary.indexOf('<<'))?.values.get(key)?.at(-1) ?? null
}

export function numberOf(dictionary: string, key: string): number | null {
  const value = rawValue(dictionary, key)
  const digits = value === null ? null : /^[+-]?\d+$/.exec(value)
  return digits === null ? null : Number(digits[0])
}

export function nameOf(dictionary: string, key: string): string | null {
  const value = rawValue(dictionary, key)
  const name = value === null ? null : /^\/([^\s/<>[\]()%]*)/.exec(value)
  return name === null ? null : decodedName(name[1] ?? '')
}

export function stringOf(dictionary: string, key: string): Buffer | null {
  const value = rawValue(dictionary, key)
  return value === null ? null : readString(value)
}

export function readString(value: string): Buffer | null {
  const hex = /^<([^<>][^>]*|)>/.exec(value)
  if (hex !== null) {
    // Readers skip other characters.
    const digits = (hex[1] ?? '').replace(/[^0-9a-f]+/gi, '')
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  }
  return value.startsWith('(') ? readLiteral(value) : null
}

const ESCAPES = new Map(['n\n', 'r\r', 't\t', 'b\b', 'f\f'].map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]))
const [LF, CR] = [0x0a, 0x0d]

/** Byte by byte, because a file may be one string of millions of escapes. */
function readLiteral(value: string): Buffer | null {
  // Escapes only make it shorter.
  const bytes = Buffer.allocUnsafe(value.length)
  let length = 0
  let depth = 0
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code === BACKSLASH) {
      const end = escapeEnd(value, at)
      if (!isLineEnd(value.charCodeAt(at + 1))) bytes[length++] = escaped(value, at + 1, end)
      at = end - 1
      continue
    }
    if (code === CLOSING && --depth === 0) return bytes.subarray(0, length)
    if (depth > 0) bytes[length++] = code
    if (code === OPENING) depth += 1
  }
  return null
}

/** Up to three octal digits, a line end, or one character. */
function escapeEnd(value: string, at: number): number {
  let end = at + 1
  while (end < at + 4 && isOctal(value.charCodeAt(end))) end += 1
  if (end > at + 1) return end
  return value.charCodeAt(end) === CR && value.charCodeAt(end + 1) === LF ? end + 2 : end + 1
}

function escaped(value: string, start: number, end: number): number {
  const code = value.charCodeAt(start)
  return isOctal(code) ? Number.parseInt(value.slice(start, end), 8) : (ESCAPES.get(code) ?? code)
}

function isOctal(code: number): boolean {
  return code >= 0x30 && code <= 0x37
}
