/** Finds Excel 4 macro sheets in workbooks of Excel 5 to 2003 (BIFF). */

import { joinedRecord } from '#inspect/codecs/biff-records.ts'
import { view } from '#inspect/core/bytes.ts'
import { factType } from '#inspect/core/facts.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { judgeAgain, storedCells, UNKNOWN_MACROS } from '#inspect/judge/macros/again.ts'
import { isAutoName, judgeXlm } from '#inspect/judge/macros/excel4.ts'
import { cellKey, type MacroBook, placesOf, type Value } from '#inspect/programs/excel4/evaluate.ts'
import { UNKNOWN } from '#inspect/programs/excel4/formula.ts'
import { readStrings } from './biff-strings.ts'
import { type Dialect, readTokens } from './tokens.ts'

const BOF = 0x0809
const BOUND_SHEET = 0x85
const FILE_PASS = 0x2f
const CODE_PAGE = 0x42
const NAME = 0x18
const EXTERN_SHEET = 0x17
const SHARED_STRINGS = 0xfc
const CONTINUE = 0x3c
const FORMULA = 0x06
const OLD_FORMULA = 0x0406
const STRING = 0x0207
const LABEL = 0x0204
const LABEL_SHARED = 0xfd
const NUMBER = 0x0203
const RK = 0x027e
const MULTIPLE_RK = 0xbd

const RECORD_WORK = 40
const CELL_BYTES = 200
const MACRO_SHEET = 0x40
/** In the list of sheets. */
const MACRO_TYPE = 1
const VERY_HIDDEN = 2

const TEXTS: ReadonlySet<number> = new Set([STRING, LABEL])
const CONTINUED: ReadonlySet<number> = new Set([NAME, EXTERN_SHEET, FORMULA, OLD_FORMULA, ...TEXTS])

interface BiffRecord {
  id: number
  at: number
  data: Buffer
}

function* recordsOf(book: Buffer): Generator<BiffRecord> {
  for (let at = 0; at + 4 <= book.length; ) {
    charge(RECORD_WORK)
    const id = book.readUInt16LE(at)
    // Shared strings are joined where they are read.
    if (CONTINUED.has(id)) {
      const { data, cutText, end } = joinedRecord(book, at)
      yield { id, at, data: TEXTS.has(id) ? cutText : data }
      at = end
      continue
    }
    const end = at + 4 + book.readUInt16LE(at + 2)
    yield { id, at, data: book.subarray(at + 4, end) }
    at = end
  }
}

export const biffMacros: Format = {
  among: { members: true, binary: true },
  applies: (item) => isOle2(item.bytes) || isWorkbook(item),
  analyse(item, context) {
    if (!isWorkbook(item)) return
    const bytes = view(item.bytes)
    context.record(item, WORKBOOK, bytes)
    const sheets = readSheets(bytes)
    if (sheets === null || !sheets.some(({ isMacro }) => isMacro)) return
    const { book, isAutomatic } = readBook(bytes, sheets)
    const isVeryHidden = sheets.some((sheet) => sheet.isMacro && sheet.state === VERY_HIDDEN)
    judgeXlm(item, book, { isAutomatic, isVeryHidden }, context)
  },
  conclude(item, facts, context) {
    const macros = facts.of(UNKNOWN_MACROS).filter(({ path }) => path.length === item.path.length)
    // The last one is decrypted.
    const bytes = facts.of(WORKBOOK).findLast(({ path }) => path.length === item.path.length + 1)?.value
    if (macros.length === 0 || bytes === undefined || bytes.length > CELLS_BYTES_MAX) return
    const sheets = readSheets(bytes) ?? []
    const { book } = readBook(bytes, sheets)
    const cells = storedCells(
      sheets.map(({ name }) => name),
      book.cells,
      placesOf(book.names),
    )
    for (const { value } of macros) judgeAgain(item, value, { cells }, context)
  },
}

const WORKBOOK = factType<Buffer>('binary workbook')
/** Of a workbook whose cells are read for its VBA macros. */
const CELLS_BYTES_MAX = 8_000_000

const isWorkbook = ({ bytes, parent }: Item): boolean =>
  bytes[0] === 9 && bytes[1] === 8 && parent !== null && isOle2(parent.bytes)

interface Sheet {
  /** In lower case. */
  name: string
  at: number
  state: number
  isMacro: boolean
}

/** The header of a sheet tells its type as well as the list does. null: encrypted. */
function readSheets(bytes: Buffer): Sheet[] | null {
  const sheets: Sheet[] = []
  const macroAt = new Set<number>()
  let isProtected = false
  // Every workbook is read this far, so nothing is created for its records.
  for (let at = 0; at + 4 <= bytes.length; at += 4 + bytes.readUInt16LE(at + 2)) {
    charge(RECORD_WORK)
    const id = bytes.readUInt16LE(at)
    if (!LISTED.has(id)) continue
    const data = bytes.subarray(at + 4, at + 4 + bytes.readUInt16LE(at + 2))
    isProtected ||= id === FILE_PASS
    // Under a password, this number is random unless it was decrypted.
    if (id === CODE_PAGE && isProtected && !isCodePage(data)) return null
    if (id === BOF && isMacroHeader(data)) macroAt.add(at)
    if (id === BOUND_SHEET && data.length >= 8) sheets.push(readSheet(data))
  }
  for (const sheet of sheets) sheet.isMacro ||= macroAt.has(sheet.at)
  const listed = new Set(sheets.map(({ at }) => at))
  const others = [...macroAt].filter((at) => !listed.has(at))
  return [...sheets, ...others.map((at) => ({ name: `(sheet at ${at})`, at, state: 0, isMacro: true }))]
}

const LISTED: ReadonlySet<number> = new Set([FILE_PASS, CODE_PAGE, BOF, BOUND_SHEET])

function isMacroHeader(data: Buffer): boolean {
  return data.length >= 4 && data.readUInt16LE(2) === MACRO_SHEET
}

function readSheet(data: Buffer): Sheet {
  keep(CELL_BYTES)
  return {
    name: readSheetName(data),
    at: data.readUInt32LE(0),
    state: (data[4] ?? 0) & 3,
    isMacro: data[5] === MACRO_TYPE,
  }
}

function isCodePage(data: Buffer): boolean {
  const page = data.length >= 2 ? data.readUInt16LE(0) : 0
  return (
    page === 1200 || page === 10000 || page === 32768 || (page >= 874 && page <= 950) || (page >= 1250 && page <= 1258)
  )
}

/** In Excel 97 and later, a flag tells whether the characters are wide. */
function readSheetName(data: Buffer): string {
  const length = data[6] ?? 0
  const flag = data[7] ?? 0
  if (flag > 1) return data.toString('latin1', 7, 7 + length).toLowerCase()
  const name = flag === 1 ? data.toString('utf16le', 8, 8 + length * 2) : data.toString('latin1', 8, 8 + length)
  return name.toLowerCase()
}

interface Globals {
  dialect: Dialect
  sheets: readonly Sheet[]
  /** Sheets that references name by index. */
  references: number[]
  names: string[]
  formulas: Buffer[]
  strings: string[]
}

function readBook(bytes: Buffer, sheets: readonly Sheet[]): { book: MacroBook; isAutomatic: boolean } {
  const globals = readGlobals(bytes, sheets)
  const tokens = (data: Buffer) =>
    readTokens(data, {
      dialect: globals.dialect,
      sheetOf: (reference) =>
        sheets[globals.dialect === 'biff5' ? reference : (globals.references[reference] ?? -1)]?.name ?? null,
      nameOf: (index) => globals.names[index - 1] ?? '',
    })
  const names: MacroBook['names'] = new Map()
  globals.formulas.forEach((data, i) => {
    const formula = tokens(data)
    if (formula !== null) names.set(globals.names[i] ?? '', formula)
  })
  const cells: MacroBook['cells'] = new Map()
  const macroSheets = new Set(sheets.filter(({ isMacro }) => isMacro).map(({ name }) => name))
  for (const { key, formula, value } of cellsOf(bytes, globals)) {
    keep(CELL_BYTES)
    const unread = macroSheets.has(key.slice(0, key.lastIndexOf('!'))) ? UNKNOWN : null
    cells.set(key, { formula: formula === null ? null : (tokens(formula) ?? unread), value })
  }
  return { book: { cells, macroSheets, names }, isAutomatic: globals.names.some(isAutoName) }
}

function readGlobals(bytes: Buffer, sheets: readonly Sheet[]): Globals {
  const version = bytes.length >= 6 ? bytes.readUInt16LE(4) : 0
  const globals: Globals = {
    dialect: version < 0x0600 ? 'biff5' : 'biff8',
    sheets,
    references: [],
    names: [],
    formulas: [],
    strings: [],
  }
  let shared: Buffer[] | null = null
  for (const { id, data } of recordsOf(bytes)) {
    if (id === NAME) readName(data, globals)
    if (id === EXTERN_SHEET) readReferences(data, globals)
    if (id === SHARED_STRINGS) shared = [data]
    else if (id === CONTINUE && shared !== null) shared.push(data)
    else if (shared !== null) {
      globals.strings = readStrings(shared)
      shared = null
    }
  }
  return globals
}

/** The first sheet of each reference. */
function readReferences(data: Buffer, { references, dialect }: Globals): void {
  if (dialect === 'biff5' || references.length > 0) return
  for (let at = 2; at + 6 <= data.length; at += 6) references.push(data.readUInt16LE(at + 2))
}

const BUILT_IN = 0x20
const BUILT_IN_NAMES: Readonly<Record<number, string>> = {
  1: 'AUTO_OPEN',
  2: 'AUTO_CLOSE',
  10: 'AUTO_ACTIVATE',
  11: 'AUTO_DEACTIVATE',
}
const NAME_AT = 14

function readName(data: Buffer, { names, formulas, dialect }: Globals): void {
  if (data.length < NAME_AT + 1) return
  keep(CELL_BYTES)
  const length = data[3] ?? 0
  const isWide = dialect === 'biff8' && ((data[NAME_AT] ?? 0) & 1) === 1
  const from = NAME_AT + (dialect === 'biff8' ? 1 : 0)
  const end = from + length * (isWide ? 2 : 1)
  const isBuiltIn = (data.readUInt16LE(0) & BUILT_IN) !== 0
  const text = data.toString(isWide ? 'utf16le' : 'latin1', from, end)
  names.push(isBuiltIn ? (BUILT_IN_NAMES[text.charCodeAt(0)] ?? `#${text.charCodeAt(0)}`) : text.toUpperCase())
  formulas.push(data.subarray(end, end + data.readUInt16LE(4)))
}

interface RawCell {
  key: string
  formula: Buffer | null
  value: Value
}

const CELLS: ReadonlySet<number> = new Set([FORMULA, OLD_FORMULA, STRING, LABEL, LABEL_SHARED, NUMBER, RK, MULTIPLE_RK])

function* cellsOf(bytes: Buffer, globals: Globals): Generator<RawCell> {
  let sheet: string | null = null
  let last: RawCell | null = null
  for (const { id, at, data } of recordsOf(bytes)) {
    if (id === BOF) sheet = globals.sheets.find((each) => each.at === at)?.name ?? null
    if (sheet === null || !CELLS.has(id)) continue
    if (id === STRING) {
      if (last !== null) yield { ...last, value: plainText(data, 0, globals.dialect) }
      continue
    }
    for (const cell of readCells(id, data, sheet, globals)) {
      last = cell
      yield cell
    }
  }
}

function readCells(id: number, data: Buffer, sheet: string, { strings, dialect }: Globals): RawCell[] {
  if (data.length < 8) return []
  const row = data.readUInt16LE(0)
  const column = data.readUInt16LE(2)
  const cell = (value: Value, formula: Buffer | null = null, right = 0): RawCell => ({
    key: cellKey(sheet, row, column + right),
    formula,
    value,
  })
  if (id === FORMULA || id === OLD_FORMULA) return readFormula(data, cell)
  if (id === LABEL_SHARED) return data.length < 10 ? [] : [cell(strings[data.readUInt32LE(6)])]
  if (id === LABEL) return [cell(plainText(data, 6, dialect))]
  if (id === NUMBER) return data.length < 14 ? [] : [cell(data.readDoubleLE(6))]
  if (id === RK) return data.length < 10 ? [] : [cell(rkNumber(data.readUInt32LE(6)))]
  const cells: RawCell[] = []
  for (let at = 4, right = 0; at + 6 <= data.length - 2; at += 6, right++)
    cells.push(cell(rkNumber(data.readUInt32LE(at + 2)), null, right))
  return cells
}

const TOKENS_AT = 22

function readFormula(data: Buffer, cell: (value: Value, formula: Buffer) => RawCell): RawCell[] {
  if (data.length < TOKENS_AT) return []
  const length = data.readUInt16LE(TOKENS_AT - 2)
  const isNumber = data.readUInt16LE(12) !== 0xffff
  return [cell(isNumber ? data.readDoubleLE(6) : undefined, data.subarray(TOKENS_AT, TOKENS_AT + length))]
}

/** A length of two bytes, in Excel 97 a flag, and characters. */
function plainText(data: Buffer, at: number, dialect: Dialect): string {
  if (at + 2 > data.length) return ''
  const length = data.readUInt16LE(at)
  if (dialect === 'biff5') return data.toString('latin1', at + 2, at + 2 + length)
  const isWide = ((data[at + 2] ?? 0) & 1) === 1
  return data.toString(isWide ? 'utf16le' : 'latin1', at + 3, at + 3 + length * (isWide ? 2 : 1))
}

/** An integer, or the upper half of a floating-point number, perhaps times a hundred. */
export function rkNumber(rk: number): number {
  const bits = Buffer.alloc(8)
  bits.writeUInt32LE((rk & 0xfffffffc) >>> 0, 4)
  const value = rk & 2 ? rk >> 2 : bits.readDoubleLE(0)
  return rk & 1 ? value / 100 : value
}
