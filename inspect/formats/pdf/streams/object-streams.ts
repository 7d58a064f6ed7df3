/** Objects that are packed in streams of a PDF. A filter or a length may stand there, and a decoy in the open. */

import { view } from '#inspect/core/bytes.ts'
import type { Decrypt } from '../encryption/encryption.ts'
import { digitsEnd, skipSpace } from '../syntax/dictionary.ts'
import { OBJECTS_MAX, type PdfObjects } from '../syntax/objects.ts'
import { createIndex, createReferences, type Definition } from '../syntax/references.ts'
import { nameExpression } from '../syntax/values.ts'
import { chainsOf } from './chains.ts'
import { decode } from './filters.ts'
import { isSpent, type Salvage } from './flate.ts'
import { type PdfStream, streamsOf } from './streams.ts'

/** Bytes that all object streams of a file unpack to. They are unpacked before anything else is looked at. */
export const PACKED_MAX = 134_217_728

interface PackedLimits {
  bytesMax: number
  objectsMax: number
  streamsMax: number
}

const FIRST = nameExpression('First')

/** Readers ask for these keys, and not all of them for the type. */
function isObjectStream({ values }: PdfStream): boolean {
  return values.has('First') && values.has('N')
}

/** The objects with those that are packed, or null if some cannot be found. */
export function withPacked(
  source: Uint8Array,
  objects: PdfObjects,
  decrypt: Decrypt | null,
  salvage: Salvage,
  limits: Partial<PackedLimits> = {},
): PdfObjects | null {
  const { bytesMax = PACKED_MAX, objectsMax = OBJECTS_MAX, streamsMax = Number.POSITIVE_INFINITY } = limits
  FIRST.lastIndex = 0
  if (!FIRST.test(objects.text)) return objects
  const packed = createIndex()
  const allTexts = [...objects.texts]
  let bytesLeft = bytesMax
  let objectsLeft = objectsMax
  let streams = 0
  for (const stream of streamsOf(source, objects)) {
    // Past its limits the file is too complex anyhow, and that is said elsewhere.
    if (stream === null || ++streams > streamsMax || isSpent(salvage)) break
    if (!isObjectStream(stream)) continue
    const texts = textsOf(source, stream, objects, decrypt, salvage, bytesLeft) ?? []
    allTexts.push(...texts)
    const tables = texts.map((text) => objectsIn(text, stream)).filter((table) => table !== null)
    bytesLeft = texts.reduce((left, text) => left - text.length, bytesLeft)
    objectsLeft = tables.reduce((left, table) => left - table.length, objectsLeft)
    if (tables.length === 0 || bytesLeft < 0 || objectsLeft < 0) return null
    for (const definition of tables.flat()) packed.add(definition)
  }
  const definitionsOf = (object: number) => [...objects.definitionsOf(object), ...packed.of(object)]
  return { ...objects, texts: allTexts, definitionsOf, ...createReferences(definitionsOf) }
}

/** What an object stream says in every way that it can be decoded, or null where that cannot be known. */
function textsOf(
  source: Uint8Array,
  { object, generation, values, start, end }: PdfStream,
  objects: PdfObjects,
  decrypt: Decrypt | null,
  salvage: Salvage,
  remaining: number,
): string[] | null {
  // Its filter would be in another one, and that in a third.
  if (['Filter', 'F', 'DecodeParms', 'DP'].some((key) => values.get(key)?.some(hasReference))) return null
  const stored = source.subarray(start, end)
  const clear = { data: stored, tail: source.subarray(start) }
  const readings =
    decrypt === null ? [clear] : [clear, { data: decrypt(object, generation, stored, 'stream'), tail: null }]
  const attempts = chainsOf(values, objects).flatMap((chain) => readings.map((reading) => ({ chain, ...reading })))
  const texts: string[] = []
  let left = remaining
  for (const { chain, data, tail } of attempts) {
    const result = chain === null ? null : decode(data, tail, chain, left, salvage)
    if (result === null || result === 'too_large') return null
    left -= Math.max(result.unpacked, result.bytes.length)
    texts.push(view(result.bytes).toString('latin1'))
  }
  return texts
}

const NAMES = /\/[^\0\s/<>[\]()%]*/g

function hasReference(value: string): boolean {
  return value.replace(NAMES, ' ').includes('R')
}

/** The objects by the table at its head, or null if that cannot be read. */
function objectsIn(text: string, { values }: PdfStream): Definition[] | null {
  const [first, count] = [onlyNumber(values.get('First')), onlyNumber(values.get('N'))]
  if (first === null || count === null) return null
  const found: Definition[] = []
  for (let at = skipSpace(text, 0); found.length < count; ) {
    const objectEnd = digitsEnd(text, at)
    const offset = skipSpace(text, objectEnd)
    const offsetEnd = digitsEnd(text, offset)
    if (objectEnd === at || offset === objectEnd || offsetEnd === offset) return null
    const place = skipSpace(text, first + Number(text.slice(offset, offsetEnd)))
    found.push({ text, object: Number(text.slice(at, objectEnd)), generation: 0, at: place })
    at = skipSpace(text, offsetEnd)
  }
  return found
}

function onlyNumber(values: readonly string[] = []): number | null {
  const [value = '', ...others] = new Set(values)
  return others.length === 0 && /^\d{1,9}$/.test(value) ? Number(value) : null
}
