/** Finds Excel 4 macros in symbolic link files (SYLK), which are texts. */

import { MACROS } from '#inspect/catalogue/macros.ts'
import { ascii, startsWith, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isAutoName, judgeXlm } from '#inspect/judge/macros/excel4.ts'
import { cellKey, type MacroBook } from '#inspect/programs/excel4/evaluate.ts'
import { cellOf, parseFormula, UNKNOWN } from '#inspect/programs/excel4/formula.ts'

const SIGNATURE = ascii('ID;P')
const LINE_WORK = 300
const CELL_BYTES = 200
const SHEET = 'sheet'
/** Lines of a file with macros. */
export const LINES_MAX = 200_000

export const sylk: Format = {
  applies: ({ bytes }) => startsWith(bytes, SIGNATURE),
  analyse(item, context) {
    const { book, isMacro, isAutomatic, isCut } = readSheet(view(item.bytes).toString('latin1'))
    if (!isMacro && !isAutomatic) return
    if (isCut) context.addObstacle(item, 'too_complex', `The macro sheet has more than ${LINES_MAX} lines.`)
    judgeXlm(item, book, { isAutomatic, isVeryHidden: false, malicious: MACROS.sylkMacro }, context)
  },
}

interface Sheet {
  book: MacroBook
  isMacro: boolean
  row: number
  column: number
}

/** `O;E` declares a macro sheet, `NN;NAuto_open;ER101C1` a name, `C;X1;Y101;EEXEC("…")` a formula. */
function readSheet(text: string) {
  charge(text.length)
  const book: MacroBook = { cells: new Map(), macroSheets: new Set([SHEET]), names: new Map() }
  const sheet: Sheet = { book, isMacro: false, row: 0, column: 0 }
  const lines = text.trim().split(/[\r\n]+/, LINES_MAX + 1)
  for (const line of lines.slice(0, LINES_MAX)) {
    charge(LINE_WORK)
    keep(CELL_BYTES + line.length)
    const fields = fieldsOf(line)
    if (fields.type === 'O') sheet.isMacro ||= fields.has('E')
    if (fields.type === 'NN') book.names.set((fields.get('N') ?? '').toUpperCase(), nameTarget(fields.get('E') ?? ''))
    if (fields.type === 'C' || fields.type === 'F') readCell(fields, sheet)
  }
  const isAutomatic = [...book.names.keys()].some(isAutoName)
  return { book, isMacro: sheet.isMacro, isAutomatic, isCut: lines.length > LINES_MAX }
}

/** A cell without coordinates is beside the last one. */
function readCell(fields: Fields, sheet: Sheet): void {
  sheet.row = Number(fields.get('Y') ?? sheet.row)
  sheet.column = Number(fields.get('X') ?? sheet.column)
  if (fields.type === 'F') return
  const formula = fields.get('E')
  const value = (fields.get('K') ?? '').replace(/^"|"$/g, '')
  const key = cellKey(SHEET, sheet.row - 1, sheet.column - 1)
  sheet.book.cells.set(key, { formula: formula === undefined ? null : (parseFormula(formula) ?? UNKNOWN), value })
}

function nameTarget(text: string) {
  const cell = cellOf(text)
  return cell === null ? { kind: 'value' as const, value: text } : { kind: 'cell' as const, sheet: SHEET, ...cell }
}

interface Fields {
  type: string
  has(name: string): boolean
  get(name: string): string | undefined
}

/** Fields begin with a letter; a semicolon in a field is doubled. */
function fieldsOf(line: string): Fields {
  const [type = '', ...fields] = line.replaceAll(';;', '\u0001').split(';')
  const values = new Map(fields.map((field) => [field.slice(0, 1), field.slice(1).replaceAll('\u0001', ';')]))
  return { type, has: (name) => values.has(name), get: (name) => values.get(name) }
}
