/** What references of a PDF lead to: every object that a reader may take, also by way of other references. */

import { numberEnd, type Reference, referenceAt, skipSpace } from './dictionary.ts'
import { NO_NUMBER } from './head.ts'

export interface Definition {
  text: string
  object: number
  generation: number
  /** Where its value begins. */
  at: number
}

export interface References {
  /** What a value may mean: itself, or each object that it refers to. Which of them a reader takes, we do not know. */
  resolve(value: string): string[]
  /** A reference to more objects than are looked at. */
  isUnclear(value: string): boolean
  /** The objects that a reference leads to, also by way of others, or null if that is unclear. */
  follow(object: number): Definition[] | null
}

/** Objects that a reference may mean; with more, it is unclear. */
export const DEFINITIONS_MAX = 32

/** Characters of an object that is nothing but a reference. A longer one is unclear. */
export const LINK_MAX = 256

/** The number of the object that an object refers to, if it does nothing else. NaN: unclear. */
type Link = number | null

/** `definitionsOf` may stop at one more than are looked at. */
export function createReferences(definitionsOf: (object: number) => readonly Definition[]): References {
  const known = new WeakMap<Definition, { link: Link }>()
  const linkOf = (definition: Definition): Link => {
    const { link } = known.get(definition) ?? { link: linkAt(definition) }
    known.set(definition, { link })
    return link
  }
  const meantBy = (object: number): readonly Definition[] | null => {
    const found = Number.isNaN(object) ? null : definitionsOf(object)
    return found === null || found.length > DEFINITIONS_MAX ? null : found
  }
  return {
    resolve(value) {
      const reference = referenceAt(value, 0)
      return reference === null ? [value] : (meantBy(reference.object) ?? []).map(({ text, at }) => text.slice(at))
    },
    isUnclear(value) {
      const reference = referenceAt(value, 0)
      return reference !== null && meantBy(reference.object) === null
    },
    follow(object) {
      const found = new Set<Definition>()
      const numbers = new Set([object])
      // What is added on the way is followed as well.
      for (const number of numbers) {
        const definitions = numbers.size > DEFINITIONS_MAX ? null : meantBy(number)
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

/** The reference at a place; one that goes on for longer than we look leads to NaN. */
export function referenceFrom(text: string, at: number): Reference | null {
  const window = text.slice(at, at + LINK_MAX)
  const reference = referenceAt(window, 0)
  if (reference !== null) return reference
  return window.length === LINK_MAX && isAllReference(window) ? { object: Number.NaN, generation: 0, end: at } : null
}

/** Nothing but what may stand in a reference: then its end is further on. */
export function isAllReference(text: string): boolean {
  let at = skipSpace(text, 0)
  for (let number = 0; number < 3 && at < text.length; number++) at = skipSpace(text, numberEnd(text, at))
  return at === text.length
}

/** By number. One whose number is open may be any. */
export function createIndex(): { add(definition: Definition): void; of(object: number): readonly Definition[] } {
  const byNumber = new Map<number, Definition[]>()
  return {
    add(definition) {
      const known = byNumber.get(definition.object)
      if (known === undefined) byNumber.set(definition.object, [definition])
      else if (known.length <= DEFINITIONS_MAX) known.push(definition)
    },
    of(object) {
      const open = byNumber.get(NO_NUMBER)
      const own = object === NO_NUMBER ? undefined : byNumber.get(object)
      if (open === undefined || own === undefined) return own ?? open ?? []
      return [...own, ...open]
    },
  }
}
