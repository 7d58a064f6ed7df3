/** Finds every object of a PDF by its head `1 0 obj`, also those that its tables do not name. */

import { referenceAt, skipSpace } from './dictionary.ts'

export interface PdfObject {
  object: number
  generation: number
  /** Where its value begins. */
  at: number
}

export interface PdfObjects {
  /** The whole file as Latin-1. */
  text: string
  /** The file, and the object streams in it that are unpacked. */
  texts: readonly string[]
  all: readonly PdfObject[]
  /** What a value may mean: itself, or each object that it refers to. Which of them a reader takes, we do not know. */
  resolve(value: string): string[]
  /** A reference to more objects than are looked at. */
  isUnclear(value: string): boolean
}

/** Objects of one PDF. Large ones have some ten thousand. */
export const OBJECTS_MAX = 500_000

/** Objects with the same number that a reference may mean; with more, it means nothing to us. */
export const DEFINITIONS_MAX = 32

/** What an object has whose head cannot be read. No reader has an object of this number. */
export const NO_NUMBER = 0

/** Characters looked at in front of `obj`: two numbers and what is between them. A longer head has no number for us. */
export const HEAD_MAX = 64
const HEAD = /(?<!\d)(\d{1,10})[\0\s]+(\d{1,5})[\0\s]*$/

/** All objects in the order of the file, or null if there are more than `objectsMax`. */
export function objectsOf(text: string, objectsMax = OBJECTS_MAX): PdfObjects | null {
  const all: PdfObject[] = []
  const byNumber = new Map<number, PdfObject[]>()
  const valueFrom = valueFinder(text)
  for (let at = text.indexOf('obj'); at !== -1; at = text.indexOf('obj', at + 3)) {
    // Half of them are `endobj`.
    if (text[at - 1] === 'd') continue
    const head = HEAD.exec(text.slice(Math.max(0, at - HEAD_MAX), at))
    const value = valueFrom(at + 3)
    // A head with a comment in it has no number for us, and may be that of an object all the same.
    if (head === null && !text.startsWith('<<', value)) continue
    if (all.length === objectsMax) return null
    const object = { object: Number(head?.[1] ?? NO_NUMBER), generation: Number(head?.[2] ?? 0), at: value }
    all.push(object)
    const known = byNumber.get(object.object)
    if (known === undefined) byNumber.set(object.object, [object])
    else known.push(object)
  }
  const meantBy = (value: string): PdfObject[] | null => {
    const reference = referenceAt(value, 0)
    return reference === null ? null : (byNumber.get(reference.object) ?? [])
  }
  return {
    text,
    texts: [text],
    all,
    resolve(value) {
      const found = meantBy(value)
      if (found === null) return [value]
      return found.length > DEFINITIONS_MAX ? [] : found.map(({ at }) => text.slice(at))
    },
    isUnclear: (value) => (meantBy(value)?.length ?? 0) > DEFINITIONS_MAX,
  }
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
