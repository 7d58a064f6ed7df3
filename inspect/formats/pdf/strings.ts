/** Decodes PDF strings with scripts, URLs, file names and commands. */

import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { Decrypt } from './encryption/encryption.ts'
import { createDataSearch } from './syntax/data-search.ts'
import { type Reference, skipSpace, valueEnd } from './syntax/dictionary.ts'
import { createEnclosing } from './syntax/enclosing-objects.ts'
import { type ObjectHeader, UNKNOWN_NUMBER } from './syntax/object-header.ts'
import type { PdfObjects } from './syntax/objects.ts'
import { referenceFrom } from './syntax/references.ts'
import { nameExpression, readString } from './syntax/values.ts'

/** Keys of scripts, URLs, opened files, started programs and their arguments. */
const KEYS = nameExpression('JS', 'URI', 'F', 'UF', 'P', 'Unix', 'Mac', 'DOS', 'V', 'FlashVars')

/** Passes over the text. Strings of ordinary files do not overlap. */
export const STRING_PASSES_MAX = 2

/** Occurrences of these keys. In large files, every paragraph has one. */
export const OCCURRENCES_MAX = 1_000_000

/** Large files have some ten thousand. */
export const STRINGS_MAX = 500_000

/** Decrypted strings, counted once for each possible key. */
export const DECRYPTIONS_MAX = 200_000

/** Work for each key that is found, and memory for each string. */
const TOKEN_WORK = 2_000
const LINE_BYTES = 200

interface Found {
  /** A string with the white space and comments before it. */
  token: string
  /** Objects whose number may be part of its key; empty if not encrypted; null if ambiguous. */
  owners: readonly ObjectHeader[] | null
}

interface Strings {
  /** One string per line. */
  bytes: Uint8Array
  obstacle: 'too_complex' | 'encrypted' | null
}

export function stringsOf(objects: PdfObjects, decrypt: Decrypt | null): Strings {
  const lines: Uint8Array[] = []
  const left = {
    characters: objects.texts.reduce((sum, { length }) => sum + length, 0) * STRING_PASSES_MAX,
    strings: STRINGS_MAX,
    decryptions: DECRYPTIONS_MAX,
  }
  const isExceeded = () => left.characters < 0 || left.strings < 0 || left.decryptions < 0
  let obstacle: Strings['obstacle'] = null
  for (const { token, owners } of tokensIn(objects, decrypt !== null)) {
    charge(TOKEN_WORK + token.length * 10)
    left.characters -= token.length
    if (owners === null || isExceeded()) return { bytes: Buffer.concat(lines), obstacle: 'too_complex' }
    const bytes = stringIn(token, lines)
    if (bytes === null) continue
    left.strings -= 1
    if (decrypt === null) continue
    left.decryptions -= owners.length
    if (owners.some(({ object }) => object === UNKNOWN_NUMBER)) obstacle = 'encrypted'
    for (const { object, generation } of owners) addLine(lines, view(decrypt(object, generation, bytes, 'string')))
  }
  return { bytes: Buffer.concat(lines), obstacle: isExceeded() ? 'too_complex' : obstacle }
}

/** Also adds the string to the lines if its bytes differ from those in the file. */
function stringIn(token: string, lines: Uint8Array[]): Buffer | null {
  const string = token.slice(skipSpace(token, 0))
  // Readers ignore unterminated strings.
  const bytes = /[)>]$/.test(string.slice(-1)) ? readString(string) : null
  if (bytes !== null && isEncoded(string, bytes)) addLine(lines, bytes)
  return bytes
}

function addLine(lines: Uint8Array[], bytes: Buffer): void {
  keep(LINE_BYTES)
  lines.push(toUtf8(bytes), LINE_END)
}

const LINE_END = Buffer.from('\n')
const AMBIGUOUS: Found = { token: '', owners: null }

function* tokensIn(objects: PdfObjects, encrypted: boolean): Generator<Found> {
  const known = new Set<number>()
  const enclosing = createEnclosing(objects)
  let occurrences = 0
  for (const { text, at } of keysIn(objects)) {
    occurrences += 1
    if (occurrences > OCCURRENCES_MAX) yield AMBIGUOUS
    const start = skipSpace(text, at)
    const reference = referenceFrom(text, start)
    if (reference !== null) {
      // Charges a comment before the reference, which may contain many keys and is read again for each.
      yield { token: text.slice(at, start), owners: [] }
      yield* referencedTokens(objects, reference, known)
    }
    // Strings in object streams are not encrypted individually.
    else if (!encrypted || text !== objects.text || !isString(text, start))
      yield { token: stringAt(text, at, start), owners: [] }
    else yield { token: stringAt(text, at, start), owners: enclosing(at) }
  }
}

/** The ends of all keys, but not of those in packed data, whose strings would extend to the end of the file. */
function* keysIn(objects: PdfObjects): Generator<{ text: string; at: number }> {
  for (const text of objects.texts) {
    const isPacked = text === objects.text ? createDataSearch(objects) : () => false
    for (const { index, 0: name } of text.matchAll(KEYS)) if (!isPacked(index)) yield { text, at: index + name.length }
  }
}

/** Reads every target once, because many places may refer to it. */
function* referencedTokens(
  { text: file, follow }: PdfObjects,
  reference: Reference,
  known: Set<number>,
): Generator<Found> {
  const { object, generation } = reference
  // Only the low 16 bits of the generation are part of the key.
  const name = object * 65_536 + (generation & 0xffff)
  if (known.has(name)) return
  known.add(name)
  const targets = follow(object)
  if (targets === null) yield AMBIGUOUS
  for (const { text, at, ...target } of targets ?? []) {
    // Readers use the number in the header of the target or the one in the reference.
    const owners =
      target.object === object && target.generation === generation ? [target] : [target, { object, generation }]
    yield { token: stringAt(text, at, skipSpace(text, at)), owners: text === file ? owners : [] }
  }
}

function isString(text: string, at: number): boolean {
  return text[at] === '(' || (text[at] === '<' && text[at + 1] !== '<')
}

function stringAt(text: string, from: number, start: number): string {
  return text.slice(from, isString(text, start) ? valueEnd(text, start) : start)
}

function isEncoded(string: string, bytes: Uint8Array): boolean {
  return string.includes('\\') || string.startsWith('<') || (bytes[0] ?? 0) >= 0xfe
}

function toUtf8(bytes: Buffer): Uint8Array {
  const even = bytes.subarray(2, bytes.length - (bytes.length % 2))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(even.toString('utf16le'))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(Buffer.from(even).swap16().toString('utf16le'))
  return bytes
}
