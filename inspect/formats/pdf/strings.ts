/** Scripts and addresses that stand in strings of a PDF, as readers take them: without escapes, digits, UTF-16 and cipher. */

import { view } from '#inspect/core/bytes.ts'
import type { Decrypt } from './encryption/encryption.ts'
import { type Reference, skipSpace, valueEnd } from './syntax/dictionary.ts'
import { type Head, NO_NUMBER } from './syntax/head.ts'
import type { PdfObjects } from './syntax/objects.ts'
import { createOwners } from './syntax/owners.ts'
import { referenceFrom } from './syntax/references.ts'
import { nameExpression, readString } from './syntax/values.ts'

/** Keys of scripts, addresses, files that are opened, programs that are started, and of what is handed to them. */
const KEYS = nameExpression('JS', 'URI', 'F', 'UF', 'P', 'Unix', 'Mac', 'DOS', 'V', 'FlashVars')

/** How often the text of a file is read for strings. Those of honest files do not lie in each other. */
export const STRING_READINGS_MAX = 2

/** Places with such a key. In large files every paragraph has one. */
export const PLACES_MAX = 1_000_000

/** Strings in such places. Large files have some ten thousand. */
export const STRINGS_MAX = 500_000

/** Strings that are decrypted, each under every key that it may have. */
export const DECRYPTIONS_MAX = 200_000

interface Found {
  /** A string, and what stands in front of it. */
  token: string
  /** The objects that it may belong to: its key is made of their number. None, if it is not encrypted by itself. */
  owners: readonly Head[] | null
}

interface Strings {
  /** All of them, one below the other. */
  bytes: Uint8Array
  /** Why not all of them could be read. */
  obstacle: 'too_complex' | 'encrypted' | null
}

export function stringsOf(objects: PdfObjects, decrypt: Decrypt | null): Strings {
  const lines: Uint8Array[] = []
  const left = {
    characters: objects.texts.reduce((sum, { length }) => sum + length, 0) * STRING_READINGS_MAX,
    strings: STRINGS_MAX,
    decryptions: DECRYPTIONS_MAX,
  }
  const isPast = () => left.characters < 0 || left.strings < 0 || left.decryptions < 0
  let obstacle: Strings['obstacle'] = null
  for (const { token, owners } of tokensIn(objects, decrypt !== null)) {
    left.characters -= token.length
    if (owners === null || isPast()) return { bytes: Buffer.concat(lines), obstacle: 'too_complex' }
    const bytes = stringIn(token, lines)
    if (bytes === null) continue
    left.strings -= 1
    if (decrypt === null) continue
    left.decryptions -= owners.length
    if (owners.some(({ object }) => object === NO_NUMBER)) obstacle = 'encrypted'
    for (const { object, generation } of owners)
      lines.push(inUtf8(view(decrypt(object, generation, bytes, 'string'))), LINE_END)
  }
  return { bytes: Buffer.concat(lines), obstacle: isPast() ? 'too_complex' : obstacle }
}

/** The bytes of a string, also added to the lines if they are not seen in the file. */
function stringIn(token: string, lines: Uint8Array[]): Buffer | null {
  const string = token.slice(skipSpace(token, 0))
  // One without an end is long, and not read by anybody.
  const bytes = /[)>]$/.test(string.slice(-1)) ? readString(string) : null
  if (bytes !== null && isWritten(string, bytes)) lines.push(inUtf8(bytes), LINE_END)
  return bytes
}

const LINE_END = Buffer.from('\n')
const UNCLEAR: Found = { token: '', owners: null }

/** A value with what is in front of it, behind each key. */
function* tokensIn(objects: PdfObjects, encrypted: boolean): Generator<Found> {
  const known = new Set<number>()
  const ownersOf = createOwners(objects)
  let places = 0
  for (const text of objects.texts)
    for (const { index, 0: name } of text.matchAll(KEYS)) {
      places += 1
      if (places > PLACES_MAX) yield UNCLEAR
      const at = index + name.length
      const start = skipSpace(text, at)
      const reference = referenceFrom(text, start)
      if (reference !== null) {
        // A comment in front of it may have any number of keys in it, and is read for each.
        yield { token: text.slice(at, start), owners: [] }
        yield* tokensBehind(objects, reference, known)
      }
      // What is packed is not encrypted by itself.
      else if (!encrypted || text !== objects.text || !isString(text, start))
        yield { token: stringAt(text, at, start), owners: [] }
      else yield { token: stringAt(text, at, start), owners: ownersOf(at) }
    }
}

/** Many places may refer to one script: it is read once. */
function* tokensBehind({ text: file, follow }: PdfObjects, reference: Reference, known: Set<number>): Generator<Found> {
  const { object, generation } = reference
  // Keys are made of the lower half of a generation.
  const name = object * 65_536 + (generation & 0xffff)
  if (known.has(name)) return
  known.add(name)
  const targets = follow(object)
  if (targets === null) yield UNCLEAR
  for (const { text, at, ...target } of targets ?? []) {
    // Of both numbers readers take one: that of its head, or that by which they looked for it.
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

/** In another way than it reads. */
function isWritten(string: string, bytes: Uint8Array): boolean {
  return string.includes('\\') || string.startsWith('<') || (bytes[0] ?? 0) >= 0xfe
}

function inUtf8(bytes: Buffer): Uint8Array {
  const even = bytes.subarray(2, bytes.length - (bytes.length % 2))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return Buffer.from(even.toString('utf16le'))
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(Buffer.from(even).swap16().toString('utf16le'))
  return bytes
}
