/** Finds every PDF object by its header `1 0 obj`, including those missing from the cross-reference table. */

import { view } from '#inspect/core/bytes.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isDigit, isWhiteSpace } from './characters.ts'
import { skipSpace } from './dictionary.ts'
import { headerBefore, type ObjectHeader, UNKNOWN_NUMBER } from './object-header.ts'
import { createIndex, createReferences, type Definition, type References } from './references.ts'

export interface PdfObject extends ObjectHeader {
  /** Start of its value. */
  at: number
}

export interface PdfObjects extends References {
  /** The whole file as Latin-1. */
  text: string
  /** The file and its unpacked object streams. */
  texts: readonly string[]
  all: readonly PdfObject[]
  /** Objects in object streams. */
  packed: readonly Definition[]
  /** Objects with this number, at most `DEFINITIONS_MAX` + 1. */
  definitionsOf(object: number): readonly Definition[]
}

/** Objects of one PDF. Large files have some ten thousand. */
export const OBJECTS_MAX = 500_000

/** Work and memory for each object, and work for each `obj` in a text. */
const OBJECT_WORK = 1_000
const OBJECT_BYTES = 100
const CANDIDATE_WORK = 60

/** In file order. null: more than `objectsMax`. */
export function findObjects(text: string, objectsMax = OBJECTS_MAX): PdfObjects | null {
  const all: PdfObject[] = []
  const index = createIndex()
  const valueFrom = valueFinder(text)
  for (let at = text.indexOf('obj'); at !== -1; at = text.indexOf('obj', at + 3)) {
    charge(OBJECT_WORK)
    // `endobj`.
    if (text[at - 1] === 'd') continue
    const header = headerBefore(text, at)
    const value = valueFrom(at + 3)
    // Some readers accept a dictionary after `obj` without a header.
    if (header === null && !text.startsWith('<<', value)) continue
    if (all.length === objectsMax) return null
    keep(OBJECT_BYTES)
    const object = { text, object: header?.object ?? UNKNOWN_NUMBER, generation: header?.generation ?? 0, at: value }
    all.push(object)
    index.add(object)
  }
  return { text, texts: [text], all, packed: [], definitionsOf: index.of, ...createReferences(index.of) }
}

/** Skips white space and comments. A comment with a million headers is skipped once. */
function valueFinder(text: string): (from: number) => number {
  let commentAt = 0
  let afterComment = 0
  return (from) => {
    let at = from
    while (/[\0\s]/.test(text[at] ?? '')) at += 1
    if (text[at] !== '%') return at
    if (at < commentAt || at >= afterComment) {
      commentAt = at
      afterComment = skipSpace(text, at)
    }
    return afterComment
  }
}

export const OBJECT_HEADER = mark(['obj'], { fits: hasHeaderBefore })
const STREAM = mark(['stream'])

/** Some readers accept a PDF without a header and search for objects. Without streams, the rules see all content. */
export function hasObjects(item: Item): boolean {
  if (!item.has(STREAM) || !item.has(OBJECT_HEADER)) return false
  const bytes = view(item.bytes)
  for (let at = bytes.indexOf('obj'); at !== -1; at = bytes.indexOf('obj', at + 3)) {
    charge(CANDIDATE_WORK)
    if (hasHeaderBefore(bytes, at)) return true
  }
  return false
}

/** Two numbers. Byte by byte, because it runs for every `obj` in a text. */
function hasHeaderBefore(bytes: Buffer, word: number): boolean {
  const generationEnd = back(bytes, word, isWhiteSpace)
  const generation = back(bytes, generationEnd, isDigit)
  const objectEnd = back(bytes, generation, isWhiteSpace)
  return generation < generationEnd && objectEnd < generation && isDigit(bytes[objectEnd - 1] ?? 0)
}

function back(bytes: Buffer, from: number, is: (byte: number) => boolean): number {
  let at = from
  while (at > 0 && is(bytes[at - 1] as number)) at -= 1
  return at
}
