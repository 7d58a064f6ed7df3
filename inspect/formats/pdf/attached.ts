/** Streams that are no pictures, whatever they say: others refer to them as files, scripts or forms. */

import { skipSpace, valueEnd } from './dictionary.ts'
import { NO_NUMBER } from './head.ts'
import type { PdfObjects } from './objects.ts'
import { nameExpression } from './syntax.ts'

/** Keys that lead to files (also by way of a dictionary), to scripts, and to forms. */
const KEYS = ['EF', 'RF', 'JS', 'XFA'].map((key) => nameExpression(key))

/** Places with such a key. Past them, any stream may be meant. */
export const MENTIONS_MAX = 20_000

/** Characters of what such a key leads to. Where there are more, any stream may be meant. */
export const LEADS_MAX = 4096

const REFERENCE = /(\d{1,10})[\0\s]+\d{1,5}[\0\s]+R/g
const COMMENT = /%[^\r\n]*/g

/** Whether the object of a number is one of them. */
export function attachedOf({ texts, resolve }: PdfObjects): (object: number) => boolean {
  const numbers = new Set<number>([NO_NUMBER])
  let mentions = 0
  for (const value of valuesIn(texts)) {
    mentions += 1
    const values = [value, ...(value === null ? [] : resolve(value).map(firstOf))]
    if (mentions > MENTIONS_MAX || values.includes(null)) return () => true
    for (const found of values) addReferences(found ?? '', numbers)
  }
  return (object) => numbers.has(object)
}

function* valuesIn(texts: readonly string[]): Generator<string | null> {
  for (const text of texts)
    for (const key of KEYS)
      for (const { index, 0: name } of text.matchAll(key)) yield firstOf(text.slice(index + name.length))
}

/** The value that begins a text, or null if it is too long to be seen whole. A string leads nowhere. */
function firstOf(text: string): string | null {
  const start = text.slice(0, LEADS_MAX + 1)
  const at = skipSpace(start, 0)
  if (/^(?:\(|<[^<])/.test(start.slice(at, at + 2))) return ''
  const end = valueEnd(start, at)
  return end > LEADS_MAX ? null : start.slice(at, end)
}

function addReferences(value: string, numbers: Set<number>): void {
  for (const [, object] of value.replace(COMMENT, ' ').matchAll(REFERENCE)) numbers.add(Number(object))
}
