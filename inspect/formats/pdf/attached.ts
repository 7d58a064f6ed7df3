/** Streams that are no pictures, whatever they say: others refer to them as files, scripts or forms. */

import { referenceAt, skipSpace, tokenEnd, valueEnd } from './syntax/dictionary.ts'
import { NO_NUMBER } from './syntax/head.ts'
import type { PdfObjects } from './syntax/objects.ts'
import type { Definition } from './syntax/references.ts'
import { nameExpression } from './syntax/values.ts'

/** Keys that lead to files (also by way of a dictionary), to scripts, and to forms. */
const KEYS = ['EF', 'RF', 'JS', 'XFA'].map((key) => nameExpression(key))

/** Places with such a key. Past them, any stream may be meant. */
export const MENTIONS_MAX = 20_000

/** Characters of what such a key leads to. Where there are more, any stream may be meant. */
export const LEADS_MAX = 4096

/** Characters read for all of them. Past them, any stream may be meant. */
export const LEADS_TOTAL_MAX = 16_777_216

/** From a key to a dictionary, from there to a list (of related files), and from there to files. */
const STEPS = 3

type Lead = Pick<Definition, 'text' | 'at'>

/** Whether the object of a number is one of them. */
export function attachedOf(objects: PdfObjects): (object: number) => boolean {
  const numbers = new Set<number>([NO_NUMBER])
  const referencesIn = createReader()
  let leads: Iterable<Lead> = placesIn(objects.texts)
  for (let step = 0; step < STEPS; step++) {
    const met = referencesIn(leads)?.filter((object) => !numbers.has(object))
    const found = met?.map(objects.follow)
    if (met === undefined || !found?.every((definitions) => definitions !== null)) return () => true
    const definitions = new Set(found.flat())
    for (const object of [...met, ...Array.from(definitions, (definition) => definition.object)]) numbers.add(object)
    leads = definitions
  }
  return (object) => numbers.has(object)
}

function* placesIn(texts: readonly string[]): Generator<Lead> {
  let mentions = 0
  for (const text of texts)
    for (const key of KEYS)
      for (const { index, 0: name } of text.matchAll(key)) {
        mentions += 1
        // A place from which nothing can be seen whole.
        yield mentions > MENTIONS_MAX ? UNCLEAR : { text, at: index + name.length }
      }
}

const UNCLEAR: Lead = { text: '['.repeat(LEADS_MAX + 1), at: 0 }

/** Finds the numbers of all objects that values refer to, or null if one is too long to be seen whole. */
function createReader(): (leads: Iterable<Lead>) => number[] | undefined {
  let left = LEADS_TOTAL_MAX
  return (leads) => {
    const numbers = new Set<number>()
    for (const { text, at } of leads) {
      const value = valueAt(text, at)
      left -= value?.length ?? 0
      if (value === null || left < 0) return
      for (const number of referencesOf(value)) numbers.add(number)
    }
    return [...numbers]
  }
}

/** null if it is too long. A string leads nowhere. */
function valueAt(text: string, from: number): string | null {
  const start = text.slice(from, from + LEADS_MAX + 1)
  const at = skipSpace(start, 0)
  if (/^(?:\(|<[^<])/.test(start.slice(at, at + 2))) return ''
  const end = valueEnd(start, at)
  return end > LEADS_MAX ? null : start.slice(at, end)
}

/** Token by token: what looks like a comment or a reference in a string is none. */
function* referencesOf(value: string): Generator<number> {
  for (let at = skipSpace(value, 0); at < value.length; ) {
    const reference = referenceAt(value, at)
    if (reference !== null) yield reference.object
    at = skipSpace(value, reference?.end ?? tokenEnd(value, at))
  }
}
