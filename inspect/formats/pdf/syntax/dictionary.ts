/** Reads PDF dictionaries token by token, so that strings and comments cannot disguise keys. */

import { charge } from '#inspect/core/work.ts'
import { BACKSLASH, CLOSING, hexDigit, isDigit, isLineEnd, isNumeric, OPENING } from './characters.ts'
import { NUMBER_MAX } from './object-header.ts'

export interface Dictionary {
  /** Values as text. A duplicate key has several, because readers disagree about which one counts. */
  values: Map<string, string[]>
  /** After `>>`. */
  end: number
}

/** Work for each key, and for each character of a value or of white space. */
const KEY_WORK = 400
const CHARACTER_WORK = 10
/** For each character of a name with escapes, of which there may be millions. */
const ESCAPED_WORK = 80
/** Shorter white space is part of the work of its token. */
const SPACE_MIN = 32

const COMMENT = 0x25
const SPACE = 1
const DELIMITER = 2
/** A table, because it is used for every character. */
const CLASSES = new Uint8Array(256)
for (const code of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) CLASSES[code] = SPACE
for (const char of '()<>[]{}/%') CLASSES[char.charCodeAt(0)] = DELIMITER

/** null: no dictionary starts here, or it has no end. */
export function readDictionary(text: string, start: number): Dictionary | null {
  if (start < 0 || !text.startsWith('<<', start)) return null
  const values = new Map<string, string[]>()
  let at = skipSpace(text, start + 2)
  while (at < text.length) {
    if (text.startsWith('>>', at)) return { values, end: at + 2 }
    charge(KEY_WORK)
    const keyEnd = tokenEnd(text, at)
    const valueAt = skipSpace(text, keyEnd)
    // Readers skip tokens that are not keys.
    if (text[at] !== '/' || text.startsWith('>>', valueAt)) {
      at = valueAt
      continue
    }
    const key = decodedName(text.slice(at + 1, keyEnd))
    const end = valueEnd(text, valueAt)
    const known = values.get(key)
    if (known === undefined) values.set(key, [text.slice(valueAt, end)])
    else known.push(text.slice(valueAt, end))
    at = skipSpace(text, end)
  }
  return null
}

/** Skips white space and comments. */
export function skipSpace(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMENT) at = lineEnd(text, at)
    else if (CLASSES[code] !== SPACE) break
  }
  if (at - from > SPACE_MIN) charge((at - from) * CHARACTER_WORK)
  return Math.min(at, text.length)
}

function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineEnd(text.charCodeAt(at))) at += 1
  return at
}

/** The end of a value, including nested arrays and dictionaries. */
export function valueEnd(text: string, from: number): number {
  const reference = referenceAt(text, from)
  if (reference !== null) return reference.end
  let depth = 0
  let at = from
  do {
    if (opens(text, at)) depth += 1
    else if (closes(text, at)) depth -= 1
    at = tokenEnd(text, at)
    if (depth > 0) at = skipSpace(text, at)
  } while (depth > 0 && at < text.length)
  charge((at - from) * CHARACTER_WORK)
  return at
}

function opens(text: string, at: number): boolean {
  return text[at] === '[' || text.startsWith('<<', at)
}

function closes(text: string, at: number): boolean {
  return text[at] === ']' || text.startsWith('>>', at)
}

export interface Reference {
  /** NaN if readers interpret it differently. */
  object: number
  generation: number
  end: number
}

/** `9 0 R`, with any white space and comments in between. */
export function referenceAt(text: string, from: number): Reference | null {
  const objectEnd = numberEnd(text, from)
  if (objectEnd === from) return null
  const generation = skipSpace(text, objectEnd)
  const generationEnd = numberEnd(text, generation)
  if (generation === objectEnd || generationEnd === generation) return null
  const letter = skipSpace(text, generationEnd)
  if (text[letter] !== 'R' || tokenEnd(text, letter) !== letter + 1) return null
  return {
    object: plainNumber(text.slice(from, objectEnd)),
    generation: plainNumber(text.slice(generation, generationEnd)) || 0,
    end: letter + 1,
  }
}

/** NaN for `5.0` and `+5`, which some readers take as 5, and for numbers that overflow. */
function plainNumber(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  return number <= NUMBER_MAX ? number : Number.NaN
}

export function numberEnd(text: string, from: number): number {
  let at = from
  while (isNumeric(text.charCodeAt(at))) at += 1
  return at
}

export function digitsEnd(text: string, from: number): number {
  let at = from
  while (isDigit(text.charCodeAt(at))) at += 1
  return at
}

/** Always past `at`. */
export function tokenEnd(text: string, at: number): number {
  if (text.startsWith('<<', at) || text.startsWith('>>', at)) return at + 2
  if (text[at] === '(') return literalEnd(text, at)
  if (text[at] === '<') {
    const end = text.indexOf('>', at)
    return end === -1 ? text.length : end + 1
  }
  if (text[at] !== '/' && CLASSES[text.charCodeAt(at)] === DELIMITER) return at + 1
  let end = at + 1
  while (end < text.length && !CLASSES[text.charCodeAt(end)]) end += 1
  return end
}

/** By character codes: texts of one character would take five times as long. */
function literalEnd(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === BACKSLASH) at += 1
    else if (code === OPENING) depth += 1
    else if (code === CLOSING && --depth === 0) return at + 1
  }
  return text.length
}

export function decodedName(name: string): string {
  let sign = name.indexOf('#')
  if (sign === -1) return name
  charge(name.length * ESCAPED_WORK)
  let decoded = ''
  let from = 0
  for (; sign !== -1; sign = name.indexOf('#', sign + 1)) {
    const code = hexDigit(name.charCodeAt(sign + 1)) * 16 + hexDigit(name.charCodeAt(sign + 2))
    if (Number.isNaN(code)) continue
    decoded += name.slice(from, sign) + String.fromCharCode(code)
    sign += 2
    from = sign + 1
  }
  return decoded + name.slice(from)
}
