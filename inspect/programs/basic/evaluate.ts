/** Evaluates Visual Basic expressions as far as their values are known. */

import { words } from '#inspect/core/words.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { KEY_MAX } from '../keys.ts'
import { orderArguments } from './arguments.ts'
import { type Cursor, lastPart, parseExpression, SyntaxFault } from './expressions.ts'
import { CONSTANTS, ELEMENTS_MAX, FUNCTIONS, OVERFLOW, TEXT_MAX } from './functions.ts'
import { begin, branch, join, write } from './memory.ts'
import {
  callMethod,
  createObject,
  elementAt,
  elementsOf,
  getObject,
  keyOf,
  memberAt,
  readMember,
  writeElement,
} from './objects.ts'
import { applyOperator, applyUnary } from './operators.ts'
import type { Source } from './program.ts'
import {
  chargeFor,
  type Frame,
  lengthOf,
  overflow,
  record,
  type State,
  spend,
  spendAll,
  step,
  store,
  VALUE_BYTES,
} from './state.ts'
import { parseBlock } from './statements.ts'
import { addStored, storedControl, storedValue, writeStored } from './storage.ts'
import type { Expression, Procedure, Statement } from './syntax.ts'
import { joinLines, tokensOf } from './tokens.ts'
import {
  answer,
  arrayOf,
  type BasicArray,
  type BasicObject,
  CUT,
  copied,
  derivedOf,
  GAP,
  isArray,
  isChoice,
  isObject,
  isTelling,
  itemOf,
  joinValues,
  lift,
  objectOf,
  optionsOf,
  roundEven,
  toNumber,
  toText,
  type Value,
} from './values.ts'

/** Procedures that call each other. */
export const CALL_DEPTH_MAX = 120
/** A call takes as long as a few expressions. */
const CALL_STEPS = 5
/** Calls of a procedure by itself, where it is not known whether they happen. */
const DOUBTFUL_CALLS_MAX = 3
/** Steps of all such calls of a procedure. Further ones find little that is new. */
const DOUBTFUL_STEPS_MAX = 5_000
/** How often all statements of a procedure are run because a call is not followed, for each entry point. */
const SURVEYS_MAX = 3
/** Steps of that, in all of a program. */
const SURVEY_STEPS_MAX = 20_000
/**
 * Elements of a list that a value at an unknown place may be. Of more, those count that may be commands: tables of numbers,
 * which programs calculate with, are long.
 */
export const ANYWHERE_MAX = 200
const ELEMENT_WORK = 50

type Args = readonly (Expression | null)[]

/** The value of an object that stands for one, such as a cell. */
export function evaluate(expression: Expression, frame: Frame): Value {
  const value = evaluateWhole(expression, frame)
  return lift([value], ([each]) => (isObject(each) ? (storedValue(each, frame) ?? each) : each))
}

/** Objects as such: `Set cell = Range("A1")`. */
export function evaluateWhole(expression: Expression, frame: Frame): Value {
  step(frame.state)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return evaluateName(expression.name, frame)
    case 'member':
      return evaluateMember(expression.of, expression.name, frame)
    case 'call':
      return evaluateCall(expression.callee, expression.args, frame)
    case 'unary':
      return lift([evaluate(expression.operand, frame)], ([each]) => applyUnary(expression.operator, each))
    case 'named':
      return evaluate(expression.value, frame)
    case 'new':
      return createInstance(expression.name, frame)
    case 'chain':
      return evaluateChain(expression, frame)
  }
}

export function evaluateAll(args: Args, frame: Frame): Value[] {
  return args.map((arg) => (arg === null ? undefined : evaluate(arg, frame)))
}

function evaluateChain({ first, rest }: Extract<Expression, { kind: 'chain' }>, frame: Frame): Value {
  let value = evaluate(first, frame)
  for (const { operator, operand } of rest) {
    const right = evaluate(operand, frame)
    // Joined texts share their parts, so only the shorter one is copied.
    spend(frame.state, Math.min(lengthOf(value), lengthOf(right)))
    value = lift([value, right], ([a, b]) => {
      const result = applyOperator(operator, a, b)
      return typeof result === 'string' && result.length > TEXT_MAX ? overflow(frame.state) : result
    })
  }
  return value
}

export const variable = (name: string, { locals, state }: Frame): Value =>
  locals.has(name) ? locals.get(name) : state.globals.get(name)
const isVariable = (name: string, { locals, state }: Frame): boolean => locals.has(name) || state.globals.has(name)

/** Objects that exist without being created. */
const OBJECTS: ReadonlySet<string> = new Set(
  words(`application activedocument thisdocument thisworkbook activeworkbook activesheet selection wscript me vba
  strings interaction debug err activepresentation document window`),
)

/** Statements assign to some of these as well: `Date = #1/1/2030#` sets the clock. */
const RUN_TIME: ReadonlySet<string> = new Set(['date', 'time', 'now', 'timer'])

function evaluateName(name: string, frame: Frame): Value {
  if (isVariable(name, frame)) return variable(name, frame)
  if (CONSTANTS.has(name)) return CONSTANTS.get(name)
  const { procedures, imports } = frame.state.program
  if (procedures.has(name) || imports.has(name) || FUNCTIONS.has(name)) return callNamed(name, [], [], frame)
  if (name === 'err') return implicitObject(name, frame.state)
  if (OBJECTS.has(name)) return objectOf(name)
  // A variable without a value. Other names, such as `Now` and `TextBox1`, have one that only the application knows.
  if (frame.state.program.assigned.has(name) && !RUN_TIME.has(name)) return null
  return storedControl(name, frame)
}

/** A class of the program is prepared by its own procedure. */
function createInstance(name: string, frame: Frame): Value {
  const { instances } = frame.state
  const own = name.toLowerCase()
  instances.set(own, (instances.get(own) ?? 0) + 1)
  runEvent(own, 'class_initialize', frame)
  return createObject(name)
}

function runEvent(module: string, event: string, frame: Frame): void {
  const { program, active } = frame.state
  const source = program.procedures.get(event)?.find((each) => each.module === module)
  if (source !== undefined && !active.includes(event)) invoke(source, [], [], frame)
}

function evaluateMember(of: Expression | null, name: string, frame: Frame): Value {
  const found = of === null ? frame.withObjects.at(-1) : evaluateObject(of, frame)
  return lift([found], ([object]) => {
    if (!isObject(object) || dispatched(name, object, [], frame) !== null) return callMember(object, name, [], frame)
    const { globals } = frame.state
    if (!globals.has(name) || !isModule(object, frame)) return readMember(object, name)
    // Its procedures write the variable, and others the member.
    const own = object.properties.has(name) ? [readMember(object, name)] : []
    return joinValues([...own, globals.get(name)])
  })
}

/** Its public variables are members. */
function isModule({ class: name }: BasicObject, { state: { program } }: Frame): boolean {
  return name === 'me' || program.modules.has(name)
}

/** Forms, documents and variables of a type of the program keep what is assigned to their members. */
function implicitObject(name: string, { implicit }: State): BasicObject {
  let object = implicit.get(name)
  if (object === undefined) {
    keep(VALUE_BYTES)
    object = name === 'err' ? { ...objectOf(name), store: { isGiven: false } } : objectOf(name)
    implicit.set(name, object)
  }
  return object
}

/** A name without a value is the object of that name. */
export function evaluateObject(expression: Expression, frame: Frame): Value {
  const value = evaluateWhole(expression, frame)
  if (isObject(value) || isArray(value) || isChoice(value)) return value
  return expression.kind === 'name' ? implicitObject(expression.name, frame.state) : objectOf('?')
}

function evaluateCall(callee: Expression, given: Args, frame: Frame): Value {
  const exprs = given.some((arg) => arg?.kind === 'named') ? orderedArguments(callee, given, frame) : given
  const args = evaluateAll(exprs, frame)
  if (callee.kind === 'name' && !isIndexed(callee.name, frame)) return callNamed(callee.name, args, exprs, frame)
  if (callee.kind === 'member') {
    const object = callee.of === null ? frame.withObjects.at(-1) : evaluateObject(callee.of, frame)
    return callMember(object, callee.name, args, frame)
  }
  const list = evaluateWhole(callee, frame)
  const found = lift([list, ...args], ([value, ...places]) => elementOf(value, places, frame))
  if (!args.some(isOpen)) return found
  return joinValues([
    found,
    lift([list, ...args.map(anyPlace)], ([value, ...places]) => elementOf(value, places, frame)),
  ])
}

const isOpen = (value: Value): boolean => isChoice(value) && value.isOpen
/** A place of which only some are known may be any. */
const anyPlace = (value: Value): Value => (isOpen(value) ? undefined : value)

function elementOf(value: Value, places: readonly Value[], frame: Frame): Value {
  if (isArray(value)) return itemAt(value, places)
  if (!isObject(value)) return undefined
  chargeFor(places)
  if (elementsOf(value) !== null) return elementAt(value, places[0])
  if (KEEPS.test(value.class) && value.properties.has(keptName(places[0])))
    return value.properties.get(keptName(places[0]))
  const { procedures, defaults } = frame.state.program
  if (value.class.startsWith(PROCEDURE)) return callNamed(value.class.slice(PROCEDURE.length), places, [], frame)
  const called = defaults.filter((name) => procedures.get(name)?.some(({ module }) => module === value.class))
  if (called.length > 0) return joinValues(called.map((name) => callOn(value, name, places, frame)))
  return derivedOf(value, `${value.class}(${toText(places[0])})`)
}

/** `GetRef("name")` is an object that runs the procedure. */
const PROCEDURE = 'procedure:'

function orderedArguments(callee: Expression, given: Args, { state: { program } }: Frame): Args {
  if (callee.kind !== 'name' && callee.kind !== 'member') return given
  return orderArguments(given, callee.name, program.procedures.get(callee.name)?.[0]?.parse().parameters)
}

function isIndexed(name: string, frame: Frame): boolean {
  return optionsOf(variable(name, frame)).some((value) => isArray(value) || isObject(value))
}

function callMember(found: Value, name: string, args: readonly Value[], frame: Frame): Value {
  spendAll(frame.state, args)
  if (!isChoice(found)) return callMemberOf(found, name, args, frame)
  return perhaps(frame, () => joinValues(optionsOf(found).map((object) => callMemberOf(object, name, args, frame))))
}

/** Runs something for several values, of which one counts: what it stores may also stay as it was. */
function perhaps<T>({ state: { memory } }: Frame, run: () => T): T {
  memory.weak++
  const result = run()
  memory.weak--
  return result
}

/** The result for each combination of the values that the arguments may have, one of which counts. */
function liftPerhaps(args: readonly Value[], compute: (args: readonly Value[]) => Value, frame: Frame): Value {
  return args.some(isChoice) ? perhaps(frame, () => lift(args, compute)) : compute(args)
}

function callMemberOf(object: Value, name: string, args: readonly Value[], frame: Frame): Value {
  if (!isObject(object)) {
    record(frame, name, '?', args)
    return undefined
  }
  record(frame, name, object.class, args)
  // It reads the file at that path, and does not return the path.
  if (name === 'raise' && object.class === 'err') keepError(object, args, frame)
  else if (name !== 'load') give(object, args)
  const target = dispatched(name, object, args, frame)
  if (name === 'add') liftPerhaps(args, (each) => addStored(object, each, frame), frame)
  if (name === 'show' || name === 'load') for (const event of FORM_EVENTS) runEvent(object.class, event, frame)
  const quoted = quotedCall(object.class, name, args, frame)
  if (quoted !== null) return quoted()
  if (FORMULA_RUNNERS.has(name)) return lift(args, (each) => runFormula(each, frame))
  if (target === null)
    return liftPerhaps(
      args,
      (each) => charged(each, () => callMethod(object, name, each.map(copied), frame.state.memory), frame),
      frame,
    )
  return target.isBuiltIn ? callBuiltIn(name, args, frame) : callOn(object, target.name, target.args, frame)
}

/** What an error says. Which one it is depends on what else may fail. */
function keepError(object: BasicObject, [number, source, description]: readonly Value[], { state }: Frame): void {
  store(state, object.properties, 'number', joinValues([number], true))
  store(state, object.properties, 'source', source)
  if (description !== undefined) store(state, object.properties, 'description', description)
}

/** Texts that the program has, as far as they may come back. */
function give({ store }: BasicObject, args: readonly Value[]): void {
  if (store === undefined || store.isGiven) return
  store.isGiven = args.some(
    (arg) => isArray(arg) || optionsOf(arg).some((each) => typeof each === 'string' && each.length > 1),
  )
}

/** A form that is shown runs them. */
const FORM_EVENTS = ['userform_initialize', 'userform_activate']

/** Modules whose members are functions of the language. */
const LIBRARIES: ReadonlySet<string> = new Set(['vba', 'strings', 'interaction', 'conversion', 'math', 'information'])
const isLibrary = (on: string): boolean => LIBRARIES.has(on.slice(on.lastIndexOf('.') + 1))

/** `Module1.Main`, `Application.Run "Main"` and `VBA.Chr(1)` call procedures and functions by name. */
function dispatched(
  name: string,
  { class: on }: { class: string },
  args: readonly Value[],
  { state: { program, active } }: Frame,
): { name: string; args: readonly Value[]; isBuiltIn?: true } | null {
  if (isLibrary(on) && (FUNCTIONS.has(name) || SPECIAL.has(name))) return { name, args, isBuiltIn: true }
  // A member of the same name as a running procedure belongs to another object.
  if (program.procedures.has(name) && !active.includes(name)) return { name, args }
  const target = namedBy(on, name, args)
  if (target === null) return null
  const procedure = lastPart(target.toLowerCase())
  return program.procedures.has(procedure) ? { name: procedure, args: args.slice(1) } : null
}

/** The text that names a procedure for Office to run. */
function namedBy(on: string, name: string, args: readonly Value[]): string | null {
  const target = args[name === 'run' ? 0 : 1]
  return on === 'application' && (name === 'run' || name === 'ontime') && typeof target === 'string' ? target : null
}

/** `'name "argument"'`, which Office also runs. */
const QUOTED_CALL = /^'(?:[^'!]{0,100}!)?([\w.]{1,255}) ([^']{0,2000})'$/

/** null: it is not such a text. */
function quotedCall(on: string, name: string, args: readonly Value[], frame: Frame): (() => Value) | null {
  const [, named, given = ''] = QUOTED_CALL.exec(namedBy(on, name, args) ?? '') ?? []
  if (named === undefined) return null
  const procedure = lastPart(named.toLowerCase())
  if (!given.includes(GAP)) return () => runFormula([`${procedure}(${given})`], frame)
  return () => callNamed(procedure, [undefined], [], frame)
}

const FORMULA_RUNNERS: ReadonlySet<string> = new Set(['evaluate', 'executeexcel4macro'])

/** Excel evaluates a formula, which may call functions of the program. */
function runFormula([text]: readonly Value[], frame: Frame): Value {
  if (typeof text !== 'string') return undefined
  const cursor: Cursor = {
    tokens: tokensOf(text.replace(/^=/, '')),
    at: 0,
    depth: 0,
    mentions: new Set(),
    isCut: false,
  }
  try {
    return evaluate(parseExpression(cursor), frame)
  } catch (error) {
    if (!(error instanceof SyntaxFault)) throw error
    return undefined
  }
}

/** Texts that are run by texts that are run. */
const TEXTS_MAX = 5
const TEXT = '(text)'

/** Its statements, for what they assign here. Its procedures are read with the program. */
function runText([text]: readonly Value[], frame: Frame): undefined {
  const { active } = frame.state
  if (typeof text !== 'string' || text.includes(GAP) || active.filter((name) => name === TEXT).length >= TEXTS_MAX)
    return
  charge(text.length * TEXT_WORK)
  const cursor: Cursor = { tokens: tokensOf(joinLines(text)), at: 0, depth: 0, mentions: new Set(), isCut: false }
  active.push(TEXT)
  frame.state.runBlock(parseBlock(cursor), frame)
  active.pop()
}

/** For each character that is parsed. */
const TEXT_WORK = 200

function runNamed([name, ...args]: readonly Value[], frame: Frame): Value {
  const procedure = lastPart(toText(name).toLowerCase())
  return frame.state.program.procedures.has(procedure) ? callNamed(procedure, args, [], frame) : undefined
}

/** Calls the procedures of all variables that listen. */
function raise([event, ...args]: readonly Value[], frame: Frame): Value {
  const { procedures } = frame.state.program
  charge(procedures.size * HANDLER_WORK)
  for (const name of procedures.keys()) if (name.endsWith(`_${toText(event)}`)) callNamed(name, args, [], frame)
  return undefined
}

const HANDLER_WORK = 20

/** What matters of an object if the name of the method is not known. */
const UNKNOWN_METHOD = 'run'

/** Functions that create objects, or call by name. */
const SPECIAL: ReadonlyMap<string, (args: readonly Value[], frame: Frame) => Value> = new Map([
  ['createobject', (args: readonly Value[]) => createObject(toText(args[0]))],
  ['createunoservice', (args: readonly Value[]) => createObject(toText(args[0]))],
  ['getobject', (args: readonly Value[]) => getObject(toText(args[0]) || toText(args[1]))],
  [
    'callbyname',
    ([object, name, , ...rest]: readonly Value[], frame: Frame) =>
      callMember(
        object,
        name === undefined || isObject(name) ? UNKNOWN_METHOD : toText(name).toLowerCase(),
        rest,
        frame,
      ),
  ],
  // Parts of the active workbook.
  ...['range', 'cells', 'sheets', 'worksheets'].map(
    (name) => [name, (args: readonly Value[]) => memberAt('', name, args)] as const,
  ),
  ['evaluate', runFormula],
  ['executeexcel4macro', runFormula],
  ['eval', runFormula],
  ['execute', runText],
  ['executeglobal', runText],
  ['run', runNamed],
  ['raiseevent', raise],
  ['getref', (args: readonly Value[]) => objectOf(PROCEDURE + toText(args[0]))],
  ['shell', () => undefined],
  ['msgbox', () => answer()],
  ['inputbox', () => answer()],
])

function callNamed(name: string, args: readonly Value[], exprs: Args, frame: Frame): Value {
  const { program } = frame.state
  const sources = namedSources(name, frame.module, frame)
  if (sources.length > 0) return invokeAny(sources, args, exprs, frame)
  spendAll(frame.state, args)
  const imported = program.imports.get(name)
  if (imported !== undefined) {
    record(frame, imported.name, imported.library, args, true)
    return undefined
  }
  return callBuiltIn(name, args, frame)
}

/** Procedures of one name. */
export const SAME_NAMES_MAX = 8

/** Those of the module, or else of all. */
function namedSources(name: string, module: string, { state }: Frame): readonly Source[] {
  const all = state.program.procedures.get(name) ?? []
  if (all.length < 2) return all
  const { found, byModule } = readersOf(all)
  const sources = byModule.get(module) ?? found
  if (sources.length > SAME_NAMES_MAX) state.incomplete = true
  return sources.slice(0, SAME_NAMES_MAX)
}

interface Readers {
  found: readonly Source[]
  byModule: ReadonlyMap<string, readonly Source[]>
}

const knownReaders = new WeakMap<readonly Source[], Readers>()

/** A program may have thousands of classes, each with a procedure of the same name. */
function readersOf(all: readonly Source[]): Readers {
  const known = knownReaders.get(all)
  if (known !== undefined) return known
  const readers = all.filter(({ isSetter }) => !isSetter)
  const found = readers.length === 0 ? all : readers
  const made = { found, byModule: Map.groupBy(found, ({ module }) => module) }
  knownReaders.set(all, made)
  return made
}

/** One of them is run. */
function invokeAny(sources: readonly Source[], args: readonly Value[], exprs: Args, frame: Frame): Value {
  const [only] = sources
  if (sources.length === 1 && only !== undefined) return invoke(only, args, exprs, frame)
  const { memory } = frame.state
  frame.doubts++
  const runs = sources.map((source) => branch(memory, () => invoke(source, args, exprs, frame)))
  frame.doubts--
  join(
    memory,
    runs.map(({ changes }) => changes),
    false,
  )
  return joinValues(runs.map(({ result }) => result))
}

/** A procedure of the class of an object, if it has one of that name. */
function callOn({ class: module }: BasicObject, name: string, args: readonly Value[], frame: Frame): Value {
  return invokeAny(namedSources(name, module, frame), args, [], frame)
}

function callBuiltIn(name: string, args: readonly Value[], frame: Frame): Value {
  const compute = FUNCTIONS.get(name)
  if (name === 'array') return { items: args.map(copied), base: frame.state.program.base }
  if (compute !== undefined) return lift(args, (each) => charged(each, () => compute(each), frame))
  record(frame, name, '', args)
  const special = SPECIAL.get(name)
  return special && lift(args, (each) => charged(each, () => special(each, frame), frame))
}

/** Calls a function of the language or a method. What it reads and makes is charged here, so that none can forget it. */
function charged(args: readonly Value[], compute: () => Value, { state }: Frame): Value {
  chargeFor(args)
  const value = compute()
  chargeFor([value])
  return value === OVERFLOW ? overflow(state) : value
}

/** A call of a procedure, or the code outside of all. */
export function createFrame(state: State, given: Partial<Frame> = {}): Frame {
  return {
    state,
    locals: new Map(),
    integers: new Set(),
    withObjects: [],
    procedure: '',
    module: '',
    doubts: 0,
    questions: 0,
    isDoubtful: false,
    mayAbort: false,
    exit: null,
    loops: [],
    labels: new Map(),
    handler: null,
    resumes: false,
    blocks: [],
    ...given,
  }
}

export function invoke(source: Source, args: readonly Value[], exprs: Args, frame: Frame): Value {
  const { state } = frame
  const isDoubtful = frame.isDoubtful || frame.doubts > 0
  const isDeep = state.active.length >= CALL_DEPTH_MAX
  if (isDeep) state.incomplete ||= !isDoubtful
  // Where the recursion is in doubt, all branches are judged at each level.
  if (isDeep || state.isSurvey || (isDoubtful && isFollowed(source, state))) return skipCall(source, args, exprs, frame)
  step(state, CALL_STEPS)
  const procedure = source.parse()
  const inner = createFrame(state, {
    procedure: source.name,
    module: source.module,
    questions: frame.questions,
    isDoubtful,
    mayAbort: frame.resumes || frame.mayAbort,
  })
  begin(state.memory, inner.locals)
  store(state, inner.locals, source.name, null)
  procedure.parameters.forEach(({ name, takesRest, byValue, value }, i) => {
    const isMissing = value !== null && (i >= args.length || exprs[i] === null)
    const given = isMissing ? evaluate(value, inner) : args[i]
    store(state, inner.locals, name, takesRest ? arrayOf(args.slice(i)) : byValue ? copied(given) : given)
  })
  state.visited.add(source.name)
  state.frames.set(source, inner)
  state.active.push(source.name)
  const from = state.entrySteps
  state.runBlock(procedure.body, inner)
  state.endFrame(inner)
  state.active.pop()
  if (isDoubtful) state.doubtful.set(source, (state.doubtful.get(source) ?? 0) + state.entrySteps - from)
  state.variables -= inner.locals.size
  writeBack(procedure, exprs, inner, frame)
  return inner.locals.get(source.name)
}

/** Whether calls of a procedure that may not happen were followed often enough. */
function isFollowed(source: Source, { active, doubtful }: State): boolean {
  if ((doubtful.get(source) ?? 0) > DOUBTFUL_STEPS_MAX) return true
  return active.filter((name) => name === source.name).length >= DOUBTFUL_CALLS_MAX
}

/** Whatever the call would assign may be assigned, or is unknown. */
function skipCall(source: Source, args: readonly Value[], exprs: Args, frame: Frame): Value {
  const { globals } = frame.state
  const procedure = source.parse()
  // One that is not running was followed before, as often as its steps allow.
  const isOpen = frame.state.isSurvey || frame.state.active.includes(source.name)
  const result = isOpen ? surveyed(source, args, exprs, frame) : undefined
  procedure.parameters.forEach(({ byValue }, i) => {
    const expression = exprs[i]
    if (!byValue && expression && isReference(expression, frame))
      assign(expression, joinValues([evaluate(expression, frame)], true), frame)
  })
  for (const name of assignedNames(procedure))
    if (globals.has(name)) store(frame.state, globals, name, joinValues([globals.get(name)], true))
  return result
}

/** All statements of the procedure, and of those that it calls, run once: conditions are unknown, and nothing is overwritten. */
function surveyed(source: Source, args: readonly Value[], exprs: Args, frame: Frame): Value {
  const { state } = frame
  const count = state.surveys.get(source) ?? 0
  if (state.surveying.has(source) || count >= SURVEYS_MAX) return undefined
  if (state.surveySteps > SURVEY_STEPS_MAX) {
    state.incomplete = true
    return undefined
  }
  const from = state.entrySteps
  state.surveys.set(source, count + 1)
  step(state, CALL_STEPS)
  const { isSurvey, isUntaken } = state
  Object.assign(state, { isSurvey: true, isUntaken: true })
  state.surveying.add(source)
  const procedure = source.parse()
  const inner = createFrame(state, { procedure: source.name, module: source.module, isDoubtful: true })
  const result = perhaps(frame, () => {
    begin(state.memory, inner.locals)
    store(state, inner.locals, source.name, null)
    procedure.parameters.forEach(({ name }, i) => {
      store(state, inner.locals, name, joinValues([args[i]], true))
    })
    state.runBlock(procedure.body, inner)
    state.endFrame(inner)
    state.variables -= inner.locals.size
    writeBack(procedure, exprs, inner, frame)
    return inner.locals.get(source.name)
  })
  state.surveying.delete(source)
  // Those of calls within it are a part of it.
  if (state.surveying.size === 0) state.surveySteps += state.entrySteps - from
  Object.assign(state, { isSurvey, isUntaken })
  return joinValues([result], true)
}

const ASSIGNED = new WeakMap<Procedure, ReadonlySet<string>>()

function assignedNames(procedure: Procedure): ReadonlySet<string> {
  let names = ASSIGNED.get(procedure)
  if (names === undefined) {
    names = new Set(namesIn(procedure.body))
    ASSIGNED.set(procedure, names)
  }
  return names
}

function* namesIn(statements: readonly Statement[]): Generator<string> {
  for (const statement of statements) {
    charge(HANDLER_WORK)
    if (statement.kind === 'assign' && statement.target.kind === 'name') yield statement.target.name
    if ((statement.kind === 'for' || statement.kind === 'each') && statement.variable.kind === 'name')
      yield statement.variable.name
    const bodies = statement.kind === 'choose' ? statement.arms : 'body' in statement ? [statement] : []
    for (const { body } of bodies) yield* namesIn(body)
  }
}

/** Arguments are passed by reference unless declared otherwise. */
function writeBack(procedure: Procedure, exprs: Args, inner: Frame, frame: Frame): void {
  procedure.parameters.forEach(({ name, byValue }, i) => {
    const expression = exprs[i]
    const value = inner.locals.get(name)
    if (byValue || !expression || !(isReference(expression, frame) || isNew(expression, value, frame))) return
    assign(expression, value, frame)
  })
}

/** A name that is nothing else is a variable from when it is given a text. */
function isNew(expression: Expression, value: Value, { state: { program } }: Frame): boolean {
  if (expression.kind !== 'name' || !optionsOf(value).some((each) => typeof each === 'string')) return false
  return ![CONSTANTS, FUNCTIONS, OBJECTS, program.procedures].some((names) => names.has(expression.name))
}

/** A variable, or an element of an array. */
function isReference(expression: Expression, frame: Frame): boolean {
  if (expression.kind === 'name') return isVariable(expression.name, frame)
  if (expression.kind !== 'call' || expression.callee.kind !== 'name') return false
  return optionsOf(variable(expression.callee.name, frame)).some(isArray)
}

export function assign(target: Expression, value: Value, frame: Frame): void {
  if (target.kind === 'name' && !callSetter(target.name, value, frame)) assignVariable(target.name, value, frame)
  if (target.kind === 'call' && isMid(target.callee)) assignPart(target.args, value, frame)
  else if (target.kind === 'call') assignElement(target.callee, evaluateAll(target.args, frame), value, frame)
  if (target.kind !== 'member') return
  const found = target.of === null ? frame.withObjects.at(-1) : evaluateObject(target.of, frame)
  if (isChoice(found))
    perhaps(frame, () => {
      for (const object of found.options) assignMember(object, target.name, value, frame)
    })
  else assignMember(found, target.name, value, frame)
}

/** Each object of a class has variables of its own, which are one here. */
function assignVariable(name: string, value: Value, frame: Frame): void {
  const { state, module } = frame
  const scope = scopeOf(name, frame)
  const isShared = scope === state.globals && (state.instances.get(module) ?? 0) > 1
  if (isShared) state.memory.weak++
  store(state, scope, name, asInteger(name, value, frame))
  if (isShared) state.memory.weak--
}

function assignMember(object: Value, name: string, value: Value, frame: Frame): void {
  const target = { name }
  const { state } = frame
  if (!isObject(object) || callSetter(target.name, value, frame)) return
  if (elementsOf(object) !== null) {
    if (name === 'comparemode' && toNumber(value) !== 0) object.ignoresCase = true
    else object.isLoose = true
    return
  }
  give(object, [value])
  if (state.globals.has(target.name) && isModule(object, frame)) store(state, state.globals, target.name, value)
  writeStored(`${object.class}.${target.name}`, value, frame)
  store(state, object.properties, target.name, value)
  record(frame, `${target.name}=`, object.class, [value])
}

/** `Property Let` and `Property Set` run where the property is assigned. false: there is none. */
function callSetter(name: string, value: Value, frame: Frame): boolean {
  const setter = frame.state.program.procedures.get(name)?.find(({ isSetter }) => isSetter)
  if (setter === undefined || frame.state.active.includes(name) || frame.locals.has(name)) return false
  invoke(setter, [value], [], frame)
  return true
}

/** A variable for integers rounds what it is given. */
function asInteger(name: string, value: Value, { state, locals, integers }: Frame): Value {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  return (locals.has(name) ? integers : state.integers).has(name) ? roundEven(value) : value
}

const isMid = (callee: Expression): boolean => callee.kind === 'name' && /^midb?$/.test(callee.name)

/** `Mid(text, start, length) = part` replaces a part of the text, which keeps its length. */
function assignPart([target, ...exprs]: Args, value: Value, frame: Frame): void {
  if (target?.kind !== 'name') return
  const found = lift([variable(target.name, frame), value, ...evaluateAll(exprs, frame)], (args) => {
    const [text, part] = args.slice(0, 2).map(toText)
    const [start, length] = args.slice(2).map(toNumber)
    if (text === undefined || part === undefined || start === undefined || start < 1) return joinValues([args[0]], true)
    spend(frame.state, text.length)
    const from = Math.round(start) - 1
    const count = Math.min(Math.round(length ?? part.length), part.length, Math.max(0, text.length - from))
    return text.slice(0, from) + part.slice(0, count) + text.slice(from + count)
  })
  assign(target, found, frame)
}

/** Where a variable is stored: variables of the module are shared. */
export function scopeOf(name: string, { locals, state: { globals } }: Frame): Map<string, Value> {
  return globals.has(name) && !locals.has(name) ? globals : locals
}

const PLACES: ReadonlySet<string> = new Set([
  'range',
  'cells',
  'variables',
  'customdocumentproperties',
  'builtindocumentproperties',
  'item',
])

/** `Range("A1") = value` writes to a cell. false: the target is something else. */
function assignPlace(callee: Expression, args: readonly Value[], value: Value, frame: Frame): boolean {
  if ((callee.kind !== 'member' && callee.kind !== 'name') || !PLACES.has(callee.name)) return false
  const of = callee.kind === 'member' ? callee.of : undefined
  const on = of === null ? frame.withObjects.at(-1) : of && evaluateObject(of, frame)
  return writeStored(memberAt(isObject(on) ? on.class : '', callee.name, args).class, value, frame)
}

function assignElement(callee: Expression, args: readonly Value[], value: Value, frame: Frame): void {
  if (args.some(isOpen)) perhaps(frame, () => assignAt(callee, args.map(anyPlace), value, frame))
  liftPerhaps(
    args,
    (each) => {
      if (!assignPlace(callee, each, value, frame)) assignAt(callee, each, value, frame)
      return undefined
    },
    frame,
  )
}

function assignAt(callee: Expression, args: readonly Value[], value: Value, frame: Frame): void {
  const found = listOfItem(callee, frame) ?? evaluateWhole(callee, frame)
  if (isChoice(found))
    perhaps(frame, () => {
      for (const list of found.options) assignIn(list, callee, args, value, frame)
    })
  else assignIn(found, callee, args, value, frame)
}

/** `list.Item(key) = value` is `list(key) = value`. */
function listOfItem(callee: Expression, frame: Frame): BasicObject | null {
  if (callee.kind !== 'member' || callee.name !== 'item' || callee.of === null) return null
  const owner = evaluateObject(callee.of, frame)
  return isObject(owner) && elementsOf(owner) !== null ? owner : null
}

/** What was kept there: only variables of the environment are looked for by the same name. */
const KEEPS = /\.environment\(/
const keptName = (key: Value): string => `(${toText(key).slice(0, KEY_MAX).toLowerCase()})`

function assignIn(list: Value, callee: Expression, args: readonly Value[], value: Value, frame: Frame): void {
  if (isArray(list)) {
    const place = indexOf(args)
    if (place === undefined) assignAnywhere(list, value, frame)
    else assignItem(list, place, value, frame)
  } else if (isObject(list)) assignKeyed(list, callee, args, value, frame)
}

function assignKeyed(list: BasicObject, callee: Expression, args: readonly Value[], value: Value, frame: Frame): void {
  if (elementsOf(list) === null) {
    give(list, [value])
    if (KEEPS.test(list.class)) store(frame.state, list.properties, keptName(args[0]), value)
    if (callee.kind === 'member') record(frame, `${callee.name}=`, list.class, [...args, value])
    return
  }
  const key = keyOf(list, args[0])
  charge(key.length * 2)
  // `list.Key(a) = b` and the like change the list in another way.
  if (key.includes(GAP) || (callee.kind === 'member' && callee.name !== 'item')) list.isLoose = true
  writeElement(list, list.isLoose ? null : key, value, frame.state.memory)
}

/** At an unknown place: each element may be the one. */
function assignAnywhere(list: BasicArray, value: Value, frame: Frame): void {
  const { memory } = frame.state
  const { items } = list
  if (!mayBeText(value)) {
    list.hasStrays = true
    return
  }
  if (items.length === 0 || items.length > ANYWHERE_MAX) {
    list.strays = joinValues([list.strays ?? value, value])
    return
  }
  list.hasText = true
  charge(items.length * ELEMENT_WORK)
  perhaps(frame, () => {
    for (const at of items.keys()) write(memory, items, at, value)
  })
}

/** Numbers of which only some are known are no text. */
const mayBeText = (value: Value): boolean =>
  isChoice(value) ? value.cut !== undefined || value.options.some(mayBeText) : typeof value === 'string'

function assignItem(list: BasicArray, place: number, value: Value, { state }: Frame): void {
  const { items, base = 0 } = list
  if (list.hasText === false && mayBeText(value)) list.hasText = true
  const index = place - base
  if (index < 0 || index >= ELEMENTS_MAX) return
  if (index >= items.length) keep(VALUE_BYTES / 10)
  write(state.memory, items, index, value)
}

/** At an unknown place, it may be each of them. */
export function itemAt(list: BasicArray, places: readonly Value[]): Value {
  const { items, base = 0, strays } = list
  const place = indexOf(places)
  if (place !== undefined) return itemOf(list, place - base)
  // Tables of numbers are long, and often read at a place that is not known.
  if (list.hasText === undefined) {
    charge(items.length * ELEMENT_WORK)
    list.hasText = items.some(mayBeText)
  }
  if (!list.hasText && strays === undefined) return undefined
  charge(items.length * ELEMENT_WORK)
  const texts = (strays === undefined ? items : [...items, strays]).filter(mayBeText)
  if (texts.length === 0) return undefined
  return joinValues(texts.length > ANYWHERE_MAX ? [...texts.filter(isTelling), CUT] : texts, true)
}

/** Two dimensions in one. undefined: not known, or not followed. */
function indexOf(args: readonly Value[]): number | undefined {
  const [first, second] = [toNumber(args[0]), args.length > 1 ? toNumber(args[1]) : 0]
  if (first === undefined || second === undefined || args.length > 2) return undefined
  const index = Math.round(first) + Math.round(second) * ROW_LENGTH
  return index < ELEMENTS_MAX && (second === 0 || first < ROW_LENGTH) ? index : undefined
}

/** Elements of the first of two dimensions. */
const ROW_LENGTH = 1_000
