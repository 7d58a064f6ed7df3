/** Finds the streams of a PDF by their keywords, not by its tables, which may lie or be lost. */

import { view } from '../../bytes.ts'
import { decodedName } from './dictionary.ts'
import { behind, numberOf } from './syntax.ts'

export interface PdfStream {
  object: number
  generation: number
  dictionary: string
  filters: string[]
  start: number
  /** Where its data ends, by its length or by the next `endstream`. */
  end: number
}

const DICTIONARY_MAX = 65_536
const END = Buffer.from('endstream')

export function* streamsOf(source: Uint8Array): Generator<PdfStream> {
  const bytes = view(source)
  const endAfter = endFinder(bytes)
  let end = 0
  for (let at = bytes.indexOf('stream'); at !== -1; at = bytes.indexOf('stream', Math.max(at + 6, end))) {
    const start = dataStart(bytes, at)
    if (start === null) continue
    const stream = describe(bytes, at, start, endAfter)
    // Streams inside the data of others are looked for as well, unless the data is compressed.
    end = stream.filters.length > 0 ? stream.end : 0
    yield stream
  }
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

function describe(bytes: Buffer, keyword: number, start: number, endAfter: (from: number) => number): PdfStream {
  const before = bytes.subarray(Math.max(0, keyword - DICTIONARY_MAX), keyword)
  const head = headOf(before)
  const dictionary = before.toString('latin1', head.at)
  return {
    object: head.object,
    generation: head.generation,
    dictionary,
    filters: filtersOf(dictionary),
    start,
    end: dataEnd(bytes, start, numberOf(dictionary, 'Length')) ?? endAfter(start),
  }
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

/** The end by the stated length, if the keyword is there. */
function dataEnd(bytes: Buffer, start: number, length: number | null): number | null {
  if (length === null || length < 0) return null
  return bytes.subarray(start + length, start + length + 16).includes(END) ? start + length : null
}

function filtersOf(dictionary: string): string[] {
  const value = behind(dictionary, 'Filter')
  if (value === null) return []
  const list = /^(?:\[([^\]]*)\]|\/[^\s/<>[\]()%]+)/.exec(value)
  return [...(list?.[1] ?? list?.[0] ?? '').matchAll(/\/([^\s/<>[\]()%]+)/g)].map(([, name = '']) => decodedName(name))
}
