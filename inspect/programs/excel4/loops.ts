/** Loops of Excel 4 macros: `FOR`, `FOR.CELL` and `WHILE` repeat the cells below them up to `NEXT`. */

import type { Formula } from './formula.ts'

type Call = Extract<Formula, { kind: 'call' }>

interface Machine {
  formulaOf(key: string): Formula | null
  run(key: string): void
  /** In the sheet of the cell. Undefined is unknown. */
  numberOf(formula: Formula | undefined, key: string): number | undefined
  isFalse(formula: Formula | undefined, key: string): boolean | undefined
  textOf(formula: Formula | undefined, key: string): string
  setName(name: string, value: Formula): void
  /** Cells and names that are written from now on may stay as they were, or no longer. */
  doubt(by: 1 | -1): void
  /** How often a cell or name was set. */
  writes(): number
  /** Called before each repetition: every cell is calculated again. false: there were too many. */
  repeat(): boolean
}

const LOOPS: ReadonlySet<string> = new Set(['FOR', 'FOR.CELL', 'WHILE'])
/** Cells that one `FOR.CELL` visits. */
const CELLS_MAX = 10_000

/** Runs the cells in this order. A loop without an end is no loop, and an unknown condition runs its cells once. */
export function runCells(keys: readonly string[], machine: Machine): void {
  const ends = loopEnds(keys, machine)
  const runLoop = (key: string, body: number, end: number): void => {
    for (const isLast of repetitions(machine.formulaOf(key) as Call, key, machine)) {
      if (isLast) machine.doubt(1)
      runFrom(body, end)
      if (isLast) machine.doubt(-1)
      if (isLast || !machine.repeat()) break
    }
  }
  const runFrom = (from: number, to: number): void => {
    for (let at = from; at < to; at++) {
      const key = keys[at] ?? ''
      const end = ends.get(at)
      machine.run(key)
      enterBlock(machine.formulaOf(key), machine)
      if (end === undefined) continue
      runLoop(key, at + 1, end)
      at = end
    }
  }
  runFrom(0, keys.length)
}

/** `IF` with a condition alone begins a block, up to `END.IF`. */
function enterBlock(formula: Formula | null, machine: Machine): void {
  if (formula?.kind !== 'call') return
  if (formula.name === 'IF' && formula.args.length === 1) machine.doubt(1)
  if (formula.name === 'END.IF') machine.doubt(-1)
}

/** The position of the `NEXT` of each loop. */
function loopEnds(keys: readonly string[], { formulaOf }: Machine): Map<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  keys.forEach((key, at) => {
    const formula = formulaOf(key)
    if (formula?.kind !== 'call') return
    if (LOOPS.has(formula.name)) open.push(at)
    if (formula.name !== 'NEXT') return
    const start = open.pop()
    if (start !== undefined) ends.set(start, at)
  })
  return ends
}

/** Yields before each repetition, true before the last that is known. */
function* repetitions({ name, args }: Call, key: string, machine: Machine): Generator<boolean> {
  if (name === 'WHILE') yield* whileTrue(args[0], key, machine)
  else if (name === 'FOR') yield* counted(args, key, machine)
  else yield* visited(args, key, machine)
}

function* whileTrue(condition: Formula | undefined, key: string, machine: Machine): Generator<boolean> {
  for (;;) {
    const isFalse = machine.isFalse(condition, key)
    if (isFalse === true) return
    const before = machine.writes()
    yield isFalse === undefined
    // Nothing changed, so it would go on for ever: it waits for the user.
    if (machine.writes() === before) return
  }
}

function* counted([name, from, to, by]: readonly Formula[], key: string, machine: Machine): Generator<boolean> {
  const [first, last] = [machine.numberOf(from, key), machine.numberOf(to, key)]
  const step = by === undefined ? 1 : machine.numberOf(by, key)
  if (first === undefined || last === undefined || !step) {
    yield true
    return
  }
  const variable = machine.textOf(name, key)
  for (let value = first; step > 0 ? value <= last : value >= last; value += step) {
    machine.setName(variable, { kind: 'value', value })
    yield false
  }
}

function* visited([name, area]: readonly Formula[], key: string, machine: Machine): Generator<boolean> {
  if (area?.kind !== 'cell') {
    yield true
    return
  }
  const variable = machine.textOf(name, key)
  const { row: lastRow, column: lastColumn } = area.last ?? area
  let cells = 0
  for (let row = area.row; row <= lastRow; row++)
    for (let column = area.column; column <= lastColumn; column++) {
      if (++cells > CELLS_MAX) return
      machine.setName(variable, { kind: 'cell', sheet: area.sheet, row, column })
      yield false
    }
}
