/** Objects packed in object streams, which may define filters and lengths of other streams. */

import { view } from '#inspect/core/bytes.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { Decrypt } from '../encryption/encryption.ts'
import { digitsEnd, skipSpace } from '../syntax/dictionary.ts'
import { OBJECTS_MAX, type PdfObjects } from '../syntax/objects.ts'
import { createIndex, createReferences, type Definition } from '../syntax/references.ts'
import { nameExpression } from '../syntax/values.ts'
import { filterChains } from './filter-chains.ts'
import { decode } from './filters.ts'
import { isExhausted, type RecoveryBudget } from './flate.ts'
import { findStreams, isObjectStream, mayPackObjects, type PdfStream } from './streams.ts'

/** Unpacked bytes of all object streams of a file, which have to be unpacked before the other streams. */
export const PACKED_MAX = 134_217_728

/** Work and memory for each packed object. */
const OBJECT_WORK = 400
const OBJECT_BYTES = 200

interface PackedLimits {
  bytesMax: number
  objectsMax: number
  streamsMax: number
}

const FIRST = nameExpression('First')

/** Adds the packed objects. null: some cannot be read. */
export function withPackedObjects(
  source: Uint8Array,
  objects: PdfObjects,
  decrypt: Decrypt | null,
  recovery: RecoveryBudget,
  limits: Partial<PackedLimits> = {},
): PdfObjects | null {
  const { bytesMax = PACKED_MAX, objectsMax = OBJECTS_MAX, streamsMax = Number.POSITIVE_INFINITY } = limits
  FIRST.lastIndex = 0
  if (!FIRST.test(objects.text) || !mayPackObjects(objects)) return objects
  const index = createIndex()
  const packed: Definition[] = []
  const allTexts = [...objects.texts]
  let bytesLeft = bytesMax
  let objectsLeft = objectsMax
  let streams = 0
  for (const stream of findStreams(source, objects)) {
    // The caller reports an exceeded limit when it reads the streams again.
    if (stream === null || ++streams > streamsMax || isExhausted(recovery)) break
    if (!isObjectStream(stream.values)) continue
    const texts = textsOf(source, stream, objects, decrypt, recovery, bytesLeft) ?? []
    allTexts.push(...texts)
    const tables = texts.map((text) => objectsIn(text, stream)).filter((table) => table !== null)
    bytesLeft = texts.reduce((left, text) => left - text.length, bytesLeft)
    objectsLeft = tables.reduce((left, table) => left - table.length, objectsLeft)
    if (tables.length === 0 || bytesLeft < 0 || objectsLeft < 0) return null
    for (const definition of tables.flat()) {
      index.add(definition)
      packed.push(definition)
    }
  }
  const definitionsOf = (object: number) => [...objects.definitionsOf(object), ...index.of(object)]
  return { ...objects, texts: allTexts, packed, definitionsOf, ...createReferences(definitionsOf) }
}

/** The text of an object stream for every way to decode it. null: it cannot be decoded. */
function textsOf(
  source: Uint8Array,
  { object, generation, values, start, end }: PdfStream,
  objects: PdfObjects,
  decrypt: Decrypt | null,
  recovery: RecoveryBudget,
  remaining: number,
): string[] | null {
  // References could lead to other object streams.
  if (['Filter', 'F', 'DecodeParms', 'DP'].some((key) => values.get(key)?.some(hasReference))) return null
  const stored = source.subarray(start, end)
  const clear = { data: stored, tail: source.subarray(start) }
  const readings =
    decrypt === null ? [clear] : [clear, { data: decrypt(object, generation, stored, 'stream'), tail: null }]
  const attempts = filterChains(values, objects).flatMap((chain) => readings.map((reading) => ({ chain, ...reading })))
  const texts: string[] = []
  let left = remaining
  for (const { chain, data, tail } of attempts) {
    const result = typeof chain === 'string' ? null : decode(data, tail, chain, left, recovery)
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

/** The objects in its table. null: the table cannot be read. */
function objectsIn(text: string, { values }: PdfStream): Definition[] | null {
  const [first, count] = [onlyNumber(values.get('First')), onlyNumber(values.get('N'))]
  if (first === null || count === null) return null
  const found: Definition[] = []
  for (let at = skipSpace(text, 0); found.length < count; ) {
    charge(OBJECT_WORK)
    keep(OBJECT_BYTES)
    const objectEnd = digitsEnd(text, at)
    const offset = skipSpace(text, objectEnd)
    const offsetEnd = digitsEnd(text, offset)
    if (objectEnd === at || offset === objectEnd || offsetEnd === offset) return null
    const valueAt = skipSpace(text, first + Number(text.slice(offset, offsetEnd)))
    found.push({ text, object: Number(text.slice(at, objectEnd)), generation: 0, at: valueAt })
    at = skipSpace(text, offsetEnd)
  }
  return found
}

function onlyNumber(values: readonly string[] = []): number | null {
  const [value = '', ...others] = new Set(values)
  return others.length === 0 && /^\d{1,9}$/.test(value) ? Number(value) : null
}
