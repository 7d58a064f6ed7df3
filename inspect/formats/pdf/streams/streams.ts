/** Finds the streams of a PDF by their keywords, not by its tables, which may lie or be lost. */

import { view } from '#inspect/core/bytes.ts'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { type Dictionary, readDictionary, skipSpace } from '../syntax/dictionary.ts'
import { NO_NUMBER } from '../syntax/head.ts'
import type { PdfObjects } from '../syntax/objects.ts'

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

/** Where data may begin, and the next `endstream`. */
interface Place {
  start: number
  next: number
}

/** Characters read for dictionaries, besides those of the file. Only dictionaries without an end need any. */
export const READS_MAX = 16_777_216
const END = Buffer.from('endstream')
/** Lengths of one stream. With more, it goes on to the end of the file for us. */
export const LENGTHS_MAX = 32

/** null in the end: dictionaries or data lie in each other too often to be read. */
export function* streamsOf(source: Uint8Array, objects: PdfObjects): Generator<PdfStream | null> {
  const bytes = view(source)
  const reader = createReader(objects.text)
  const heads = headsOf(objects, reader)
  const headBefore = headFinder(objects, reader)
  const startsAt = startFinder(bytes)
  const endsAfter = [endFinder(bytes), endFinder(bytes)] as const
  let end = 0
  for (let at = bytes.indexOf('stream'); !reader.tired() && at !== -1; at = bytes.indexOf('stream', at + 6)) {
    const places = startsAt(at, heads.has(at)).map((start, i) => ({ start, next: endsAfter[i === 0 ? 0 : 1](start) }))
    if (places.length === 0) continue
    // In the data of a compressed stream, the word alone is chance. An object is none: a table may point to it.
    const known = heads.get(at) ?? (at < end ? [] : [headBefore(at)])
    for (const stream of known.flatMap((head) => readingsOf(bytes, head, places, objects))) {
      if (stream.values.has('Filter')) {
        end = Math.max(end, stream.end)
        reader.decode(stream.end - stream.start)
      }
      yield stream
    }
  }
  if (reader.tired()) yield null
}

/** One for each place where its data may begin. */
function readingsOf(bytes: Buffer, head: Head, places: readonly Place[], objects: PdfObjects): PdfStream[] {
  const lengths = lengthsOf(head.values, objects)
  return places.map(({ start, next }) => {
    // Whoever stops earlier sees the beginning of what we see.
    const end = lengths?.reduce((last, length) => Math.max(last, dataEnd(bytes, start, length, next)), 0) || next
    return { ...head, start, end: lengths === null ? bytes.length : end }
  })
}

interface Reader {
  /** The dictionary at a place. */
  read(at: number): Dictionary | null
  /** What a dictionary without an end says up to a keyword. */
  readUntil(at: number, keyword: number): Dictionary | null
  /** Counts data that is to be decoded. Data of honest streams does not lie in that of others. */
  decode(length: number): void
  /** More has been read than any honest file needs. From then on nothing is read. */
  tired(): boolean
}

function createReader(text: string): Reader {
  let left = text.length + READS_MAX
  let dataLeft = text.length * PASSES_MAX
  const endless = new Set<number>()
  return {
    read(at) {
      if (left < 0 || endless.has(at) || !text.startsWith('<<', at)) return null
      const dictionary = readDictionary(text, at)
      left -= (dictionary?.end ?? text.length) - at
      if (dictionary === null) endless.add(at)
      return dictionary
    },
    readUntil(at, keyword) {
      if (!endless.has(at)) return null
      left -= keyword - at
      return left < 0 ? null : readDictionary(`${text.slice(at, keyword)}>>`, 0)
    },
    decode(length) {
      dataLeft -= length
    },
    tired: () => left < 0 || dataLeft < 0,
  }
}

/** The heads of all objects that are streams, by the place of the keyword. */
function headsOf({ text, all }: PdfObjects, { read }: Reader): Map<number, Head[]> {
  const heads = new Map<number, Head[]>()
  for (const { object, generation, at } of all) {
    const dictionary = read(at)
    if (dictionary === null) continue
    const keyword = skipSpace(text, dictionary.end)
    if (!text.startsWith('stream', keyword)) continue
    heads.set(keyword, [...(heads.get(keyword) ?? []), { object, generation, values: dictionary.values }])
  }
  return heads
}

/** For a stream whose object cannot be read from its head on: the last head in front of it. Places only grow. */
function headFinder({ all }: PdfObjects, { read, readUntil }: Reader): (keyword: number) => Head {
  let next = 0
  let known: Head | null = null
  return (keyword) => {
    for (let object = all[next]; object !== undefined && object.at < keyword; object = all[++next]) known = null
    const { object = NO_NUMBER, generation = 0, at = keyword } = all[next - 1] ?? {}
    if (known !== null) return known
    const whole = read(at)
    const values = (whole ?? readUntil(at, keyword))?.values ?? new Map()
    const head = { object, generation, values }
    // Without an end, it says more from one keyword to the next.
    known = whole === null ? null : head
    return head
  }
}

/** Every length that a reader may find, or null if there are too many. */
function lengthsOf(values: Values, { resolve, isUnclear }: PdfObjects): number[] | null {
  const stated = [...new Set(values.get('Length'))]
  if (stated.length > LENGTHS_MAX || stated.some(isUnclear)) return null
  const digits = stated.flatMap(resolve).map((text) => /^\d{1,10}(?![\d.])/.exec(text)?.[0])
  return digits.filter((length) => length !== undefined).map(Number)
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

/**
 * Where the data behind a keyword may begin. Behind an object's own keyword without a line end, some readers begin at
 * once, and others at the next line. Any other word without one is a word in a text.
 */
function startFinder(bytes: Buffer): (keyword: number, ofObject: boolean) => number[] {
  let lineEnd = -1
  return (keyword, ofObject) => {
    if (bytes.toString('latin1', keyword - 3, keyword) === 'end') return []
    let at = keyword + 6
    while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1
    if (isLineEnd(bytes[at])) return [pastLineEnd(bytes, at)]
    if (!ofObject) return []
    // Places only grow, so no line is searched twice.
    lineEnd = Math.max(lineEnd, at)
    while (lineEnd < bytes.length && !isLineEnd(bytes[lineEnd])) lineEnd += 1
    return [at, pastLineEnd(bytes, lineEnd)]
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d
}

function pastLineEnd(bytes: Buffer, at: number): number {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : at + 1
}

/** The end by the stated length, if the keyword is there. If it is not, readers disagree, and the later end has both. */
function dataEnd(bytes: Buffer, start: number, length: number, next: number): number {
  if (start + length > bytes.length) return next
  const stated = start + length
  return bytes.subarray(stated, stated + 16).includes(END) ? stated : Math.max(stated, next)
}
