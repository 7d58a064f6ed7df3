/** Reads PDF values with everything in them, as leniently as readers do. */

import { charge } from '#inspect/core/work.ts'
import { decodedName, referenceAt, skipSpace, tokenEnd } from './dictionary.ts'
import type { ObjectHeader } from './object-header.ts'
import { readString } from './values.ts'

export type PdfValue =
  | { kind: 'name'; name: string }
  /** As stored: decoded, not decrypted. */
  | { kind: 'text'; bytes: Buffer; owner: ObjectHeader | null }
  | { kind: 'reference'; object: number }
  | { kind: 'list'; items: readonly PdfValue[] }
  | PdfDictionary
  /** Numbers and words. */
  | { kind: 'other'; text: string }

export interface PdfDictionary {
  kind: 'dictionary'
  /** A duplicate key has several values, because readers disagree about which one counts. */
  entries: Map<string, PdfValue[]>
  /** Identifies it. */
  at: number
  text: string
}

/** Lists and dictionaries within each other. Deeper ones are read as if they were not nested. */
export const NESTING_MAX = 200

const TOKEN_WORK = 600
/** Values that are read from one position. With more, the reader stops and is exhausted. */
export const VALUES_MAX = 300_000
const CHARACTER_WORK = 10
/** Words that end a dictionary without `>>`. */
const END = /^(?:endobj|stream|endstream|trailer|xref|startxref)$/

interface Read<T> {
  value: T
  end: number
}

/** `owner`: the object whose number is part of the key of its strings. null: not encrypted. */
export function createValueReader(text: string, owner: ObjectHeader | null) {
  let left = VALUES_MAX

  function valueAt(from: number, depth: number): Read<PdfValue> {
    const at = skipSpace(text, from)
    charge(TOKEN_WORK)
    if (--left < 0) return { value: { kind: 'other', text: '' }, end: text.length }
    const reference = referenceAt(text, at)
    if (reference !== null) return { value: { kind: 'reference', object: reference.object }, end: reference.end }
    if (depth < NESTING_MAX && text.startsWith('<<', at)) return dictionaryAt(at, depth + 1)
    if (depth < NESTING_MAX && text[at] === '[') return listAt(at, depth + 1)
    const end = Math.max(tokenEnd(text, at), at + 1)
    charge((end - at) * CHARACTER_WORK)
    return { value: scalar(text.slice(at, end), owner), end }
  }

  function dictionaryAt(at: number, depth: number): Read<PdfDictionary> {
    const value: PdfDictionary = { kind: 'dictionary', entries: new Map(), at, text }
    return { value, end: entriesAt(at + 2, text.length, value, depth) }
  }

  /** Reads keys and values up to `>>` or a word that cannot be in a dictionary. */
  function entriesAt(from: number, until: number, { entries }: PdfDictionary, depth: number): number {
    let at = skipSpace(text, from)
    while (at < until) {
      if (text.startsWith('>>', at)) return at + 2
      const key = tokenEnd(text, at)
      const token = text.slice(at, Math.min(key, at + 20))
      if (END.test(token)) return at
      charge(TOKEN_WORK)
      const next = skipSpace(text, key)
      // Readers skip tokens that are not keys.
      if (text[at] !== '/' || text.startsWith('>>', next)) {
        at = Math.max(next, at + 1)
        continue
      }
      const { value, end } = valueAt(next, depth)
      add(entries, decodedName(text.slice(at + 1, key)), value)
      at = skipSpace(text, end)
    }
    return at
  }

  function listAt(from: number, depth: number): Read<PdfValue> {
    const items: PdfValue[] = []
    let at = skipSpace(text, from + 1)
    while (at < text.length && text[at] !== ']' && !/^(?:endobj|endstream)/.test(text.slice(at, at + 9))) {
      const { value, end } = valueAt(at, depth)
      items.push(value)
      at = skipSpace(text, end)
    }
    return { value: { kind: 'list', items }, end: at + 1 }
  }

  /**
   * Reads everything between two positions: values one after the other, and keys outside a dictionary as if they were in
   * one, because the position may be inside a value that readers delimit differently.
   */
  function valuesBetween(from: number, until: number): PdfValue[] {
    const outside: PdfDictionary = { kind: 'dictionary', entries: new Map(), at: from, text }
    const values: PdfValue[] = [outside]
    for (let at = skipSpace(text, from); at < Math.min(until, text.length); ) {
      charge(TOKEN_WORK)
      at = skipSpace(text, text[at] === '/' ? outsideEntry(at, outside, values) : outsideValue(at, values))
    }
    return values
  }

  /** Returns its end. */
  function outsideValue(at: number, values: PdfValue[]): number {
    const end = Math.max(tokenEnd(text, at), at + 1)
    if (end === at + 6 && text.startsWith('stream', at)) {
      const stop = text.indexOf('endstream', end)
      return stop === -1 ? text.length : stop + 9
    }
    if (!text.startsWith('<<', at) && !'[('.includes(text.charAt(at))) return end
    const read = valueAt(at, 0)
    values.push(read.value)
    return read.end
  }

  function outsideEntry(at: number, outside: PdfDictionary, values: PdfValue[]): number {
    const keyEnd = tokenEnd(text, at)
    const key = decodedName(text.slice(at + 1, keyEnd))
    const { value, end } = valueAt(keyEnd, 0)
    // A name may be the whole object.
    values.push({ kind: 'name', name: key })
    add(outside.entries, key, value)
    return value.kind === 'name' || value.kind === 'other' ? keyEnd : end
  }

  return { valueAt: (at: number) => valueAt(at, 0).value, valuesBetween, isExhausted: () => left < 0 }
}

function add(entries: Map<string, PdfValue[]>, key: string, value: PdfValue): void {
  const known = entries.get(key)
  if (known === undefined) entries.set(key, [value])
  else known.push(value)
}

function scalar(token: string, owner: ObjectHeader | null): PdfValue {
  if (token.startsWith('/')) return { kind: 'name', name: decodedName(token.slice(1)) }
  // Without its end it is no string, and need not be decoded.
  const isString = (token.startsWith('(') && token.endsWith(')')) || token.startsWith('<')
  const bytes = isString ? readString(token) : null
  if (bytes !== null) return { kind: 'text', bytes, owner }
  return { kind: 'other', text: token.slice(0, 40) }
}
