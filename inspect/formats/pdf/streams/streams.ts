/** Finds PDF streams by their keywords, because cross-reference tables may be wrong or missing. */

import { view } from '#inspect/core/bytes.ts'
import { PASSES_MAX } from '#inspect/core/piece-budget.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isLineEnd } from '../syntax/characters.ts'
import { type Dictionary, readDictionary, skipSpace } from '../syntax/dictionary.ts'
import { type ObjectHeader, UNKNOWN_NUMBER } from '../syntax/object-header.ts'
import type { PdfObjects } from '../syntax/objects.ts'

type Values = ReadonlyMap<string, readonly string[]>

export interface PdfStream extends StreamHeader {
  start: number
  /** By its length or by the next `endstream`. */
  end: number
}

interface StreamHeader extends ObjectHeader {
  values: Values
}

/** A possible start of the data, and the next `endstream`. */
interface Start {
  start: number
  next: number
}

/** Characters read for dictionaries, in addition to one pass. Only dictionaries without an end need them. */
export const READS_MAX = 16_777_216
const END = Buffer.from('endstream')
const [LETTER_D, LETTER_E, LETTER_N] = [0x64, 0x65, 0x6e]
/** Work for each keyword `stream` and `endstream`. */
const KEYWORD_WORK = 3_000
const END_WORK = 150
/** Memory for each stream object, and for each entry of its dictionary. */
const HEADER_BYTES = 400
const VALUE_BYTES = 120
/** Lengths of one stream. With more, it extends to the end of the file. */
export const LENGTHS_MAX = 32

/** Ends with null if dictionaries or data overlap too often. */
export function* findStreams(source: Uint8Array, objects: PdfObjects): Generator<PdfStream | null> {
  const bytes = view(source)
  const { headers, endless, left } = knownOf(objects)
  const reader = createReader(objects.text, new Set(endless), left)
  const headerBefore = headerFinder(objects, reader)
  const startsAt = startFinder(bytes)
  const endsAfter = [endFinder(bytes), endFinder(bytes)] as const
  let end = 0
  for (const at of keywordsIn(bytes)) {
    if (reader.isExhausted()) break
    const starts = startsAt(at, headers.has(at)).map((start, i) => ({ start, next: endsAfter[i === 0 ? 0 : 1](start) }))
    if (starts.length === 0) continue
    // Inside compressed data, the keyword alone is a coincidence, but a table may point to an object there.
    const known = headers.get(at) ?? (at < end ? [] : [headerBefore(at)])
    for (const stream of known.flatMap((header) => readingsOf(bytes, header, starts, objects))) {
      if (stream.values.has('Filter')) {
        end = Math.max(end, stream.end)
        reader.chargeData(stream.end - stream.start)
      }
      yield stream
    }
  }
  if (reader.isExhausted()) yield null
}

/** Where `stream` is, but not as the end of `endstream`. */
function* keywordsIn(bytes: Buffer): Generator<number> {
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', at + 6)) {
    const isEnd = bytes[at - 1] === LETTER_D && bytes[at - 2] === LETTER_N && bytes[at - 3] === LETTER_E
    charge(isEnd ? END_WORK : KEYWORD_WORK)
    if (!isEnd) yield at
  }
}

/** One for each possible start of the data. */
function readingsOf(bytes: Buffer, header: StreamHeader, starts: readonly Start[], objects: PdfObjects): PdfStream[] {
  const lengths = lengthsOf(header.values, objects)
  return starts.map(({ start, next }) => {
    // The longest reading contains the shorter ones.
    const end = lengths?.reduce((last, length) => Math.max(last, dataEnd(bytes, start, length, next)), 0) || next
    return { ...header, start, end: lengths === null ? bytes.length : end }
  })
}

interface Reader {
  read(at: number): Dictionary | null
  /** Reads a dictionary without an end up to the keyword. */
  readUntil(at: number, keyword: number): Dictionary | null
  /** Counts data to decode. Streams of ordinary files do not overlap. */
  chargeData(length: number): void
  /** More was read than any ordinary file needs. */
  isExhausted(): boolean
  left(): number
}

/** `left`: characters that may still be read. */
function createReader(text: string, endless: Set<number>, given = text.length + READS_MAX): Reader {
  let left = given
  let dataLeft = text.length * PASSES_MAX
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
    chargeData(length) {
      dataLeft -= length
    },
    isExhausted: () => left < 0 || dataLeft < 0,
    left: () => left,
  }
}

type Headers = ReadonlyMap<number, StreamHeader[]>

/** Content of all objects, because their streams are gone through twice. */
const remembered = new WeakMap<PdfObjects['all'], Known>()

interface Known {
  /** Of stream objects, by the position of the keyword. */
  headers: Headers
  /** Where dictionaries without an end begin. */
  endless: ReadonlySet<number>
  left: number
  /** Whether a dictionary may be that of an object stream. */
  mayPack: boolean
}

function knownOf(objects: PdfObjects): Known {
  const before = remembered.get(objects.all)
  if (before !== undefined) return before
  const endless = new Set<number>()
  const reader = createReader(objects.text, endless)
  const { headers, mayPack } = readHeaders(objects, reader)
  const known = { headers, endless, left: reader.left(), mayPack: mayPack || endless.size > 0 || reader.isExhausted() }
  remembered.set(objects.all, known)
  return known
}

/** false: no stream has other objects in it. */
export function mayPackObjects(objects: PdfObjects): boolean {
  return knownOf(objects).mayPack
}

/** Not all readers check the type. */
export const isObjectStream = (values: Values): boolean => values.has('First') && values.has('N')

function readHeaders({ text, all }: PdfObjects, { read }: Reader): Pick<Known, 'headers' | 'mayPack'> {
  const headers = new Map<number, StreamHeader[]>()
  let mayPack = false
  for (const { object, generation, at } of all) {
    const dictionary = read(at)
    if (dictionary === null) continue
    mayPack ||= isObjectStream(dictionary.values)
    const keyword = skipSpace(text, dictionary.end)
    if (!text.startsWith('stream', keyword)) continue
    keep(HEADER_BYTES + dictionary.values.size * VALUE_BYTES)
    headers.set(keyword, [...(headers.get(keyword) ?? []), { object, generation, values: dictionary.values }])
  }
  return { headers, mayPack }
}

/** The last header before a keyword without an object of its own. Positions must ascend. */
function headerFinder({ all }: PdfObjects, { read, readUntil }: Reader): (keyword: number) => StreamHeader {
  let next = 0
  let known: StreamHeader | null = null
  return (keyword) => {
    for (let object = all[next]; object !== undefined && object.at < keyword; object = all[++next]) known = null
    const { object = UNKNOWN_NUMBER, generation = 0, at = keyword } = all[next - 1] ?? {}
    if (known !== null) return known
    const whole = read(at)
    const values = (whole ?? readUntil(at, keyword))?.values ?? new Map()
    const header = { object, generation, values }
    // A dictionary without an end grows from keyword to keyword.
    known = whole === null ? null : header
    return header
  }
}

/** Every possible length. null: too many. */
function lengthsOf(values: Values, { resolve, isAmbiguous }: PdfObjects): number[] | null {
  const [only = '', other] = values.get('Length') ?? []
  if (other === undefined && /^\d{1,10}$/.test(only)) return [Number(only)]
  const declared = [...new Set(values.get('Length'))]
  if (declared.length > LENGTHS_MAX || declared.some(isAmbiguous)) return null
  const digits = declared.flatMap(resolve).map((text) => /^\d{1,10}(?![\d.])/.exec(text)?.[0])
  return digits.filter((length) => length !== undefined).map(Number)
}

/** Finds the next `endstream`. Positions ascend, so no byte is searched twice. */
function endFinder(bytes: Buffer): (from: number) => number {
  let known = -1
  return (from) => {
    if (known < from) known = bytes.indexOf(END, from)
    if (known === -1) known = bytes.length
    return known
  }
}

/**
 * Possible starts of the data after a keyword. Without a line end, some readers start at once and others at the next
 * line if the keyword belongs to an object; otherwise it is a word in a text.
 */
function startFinder(bytes: Buffer): (keyword: number, ofObject: boolean) => number[] {
  let lineEnd = -1
  return (keyword, ofObject) => {
    if (isWordEnd(bytes, keyword, ofObject)) return []
    let at = keyword + 6
    while (bytes[at] === 0x20 || bytes[at] === 0x09) at += 1
    if (isLineEnd(bytes[at] ?? 0)) return [pastLineEnd(bytes, at)]
    if (!ofObject) return []
    // Positions ascend, so no line is searched twice.
    lineEnd = Math.max(lineEnd, at)
    while (lineEnd < bytes.length && !isLineEnd(bytes[lineEnd] ?? 0)) lineEnd += 1
    return [at, pastLineEnd(bytes, lineEnd)]
  }
}

/** `endstream`, or the end of a longer word such as the name `/octet-stream`. */
function isWordEnd(bytes: Buffer, keyword: number, ofObject: boolean): boolean {
  const before = bytes.toString('latin1', Math.max(0, keyword - 3), keyword)
  return before === 'end' || (!ofObject && /[^\0\s\d<>[\](){}%]$/.test(before))
}

function pastLineEnd(bytes: Buffer, at: number): number {
  return bytes[at] === 0x0d && bytes[at + 1] === 0x0a ? at + 2 : at + 1
}

/** The declared length if `endstream` follows. Otherwise readers disagree, and the later end covers both. */
function dataEnd(bytes: Buffer, start: number, length: number, next: number): number {
  const declared = start + length
  if (declared > bytes.length) return next
  return bytes.subarray(declared, declared + 16).includes(END) ? declared : Math.max(declared, next)
}
