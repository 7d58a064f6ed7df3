/** Reads formulas as Excel stores them: operands and operators in reverse Polish notation. */

import { charge, keep } from '#inspect/core/work.ts'
import { type Formula, PARTS_MAX, UNKNOWN } from '#inspect/programs/excel4/formula.ts'
import { ARGUMENTS, COMMAND_NAMES, FUNCTION_NAMES } from './function-names.ts'

/** `biff5`: Excel 5 and 95. `biff8`: Excel 97 to 2003. `xlsb`: the binary format of Excel 2007. */
export type Dialect = 'biff5' | 'biff8' | 'xlsb'

interface Workbook {
  dialect: Dialect
  /** Names of sheets in lower case, by the index that references use. */
  sheetOf(reference: number): string | null
  /** Defined names in upper case, from one on. */
  nameOf(index: number): string
}

const PART_WORK = 300
const PART_BYTES = 120
const OPERATORS = ['+', '-', '*', '/', '^', '&', '<', '<=', '=', '>=', '>', '<>', ' ', ',', ':']

/** Bytes after the token, in each dialect, for tokens whose content does not matter. */
const SIZES: Readonly<Record<number, readonly [biff5: number, biff8: number, xlsb: number]>> = {
  1: [4, 4, 4],
  2: [4, 4, 4],
  28: [1, 1, 1],
  32: [7, 7, 14],
  38: [6, 6, 6],
  39: [6, 6, 6],
  40: [6, 6, 6],
  41: [2, 2, 2],
  42: [3, 4, 6],
  43: [6, 8, 12],
  45: [6, 8, 12],
  57: [24, 6, 6],
  60: [17, 6, 8],
  61: [20, 10, 14],
}

type CellFormula = Extract<Formula, { kind: 'cell' }>

interface Reader {
  bytes: Buffer
  at: number
  stack: Formula[]
  book: Workbook
}

/** null: a token is unknown, so that nothing after it can be read. */
export function readTokens(bytes: Buffer, book: Workbook): Formula | null {
  const reader: Reader = { bytes, at: 0, stack: [], book }
  let parts = 0
  while (reader.at < bytes.length) {
    charge(PART_WORK)
    keep(PART_BYTES)
    if (++parts > PARTS_MAX || !readToken(reader)) return reader.stack.at(-1) ?? null
  }
  return reader.stack.at(-1) ?? null
}

/** Tokens exist in three classes, which only differ in the type of their value. */
function baseOf(token: number): number {
  return token & 0x40 ? (token | 0x20) & 0x3f : token & 0x3f
}

function readToken(reader: Reader): boolean {
  const token = reader.bytes[reader.at++] ?? 0
  if (token >= 3 && token <= 0x11) return operate(reader, OPERATORS[token - 3] ?? '')
  const base = baseOf(token)
  const read = TOKENS[base]
  if (read !== undefined) return read(reader)
  const sizes = SIZES[base]
  if (sizes === undefined) return false
  reader.at += sizes[dialectIndex(reader)] ?? 0
  // Other references are unknown.
  if (base >= 0x20 && base !== 0x26 && base !== 0x27 && base !== 0x28 && base !== 0x29) reader.stack.push(UNKNOWN)
  return true
}

function dialectIndex({ book: { dialect } }: Reader): number {
  return dialect === 'biff5' ? 0 : dialect === 'biff8' ? 1 : 2
}

function operate({ stack }: Reader, operator: string): boolean {
  const right = stack.pop() ?? UNKNOWN
  const left = stack.pop() ?? UNKNOWN
  stack.push({ kind: 'operation', operator, left, right })
  return true
}

type ReadToken = (reader: Reader) => boolean

const push = (reader: Reader, formula: Formula, size: number): boolean => {
  reader.stack.push(formula)
  reader.at += size
  return true
}

const uint8 = ({ bytes, at }: Reader, offset = 0): number => bytes[at + offset] ?? 0
const uint16 = (reader: Reader, offset = 0): number => uint8(reader, offset) | (uint8(reader, offset + 1) << 8)
const uint32 = (reader: Reader, offset = 0): number => uint16(reader, offset) + uint16(reader, offset + 2) * 65536

const readText: ReadToken = (reader) => {
  const { bytes, at, book } = reader
  const isWide = book.dialect === 'xlsb' || (book.dialect === 'biff8' && (uint8(reader, 1) & 1) === 1)
  const head = book.dialect === 'biff5' ? 1 : 2
  const length = (book.dialect === 'xlsb' ? uint16(reader) : uint8(reader)) * (isWide ? 2 : 1)
  const value = bytes.toString(isWide ? 'utf16le' : 'latin1', at + head, at + head + length)
  return push(reader, { kind: 'value', value }, head + length)
}

/** Memory of a choice, and other hints of the calculation. */
const readAttribute: ReadToken = (reader) => {
  const flags = uint8(reader)
  const count = uint16(reader, 1)
  reader.at += 3 + (flags & 4 ? (count + 1) * 2 : 0)
  if (flags & 0x10) reader.stack.push({ kind: 'call', name: 'SUM', args: [reader.stack.pop() ?? UNKNOWN] })
  return true
}

/** Arguments that a call takes from the stack. */
const ARGUMENTS_MAX = 255

function call(reader: Reader, name: string, count: number): boolean {
  const taken = Math.min(count, ARGUMENTS_MAX, reader.stack.length)
  const args = taken === 0 ? [] : reader.stack.splice(-taken)
  const [first] = args
  // Functions of add-ins and newer ones are called by name, which is the first argument.
  const isByName = name === '' && first?.kind === 'name'
  reader.stack.push({ kind: 'call', name: isByName ? first.name : name, args: isByName ? args.slice(1) : args })
  return true
}

const readFixed: ReadToken = (reader) => {
  const number = uint16(reader)
  reader.at += 2
  return call(reader, FUNCTION_NAMES.get(number) ?? `#${number}`, ARGUMENTS.get(number) ?? 1)
}

const BY_NAME = 255
const COMMAND = 0x8000

const readVariable: ReadToken = (reader) => {
  const count = uint8(reader) & 0x7f
  const number = uint16(reader, 1)
  reader.at += 3
  const plain = number & 0x7fff
  const names = number & COMMAND ? COMMAND_NAMES : FUNCTION_NAMES
  return call(reader, number === BY_NAME ? '' : (names.get(plain) ?? `#${number}`), count)
}

const readName: ReadToken = (reader) => {
  const index = reader.book.dialect === 'xlsb' ? uint32(reader) : uint16(reader)
  return push(reader, { kind: 'name', name: reader.book.nameOf(index) }, reader.book.dialect === 'biff5' ? 14 : 4)
}

function readCell(reader: Reader, offset: number): { row: number; column: number; size: number } {
  const { dialect } = reader.book
  if (dialect === 'xlsb') return { row: uint32(reader, offset), column: uint16(reader, offset + 4) & 0x3fff, size: 6 }
  const row = uint16(reader, offset)
  if (dialect === 'biff5') return { row: row & 0x3fff, column: uint8(reader, offset + 2), size: 3 }
  return { row, column: uint16(reader, offset + 2) & 0xff, size: 4 }
}

const readReference: ReadToken = (reader) => {
  const { row, column, size } = readCell(reader, 0)
  return push(reader, { kind: 'cell', sheet: null, row, column }, size)
}

/** Both rows, then both columns. */
function readAreaAt(reader: Reader, offset: number): Pick<CellFormula, 'row' | 'column' | 'last'> & { size: number } {
  const { dialect } = reader.book
  if (dialect === 'xlsb') {
    const column = (at: number): number => uint16(reader, offset + at) & 0x3fff
    const last = { row: uint32(reader, offset + 4), column: column(10) }
    return { row: uint32(reader, offset), column: column(8), last, size: 12 }
  }
  const isOld = dialect === 'biff5'
  const row = (at: number): number => uint16(reader, offset + at) & (isOld ? 0x3fff : 0xffff)
  const last = { row: row(2), column: uint8(reader, offset + (isOld ? 5 : 6)) }
  return { row: row(0), column: uint8(reader, offset + 4), last, size: isOld ? 6 : 8 }
}

const readArea: ReadToken = (reader) => {
  const { size, ...area } = readAreaAt(reader, 0)
  return push(reader, { kind: 'cell', sheet: null, ...area }, size)
}

const readArea3d: ReadToken = (reader) => {
  const isOld = reader.book.dialect === 'biff5'
  const { size, ...area } = readAreaAt(reader, isOld ? 14 : 2)
  const sheet = reader.book.sheetOf(isOld ? uint16(reader, 10) : uint16(reader))
  return push(reader, { kind: 'cell', sheet, ...area }, size + (isOld ? 14 : 2))
}

const readReference3d: ReadToken = (reader) => {
  // In Excel 5, the sheet follows eight unused bytes and an index of its own.
  const isOld = reader.book.dialect === 'biff5'
  const { row, column, size } = readCell(reader, isOld ? 14 : 2)
  const sheet = reader.book.sheetOf(isOld ? uint16(reader, 10) : uint16(reader))
  return push(reader, { kind: 'cell', sheet, row, column }, size + (isOld ? 14 : 2))
}

const keepOperand: ReadToken = () => true

const TOKENS: Readonly<Record<number, ReadToken>> = {
  18: keepOperand,
  19: (reader) => {
    const right = reader.stack.pop() ?? UNKNOWN
    return push(reader, { kind: 'operation', operator: '-', left: { kind: 'value', value: 0 }, right }, 0)
  },
  20: keepOperand,
  21: keepOperand,
  22: (reader) => push(reader, { kind: 'value', value: null }, 0),
  23: readText,
  25: readAttribute,
  29: (reader) => push(reader, { kind: 'value', value: uint8(reader) === 1 }, 1),
  30: (reader) => push(reader, { kind: 'value', value: uint16(reader) }, 2),
  31: (reader) => push(reader, { kind: 'value', value: doubleAt(reader) }, 8),
  33: readFixed,
  34: readVariable,
  35: readName,
  36: readReference,
  37: readArea,
  44: readReference,
  58: readReference3d,
  59: readArea3d,
}

function doubleAt({ bytes, at }: Reader): number {
  return at + 8 <= bytes.length ? bytes.readDoubleLE(at) : 0
}
