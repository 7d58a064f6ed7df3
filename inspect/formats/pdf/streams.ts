/** Finds the streams of a PDF by their keywords, not by its tables, which may lie or be lost. */

import { view } from '../../bytes.ts'
import { readDictionary, skipSpace } from './dictionary.ts'
import type { PdfObjects } from './objects.ts'

type Values = ReadonlyMap<string, readonly string[]>

export interface PdfStream {
  object: number
  generation: number
  values: Values
  start: number
  /** Where its data ends, by its length or by the next `endstream`. */
  end: number
}

interface Head {
  object: number
  generation: number
  values: Values
}

const FALLBACK_MAX = 65_536
/** Characters read for dictionaries, for one of the file. Only dictionaries without an end need more than one. */
const READS_MAX = 16
const END = Buffer.from('endstream')

/** null in the end: the dictionaries are too entangled to be read. */
export function* streamsOf(source: Uint8Array, objects: PdfObjects): Generator<PdfStream | null> {
  const bytes = view(source)
  const heads = headsOf(objects)
  if (heads === null) {
    yield null
    return
  }
  const endAfter = endFinder(bytes)
  let end = 0
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    const start = dataStart(bytes, at)
    if (start === null) continue
    // In the data of a compressed stream, the word alone is chance. An object is none: a table may point to it.
    const known = heads.get(at) ?? (at < end ? [] : [headBefore(bytes, at)])
    for (const head of known) {
      const stream = { ...head, start, end: dataEnd(bytes, start, lengthOf(head.values, objects), endAfter(start)) }
      if (head.values.has('Filter')) end = Math.max(end, stream.end)
      yield stream
    }
  }
}

/** The heads of all objects that are streams, by the place of the keyword. */
function headsOf({ text, all }: PdfObjects): Map<number, Head[]> | null {
  const heads = new Map<number, Head[]>()
  let left = text.length * READS_MAX
  for (const { object, generation, at } of all) {
    if (!text.startsWith('<<', at)) continue
    const dictionary = readDictionary(text, at)
    left -= (dictionary?.end ?? text.length) - at
    if (left < 0) return null
    if (dictionary === null) continue
    const keyword = skipSpace(text, dictionary.end)
    if (!text.startsWith('stream', keyword)) continue
    heads.set(keyword, [...(heads.get(keyword) ?? []), { object, generation, values: dictionary.values }])
  }
  return heads
}

function lengthOf(values: Values, { resolve }: PdfObjects): number | null {
  const [length, ...others] = resolve(values.get('Length')?.at(-1) ?? '')
  const digits = others.length > 0 ? null : /^\d{1,10}(?![\d.])/.exec(length ?? '')
  return digits === null ? null : Number(digits[0])
}

/** The next `endstream` from a place on. Places only grow, so no byte is searched twice, however many streams share one. */
function endFinder(bytes: Buffer): (from: number) => number {
  let known = -1
  return (from) => {
    if (known < from) known = bytes.indexOf(END, from)
    if (known === -1) known = bytes.length
    return known
  }
}

function dataStart(bytes: Buffer, keyword: number): number | null {
  if (bytes.toString('latin1', keyword - 3, keyword) === 'end') return null
  let at = keyword + 6
  while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1
  if (bytes[at] === 0x0d) return bytes[at + 1] === 0x0a ? at + 2 : at + 1
  return bytes[at] === 0x0a ? at + 1 : null
}

/** For a stream whose object cannot be read from its head on. */
function headBefore(bytes: Buffer, keyword: number): Head {
  const before = bytes.subarray(Math.max(0, keyword - FALLBACK_MAX), keyword)
  const { at, object, generation } = headOf(before)
  const text = before.toString('latin1', at)
  return { object, generation, values: readDictionary(`${text}>>`, text.indexOf('<<'))?.values ?? new Map() }
}

/** The nearest `1 0 obj` before a stream. The word alone may also stand in a string. */
function headOf(before: Buffer): { at: number; object: number; generation: number } {
  let at = before.lastIndexOf('obj')
  for (let tries = 0; at !== -1 && tries < 8; tries++) {
    const id = /(\d{1,10})\s+(\d{1,5})\s+$/.exec(before.toString('latin1', Math.max(0, at - 40), at))
    if (id !== null) return { at, object: Number(id[1]), generation: Number(id[2]) }
    at = at === 0 ? -1 : before.lastIndexOf('obj', at - 1)
  }
  return { at: Math.max(0, before.lastIndexOf('<<')), object: 0, generation: 0 }
}

/** The end by the stated length, if the keyword is there. If it is not, readers disagree, and the later end has both. */
function dataEnd(bytes: Buffer, start: number, length: number | null, next: number): number {
  if (length === null || start + length > bytes.length) return next
  const stated = start + length
  return bytes.subarray(stated, stated + 16).includes(END) ? stated : Math.max(stated, next)
}
