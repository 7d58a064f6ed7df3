/** Runs Visual Basic procedures as far as their values are known, and records the calls that matter. */

import { createFrame, invoke } from './evaluate.ts'
import { endFrame, hasUntaken, runBlock, runRest } from './flow.ts'
import { branch, createMemory, forget } from './memory.ts'
import type { Program, Source } from './program.ts'
import { type Allowance, AUTOMATIC, OutOfSteps, type State, store } from './state.ts'
import type { StoredValues } from './stored-values.ts'
import type { Statement } from './syntax.ts'

/** Iterations of one loop. */
export const ITERATIONS_MAX = 65_536
/** The same in branches that were not taken. */
const UNTAKEN_ITERATIONS = 8

export interface Machine {
  call(source: Source): void
  run(statements: readonly Statement[]): void
  /** Variables that exist from the beginning. */
  declare(names: Iterable<string>): void
  /** Runs the branches of a procedure, or outside of all, that were not taken, with the values of its last call. */
  runUntaken(source: Source | null): void
  /** From now on, for further entry points. */
  grant(allowance: Allowance): void
  /** No steps are left for further entry points. */
  isExhausted(): boolean
  readonly state: Readonly<
    Pick<State, 'recorded' | 'visited' | 'codeTexts' | 'incomplete' | 'isOverfull' | 'readTexts' | 'lines'>
  >
}

export function createMachine(program: Program, isTelling: State['isTelling'], stored: StoredValues = {}): Machine {
  const state: State = {
    program,
    isTelling,
    runBlock,
    endFrame,
    memory: createMemory(),
    globals: new Map(),
    integers: new Set(),
    recorded: [],
    visited: new Set(),
    codeTexts: [],
    known: new Set(),
    frames: new Map(),
    doubtful: new Map(),
    implicit: new Map(),
    stored,
    written: new Map(),
    readTexts: new Set(),
    lines: [],
    isUntaken: false,
    isSurvey: false,
    surveying: new Set(),
    surveys: new Map(),
    surveySteps: 0,
    instances: new Map(),
    incomplete: false,
    isOverfull: false,
    allowance: AUTOMATIC,
    steps: 0,
    entrySteps: 0,
    characters: 0,
    variables: 0,
    active: [],
    unknownLoops: 0,
    iterationsMax: ITERATIONS_MAX,
  }
  let outer = createFrame(state, { locals: state.globals, integers: state.integers })
  /** false: it was not run to its end. */
  const attempt = (run: () => void): boolean => {
    state.entrySteps = 0
    state.characters = 0
    state.active = []
    state.unknownLoops = 0
    state.doubtful.clear()
    state.surveys.clear()
    state.surveying.clear()
    state.isSurvey = false
    try {
      run()
      return true
    } catch (error) {
      if (!(error instanceof OutOfSteps) && !isStackOverflow(error)) throw error
      forget(state.memory)
      outer = createFrame(state, { locals: state.globals, integers: state.integers })
      return false
    }
  }
  // Each entry point has its own allowance, so that one cannot hide another.
  const enter = (run: () => void): void => {
    if (!attempt(run)) state.incomplete = true
  }
  return {
    call: (source) => enter(() => invoke(source, [], [], outer)),
    run: (statements) =>
      enter(() => {
        runBlock(statements, outer)
        endFrame(outer)
      }),
    declare(names) {
      for (const name of names) store(state, state.globals, name, null)
    },
    runUntaken(source) {
      const frame = source === null ? outer : state.frames.get(source)
      const body = source === null ? program.outside : source.parse().body
      if (frame === undefined || !hasUntaken(body)) return
      const { incomplete } = state
      Object.assign(state, { isUntaken: true, iterationsMax: UNTAKEN_ITERATIONS })
      const { locals, integers, procedure, module } = frame
      const rest = createFrame(state, { locals, integers, procedure, module, doubts: 1 })
      const isComplete = attempt(() => branch(state.memory, () => runRest(body, rest)))
      Object.assign(state, { isUntaken: false, iterationsMax: ITERATIONS_MAX, incomplete: incomplete || !isComplete })
    },
    isExhausted: () => state.steps > state.allowance.steps,
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
