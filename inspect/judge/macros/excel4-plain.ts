/** Excel 4 macros that are understood to the last formula and do nothing outside of their workbook. */

import { charge } from '#inspect/core/work.ts'
import type { MacroBook } from '#inspect/programs/excel4/evaluate.ts'
import { type Formula, parseFormula } from '#inspect/programs/excel4/formula.ts'

const words = (text: string): string[] => text.trim().split(/\s+/)

/** They compute, ask, show, format and print. None of them takes text as code, or leaves the workbook. */
const PLAIN: ReadonlySet<string> = new Set([
  // Order of the steps.
  ...words('IF ELSE ELSE.IF END.IF FOR FOR.CELL NEXT WHILE BREAK RETURN HALT ARGUMENT RESULT ERROR ECHO'),
  // Values.
  ...words('AND OR NOT TRUE FALSE SUM AVERAGE MIN MAX COUNT COUNTA ROUND INT ABS MOD SQRT ROW ROWS COLUMN COLUMNS'),
  ...words('TODAY NOW DATE TIME DAY MONTH YEAR WEEKDAY HOUR MINUTE SECOND DATEVALUE TEXT VALUE FIXED DOLLAR'),
  ...words('LEN LEFT RIGHT TRIM UPPER LOWER PROPER ISBLANK ISNUMBER ISTEXT ISERROR ISNA'),
  ...words('VLOOKUP HLOOKUP LOOKUP MATCH CHOOSE ACTIVE.CELL SELECTION GET.CELL GET.DOCUMENT GET.WORKBOOK GET.WINDOW'),
  // Cells and how they look.
  ...words('SELECT SELECT.END SELECT.LAST.CELL FORMULA.GOTO SET.VALUE CLEAR COPY CUT PASTE PASTE.SPECIAL UNDO'),
  ...words('EDIT.DELETE INSERT FILL.DOWN FILL.RIGHT SORT FORMAT.NUMBER FORMAT.FONT FONT.PROPERTIES ALIGNMENT BORDER'),
  ...words(
    'PATTERNS COLUMN.WIDTH ROW.HEIGHT CELL.PROTECTION PROTECT.DOCUMENT CALCULATE CALCULATE.NOW CALCULATE.DOCUMENT',
  ),
  // Sheets, windows and paper.
  ...words('WORKBOOK.ACTIVATE WORKBOOK.SELECT WORKBOOK.NEXT WORKBOOK.PREV ACTIVATE HSCROLL VSCROLL ZOOM DISPLAY SPLIT'),
  ...words('FREEZE.PANES WINDOW.MAXIMIZE WINDOW.MINIMIZE WINDOW.RESTORE WINDOW.SIZE FULL SHOW.BAR'),
  ...words('PAGE.SETUP PRINT PRINT.PREVIEW SET.PRINT.AREA SET.PRINT.TITLES SET.PAGE.BREAK'),
  ...words('ALERT MESSAGE INPUT BEEP SAVE'),
])
/** They enter their first argument as a formula. */
const ENTERING: ReadonlySet<string> = new Set(['FORMULA', 'FORMULA.FILL', 'FORMULA.ARRAY'])
const PART_WORK = 300

/** Whether nothing in the macro sheets is unknown, and no call has an effect outside of the workbook. */
export function isPlainBook({ cells, macroSheets, names }: MacroBook): boolean {
  const seen = new Set<string>()
  const isPlainName = (name: string): boolean => {
    const formula = names.get(name)
    if (formula === undefined) return false
    if (seen.has(name)) return true
    seen.add(name)
    return isPlain(formula)
  }
  const isEntered = ([text, ...rest]: readonly Formula[]): boolean => {
    if (text?.kind !== 'value' || !rest.every(isPlain)) return false
    if (typeof text.value !== 'string' || !/^\s*[=@+-]/.test(text.value)) return true
    const formula = parseFormula(text.value)
    return formula !== null && isPlain(formula)
  }
  const isPlain = (formula: Formula): boolean => {
    charge(PART_WORK)
    if (formula.kind === 'value') return true
    // Another workbook is named in brackets.
    if (formula.kind === 'cell') return !/[[\]\\/]/.test(formula.sheet ?? '')
    if (formula.kind === 'name') return isPlainName(formula.name)
    if (formula.kind === 'operation') return isPlain(formula.left) && isPlain(formula.right)
    if (ENTERING.has(formula.name)) return isEntered(formula.args)
    // Another macro of the workbook, which is judged with the others.
    const isOwn = names.get(formula.name)?.kind === 'cell' && isPlainName(formula.name)
    return (isOwn || PLAIN.has(formula.name)) && formula.args.every(isPlain)
  }
  return [...cells].every(
    ([key, { formula, others }]) =>
      !macroSheets.has(key.slice(0, key.lastIndexOf('!'))) ||
      [formula, ...(others ?? [])].every((each) => each === null || isPlain(each)),
  )
}
