/** Scripts and addresses that stand in strings of a PDF, as readers take them: without escapes, digits, UTF-16 and cipher. */

import { view } from '../../bytes.ts'
import { referenceAt, skipSpace, valueEnd } from './dictionary.ts'
import type { Decrypt } from './encryption.ts'
import type { PdfObject, PdfObjects } from './objects.ts'
import { nameExpression, readString } from './syntax.ts'

/** Keys of scripts, addresses and files that are opened. */
const KEYS = ['JS', 'URI', 'F', 'UF'].map((key) => nameExpression(key))

/** How often the text of a file is read for strings. Those of honest files do not lie in each other. */
export const STRING_READINGS_MAX = 2

/** Places with such a key. Large files have some ten thousand. */
export const STRINGS_MAX = 500_000

interface Found {
  /** A string, and what stands in front of it. */
  token: string
  object: number
  generation: number
}

/** All of them, one below the other, or null if there are too many, or they lie in each other too often. */
export function stringsOf(objects: PdfObjects, decrypt: Decrypt | null): Uint8Array | null {
  const lines: Uint8Array[] = []
  let left = objects.texts.reduce((sum, { length }) => sum + length, 0) * STRING_READINGS_MAX
  let count = 0
  for (const { token, object, generation } of tokensIn(objects)) {
    left -= token.length
    count += 1
    if (left < 0 || count > STRINGS_MAX) return null
    const string = token.slice(skipSpace(token, 0))
    // One without an end is long, and not read by anybody.
    const bytes = /[)>]$/.test(string.slice(-1)) ? readString(string) : null
    if (bytes === null) continue
    if (isWritten(string, bytes)) lines.push(inUtf8(bytes), LINE_END)
    if (decrypt !== null) lines.push(inUtf8(view(decrypt(object, generation, bytes, 'string'))), LINE_END)
  }
  return Buffer.concat(lines)
}

const LINE_END = Buffer.from('\n')

/** A value with what is in front of it, behind each key. */
function* tokensIn(objects: PdfObjects): Generator<Found> {
  const known = new Set<number>()
  for (const text of objects.texts)
    for (const key of KEYS)
      for (const { index, 0: name } of text.matchAll(key)) yield* tokensAt(objects, text, index + name.length, known)
}

/** Many places may refer to one script: it is read once. */
function* tokensAt(
  { text: file, all, resolve }: PdfObjects,
  text: string,
  at: number,
  known: Set<number>,
): Generator<Found> {
  const start = skipSpace(text, at)
  const reference = referenceAt(text, start)
  if (reference === null) {
    // What is packed is not encrypted by itself.
    const { object = 0, generation = 0 } = (text === file && before(all, at)) || {}
    yield { token: stringAt(text, at, start), object, generation }
  } else if (!known.has(reference.object)) {
    known.add(reference.object)
    for (const target of resolve(text.slice(start, reference.end)))
      yield { token: stringAt(target, 0, skipSpace(target, 0)), object: reference.object, generation: 0 }
  }
}

function stringAt(text: string, from: number, start: number): string {
  const isString = text[start] === '(' || (text[start] === '<' && text[start + 1] !== '<')
  return text.slice(from, isString ? valueEnd(text, start) : start)
}

/** The object that a place of the file lies in. */
function before(all: readonly PdfObject[], at: number): PdfObject | null {
  let [low, high] = [0, all.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((all[middle] as PdfObject).at <= at) low = middle + 1
    else high = middle
  }
  return all[low - 1] ?? null
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
