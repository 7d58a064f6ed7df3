/** Small pieces of PDF syntax, read from bytes taken as Latin-1: names, strings, values of dictionaries. */

import { decodedName, readDictionary } from './dictionary.ts'

/** Matches a name however its letters are written: `/Encrypt`, `/#45ncrypt`. */
function nameSource(name: string): string {
  return [...name]
    .map((letter) => {
      const code = letter.charCodeAt(0).toString(16)
      return `(?:${letter}|#${[...code].map((digit) => `[${digit}${digit.toUpperCase()}]`).join('')})`
    })
    .join('')
}

/** An expression for `/name` as a whole name; what follows it matters to the caller. */
export function nameExpression(name: string, followedBy = ''): RegExp {
  return new RegExp(`/${nameSource(name)}(?=[\\0\\s/<>[\\]()%]|$)${followedBy}`, 'g')
}

/** The text of the value of a key of the dictionary that begins the text, or null. Of several, readers take the last. */
export function behind(dictionary: string, key: string): string | null {
  return readDictionary(dictionary, dictionary.indexOf('<<'))?.values.get(key)?.at(-1) ?? null
}

export function numberOf(dictionary: string, key: string): number | null {
  const value = behind(dictionary, key)
  const digits = value === null ? null : /^[+-]?\d+$/.exec(value)
  return digits === null ? null : Number(digits[0])
}

export function nameOf(dictionary: string, key: string): string | null {
  const value = behind(dictionary, key)
  const name = value === null ? null : /^\/([^\s/<>[\]()%]*)/.exec(value)
  return name === null ? null : decodedName(name[1] ?? '')
}

/** A string value, hexadecimal or literal, as bytes. */
export function stringOf(dictionary: string, key: string): Buffer | null {
  const value = behind(dictionary, key)
  return value === null ? null : readString(value)
}

export function readString(value: string): Buffer | null {
  const hex = /^<([^<>][^>]*|)>/.exec(value)
  if (hex !== null) {
    // Readers pass over what is no digit.
    const digits = (hex[1] ?? '').replace(/[^0-9a-f]+/gi, '')
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex')
  }
  return value.startsWith('(') ? readLiteral(value) : null
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const ESCAPE = /^\\(?:([0-7]{1,3})|(\r\n|[\r\n])|([\s\S]))/

function readLiteral(value: string): Buffer | null {
  let text = ''
  let depth = 0
  for (let at = 0; at < value.length; at++) {
    const char = value[at] ?? ''
    if (char === '\\') {
      const sequence = ESCAPE.exec(value.slice(at, at + 4))
      if (sequence === null) return null
      text += escaped(sequence)
      at += sequence[0].length - 1
      continue
    }
    if (char === ')' && --depth === 0) return Buffer.from(text, 'latin1')
    if (depth > 0) text += char
    if (char === '(') depth += 1
  }
  return null
}

function escaped([, octal, lineEnd, other = '']: RegExpExecArray): string {
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
  return lineEnd === undefined ? (ESCAPES[other] ?? other) : ''
}
