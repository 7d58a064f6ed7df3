/** Finds every object of a PDF by its head `1 0 obj`, also those that its tables do not name. */

import { skipSpace } from './dictionary.ts'
import { type Head, headBefore, NO_NUMBER } from './head.ts'
import { createIndex, createReferences, type Definition, type References } from './references.ts'

export interface PdfObject extends Head {
  /** Where its value begins. */
  at: number
}

export interface PdfObjects extends References {
  /** The whole file as Latin-1. */
  text: string
  /** The file, and the object streams in it that are unpacked. */
  texts: readonly string[]
  all: readonly PdfObject[]
  /** All objects of a number, or one more than a reference may mean. */
  definitionsOf(object: number): readonly Definition[]
}

/** Objects of one PDF. Large ones have some ten thousand. */
export const OBJECTS_MAX = 500_000

/** All objects in the order of the file, or null if there are more than `objectsMax`. */
export function objectsOf(text: string, objectsMax = OBJECTS_MAX): PdfObjects | null {
  const all: PdfObject[] = []
  const index = createIndex()
  const valueFrom = valueFinder(text)
  for (let at = text.indexOf('obj'); at !== -1; at = text.indexOf('obj', at + 3)) {
    // Half of them are `endobj`.
    if (text[at - 1] === 'd') continue
    const head = headBefore(text, at)
    const value = valueFrom(at + 3)
    // What begins like this is an object for some readers, whatever stands in front of it.
    if (head === null && !text.startsWith('<<', value)) continue
    if (all.length === objectsMax) return null
    const object = { text, object: head?.object ?? NO_NUMBER, generation: head?.generation ?? 0, at: value }
    all.push(object)
    index.add(object)
  }
  return { text, texts: [text], all, definitionsOf: index.of, ...createReferences(index.of) }
}

/** Past white space and comments. One comment may hold a million heads: it is passed over once. */
function valueFinder(text: string): (from: number) => number {
  let commentAt = 0
  let behindComment = 0
  return (from) => {
    let at = from
    while (/[\0\s]/.test(text[at] ?? '')) at += 1
    if (text[at] !== '%') return at
    if (at < commentAt || at >= behindComment) {
      commentAt = at
      behindComment = skipSpace(text, at)
    }
    return behindComment
  }
}
