/** Finds which programs Python starts, what it fetches and which text it runs. Values are followed through branches, loops and calls. */

import { spent } from '#inspect/core/work.ts'
import { type Allowance, withAllowance } from '../javascript/budget.ts'
import { isTellingText } from '../telling-texts.ts'
import { runFunction } from './calls.ts'
import type { PythonEffect } from './effects.ts'
import { evaluate } from './evaluate.ts'
import { TooDeep } from './expressions.ts'
import { addEffect, createFrame, createMachine, type Machine } from './machine.ts'
import { parsePython } from './parser.ts'
import { relevantIn } from './slice.ts'
import { assignTo, runBlock } from './statements.ts'
import type { Definition, Statement } from './syntax.ts'
import { tokensOf } from './tokens.ts'

/** Code within code that is followed. */
export const CODE_DEPTH_MAX = 3
/** Readings of all of a program that is too long to be followed: values pass on from one function to the next. */
const SURVEYS = 2
/** The allowance of the evaluation of a program, and of each further reading: an archive may have hundreds of programs. */
const ALLOWANCE: Allowance = { work: 12_000_000, bytes: 10_000_000 }
/** Of a program that could not be judged with the other one, as long as the document has taken little. */
const SECOND_ALLOWANCE: Allowance = { work: 600_000_000, bytes: 160_000_000 }
const SECOND_BEFORE = 700_000_000
const SURVEY_WORK = 6_000_000
const SURVEY_CHARACTER_WORK = 400

interface PythonProgram {
  effects: readonly PythonEffect[]
  /** Runs text that it decodes or fetches, or calls functions by names that it hides. */
  isHidden: boolean
  /** A call that matters was given a value that is unknown because a limit was reached. */
  isCut: boolean
  /** Texts of the program, any of which a call that matters may have been given. */
  texts: readonly string[]
}

export function readPython(source: string): PythonProgram {
  const program = parse(source)
  let known: string[] | undefined
  const texts = (): readonly string[] => {
    known ??= textsIn(source)
    return known
  }
  const first = read(source, program, texts, ALLOWANCE)
  return first.isCut && spent() < SECOND_BEFORE ? read(source, program, texts, SECOND_ALLOWANCE) : first
}

/** `program`: null if it is nested too deep. */
function read(
  source: string,
  program: readonly Statement[] | null,
  texts: () => readonly string[],
  allowance: Allowance,
): PythonProgram {
  const machine = createMachine(source)
  machine.evaluate = (expression, frame) => evaluate(machine, expression, frame)
  machine.runBlock = (statements, frame) => runBlock(machine, statements, frame)
  machine.assignTo = (target, value, frame) => assignTo(machine, target, value, frame)
  machine.runText = (text) => runText(machine, text)
  if (program === null) addUnread(machine)
  else {
    machine.isStopped = !attempt(allowance, () => runAll(machine, program))
    machine.isExhausted ||= machine.isStopped
    if (machine.isExhausted) survey(machine, program)
  }
  const { effects, isHidden, isUnclear, createsShell } = machine
  const all = isUnclear ? texts() : []
  // The object may be passed on under a name that is not known here.
  const hasShell = createsShell && effects.every(({ kind }) => kind === 'save' || kind === 'call')
  return {
    effects: hasShell ? [...effects, { kind: 'start', text: '', call: '' }] : effects,
    isHidden,
    isCut: machine.isCut || all.length > TEXTS_MAX,
    texts: all.slice(0, TEXTS_MAX),
  }
}

/** Shorter ones say nothing by themselves. */
const TEXT_MIN = 8
export const TEXTS_MAX = 500
/** Those that a command may be, if there are very many. */
function textsIn(source: string): string[] {
  const texts = tokensOf(source).filter(({ kind, text }) => kind === 'text' && text.length >= TEXT_MIN)
  const all = [...new Set(texts.map(({ text }) => text))]
  return all.length > TEXTS_MAX ? all.filter(isTellingText) : all
}

/** null: nested too deep to be read. */
function parse(source: string): Statement[] | null {
  try {
    return parsePython(source)
  } catch (error) {
    if (!(error instanceof TooDeep) && !isStackOverflow(error)) throw error
    return null
  }
}

/** Code that is not followed. */
function addUnread(machine: Machine): void {
  addEffect(machine, { kind: 'code', text: '', call: '' })
  machine.isCut = true
}

/** false: it was not run to its end. */
function attempt(allowance: Allowance, run: () => void): boolean {
  try {
    return withAllowance(allowance, run)
  } catch (error) {
    if (!isStackOverflow(error)) throw error
    return false
  }
}

function runAll(machine: Machine, program: readonly Statement[]): void {
  machine.runBlock(program, createFrame([machine.module], 0))
  // Somebody else may call functions that nobody is known to call, at any time, so that variables have any of their values.
  machine.isLate = true
  const relevant = relevantIn(program, machine.created.keys())
  runOthers(machine, (definition) => relevant.has(definition) && !machine.called.has(definition))
}

function runOthers(machine: Machine, isWanted: (definition: Definition) => boolean): void {
  for (const [definition, scopes] of machine.created) {
    if (!isWanted(definition)) continue
    runFunction(machine, { kind: 'function', definition, scopes }, null)
  }
}

/** Reads each statement for itself, with all values that variables had. */
function survey(machine: Machine, program: readonly Statement[]): void {
  machine.journal.end()
  machine.active.length = 0
  Object.assign(machine, { isLate: true, isSurvey: true, doubts: 0 })
  const work = SURVEY_WORK + machine.source.length * SURVEY_CHARACTER_WORK
  for (let round = 0; round < SURVEYS; round++) {
    const { news } = machine
    const isEnd = attempt({ work, bytes: ALLOWANCE.bytes }, () => {
      machine.runBlock(program, createFrame([machine.module], 0))
      runOthers(machine, () => true)
    })
    if (isEnd && machine.news === news) return
    if (isEnd) continue
    machine.isCut = true
    return
  }
}

function runText(machine: Machine, text: string): void {
  const program = machine.codeDepth >= CODE_DEPTH_MAX ? null : parse(text)
  if (program === null) {
    addUnread(machine)
    return
  }
  machine.codeDepth++
  machine.runBlock(program, createFrame([machine.module], 0))
  machine.codeDepth--
}

/** Deep expressions in deep calls. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && /call stack/.test(error.message)
}
