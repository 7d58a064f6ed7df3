/** Resolves references and decrypts texts while actions are collected. */

import { view } from '#inspect/core/bytes.ts'
import { charge } from '#inspect/core/work.ts'
import type { Decrypt } from '../encryption/encryption.ts'
import { UNKNOWN_NUMBER } from '../syntax/object-header.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import type { Definition } from '../syntax/references.ts'
import { createValueReader, type PdfDictionary, type PdfValue } from '../syntax/value-tree.ts'

export interface PdfDocument {
  /** A value, or for a reference every value that it may have. */
  resolve(value: PdfValue): PdfValue[]
  dictionaries(values: readonly PdfValue[] | undefined): PdfDictionary[]
  names(values: readonly PdfValue[] | undefined): string[]
  /** Every text, in each way to decrypt it. */
  texts(values: readonly PdfValue[] | undefined): string[]
  /** Numbers of the objects that are referenced, through others too. */
  numbers(values: readonly PdfValue[] | undefined): number[]
  /** The texts of a value outside any known object, which is not decrypted. */
  textsAt(text: string, at: number): string[]
  readUnit(text: string, from: number, until: number, object: number, generation: number): PdfValue[]
  /** A limit was exceeded: some values were not read. */
  isExceeded(): boolean
}

const RESOLVE_WORK = 2_000
/** References that are followed. */
export const REFERENCES_MAX = 200_000

export function createDocument(objects: PdfObjects, decrypt: Decrypt | null): PdfDocument {
  const known = new Map<Definition, PdfValue>()
  let left = REFERENCES_MAX
  let isExceeded = false

  function readAt(definition: Definition): PdfValue {
    const cached = known.get(definition)
    if (cached !== undefined) return cached
    // Strings in object streams are not encrypted individually.
    const owner = definition.text === objects.text ? definition : null
    const reader = createValueReader(definition.text, owner)
    const value = reader.valueAt(definition.at)
    if (reader.isExhausted()) isExceeded = true
    if (known.size < KNOWN_MAX) known.set(definition, value)
    return value
  }

  function definitionsOf(object: number): Definition[] {
    charge(RESOLVE_WORK)
    if (--left < 0) isExceeded = true
    // Too many definitions: some reader may use any of them.
    return left < 0 ? [] : (objects.follow(object) ?? [...objects.definitionsOf(object)])
  }

  function resolve(value: PdfValue): PdfValue[] {
    return value.kind === 'reference' ? definitionsOf(value.object).map(readAt) : [value]
  }

  function decoded({ bytes, owner }: Extract<PdfValue, { kind: 'text' }>): string[] {
    const stored = textOfBytes(bytes)
    if (decrypt === null || owner === null || owner.object === UNKNOWN_NUMBER) return [stored]
    return [textOfBytes(view(decrypt(owner.object, owner.generation, bytes, 'string'))), stored]
  }

  const resolveAll = (values: readonly PdfValue[] = []): PdfValue[] => values.flatMap(resolve)
  return {
    resolve,
    dictionaries: (values) => resolveAll(values).filter((value) => value.kind === 'dictionary'),
    names: (values) =>
      resolveAll(values)
        .filter((value) => value.kind === 'name')
        .map(({ name }) => name),
    texts: (values) => resolveAll(values).flatMap((value) => (value.kind === 'text' ? decoded(value) : [])),
    numbers: (values = []) =>
      values.flatMap((value) =>
        value.kind === 'reference'
          ? new Set([value.object, ...definitionsOf(value.object).map(({ object }) => object)]).values().toArray()
          : [],
      ),
    textsAt: (text, at) => {
      const value = createValueReader(text, null).valueAt(at)
      return value.kind === 'text' ? decoded(value) : []
    },
    readUnit(text, from, until, object, generation) {
      const reader = createValueReader(text, text === objects.text ? { object, generation } : null)
      const values = reader.valuesBetween(from, until)
      if (reader.isExhausted()) isExceeded = true
      return values
    },
    isExceeded: () => isExceeded,
  }
}

/** Values that are kept for later references. */
export const KNOWN_MAX = 2_000

/** UTF-16 or UTF-8 with a byte order mark, XML in UTF-16, or one byte per character. */
export function textOfBytes(bytes: Buffer): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2))
  if (bytes[0] === 0x3c && bytes[1] === 0) return whole.toString('utf16le')
  if (bytes[0] === 0 && bytes[1] === 0x3c) return Buffer.from(whole).swap16().toString('utf16le')
  const even = bytes.subarray(2, bytes.length - (bytes.length % 2))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return even.toString('utf16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return Buffer.from(even).swap16().toString('utf16le')
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.toString('utf8', 3)
  return bytes.toString('latin1')
}
