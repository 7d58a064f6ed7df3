/** Evaluates Excel 4 macros as far as their values are known, and records the calls that matter. */

import { split } from '#inspect/core/search.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { type Held, isCut, joinHeld, lastOf, lift, optionsOf, type Value } from './choices.ts'
import { type Formula, parseFormula } from './formula.ts'
import { runCells } from './loops.ts'

export type { Value }

interface Cell {
  formula: Formula | null
  /** The stored value or result. */
  value: Held
  /** Formulas that it may have instead. */
  others?: readonly Formula[]
}

export interface MacroBook {
  /** By `sheet!row,column`, the sheet in lower case. */
  cells: Map<string, Cell>
  /** Sheets with macros. */
  macroSheets: Set<string>
  /** Defined names in upper case. */
  names: Map<string, Formula>
}

export interface XlmCall {
  /** In upper case. */
  name: string
  /** Parts that are unknown are `\ufffd`. */
  args: readonly string[]
  /** The call was built from text at run time. */
  isBuilt: boolean
}

/** Names that stand for one cell, in lower case. */
export function placesOf(names: MacroBook['names']): Map<string, { sheet: string; row: number; column: number }> {
  return new Map(
    [...names].flatMap(([name, formula]) =>
      formula.kind === 'cell' && formula.sheet !== null
        ? [[name.toLowerCase(), { sheet: formula.sheet.toLowerCase(), row: formula.row, column: formula.column }]]
        : [],
    ),
  )
}

export const cellKey = (sheet: string, row: number, column: number): string => `${sheet}!${row},${column}`

/** Parts of formulas that are evaluated. */
export const STEPS_MAX = 400_000
/** Characters of one text, and of all. */
export const TEXT_MAX = 100_000
export const CHARACTERS_MAX = 5_000_000
/** Formulas that refer to each other. */
export const REFERENCES_MAX = 40
/** Formulas that are written by formulas, and calls that are recorded. */
export const WRITTEN_MAX = 5_000
export const CALLS_MAX = 2_000
/** Repetitions of all loops. */
export const REPETITIONS_MAX = 20_000
/** Formulas that a cell may have beside the last one. */
const OTHERS_MAX = 8
const STEP_WORK = 500
const VALUE_BYTES = 150
/** Formulas may use what a later one writes. */
const PASSES = 2

const SEARCH_WORK = 20
/** Stands for a text past the limit; it is past it as well. */
const TOO_LONG = ' '.repeat(TEXT_MAX + 1)

const GAP = '\ufffd'

export function textOf(value: Value): string {
  if (value === undefined) return GAP
  if (value === null) return ''
  return typeof value === 'boolean' ? String(value).toUpperCase() : String(value)
}

function numberOf(value: Value): number | undefined {
  if (value === undefined) return undefined
  const number = value === null || value === '' ? 0 : Number(value)
  return Number.isNaN(number) ? undefined : number
}

interface State {
  book: MacroBook
  calls: Map<string, XlmCall>
  steps: number
  characters: number
  written: number
  /** Cells and names that are being evaluated. */
  open: Set<string>
  known: Map<string, Held>
  /** Names that were set. */
  set: Map<string, Held>
  /** Above zero where a cell or name may stay as it was. */
  doubts: number
  isTelling: (name: string) => boolean
  /** Calls that build text from numbers and pieces. */
  builds: number
  /** Of loops. */
  repetitions: number
  isComplete: boolean
}

class OutOfSteps extends Error {}

interface Place {
  state: State
  sheet: string
  isBuilt: boolean
}

interface Run {
  calls: XlmCall[]
  builds: number
  isComplete: boolean
}

/** Calls in all macro sheets, from top to bottom and from left to right. */
export function runMacros(book: MacroBook, isTelling: (name: string) => boolean): Run {
  const state: State = {
    book,
    isTelling,
    calls: new Map(),
    open: new Set(),
    known: new Map(),
    set: new Map(),
    isComplete: true,
    steps: 0,
    characters: 0,
    written: 0,
    builds: 0,
    repetitions: 0,
    doubts: jumps(book) ? 1 : 0,
  }
  try {
    for (let pass = 0; pass < PASSES; pass++) {
      state.known.clear()
      runCells(orderedCells(book), machineOf(state))
    }
  } catch (error) {
    if (!(error instanceof OutOfSteps)) throw error
    state.isComplete = false
  }
  return { calls: [...state.calls.values()], builds: state.builds, isComplete: state.isComplete }
}

function machineOf(state: State): Parameters<typeof runCells>[1] {
  const { book } = state
  const resultOf = (formula: Formula | undefined, key: string): Value =>
    formula && lastOf(evaluate(formula, { state, sheet: sheetOf(key), isBuilt: false }))
  return {
    formulaOf: (key) => book.cells.get(key)?.formula ?? null,
    run: (key) => {
      const cell = book.cells.get(key)
      if (cell !== undefined) evaluateCell(state, key, cell)
    },
    numberOf: (formula, key) => numberOf(resultOf(formula, key)),
    isFalse: (formula, key) => {
      const value = resultOf(formula, key)
      return value === undefined ? undefined : value === false || value === 0
    },
    textOf: (formula, key) => (formula?.kind === 'name' ? formula.name : textOf(resultOf(formula, key))),
    setName: (name, value) => {
      state.set.delete(name.toUpperCase())
      book.names.set(name.toUpperCase(), value)
    },
    doubt: (by) => {
      state.doubts = Math.max(0, state.doubts + by)
    },
    writes: () => state.written,
    repeat: () => {
      state.known.clear()
      if (++state.repetitions > REPETITIONS_MAX) state.isComplete = false
      return state.repetitions <= REPETITIONS_MAX
    },
  }
}

/** Functions after which the next cell is not the one below. */
const JUMPS: ReadonlySet<string> = new Set(['GOTO', 'RUN'])

/** Whether the cells may run in another order. */
function jumps({ cells }: MacroBook): boolean {
  const hasJump = (formula: Formula): boolean => {
    charge(STEP_WORK)
    if (formula.kind === 'operation') return hasJump(formula.left) || hasJump(formula.right)
    return formula.kind === 'call' && (JUMPS.has(formula.name) || formula.args.some(hasJump))
  }
  return [...cells.values()].some(({ formula }) => formula !== null && hasJump(formula))
}

const sheetOf = (key: string): string => key.slice(0, key.lastIndexOf('!'))

function orderedCells({ cells, macroSheets }: MacroBook): string[] {
  const places = [...cells].flatMap(([key, { formula }]) => {
    const [sheet = '', row = '', column = ''] = key.split(/!(?=\d+,\d+$)|,(?=\d+$)/)
    return formula !== null && macroSheets.has(sheet) ? [{ key, sheet, row: Number(row), column: Number(column) }] : []
  })
  charge(places.length * STEP_WORK)
  places.sort((a, b) => (a.sheet < b.sheet ? -1 : a.sheet > b.sheet ? 1 : a.column - b.column || a.row - b.row))
  return places.map(({ key }) => key)
}

function evaluateCell(state: State, key: string, cell: Cell): Held {
  if (cell.formula === null) return cell.value
  if (state.known.has(key)) return state.known.get(key)
  if (state.open.has(key) || !mayFollow(state)) return cell.value
  state.open.add(key)
  const place = { state, sheet: sheetOf(key), isBuilt: false }
  const result = evaluate(cell.formula, place) ?? cell.value
  const others = (cell.others ?? []).map((each) => evaluate(each, place))
  const value = others.length === 0 ? result : joinHeld([...others, result])
  state.open.delete(key)
  keep(VALUE_BYTES)
  state.known.set(key, value)
  return value
}

function evaluate(formula: Formula, place: Place): Held {
  const { state } = place
  charge(STEP_WORK)
  if (++state.steps > STEPS_MAX) throw new OutOfSteps()
  switch (formula.kind) {
    case 'value':
      return formula.value
    case 'cell': {
      const key = cellKey(formula.sheet ?? place.sheet, formula.row, formula.column)
      const cell = state.book.cells.get(key)
      return cell === undefined ? null : evaluateCell(state, key, cell)
    }
    case 'name': {
      const set = state.set.get(formula.name)
      if (set !== undefined) return set
      const named = state.book.names.get(formula.name)
      if (named === undefined || state.open.has(formula.name) || !mayFollow(state)) return undefined
      state.open.add(formula.name)
      const value = evaluate(named, place)
      state.open.delete(formula.name)
      return value
    }
    case 'operation':
      return lift([evaluate(formula.left, place), evaluate(formula.right, place)], ([left, right]) =>
        operate(formula.operator, left, right, state),
      )
    case 'call':
      return evaluateCall(formula, place)
  }
}

function limited(text: string, state: State): Value {
  charge(text.length)
  state.characters += text.length
  if (state.characters > CHARACTERS_MAX) throw new OutOfSteps()
  if (text.length <= TEXT_MAX) return text
  state.isComplete = false
  return undefined
}

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '^': (a, b) => a ** b,
}

function operate(operator: string, left: Value, right: Value, state: State): Value {
  if (operator === '&') return limited(textOf(left) + textOf(right), state)
  const compute = ARITHMETIC[operator]
  const [a, b] = [numberOf(left), numberOf(right)]
  if (compute !== undefined) return a === undefined || b === undefined ? undefined : compute(a, b)
  if (left === undefined || right === undefined) return undefined
  return COMPARISONS[operator]?.(left, right)
}

const ordered =
  (compare: (a: number, b: number) => boolean) =>
  (left: Value, right: Value): boolean | undefined => {
    const [a, b] = [numberOf(left), numberOf(right)]
    return a === undefined || b === undefined ? undefined : compare(a, b)
  }

const COMPARISONS: Readonly<Record<string, (left: Value, right: Value) => boolean | undefined>> = {
  '=': (left, right) => left === right,
  '<>': (left, right) => left !== right,
  '<': ordered((a, b) => a < b),
  '>': ordered((a, b) => a > b),
  '<=': ordered((a, b) => a <= b),
  '>=': ordered((a, b) => a >= b),
}

function evaluateCall({ name, args }: Extract<Formula, { kind: 'call' }>, place: Place): Held {
  const writer = WRITERS.get(name)
  if (writer !== undefined) return writer(args, place)
  const { state } = place
  // Every argument counts: conditions depend on the machine, and what one of them writes may not be written.
  if (name === 'IF') state.doubts++
  const values = args.flatMap((arg) => cellsOf(name, arg)).map((arg) => evaluate(arg, place))
  if (name === 'IF') state.doubts--
  if (state.isTelling(name) && values.some(isCut)) state.isComplete = false
  return lift(values, (row) => callWith(name, row, place))
}

function callWith(name: string, values: readonly Value[], place: Place): Held {
  charge(values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 1), 0))
  record(name, values, place)
  // Whatever the function does with it, nobody else puts such a text together.
  for (const value of values) if (typeof value === 'string' && STARTING.test(value)) evaluateBuilt(value, place)
  if (name === 'IF' && values[0] === undefined) return joinHeld([values[2] ?? false, values[1]])
  if (name === 'CHOOSE' && numberOf(values[0]) === undefined) return joinHeld(values.slice(1))
  const compute = FUNCTIONS.get(name)
  const value = compute?.(values)
  return typeof value === 'string' ? limited(value, place.state) : value
}

const TAKES_AREAS: ReadonlySet<string> = new Set(['CONCAT', 'SUM'])
const AREA_MAX = 10_000

/** The cells of an area, row by row, for functions that take all of them. */
function cellsOf(name: string, arg: Formula): Formula[] {
  if (arg.kind !== 'cell' || arg.last === undefined || !TAKES_AREAS.has(name)) return [arg]
  const { sheet, row, column, last } = arg
  const columns = last.column - column + 1
  const count = (last.row - row + 1) * columns
  if (!(count > 0 && count <= AREA_MAX)) return [arg]
  return Array.from({ length: count }, (_, at) => ({
    kind: 'cell' as const,
    sheet,
    row: row + Math.floor(at / columns),
    column: column + (at % columns),
  }))
}

/** A formula that starts a program, as text. */
const STARTING = /^=\s*(?:exec|call|register)\s*\(/i

function evaluateBuilt(text: string, place: Place): void {
  const formula = parseFormula(text)
  if (formula !== null && mayWrite(place.state) && mayFollow(place.state))
    evaluate(formula, { ...place, isBuilt: true })
}

function record(name: string, values: readonly Value[], { state, isBuilt }: Place): void {
  if (BUILDERS.has(name)) state.builds += CODES.has(name) && values[0] === undefined ? UNKNOWN_CODE_BUILDS : 1
  if (!state.isTelling(name)) return
  const args = values.map(textOf)
  const key = JSON.stringify([name, args])
  if (state.calls.has(key)) return
  if (state.calls.size >= CALLS_MAX) {
    state.isComplete = false
    return
  }
  keep(VALUE_BYTES + key.length * 2)
  state.calls.set(key, { name, args, isBuilt })
}

const CODES: ReadonlySet<string> = new Set(['CHAR', 'UNICHAR'])
/** Functions that build text from numbers and pieces. */
const BUILDERS: ReadonlySet<string> = new Set([...CODES, 'MID', 'CODE', 'BITXOR'])
/** A character whose code is computed: a loop that is not followed has it once. */
const UNKNOWN_CODE_BUILDS = 10

type Writer = (args: readonly Formula[], place: Place) => Held

function targetOf(formula: Formula | undefined, place: Place): string | null {
  if (formula === undefined) return null
  if (formula.kind === 'cell') return cellKey(formula.sheet ?? place.sheet, formula.row, formula.column)
  const value = lastOf(evaluate(formula, place))
  const parsed = typeof value === 'string' ? parseFormula(value) : null
  return parsed?.kind === 'cell' ? cellKey(parsed.sheet ?? place.sheet, parsed.row, parsed.column) : null
}

function mayWrite(state: State): boolean {
  if (++state.written > WRITTEN_MAX) state.isComplete = false
  return state.written <= WRITTEN_MAX
}

/** References within each other. Cells that refer to themselves end here as well. */
function mayFollow(state: State): boolean {
  if (state.open.size >= REFERENCES_MAX) state.isComplete = false
  return state.open.size < REFERENCES_MAX
}

/** `FORMULA(text, cell)` writes a formula, which is run where it is written. */
const writeFormula: Writer = ([text, target], place) => {
  const { state } = place
  const held = text === undefined ? undefined : evaluate(text, place)
  const texts = optionsOf(held)
  for (const value of texts) record('FORMULA', [value], place)
  const last = lastOf(held)
  if (typeof last !== 'string' || !mayWrite(state)) return undefined
  const key = targetOf(target, place)
  const formulas = texts.flatMap((value) => formulaIn(value) ?? [])
  if (key !== null) writeCell(state, key, formulaIn(last), held)
  for (const formula of formulas) if (mayFollow(state)) evaluate(formula, { ...place, isBuilt: true })
  return true
}

function formulaIn(value: Value): Formula | null {
  return typeof value === 'string' && value.trimStart().startsWith('=') ? parseFormula(value) : null
}

/** Where it may not be written, it may also stay as it was. */
function writeCell(state: State, key: string, formula: Formula | null, held: Held): void {
  const { cells } = state.book
  const before = state.doubts > 0 ? cells.get(key) : undefined
  keep(VALUE_BYTES)
  // The same formula may be written again.
  const isOther = before !== undefined && before.formula !== null && lastOf(before.value) !== lastOf(held)
  const others = [...(before?.others ?? []), ...(isOther ? [before.formula as Formula] : [])].slice(-OTHERS_MAX)
  const value = before === undefined || isEmpty(before) ? held : joinHeld([before.value, held])
  cells.set(key, { formula, value, ...(others.length > 0 && { others }) })
  state.known.delete(key)
}

const isEmpty = ({ formula, value }: Cell): boolean => formula === null && (value === null || value === undefined)

const setValue: Writer = ([target, value], place) => {
  const key = targetOf(target, place)
  const written = value === undefined ? undefined : evaluate(value, place)
  if (key === null || !mayWrite(place.state)) return undefined
  writeCell(place.state, key, null, written)
  return true
}

const setName: Writer = ([name, value], place) => {
  const text = name === undefined ? undefined : name.kind === 'name' ? name.name : lastOf(evaluate(name, place))
  if (typeof text !== 'string' || value === undefined || !mayWrite(place.state)) return undefined
  const written = evaluate(value, place)
  keep(VALUE_BYTES)
  if (written === undefined) return true
  const { state } = place
  const before = state.doubts > 0 ? evaluate({ kind: 'name', name: text.toUpperCase() }, place) : undefined
  state.set.set(text.toUpperCase(), before === undefined ? written : joinHeld([before, written]))
  return true
}

/** Text that is evaluated as a formula. */
const evaluateText: Writer = ([text], place) => {
  const held = text === undefined ? undefined : evaluate(text, place)
  const results = optionsOf(held).map((value) => {
    const formula = typeof value === 'string' ? parseFormula(value) : null
    if (formula === null || !mayFollow(place.state)) return undefined
    const mark = `(${place.state.steps})`
    place.state.open.add(mark)
    const result = evaluate(formula, { ...place, isBuilt: true })
    place.state.open.delete(mark)
    return result
  })
  return joinHeld(results)
}

const offset: Writer = ([base, rows, columns], place) => {
  const [down, right] = [rows, columns].map((each) =>
    each === undefined ? 0 : numberOf(lastOf(evaluate(each, place))),
  )
  if (base?.kind !== 'cell' || down === undefined || right === undefined) return undefined
  return evaluate({ ...base, row: base.row + down, column: base.column + right }, place)
}

/** `INDEX(area, row, column)`. In one row, the only number counts columns. */
const index: Writer = ([base, ...at], place) => {
  if (base?.kind !== 'cell') return undefined
  const [first, second] = at.map((each) => numberOf(lastOf(evaluate(each, place))))
  if (at.length > 0 && first === undefined) return undefined
  const isRow = base.last?.row === base.row && second === undefined
  const [row = 1, column = 1] = isRow ? [1, first] : [first, second]
  return evaluate({ ...base, row: base.row + row - 1, column: base.column + column - 1 }, place)
}

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ['FORMULA', writeFormula],
  ['FORMULA.FILL', writeFormula],
  ['FORMULA.ARRAY', writeFormula],
  ['SET.VALUE', setValue],
  ['SET.NAME', setName],
  ['DEFINE.NAME', setName],
  ['EVALUATE', evaluateText],
  ['INDIRECT', evaluateText],
  ['TEXTREF', evaluateText],
  ['OFFSET', offset],
  ['INDEX', index],
])

type Compute = (values: readonly Value[]) => Value

const onText =
  (compute: (text: string, a: number | undefined, b: number | undefined) => Value): Compute =>
  ([text, a, b]) =>
    text === undefined ? undefined : compute(textOf(text), numberOf(a), numberOf(b))

const onNumber =
  (compute: (a: number, b: number) => Value): Compute =>
  ([first, second]) => {
    const [a, b] = [numberOf(first), numberOf(second ?? 0)]
    return a === undefined || b === undefined ? undefined : compute(a, b)
  }

const character = onNumber((code) => (code >= 1 && code <= 0xffff ? String.fromCharCode(Math.trunc(code)) : undefined))
const concatenate: Compute = (values) => {
  const texts = values.map(textOf)
  return texts.reduce((sum, text) => sum + text.length, 0) > TEXT_MAX ? TOO_LONG : texts.join('')
}

const FUNCTIONS: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ['CHAR', character],
  ['UNICHAR', character],
  ['CODE', onText((text) => (text === '' ? undefined : text.charCodeAt(0)))],
  [
    'MID',
    onText((text, a, b) =>
      a === undefined || b === undefined ? undefined : text.slice(Math.max(0, a - 1), a - 1 + b),
    ),
  ],
  ['LEFT', ([text, count]) => (text === undefined ? undefined : textOf(text).slice(0, numberOf(count ?? 1)))],
  ['RIGHT', ([text, count]) => (text === undefined ? undefined : textOf(text).slice(-(numberOf(count ?? 1) ?? 1)))],
  ['LEN', onText((text) => text.length)],
  ['CONCATENATE', concatenate],
  ['CONCAT', concatenate],
  ['LOWER', onText((text) => text.toLowerCase())],
  ['UPPER', onText((text) => text.toUpperCase())],
  ['TRIM', onText((text) => text.trim())],
  ['T', onText((text) => text)],
  ['TEXT', ([value]) => (value === undefined ? undefined : textOf(value))],
  [
    'REPT',
    onText((text, count) =>
      count === undefined || count < 0 || text === ''
        ? undefined
        : // One character more than allowed is past the limit as well.
          text.repeat(Math.min(count, Math.ceil((TEXT_MAX + 1) / text.length))),
    ),
  ],
  [
    'SUBSTITUTE',
    ([text, find, by]) =>
      text === undefined || find === undefined
        ? undefined
        : textOf(find) === ''
          ? text
          : substituted(textOf(text), textOf(find), textOf(by)),
  ],
  ['REPLACE', ([text, from, count, by]) => replaced(textOf(text), numberOf(from), numberOf(count), textOf(by))],
  ['VALUE', ([value]) => numberOf(value)],
  ['N', ([value]) => numberOf(value)],
  ['INT', onNumber((a) => Math.floor(a))],
  ['ROUND', onNumber((a) => Math.round(a))],
  ['ABS', onNumber((a) => Math.abs(a))],
  ['MOD', onNumber((a, b) => (b === 0 ? undefined : a - b * Math.floor(a / b)))],
  ['SQRT', onNumber((a) => Math.sqrt(a))],
  ['BITXOR', onNumber((a, b) => a ^ b)],
  ['HEX2DEC', ([text]) => Number.parseInt(textOf(text), 16)],
  [
    'SUM',
    (values) =>
      values.reduce<number | undefined>(
        (sum, each) => (sum === undefined || numberOf(each) === undefined ? undefined : sum + (numberOf(each) ?? 0)),
        0,
      ),
  ],
  ['TRUE', () => true],
  ['FALSE', () => false],
  ['IF', ([condition, yes, no]) => (condition === false || condition === 0 ? no : yes)],
  ['CHOOSE', ([at, ...values]) => values[(numberOf(at) ?? 0) - 1]],
])

function substituted(text: string, find: string, by: string): string {
  charge(text.length * SEARCH_WORK)
  const pieces = split(text, find)
  return text.length + pieces.length * by.length > TEXT_MAX ? TOO_LONG : pieces.join(by)
}

function replaced(text: string, from: number | undefined, count: number | undefined, by: string): Value {
  return from === undefined || count === undefined
    ? undefined
    : text.slice(0, from - 1) + by + text.slice(from - 1 + count)
}
