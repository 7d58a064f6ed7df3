/** Runs statements of Python. Where a condition is unknown, all branches run, and their states are joined. */

import { call, callSpecial, isError } from './calls.ts'
import { branch, leave, within } from './flow.ts'
import { itemsIn } from './functions.ts'
import { NO_CHANGES } from './journal.ts'
import {
  assign,
  createFrame,
  type Exit,
  type Frame,
  ITERATIONS_MAX,
  type Machine,
  type Signal,
  step,
} from './machine.ts'
import { elementOf, setItem, setMember } from './members.ts'
import { operate } from './operators.ts'
import type { Argument, Expression, Statement } from './syntax.ts'
import { choicesOf, contentsOf, isSame, join, NONE, named, truthOf, UNKNOWN, type Value } from './values.ts'

type Body = readonly Statement[]
/** Passes of a loop whose end is unknown, after which its values are unknown. */
const PASSES = 3

export function runBlock(machine: Machine, statements: Body, frame: Frame): Signal | undefined {
  for (const statement of statements) {
    step()
    const signal = run(machine, statement, frame)
    if (signal !== undefined) return signal
  }
  return undefined
}

function run(machine: Machine, statement: Statement, frame: Frame): Signal | undefined {
  const value = (expression: Expression): Value => machine.evaluate(expression, frame)
  switch (statement.kind) {
    case 'expression':
      value(statement.value)
      return undefined
    case 'assignment': {
      const given = value(statement.value)
      for (const target of statement.targets) assignTo(machine, target, given, frame)
      return undefined
    }
    case 'update':
      assignTo(
        machine,
        statement.target,
        operate(statement.sign, value(statement.target), value(statement.value)),
        frame,
      )
      return undefined
    case 'import':
      assign(machine, statement.alias, named(statement.module), frame)
      return undefined
    case 'from':
      if (statement.name === '*') machine.wildcards.push(statement.module)
      else assign(machine, statement.alias, named(`${statement.module}.${statement.name}`), frame)
      return undefined
    case 'if':
      return runIf(machine, statement, frame)
    case 'while':
      return runLoop(machine, statement, frame, () => truthOf(value(statement.test)))
    case 'for':
      return runFor(machine, statement, frame)
    case 'try':
      return runTry(machine, statement, frame)
    case 'with':
      return runWith(machine, statement, frame)
    case 'match':
      return runMatch(machine, statement, frame)
    case 'function':
      return define(machine, statement, frame)
    case 'class':
      return runClass(machine, statement, frame)
    case 'return': {
      const result = statement.value === null ? NONE : value(statement.value)
      frame.results.push(result)
      return leave(machine, 'return', frame.exit)
    }
    case 'raise':
      if (statement.value !== null) machine.raised = join(machine.raised, value(statement.value))
      return { kind: 'raise', isCaptured: false }
    case 'break':
      return leave(machine, 'break', frame.loops.at(-1)?.ended)
    case 'continue':
      return leave(machine, 'continue', frame.loops.at(-1)?.repeated)
    case 'outer':
      for (const name of statement.names) declareOuter(name, statement.isGlobal, frame)
  }
  return undefined
}

function declareOuter(name: string, isGlobal: boolean, { scopes, outer }: Frame): void {
  const holder = isGlobal ? scopes[0] : scopes.slice(0, -1).findLast(({ cells }) => cells.has(name))
  if (holder !== undefined) outer.set(name, holder)
}

function define(
  machine: Machine,
  { definition, decorators }: Extract<Statement, { kind: 'function' }>,
  frame: Frame,
): undefined {
  machine.created.set(definition, frame.scopes)
  for (const { initial } of definition.parameters) if (initial !== null) machine.evaluate(initial, frame)
  let made: Value = { kind: 'function', definition, scopes: frame.scopes }
  for (const each of decorators.toReversed()) {
    const decorated = call(machine, machine.evaluate(each, frame), [made], new Map(), frame)
    // Of others, it is not known that they change what the function does.
    if (choicesOf(decorated).every(({ kind }) => kind === 'function')) made = decorated
  }
  assign(machine, definition.name, made, frame)
}

export function assignTo(machine: Machine, target: Expression, value: Value, frame: Frame): void {
  switch (target.kind) {
    case 'name':
      assign(machine, target.name, value, frame)
      return
    case 'member':
      setMember(machine, machine.evaluate(target.on, frame), target.name, value)
      return
    case 'index':
      setItem(machine, machine.evaluate(target.on, frame), machine.evaluate(target.at, frame), value, frame)
      return
    case 'spread':
      assignTo(machine, target.value, UNKNOWN, frame)
      return
    case 'list':
    case 'tuple':
      assignAll(machine, target.items, value, frame)
  }
}

/** `a, *b, c = items` */
function assignAll(machine: Machine, targets: readonly Expression[], value: Value, frame: Frame): void {
  const star = targets.findIndex(({ kind }) => kind === 'spread')
  for (const [at, each] of targets.entries()) {
    const all = contentsOf(value).map((given): Value => {
      const items = itemsIn(given)
      if (items === null) return UNKNOWN
      const end = items.length - targets.length + 1
      if (at === star) return { kind: 'items', items: items.slice(at, at + end) }
      return items[star === -1 || at < star ? at : at - 1 + end] ?? UNKNOWN
    })
    assignTo(machine, each.kind === 'spread' ? each.value : each, join(...all), frame)
  }
}

function runIf(
  machine: Machine,
  { arms, other }: Extract<Statement, { kind: 'if' }>,
  frame: Frame,
): Signal | undefined {
  const open: Body[] = []
  for (const { test, body } of arms) {
    const truth = truthOf(machine.evaluate(test, frame))
    if (truth === false) continue
    open.push(body)
    if (truth === true) return runOpen(machine, open, frame)
  }
  return runOpen(machine, [...open, other], frame)
}

function runOpen(machine: Machine, bodies: readonly Body[], frame: Frame): Signal | undefined {
  const [first = []] = bodies
  if (bodies.length === 1) return runBlock(machine, first, frame)
  return branch(
    machine,
    bodies.map((body) => () => runBlock(machine, body, frame)),
  )
}

type Loop = Extract<Statement, { kind: 'while' | 'for' }>

function runFor(machine: Machine, statement: Extract<Loop, { kind: 'for' }>, frame: Frame): Signal | undefined {
  const from = machine.evaluate(statement.from, frame)
  const choices = contentsOf(from)
  const [first = UNKNOWN] = choices
  const items = choices.length === 1 ? itemsIn(first) : null
  if (items === null || machine.isSurvey) {
    const each = join(...choices.flatMap((choice) => itemsIn(choice) ?? [elementOf(choice)]))
    assignTo(machine, statement.target, each, frame)
    // A list that is known is not gone through, so that what is made of it is not known.
    return runLoop(machine, statement, frame, () => (items === null ? undefined : true))
  }
  let at = 0
  return runLoop(machine, statement, frame, () => {
    const item = items[at++]
    if (item === undefined) return false
    assignTo(machine, statement.target, item, frame)
    return true
  })
}

type Test = () => boolean | undefined
type Iterate = () => Signal | undefined

/** `test`: whether it goes on; undefined: not known. */
function runLoop(machine: Machine, { kind, body, other }: Loop, frame: Frame, test: Test): Signal | undefined {
  const createExit = (): Exit => ({ level: 0, states: [] })
  const loop = { ended: createExit(), repeated: createExit() }
  const iterate = (): Signal | undefined => {
    loop.repeated = createExit()
    return within(machine, loop.repeated, 'continue', () => runBlock(machine, body, frame))
  }
  const isLeft = (): boolean => loop.ended.states.length > 0
  frame.loops.push(loop)
  const signal = within(machine, loop.ended, 'break', () =>
    repeat(
      machine,
      iterate,
      test,
      (count, changes) => kind === 'while' && (changes === 0 || (isLeft() && count >= PASSES)),
    ),
  )
  frame.loops.pop()
  if (signal !== undefined || other.length === 0) return signal
  const last = (): Signal | undefined => runBlock(machine, other, frame)
  return isLeft() ? branch(machine, [last, () => undefined]) : last()
}

/** `mayEnd`: after so many times, of which the last one changed so much. */
function repeat(
  machine: Machine,
  iterate: Iterate,
  test: Test,
  mayEnd: (count: number, changes: number) => boolean,
): Signal | undefined {
  const { journal } = machine
  for (let count = 0; ; count++) {
    step()
    const before = journal.writes
    const goesOn = test()
    if (goesOn === false) return undefined
    if (count >= ITERATIONS_MAX) machine.isExhausted = true
    const isCut = goesOn === true && (machine.isSurvey || count >= ITERATIONS_MAX)
    if (isCut || goesOn === undefined || mayEnd(count, 1)) return runPasses(machine, iterate, test, isCut)
    const left = iterate()
    // If nothing changes, it would go on for ever.
    if (left !== undefined || (journal.writes === before && mayEnd(count, 0))) return left
  }
}

/** A loop that may end at any time: until nothing changes, or values are unknown. */
function runPasses(machine: Machine, iterate: Iterate, test: Test, isCut: boolean): undefined {
  const { journal } = machine
  const passes = machine.isSurvey ? 1 : PASSES
  for (let pass = 0; pass < passes; pass++) {
    if (pass > 0) test()
    machine.doubts++
    journal.begin()
    const signal = iterate()
    const changes = journal.undo()
    machine.doubts--
    const before = journal.writes
    if (signal === undefined) journal.merge([NO_CHANGES, changes])
    if (journal.writes === before) return
    if (pass + 1 === passes) journal.widen(changes, isCut)
  }
}

function runTry(
  machine: Machine,
  { body, handlers, other, last }: Extract<Statement, { kind: 'try' }>,
  frame: Frame,
): Signal | undefined {
  const { journal, raised } = machine
  machine.raised = UNKNOWN
  journal.beginHistory()
  journal.begin()
  const signal = runBlock(machine, body, frame)
  const caught = machine.raised
  machine.raised = raised
  const end = journal.undo()
  const history = journal.endHistory()
  const ended = (): Signal | undefined => {
    journal.merge([end])
    return signal ?? runBlock(machine, other, frame)
  }
  const handled = handlers.map(({ name, body: handler }) => (): Signal | undefined => {
    journal.merge([history])
    if (name !== '') assign(machine, name, caught, frame)
    return runBlock(machine, handler, frame)
  })
  const left = handlers.length === 0 ? ended() : branch(machine, [ended, ...handled])
  if (last.length === 0) return left
  if (left === undefined) return runBlock(machine, last, frame)
  // Its effects are seen in any case.
  journal.begin()
  journal.merge([NO_CHANGES, history])
  runBlock(machine, last, frame)
  journal.undo()
  return left
}

const SUPPRESSES = /(?:^|\.)suppress\(\)$/

function runWith(
  machine: Machine,
  { value, target, body }: Extract<Statement, { kind: 'with' }>,
  frame: Frame,
): Signal | undefined {
  const opened = machine.evaluate(value, frame)
  const entered = callSpecial(machine, opened, '__enter__', [], frame) ?? opened
  if (target !== null) assignTo(machine, target, entered, frame)
  if (choicesOf(opened).some((each) => each.kind === 'name' && SUPPRESSES.test(each.name)))
    return runTry(machine, { kind: 'try', body, handlers: [{ name: '', body: [] }], other: [], last: [] }, frame)
  return runBlock(machine, body, frame)
}

function runMatch(
  machine: Machine,
  { subject, cases }: Extract<Statement, { kind: 'match' }>,
  frame: Frame,
): Signal | undefined {
  const value = machine.evaluate(subject, frame)
  const open: (() => Signal | undefined)[] = []
  for (const { pattern, body } of cases) {
    const fits = fitsPattern(machine, pattern, value, frame)
    if (fits === false) continue
    const arm = (): Signal | undefined => {
      bindPattern(machine, pattern, value, frame)
      return runBlock(machine, body, frame)
    }
    if (fits === true && open.length === 0) return arm()
    open.push(arm)
    if (fits === true) return branch(machine, open)
  }
  return branch(machine, [...open, () => undefined])
}

function fitsPattern(machine: Machine, pattern: Expression, value: Value, frame: Frame): boolean | undefined {
  if (pattern.kind === 'name' && pattern.name !== '') return true
  if (pattern.kind !== 'text' && pattern.kind !== 'number') return undefined
  const wanted = machine.evaluate(pattern, frame)
  return value.kind === 'text' || value.kind === 'number' ? isSame(wanted, value) : undefined
}

/** Names in a pattern take parts of the value. */
function bindPattern(machine: Machine, pattern: Expression, value: Value, frame: Frame): void {
  if (pattern.kind === 'name' && pattern.name !== '_' && pattern.name !== '')
    assign(machine, pattern.name, value, frame)
  else if (pattern.kind === 'tuple' || pattern.kind === 'list') assignTo(machine, pattern, value, frame)
}

function runClass(
  machine: Machine,
  { name, bases, body }: Extract<Statement, { kind: 'class' }>,
  frame: Frame,
): Signal | undefined {
  const parents = { cells: inherited(machine, bases, frame) }
  const holder = { cells: new Map<string, Value>() }
  for (const [key, value] of parents.cells) machine.journal.set(holder, key, value)
  for (const each of body) if (each.kind === 'function') machine.parents.set(each.definition, parents)
  runBlock(machine, body, createFrame([...frame.scopes, holder], machine.journal.depth))
  for (const [key, value] of holder.cells) if (value.kind !== 'function') setMember(machine, UNKNOWN, key, value)
  assign(machine, name, { kind: 'class', name, holder }, frame)
  return undefined
}

/** What the classes have from which one is derived. */
function inherited(machine: Machine, bases: readonly Argument[], frame: Frame): Map<string, Value> {
  const cells = new Map<string, Value>()
  for (const base of bases)
    for (const each of choicesOf(machine.evaluate(base.value, frame)))
      if (each.kind === 'class') for (const [key, value] of each.holder.cells) cells.set(key, value)
      else if (each.kind === 'name' && isError(each.name)) cells.set('args', UNKNOWN)
  return cells
}
