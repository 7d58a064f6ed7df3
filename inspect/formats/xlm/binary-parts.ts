/** Reads the binary parts of xlsb workbooks ([MS-XLSB]). */

import { charge, keep } from '#inspect/core/work.ts'
import { cellKey, type MacroBook, type Value } from '#inspect/programs/excel4/evaluate.ts'
import { type Formula, UNKNOWN } from '#inspect/programs/excel4/formula.ts'
import { rkNumber } from './biff.ts'
import { readTokens } from './tokens.ts'

const RECORD_WORK = 100
const CELL_BYTES = 250

const ROW = 0
const STRING_ITEM = 19
const NAME = 39
const SHEET = 156
const EXTERN_SHEET = 362

interface BinaryRecord {
  id: number
  data: Buffer
}

/** The id has one or two bytes, the length up to four, each with seven bits. */
function* recordsOf(bytes: Buffer): Generator<BinaryRecord> {
  for (let at = 0; at < bytes.length; ) {
    charge(RECORD_WORK)
    let id = bytes[at++] ?? 0
    if (id & 0x80) id = (id & 0x7f) | (((bytes[at++] ?? 0) & 0x7f) << 7)
    let length = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++] ?? 0
      length |= (byte & 0x7f) << shift
      if (!(byte & 0x80)) break
    }
    yield { id, data: bytes.subarray(at, at + length) }
    at += length
  }
}

/** A length of four bytes, and characters of two. */
function wideText(data: Buffer, at: number): { text: string; end: number } {
  if (at + 4 > data.length) return { text: '', end: data.length }
  const length = data.readUInt32LE(at)
  const end = Math.min(data.length, at + 4 + (length === 0xffffffff ? 0 : length * 2))
  return { text: data.toString('utf16le', at + 4, end), end }
}

export function readBinaryStrings(bytes: Buffer): string[] {
  const strings: string[] = []
  for (const { id, data } of recordsOf(bytes)) {
    if (id !== STRING_ITEM) continue
    keep(CELL_BYTES + data.length)
    strings.push(wideText(data, 1).text)
  }
  return strings
}

const VERY_HIDDEN = 2

export function readBinaryBook(bytes: Buffer) {
  const sheets: { name: string; relation: string; isVeryHidden: boolean }[] = []
  const raw: { name: string; tokens: Buffer }[] = []
  const references: number[] = []
  for (const { id, data } of recordsOf(bytes)) {
    keep(CELL_BYTES)
    if (id === SHEET && data.length >= 12) {
      const relation = wideText(data, 8)
      const isVeryHidden = data.readUInt32LE(0) === VERY_HIDDEN
      sheets.push({ name: wideText(data, relation.end).text.toLowerCase(), relation: relation.text, isVeryHidden })
    }
    if (id === NAME && data.length >= 13) raw.push(readName(data))
    if (id === EXTERN_SHEET)
      for (let at = 4; at + 12 <= data.length; at += 12) references.push(data.readUInt32LE(at + 4))
  }
  const referenced = references.map((index) => sheets[index]?.name ?? '')
  const allNames = raw.map(({ name }) => name)
  const names = new Map<string, Formula>()
  for (const { name, tokens } of raw) {
    const formula = readTokens(tokens, bookOf(referenced, allNames))
    names.set(name, formula ?? { kind: 'value', value: null })
  }
  return { sheets, names, references: referenced }
}

function readName(data: Buffer): { name: string; tokens: Buffer } {
  const { text, end } = wideText(data, 9)
  const length = end + 4 <= data.length ? data.readUInt32LE(end) : 0
  return { name: text.toUpperCase(), tokens: data.subarray(end + 4, end + 4 + length) }
}

function bookOf(sheets: readonly string[], names: readonly string[]) {
  return {
    dialect: 'xlsb' as const,
    sheetOf: (reference: number) => sheets[reference] ?? null,
    nameOf: (index: number) => names[index - 1] ?? '',
  }
}

interface Known {
  strings: readonly string[]
  sheets: readonly string[]
  names: ReadonlyMap<string, Formula>
}

/** The value after the column and the style, and where it ends. */
const VALUES: Readonly<Record<number, (data: Buffer, strings: readonly string[]) => { value: Value; end: number }>> = {
  2: (data) => ({ value: rkNumber(data.readUInt32LE(8)), end: 12 }),
  4: (data) => ({ value: data[8] === 1, end: 9 }),
  5: (data) => ({ value: data.readDoubleLE(8), end: 16 }),
  6: (data) => ({ value: wideText(data, 8).text, end: data.length }),
  7: (data, strings) => ({ value: strings[data.readUInt32LE(8)], end: 12 }),
  8: (data) => ({ value: wideText(data, 8).text, end: wideText(data, 8).end }),
  9: (data) => ({ value: data.readDoubleLE(8), end: 16 }),
  10: (data) => ({ value: data[8] === 1, end: 9 }),
  11: () => ({ value: undefined, end: 9 }),
}
const FIRST_FORMULA = 8
const CELL_MIN_BYTES = 16

export function readBinarySheet(bytes: Buffer, sheet: string, book: MacroBook, known: Known): void {
  const context = bookOf(known.sheets, [...known.names.keys()])
  let row = 0
  for (const { id, data } of recordsOf(bytes)) {
    if (id === ROW && data.length >= 4) row = data.readUInt32LE(0)
    const read = id === 3 ? undefined : VALUES[id]
    if (read === undefined || data.length < 9) continue
    keep(CELL_BYTES)
    // Short cells are filled up, so that every number can be read.
    const padded = data.length < CELL_MIN_BYTES ? Buffer.concat([data, Buffer.alloc(CELL_MIN_BYTES)]) : data
    const { value, end } = read(padded, known.strings)
    const formula =
      id < FIRST_FORMULA || !book.macroSheets.has(sheet) ? null : (readTokens(tokensAt(data, end), context) ?? UNKNOWN)
    book.cells.set(cellKey(sheet, row, data.readUInt32LE(0)), { formula, value })
  }
}

/** Flags of two bytes, a length of four, and the tokens. */
function tokensAt(data: Buffer, at: number): Buffer {
  const length = at + 6 <= data.length ? data.readUInt32LE(at + 2) : 0
  return data.subarray(at + 6, at + 6 + length)
}
