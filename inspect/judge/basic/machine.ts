/** Runs Visual Basic procedures as far as their values are known, and records the calls that matter. */

import { charge, keep } from '#inspect/core/work.ts'
import { assign, evaluate, evaluateAll, evaluateObject, evaluateWhole, invoke, scopeOf, variable } from './evaluate.ts'
import { ELEMENTS_MAX } from './functions.ts'
import { elementsOf } from './objects.ts'
import type { Program, Source } from './program.ts'
import {
  type Allowance,
  AUTOMATIC,
  type Frame,
  OutOfSteps,
  type Signal,
  type State,
  step,
  store,
  VALUE_BYTES,
} from './state.ts'
import type { StoredValues } from './stored-values.ts'
import type { Expression, Statement } from './syntax.ts'
import { arrayOf, isAnswer, isArray, isObject, objectOf, toCondition, toNumber, type Value } from './values.ts'

/** Iterations of one loop. */
export const ITERATIONS_MAX = 65_536
/** When the steps of an entry point are used up, it is run again with short loops, so that nothing after them is missed. */
const SKIMMED: Allowance = { steps: Number.POSITIVE_INFINITY, stepsPerEntry: 20_000, charactersPerEntry: 1_000_000 }
const SKIMMED_ITERATIONS = 8
/** Entry points that are run again. */
export const SKIMS_MAX = 50

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>

export interface Machine {
  call(source: Source): void
  run(statements: readonly Statement[]): void
  /** Runs the branches of a procedure, or outside of all, that were not taken, with the values of its last call. */
  runUntaken(source: Source | null): void
  /** From now on, for further entry points. */
  grant(allowance: Allowance): void
  /** No steps are left for further entry points. */
  isExhausted(): boolean
  readonly state: Readonly<Pick<State, 'recorded' | 'visited' | 'codeTexts' | 'incomplete' | 'readTexts' | 'lines'>>
}

export function createMachine(
  program: Program,
  isTelling: (name: string) => boolean,
  stored: StoredValues = {},
): Machine {
  const state: State = {
    ...{
      program,
      isTelling,
      runBlock,
      globals: new Map(),
      integers: new Set(),
      recorded: [],
      visited: new Set(),
      codeTexts: [],
      known: new Set(),
      progress: new Map(),
      frames: new Map(),
      implicit: new Map(),
      stored,
      written: new Map(),
      readTexts: new Set(),
      lines: [],
      isUntaken: false,
      isRepeated: false,
    },
    ...{ incomplete: false, allowance: AUTOMATIC, steps: 0, entrySteps: 0, characters: 0, variables: 0, active: [] },
    iterationsMax: ITERATIONS_MAX,
  }
  let skims = 0
  const outer: Frame = {
    state,
    locals: state.globals,
    integers: state.integers,
    withObjects: [],
    procedure: '',
    module: '',
    doubts: 0,
    questions: 0,
    isDoubtful: false,
  }
  /** false: it was not run to its end. */
  const attempt = (run: () => void): boolean => {
    state.entrySteps = 0
    state.characters = 0
    state.active = []
    state.isRepeated = false
    try {
      run()
      return true
    } catch (error) {
      if (!(error instanceof OutOfSteps) && !isStackOverflow(error)) throw error
      return false
    }
  }
  const maySkim = (): boolean => state.allowance === AUTOMATIC && skims < SKIMS_MAX
  // Each entry point has its own allowance, so that one cannot hide another.
  const enter = (run: () => void): void => {
    if (attempt(run)) return
    state.incomplete = true
    if (!maySkim()) return
    skims++
    const { allowance } = state
    Object.assign(state, { allowance: SKIMMED, iterationsMax: SKIMMED_ITERATIONS })
    attempt(run)
    Object.assign(state, { allowance, iterationsMax: ITERATIONS_MAX })
  }
  return {
    call: (source) => enter(() => invoke(source, [], [], outer)),
    run: (statements) => enter(() => runBlock(statements, outer)),
    runUntaken(source) {
      const frame = source === null ? outer : state.frames.get(source)
      const body = source === null ? program.outside : source.parse().body
      if (frame === undefined || !hasUntaken(body, state)) return
      const { incomplete } = state
      Object.assign(state, { isUntaken: true, iterationsMax: SKIMMED_ITERATIONS })
      const isComplete = attempt(() => runRest(body, { ...frame, withObjects: [], doubts: 1 }))
      Object.assign(state, { isUntaken: false, iterationsMax: ITERATIONS_MAX, incomplete: incomplete || !isComplete })
    },
    isExhausted: () => state.steps > state.allowance.steps && !maySkim(),
    grant(allowance) {
      state.allowance = allowance
      state.steps = 0
    },
    state,
  }
}

/** Deep expressions in deep calls. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message)
}

function runBlock(statements: readonly Statement[], frame: Frame): Signal {
  let count = 0
  try {
    for (const statement of statements) {
      step(frame.state)
      count++
      const signal = runStatement(statement, frame)
      if (signal !== undefined) return signal
    }
    return undefined
  } finally {
    noteProgress(statements, count, frame.state)
  }
}

function noteProgress(statements: readonly Statement[], count: number, { progress }: State): void {
  const known = progress.get(statements)
  if (known !== undefined && known >= count) return
  if (known === undefined) keep(PROGRESS_BYTES)
  progress.set(statements, count)
}

const PROGRESS_BYTES = 60

/** Blocks inside a statement. */
function bodiesOf(statement: Statement): readonly (readonly Statement[])[] {
  if (statement.kind === 'choose') return statement.arms.map(({ body }) => body)
  return 'body' in statement ? [statement.body] : []
}

function hasUntaken(statements: readonly Statement[], state: State): boolean {
  charge(statements.length * UNTAKEN_WORK)
  if (statements.length > (state.progress.get(statements) ?? 0)) return true
  return statements.some((statement) => bodiesOf(statement).some((body) => hasUntaken(body, state)))
}

const UNTAKEN_WORK = 100

/** Runs what was not run, and what is in it. */
function runRest(statements: readonly Statement[], frame: Frame): void {
  const from = frame.state.progress.get(statements) ?? 0
  statements.forEach((statement, i) => {
    if (i >= from) {
      step(frame.state)
      runStatement(statement, frame)
      noteProgress(statements, i + 1, frame.state)
    }
    const bodies = bodiesOf(statement)
    if (!bodies.some((body) => hasUntaken(body, frame.state))) return
    if (statement.kind === 'with') frame.withObjects.push(evaluateObject(statement.object, frame))
    for (const body of bodies) runRest(body, frame)
    if (statement.kind === 'with') frame.withObjects.pop()
  })
}

function runStatement(statement: Statement, frame: Frame): Signal {
  switch (statement.kind) {
    case 'assign':
      assign(statement.target, evaluateWhole(statement.value, frame), frame)
      return undefined
    case 'call':
      evaluate(statement.call, frame)
      return undefined
    case 'choose':
      return runChoice(statement, frame)
    case 'for':
      return runFor(statement, frame)
    case 'each':
      return runEach(statement, frame)
    case 'loop':
      return runLoop(statement, frame)
    case 'with':
      return runWith(statement, frame)
    case 'dimension':
      dimension(statement, frame)
      return undefined
    case 'exit':
      return frame.doubts > 0 ? undefined : statement.from
  }
}

function runChoice({ arms }: Of<'choose'>, frame: Frame): Signal {
  for (const { condition, body } of arms) {
    const value = condition === null ? true : evaluate(condition, frame)
    const holds = toCondition(value)
    if (holds === true) return runBlock(body, frame)
    if (holds === false) continue
    // It may hold: what it does counts, and the other arms as well.
    const asks = isAnswer(value) ? 1 : 0
    frame.questions += asks
    runDoubtful(body, frame)
    frame.questions -= asks
  }
  return undefined
}

function runDoubtful(body: readonly Statement[], frame: Frame): void {
  frame.doubts++
  runBlock(body, frame)
  frame.doubts--
}

function runFor(loop: Of<'for'>, frame: Frame): Signal {
  const from = toNumber(evaluate(loop.from, frame))
  const to = toNumber(evaluate(loop.to, frame))
  const by = loop.step === null ? 1 : toNumber(evaluate(loop.step, frame))
  assign(loop.variable, from, frame)
  if (from === undefined || to === undefined || by === undefined || by === 0) {
    runDoubtful(loop.body, frame)
    return undefined
  }
  let value = from
  const isPast = (): boolean => (by > 0 ? value > to : value < to)
  const next = (): void => {
    value = (toNumber(variableOf(loop.variable, frame)) ?? value) + by
    assign(loop.variable, value, frame)
  }
  return iterate(loop.body, frame, isPast, next)
}

/** Runs the body until it is past the end, or it is left. */
function iterate(body: readonly Statement[], frame: Frame, isPast: () => boolean, next: () => void): Signal {
  for (let count = 0; body.length > 0 && !isPast(); count++) {
    if (count === frame.state.iterationsMax) {
      frame.state.incomplete = true
      return undefined
    }
    const signal = runBlock(body, frame)
    if (signal === 'loop') return undefined
    if (signal === 'procedure') return signal
    next()
  }
  return undefined
}

function variableOf(expression: Expression, frame: Frame): Value {
  return expression.kind === 'name' ? variable(expression.name, frame) : undefined
}

function runEach({ variable: target, list, body }: Of<'each'>, frame: Frame): Signal {
  const found = evaluate(list, frame)
  const elements = isObject(found) ? elementsOf(found) : null
  const values = elements === null || elements.size === 0 ? found : arrayOf([...elements.values()])
  if (!isArray(values)) {
    assign(target, isObject(values) ? objectOf(`${values.class}.item`) : undefined, frame)
    runDoubtful(body, frame)
    return undefined
  }
  let at = 0
  const isPast = (): boolean => {
    if (at >= values.items.length) return true
    assign(target, values.items[at], frame)
    return false
  }
  return iterate(body, frame, isPast, () => at++)
}

function runLoop({ condition, until, after, body }: Of<'loop'>, frame: Frame): Signal {
  let isFirst = after
  let isDoubtful = false
  const isPast = (): boolean => {
    const checks = !isFirst && condition !== null
    isFirst = false
    const holds = checks ? toCondition(evaluate(condition, frame)) : !until
    isDoubtful = holds === undefined
    return isDoubtful || holds === until
  }
  const signal = iterate(body, frame, isPast, () => {})
  if (isDoubtful && !after) runDoubtful(body, frame)
  return signal
}

function runWith({ object, body }: Of<'with'>, frame: Frame): Signal {
  frame.withObjects.push(evaluateObject(object, frame))
  const signal = runBlock(body, frame)
  frame.withObjects.pop()
  return signal
}

function dimension({ name, bounds, preserve, isStatic, isInteger }: Of<'dimension'>, frame: Frame): void {
  if (bounds === null) {
    // Static variables keep their value between calls.
    const { locals, integers } = isStatic ? { ...frame.state, locals: frame.state.globals } : frame
    if (isInteger) integers.add(name)
    // A declaration has no effect where it is run, so a loop does not clear the variable.
    if (!locals.has(name)) store(frame.state, locals, name, null)
    return
  }
  const scope = scopeOf(name, frame)
  if (preserve && isArray(scope.get(name))) return
  const upper = toNumber(evaluateAll(bounds, frame)[0])
  const length = upper === undefined ? 0 : Math.min(ELEMENTS_MAX, Math.max(0, Math.round(upper) + 1))
  keep(VALUE_BYTES + length * 8)
  charge(length)
  store(frame.state, scope, name, arrayOf(new Array<Value>(length).fill(null)))
}
