/** Scripts and addresses that stand in strings of a PDF, as readers take them: without escapes, digits, UTF-16 and cipher. */

import { view } from '../../bytes.ts'
import { type Reference, referenceAt, skipSpace, valueEnd } from './dictionary.ts'
import type { Decrypt } from './encryption.ts'
import { type Head, NO_NUMBER } from './head.ts'
import type { PdfObjects } from './objects.ts'
import { createOwners } from './owners.ts'
import { nameExpression, readString } from './syntax.ts'

/** Keys of scripts, addresses, files that are opened, programs that are started, and of what is handed to them. */
const KEYS = nameExpression('JS', 'URI', 'F', 'UF', 'P', 'Unix', 'Mac', 'DOS', 'V', 'FlashVars')

/** How often the text of a file is read for strings. Those of honest files do not lie in each other. */
export const STRING_READINGS_MAX = 2

/** Places with such a key. Large files have some ten thousand. */
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
  let left = objects.texts.reduce((sum, { length }) => sum + length, 0) * STRING_READINGS_MAX
  let count = 0
  let decryptions = 0
  let obstacle: Strings['obstacle'] = null
  for (const { token, owners } of tokensIn(objects, decrypt !== null)) {
    left -= token.length
    count += 1
    if (decrypt !== null) decryptions += owners?.length ?? 0
    if (owners === null || left < 0 || count > STRINGS_MAX || decryptions > DECRYPTIONS_MAX) {
      obstacle = 'too_complex'
      break
    }
    const bytes = stringIn(token, lines)
    if (bytes === null || decrypt === null) continue
    if (owners.some(({ object }) => object === NO_NUMBER)) obstacle = 'encrypted'
    for (const { object, generation } of owners)
      lines.push(inUtf8(view(decrypt(object, generation, bytes, 'string'))), LINE_END)
  }
  return { bytes: Buffer.concat(lines), obstacle }
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
  const known = new Set<string>()
  const ownersOf = createOwners(objects)
  for (const text of objects.texts)
    for (const { index, 0: name } of text.matchAll(KEYS)) {
      const at = index + name.length
      const start = skipSpace(text, at)
      const reference = referenceAt(text, start)
      if (reference !== null) yield* tokensBehind(objects, reference, known)
      // What is packed is not encrypted by itself.
      else if (!encrypted || text !== objects.text || !isString(text, start))
        yield { token: stringAt(text, at, start), owners: [] }
      else yield { token: stringAt(text, at, start), owners: ownersOf(at) }
    }
}

/** Many places may refer to one script: it is read once. */
function* tokensBehind({ text: file, follow }: PdfObjects, reference: Reference, known: Set<string>): Generator<Found> {
  const { object, generation } = reference
  const name = `${object} ${generation}`
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
