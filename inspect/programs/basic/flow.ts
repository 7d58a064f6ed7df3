/** Runs statements: branches that may be taken, loops, jumps and errors. */

import { charge, keep } from '#inspect/core/work.ts'
import { assign, evaluate, evaluateAll, evaluateObject, evaluateWhole, itemAt, scopeOf, variable } from './evaluate.ts'
import { ELEMENTS_MAX } from './functions.ts'
import { begin, branch, drop, handle, join, type Pending, postpone, resolve, switchTo, watch, widen } from './memory.ts'
import { elementsOf, listed } from './objects.ts'
import { type Frame, type Signal, type State, step, store, VALUE_BYTES } from './state.ts'
import type { Expression, Statement } from './syntax.ts'
import {
  arrayOf,
  CODED_GAP,
  copied,
  derivedOf,
  GAP,
  isAnswer,
  isArray,
  isChoice,
  isObject,
  itemOf,
  joinValues,
  lift,
  optionsOf,
  toCondition,
  toNumber,
  type Value,
} from './values.ts'

type Of<Kind extends Statement['kind']> = Extract<Statement, { kind: Kind }>
type Block = readonly Statement[]

/** Repetitions of a loop whose end is unknown, before what it changes counts as unknown. */
const PASSES = 3
/** Repetitions of a loop without a condition that a branch may leave. */
const DOUBTFUL_MAX = 100
/** Of what is left, a loop may use this part, so that something is left for the code after it. */
const LOOP_SHARE = 0.7

export function runBlock(statements: Block, frame: Frame): Signal {
  frame.blocks.push(statements)
  let signal = runFrom(statements, 0, frame)
  // Labels may be reached from below, with other values.
  for (let pass = 1; pass <= PASSES; pass++) {
    const label = [...frame.labels.keys()].find((name) => placeOf(statements, name) !== -1)
    if (label === undefined) break
    signal = runBack(statements, label, signal, pass === PASSES, frame)
  }
  frame.blocks.pop()
  return signal
}

/** Once more from a label on. The last time, what changed is unknown. */
function runBack(statements: Block, label: string, signal: Signal, isLast: boolean, frame: Frame): Signal {
  const { memory } = frame.state
  const pending = takeLabel(label, frame)
  if (signal !== undefined) leave(signal, new Map(), frame)
  frame.doubts++
  const { changes, result } = branch(memory, () => {
    if (pending !== null) switchTo(memory, pending)
    if (isLast && pending !== null) widen(memory, pending, unknownText(statements))
    return runFrom(statements, placeOf(statements, label), frame)
  })
  frame.doubts--
  if (result !== undefined) leave(result, changes, frame)
  else join(memory, [changes], signal === undefined)
  return signal !== undefined && result !== undefined ? signal : undefined
}

function takeLabel(label: string, frame: Frame): Pending | null {
  const pending = frame.labels.get(label) ?? null
  frame.labels.delete(label)
  if (pending === frame.handler) frame.handler = null
  return pending
}

const PLACES = new WeakMap<Block, ReadonlyMap<string, number>>()

/** The index of a label; -1: it is elsewhere. */
function placeOf(statements: Block, label: string): number {
  let places = PLACES.get(statements)
  if (places === undefined) {
    const found = new Map<string, number>()
    statements.forEach((statement, at) => {
      if (statement.kind === 'label' && !found.has(statement.name)) found.set(statement.name, at)
    })
    charge(statements.length)
    places = found
    PLACES.set(statements, places)
  }
  return places.get(label) ?? -1
}

function runFrom(statements: Block, from: number, frame: Frame): Signal {
  const repetition: { current: Repetition | null } = { current: null }
  let signal: Signal
  for (let at = from; at < statements.length && at !== -1; ) {
    const statement = statements[at]
    if (statement === undefined) break
    step(frame.state)
    statement.wasRun = true
    signal = runStatement(statement, frame)
    at = signal === undefined ? at + 1 : nextAfter(statements, at, signal, repetition, frame)
    if (at !== -1) signal = undefined
  }
  if (repetition.current !== null) endRepetition(repetition.current, frame)
  return signal
}

/** Where to continue after a jump or an exit; -1: not in this block. */
function nextAfter(
  statements: Block,
  at: number,
  signal: Exclude<Signal, undefined>,
  repetition: { current: Repetition | null },
  frame: Frame,
): number {
  const target = typeof signal === 'object' ? placeOf(statements, signal.label) : -1
  if (target === -1) return continueElsewhere(statements, at, signal, frame)
  if (target > at) return target
  repetition.current ??= beginRepetition(frame)
  return mayRepeat(repetition.current, statements, frame) ? target : statements.length
}

/** The current state leaves the block; another one may wait for a label in it. -1: none. */
function continueElsewhere(statements: Block, at: number, signal: Exclude<Signal, undefined>, frame: Frame): number {
  const live = nextLive(statements, at + 1, frame)
  if (live === -1) return -1
  leave(signal, new Map(), frame)
  enterLabel(statements, live, frame)
  return live
}

/** The next label that a state waits for; -1: none. */
function nextLive(statements: Block, from: number, { labels }: Frame): number {
  const places = [...labels.keys()].map((name) => placeOf(statements, name)).filter((at) => at >= from)
  return places.length === 0 ? -1 : Math.min(...places)
}

function enterLabel(statements: Block, at: number, frame: Frame): void {
  const statement = statements[at]
  const pending = statement?.kind === 'label' ? takeLabel(statement.name, frame) : null
  if (pending !== null) switchTo(frame.state.memory, pending)
}

/** The current state, with these changes, continues elsewhere. */
function leave(signal: Exclude<Signal, undefined>, changes: Pending['places'], frame: Frame): void {
  const { memory } = frame.state
  if (signal === 'procedure') frame.exit = postpone(memory, frame.exit, changes)
  else if (signal !== 'loop')
    frame.labels.set(signal.label, postpone(memory, frame.labels.get(signal.label) ?? null, changes))
  else if (frame.loops.length > 0)
    frame.loops[frame.loops.length - 1] = postpone(memory, frame.loops.at(-1) ?? null, changes)
}

/** States that still wait when a procedure ends. */
export function endFrame(frame: Frame): void {
  const { memory } = frame.state
  for (const pending of frame.labels.values()) drop(memory, pending)
  if (frame.exit !== null) resolve(memory, frame.exit)
  frame.labels.clear()
  Object.assign(frame, { handler: null, exit: null, resumes: false })
}

function runStatement(statement: Statement, frame: Frame): Signal {
  switch (statement.kind) {
    case 'assign':
      runAssign(statement, frame)
      return undefined
    case 'call':
      mayAbort(frame)
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
      return statement.from
    case 'label':
      runLabel(statement, frame)
      return undefined
    case 'jump':
      return runJump(statement, frame)
    case 'handler':
      setHandler(statement, frame)
      return undefined
  }
}

/** A statement that fails is skipped after `On Error Resume Next`. Only an unknown value may be one that fails. */
function runAssign({ target, value, isSet }: Of<'assign'>, frame: Frame): void {
  const whole = evaluateWhole(value, frame)
  const found = isVariableOf(value, frame) ? copied(whole) : whole
  if (isUnclear(found)) mayAbort(frame)
  const mayFail = frame.resumes && (isUnclear(found) || (isSet === true && !isObject(found) && found !== null))
  const isOther = frame.resumes && isObject(found) && target.kind === 'name' && isText(variable(target.name, frame))
  const { memory } = frame.state
  if (mayFail || isOther) memory.weak++
  assign(target, found, frame)
  if (mayFail || isOther) memory.weak--
}

/** The caller goes on after an error: the procedure may end before this statement. */
function mayAbort(frame: Frame): void {
  if (frame.mayAbort && !frame.resumes && frame.handler === null) leave('procedure', new Map(), frame)
}

/** A value that a function makes is nobody else's. */
function isVariableOf(value: Expression, frame: Frame): boolean {
  if (value.kind === 'call') return isVariableOf(value.callee, frame)
  return value.kind === 'member' || (value.kind === 'name' && variable(value.name, frame) !== undefined)
}

const isText = (value: Value): boolean => optionsOf(value).some((option) => typeof option === 'string')
const isUnclear = (value: Value): boolean =>
  optionsOf(value).some((option) => option === undefined || (typeof option === 'string' && option.includes(GAP)))

function runLabel({ name }: Of<'label'>, frame: Frame): void {
  const pending = takeLabel(name, frame)
  if (pending !== null) resolve(frame.state.memory, pending)
}

function runJump({ label }: Of<'jump'>, frame: Frame): Signal {
  if (frame.blocks.some((block) => placeOf(block, label) !== -1)) return { label }
  // Into a block that is not running, or nowhere.
  leave({ label }, new Map(), frame)
  return undefined
}

function setHandler({ label }: Of<'handler'>, frame: Frame): void {
  const { memory } = frame.state
  frame.resumes = label === null
  if (!label || frame.labels.has(label)) return
  if (frame.handler !== null) return
  frame.handler = handle(memory)
  frame.labels.set(label, frame.handler)
}

function runChoice({ arms }: Of<'choose'>, frame: Frame): Signal {
  const taken: { body: Block; asks: number }[] = []
  let isClosed = false
  for (const { condition, body } of arms) {
    const value = condition === null ? true : evaluate(condition, frame)
    const holds = condition !== null && frame.state.isSurvey ? undefined : toCondition(value)
    if (holds === false) continue
    taken.push({ body, asks: optionsOf(value).some(isAnswer) ? 1 : 0 })
    isClosed = holds === true
    if (isClosed) break
  }
  const [first] = taken
  if (first === undefined) return undefined
  if (isClosed && taken.length === 1) return runBlock(first.body, frame)
  return runArms(taken, isClosed, frame)
}

/** Each of them may be taken; each sees the state before all. */
function runArms(arms: readonly { body: Block; asks: number }[], isClosed: boolean, frame: Frame): Signal {
  const { memory } = frame.state
  const ended: Pending['places'][] = []
  let left: Signal
  for (const { body, asks } of arms) {
    frame.questions += asks
    const { changes, result } = doubtful(() => runBlock(body, frame), frame)
    frame.questions -= asks
    if (result === undefined) ended.push(changes)
    else {
      leave(result, changes, frame)
      left = result
    }
  }
  if (isClosed && ended.length === 0) return left
  join(memory, ended, !isClosed)
  return undefined
}

function doubtful<T>(run: () => T, frame: Frame): ReturnType<typeof branch<T>> {
  frame.doubts++
  const done = branch(frame.state.memory, run)
  frame.doubts--
  return done
}

function runFor(loop: Of<'for'>, frame: Frame): Signal {
  const [from, to] = [toNumber(evaluate(loop.from, frame)), toNumber(evaluate(loop.to, frame))]
  const by = loop.step === null ? 1 : toNumber(evaluate(loop.step, frame))
  assign(loop.variable, from, frame)
  if (frame.state.isSurvey || from === undefined || to === undefined || by === undefined || by === 0)
    return runUnknown(loop.body, frame, (pass) => {
      if (pass > 0) assign(loop.variable, undefined, frame)
    })
  let value = from
  const isPast = (): boolean => (by > 0 ? value > to : value < to)
  const next = (): void => {
    value = (toNumber(variableOf(loop.variable, frame)) ?? value) + by
    assign(loop.variable, value, frame)
  }
  return iterate(loop.body, frame, isPast, next)
}

/** A loop, by statement or by jumps, whose end is known. */
interface Repetition {
  count: number
  /** Places that it changes. */
  changed: Pending
  stepsMax: number
  charactersMax: number
  isWidened: boolean
}

function beginRepetition({ state }: Frame): Repetition {
  const { allowance, entrySteps, steps, characters, memory } = state
  const left = Math.min(allowance.stepsPerEntry - entrySteps, allowance.steps - steps)
  return {
    count: 0,
    changed: watch(memory),
    stepsMax: entrySteps + left * LOOP_SHARE,
    charactersMax: characters + (allowance.charactersPerEntry - characters) * LOOP_SHARE,
    isWidened: false,
  }
}

function isOver(
  { count, stepsMax, charactersMax }: Repetition,
  { iterationsMax, entrySteps, characters }: State,
): boolean {
  return count >= iterationsMax || entrySteps > stepsMax || characters > charactersMax
}

/** Runs the body a last time past the limit, with what it changes unknown. */
function mayRepeat(repetition: Repetition, body: Block, { state }: Frame): boolean {
  repetition.count++
  if (!isOver(repetition, state)) return true
  if (repetition.isWidened) return false
  repetition.isWidened = true
  widen(state.memory, repetition.changed, unknownText(body))
  return true
}

function endRepetition({ changed }: Repetition, { state }: Frame): void {
  drop(state.memory, changed)
}

/** Runs the body until it is past the end, or it is left. A loop that takes too long may end in any state. */
function iterate(body: Block, frame: Frame, isPast: () => boolean, next: () => void, isEndless = false): Signal {
  if (body.length === 0) return undefined
  frame.loops.push(null)
  const { memory } = frame.state
  const repetition = beginRepetition(frame)
  let signal: Signal
  while (!isPast()) {
    // Where each repetition may be the last, there are as many states.
    const isManifold = isEndless && frame.loops.at(-1) !== null && repetition.count >= DOUBTFUL_MAX
    if (isManifold || isOver(repetition, frame.state)) {
      widen(memory, repetition.changed, unknownText(body))
      runPasses(body, frame, 1, () => {})
      break
    }
    repetition.count++
    const { changes } = memory
    signal = runBlock(body, frame)
    if (signal !== undefined) break
    next()
    // It would go on for ever.
    if (memory.changes === changes) break
  }
  endRepetition(repetition, frame)
  endLoop(frame)
  return signal === 'loop' ? undefined : signal
}

function endLoop(frame: Frame): void {
  const pending = frame.loops.pop() ?? null
  if (pending !== null) resolve(frame.state.memory, pending)
}

/** A loop that may run never, once or many times. */
function runUnknown(body: Block, frame: Frame, prepare: (pass: number) => void): undefined {
  frame.loops.push(null)
  const { state } = frame
  state.unknownLoops++
  // Loops in each other would multiply.
  runPasses(body, frame, state.unknownLoops > 1 ? 1 : PASSES, prepare)
  state.unknownLoops--
  endLoop(frame)
}

function runPasses(body: Block, frame: Frame, passes: number, prepare: (pass: number) => void): void {
  const { memory } = frame.state
  for (let pass = 0; pass <= passes; pass++) {
    const { changes, result } = doubtful(() => {
      prepare(pass)
      return runBlock(body, frame)
    }, frame)
    if (result !== undefined && result !== 'loop') {
      leave(result, changes, frame)
      return
    }
    if (!join(memory, [changes], true)) return
    if (pass === passes - 1) widen(memory, { places: changes }, unknownText(body))
  }
}

/** A value that was changed an unknown number of times. */
function unknownText(body: Block): (value: Value) => Value {
  const isDecoded = decodes(body)
  return (value) => {
    if (isChoice(value) || typeof value === 'string')
      return isText(value) ? joinValues(isDecoded ? [CODED_GAP, value] : [value], true) : undefined
    return isArray(value) || isObject(value) ? joinValues([value], true) : undefined
  }
}

const DECODERS: ReadonlySet<string> = new Set(['chr', 'chrw', 'chrb', 'asc', 'ascw', 'xor', 'strreverse'])
const DECODES = new WeakMap<Block, boolean>()

/** Whether a loop computes texts character by character. */
function decodes(body: Block): boolean {
  let known = DECODES.get(body)
  if (known === undefined) {
    known = mentionsDecoder(body)
    DECODES.set(body, known)
  }
  return known
}

function mentionsDecoder(part: unknown): boolean {
  charge(MENTION_WORK)
  if (Array.isArray(part)) return part.some(mentionsDecoder)
  if (typeof part !== 'object' || part === null) return typeof part === 'string' && DECODERS.has(part)
  return Object.values(part).some(mentionsDecoder)
}

const MENTION_WORK = 20

function variableOf(expression: Expression, frame: Frame): Value {
  return expression.kind === 'name' ? variable(expression.name, frame) : undefined
}

function runEach({ variable: target, list, body }: Of<'each'>, frame: Frame): Signal {
  const found = evaluate(list, frame)
  const elements = isObject(found) ? elementsOf(found) : null
  const values = elements === null || elements.size === 0 || !isObject(found) ? found : arrayOf(listed(found))
  if (!isArray(values)) {
    const item = lift([values], ([each]) => {
      if (isArray(each)) return itemAt(each, [undefined])
      return isObject(each) ? derivedOf(each, `${each.class}.item`) : undefined
    })
    return runUnknown(body, frame, () => assign(target, item, frame))
  }
  let at = 0
  const isPast = (): boolean => {
    if (at >= values.items.length) return true
    assign(target, itemOf(values, at), frame)
    return false
  }
  return iterate(body, frame, isPast, () => at++)
}

function runLoop(loop: Of<'loop'>, frame: Frame): Signal {
  const { condition, until, after, body } = loop
  const isEndless = isConstant(condition) && (condition === null || toCondition(evaluate(condition, frame)) !== until)
  if (frame.state.isSurvey || (isEndless && !mayLeave(body))) {
    runUnknown(body, frame, () => {})
    return undefined
  }
  let isFirst = after
  let isDoubtful = false
  const isPast = (): boolean => {
    const checks = !isFirst && condition !== null
    isFirst = false
    const holds = checks ? toCondition(evaluate(condition, frame)) : !until
    isDoubtful = holds === undefined
    return isDoubtful || holds === until
  }
  const signal = iterate(body, frame, isPast, () => {}, isEndless)
  if (isDoubtful && signal === undefined) runUnknown(body, frame, () => {})
  return signal
}

const isConstant = (condition: Expression | null): boolean =>
  condition === null || condition.kind === 'literal' || (condition.kind === 'name' && condition.name === 'true')

/** Whether a statement in it may end the loop. */
function mayLeave(body: Block): boolean {
  charge(body.length * MENTION_WORK)
  return body.some(
    (statement) =>
      statement.kind === 'exit' || statement.kind === 'jump' || bodiesOf(statement).some((inner) => mayLeave(inner)),
  )
}

/** Blocks inside a statement. */
function bodiesOf(statement: Statement): readonly Block[] {
  if (statement.kind === 'choose') return statement.arms.map(({ body }) => body)
  return 'body' in statement ? [statement.body] : []
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
  if (preserve && optionsOf(scope.get(name)).some(isArray)) return
  const upper = toNumber(evaluateAll(bounds, frame)[0])
  const length = upper === undefined ? 0 : Math.min(ELEMENTS_MAX, Math.max(0, Math.round(upper) + 1))
  keep(VALUE_BYTES + length * 8)
  charge(length)
  const items = new Array<Value>(length).fill(null)
  begin(frame.state.memory, items)
  store(frame.state, scope, name, { items, hasText: false })
}

const UNTAKEN_WORK = 100

export function hasUntaken(statements: Block): boolean {
  charge(statements.length * UNTAKEN_WORK)
  return statements.some(
    (statement) => statement.wasRun !== true || bodiesOf(statement).some((body) => hasUntaken(body)),
  )
}

/** Runs what was not run, and what is in it. */
export function runRest(statements: Block, frame: Frame): void {
  for (const statement of statements) {
    if (statement.wasRun !== true) {
      step(frame.state)
      statement.wasRun = true
      runStatement(statement, frame)
    }
    const bodies = bodiesOf(statement)
    if (!bodies.some((body) => hasUntaken(body))) continue
    if (statement.kind === 'with') frame.withObjects.push(evaluateObject(statement.object, frame))
    for (const body of bodies) runRest(body, frame)
    if (statement.kind === 'with') frame.withObjects.pop()
  }
}
