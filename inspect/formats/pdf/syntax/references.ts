/** Resolves PDF references to every object that a reader may use. */

import { numberEnd, type Reference, referenceAt, skipSpace } from './dictionary.ts'
import { UNKNOWN_NUMBER } from './object-header.ts'

export interface Definition {
  text: string
  object: number
  generation: number
  /** Start of its value. */
  at: number
}

export interface References {
  /** The value itself or, for a reference, the text of each object it may mean. */
  resolve(value: string): string[]
  /** Whether a reference may mean more than `DEFINITIONS_MAX` objects. */
  isAmbiguous(value: string): boolean
  /** The objects that a reference may mean, through other references too. null: ambiguous. */
  follow(object: number): Definition[] | null
}

/** Objects that a reference may mean. With more, it is ambiguous. */
export const DEFINITIONS_MAX = 32

/** Characters of an object that is only a reference. A longer one is ambiguous. */
export const LINK_MAX = 256

/** Target of an object that is only a reference. NaN: ambiguous. */
type Link = number | null

/** `definitionsOf` may return only `DEFINITIONS_MAX` + 1 objects. */
export function createReferences(definitionsOf: (object: number) => readonly Definition[]): References {
  const known = new WeakMap<Definition, Link>()
  const linkOf = (definition: Definition): Link => {
    const found = known.get(definition)
    if (found !== undefined) return found
    const link = linkAt(definition)
    known.set(definition, link)
    return link
  }
  const candidates = (object: number): readonly Definition[] | null => {
    const found = Number.isNaN(object) ? null : definitionsOf(object)
    return found === null || found.length > DEFINITIONS_MAX ? null : found
  }
  return {
    resolve(value) {
      const reference = referenceAt(value, 0)
      return reference === null ? [value] : (candidates(reference.object) ?? []).map(({ text, at }) => text.slice(at))
    },
    isAmbiguous(value) {
      const reference = referenceAt(value, 0)
      return reference !== null && candidates(reference.object) === null
    },
    follow(object) {
      const found = new Set<Definition>()
      const numbers = new Set([object])
      // The loop also visits numbers added during iteration.
      for (const number of numbers) {
        const definitions = numbers.size > DEFINITIONS_MAX ? null : candidates(number)
        if (definitions === null) return null
        for (const definition of definitions) addTo(linkOf(definition) ?? definition, numbers, found)
      }
      return found.size > DEFINITIONS_MAX ? null : [...found]
    },
  }
}

function addTo(next: number | Definition, numbers: Set<number>, found: Set<Definition>): void {
  if (typeof next === 'number') numbers.add(next)
  else found.add(next)
}

function linkAt({ text, at }: Definition): Link {
  return referenceFrom(text, at)?.object ?? null
}

/** The reference at a position; NaN if it is longer than `LINK_MAX`. */
export function referenceFrom(text: string, at: number): Reference | null {
  const window = text.slice(at, at + LINK_MAX)
  const reference = referenceAt(window, 0)
  if (reference !== null) return reference
  return window.length === LINK_MAX && isUnfinishedReference(window)
    ? { object: Number.NaN, generation: 0, end: at }
    : null
}

/** Whether the text contains only the start of a reference. */
export function isUnfinishedReference(text: string): boolean {
  let at = skipSpace(text, 0)
  for (let number = 0; number < 3 && at < text.length; number++) at = skipSpace(text, numberEnd(text, at))
  return at === text.length
}

/** By number. Objects with an unknown number match every reference. */
export function createIndex(): { add(definition: Definition): void; of(object: number): readonly Definition[] } {
  const byNumber = new Map<number, Definition[]>()
  return {
    add(definition) {
      const known = byNumber.get(definition.object)
      if (known === undefined) byNumber.set(definition.object, [definition])
      else if (known.length <= DEFINITIONS_MAX) known.push(definition)
    },
    of(object) {
      const unknown = byNumber.get(UNKNOWN_NUMBER)
      const own = object === UNKNOWN_NUMBER ? undefined : byNumber.get(object)
      if (unknown === undefined || own === undefined) return own ?? unknown ?? []
      return [...own, ...unknown]
    },
  }
}
