/** Evaluates scripts as far as they are constant. Runs nothing: calls of the outside world are only recorded. */

import { acts } from './acting.ts'
import { type Allowance, spend, store, TooMuch, withAllowance } from './budget.ts'
import { callBack, exhausted, invoke, invokeFunction, invokeNamed, run, runFunction } from './calls.ts'
import { calleeOf, construct, defineClass, iterated, ownerOf, readMember } from './classes.ts'
import { computedCall } from './computed.ts'
import { spreadOf } from './functions.ts'
import { areAlike, changedSince } from './handlers.ts'
import { lookUp, member } from './lookup.ts'
import {
  alternate,
  type Cache,
  closeExits,
  createMachine,
  type Machine,
  maybe,
  maybeQuiet,
  type Recorder,
  reopenExits,
  withScope,
} from './machine.ts'
import { ANY, COPIED_WORK, keysOrItems } from './members.ts'
import { binary, unary } from './operators.ts'
import { patternOf } from './patterns.ts'
import { lookInto, runAll } from './programs.ts'
import { createSettled, firstOf, note, type Settled } from './settled.ts'
import { runOpen } from './settled-calls.ts'
import { each, loop, switched, tried } from './statements.ts'
import { callLost, openFunctions, siteOf } from './summaries.ts'
import { isQuiet, type Node } from './syntax.ts'
import { assign, assignMember, bind } from './targets.ts'
import { runTimers } from './timers.ts'
import {
  accessorOf,
  alternativesOf,
  CUT,
  CUT_NUMBER,
  combine,
  type FunctionValue,
  holderOf,
  ITEM_BYTES,
  isAlternatives,
  isComposite,
  isLossy,
  isUnknown,
  join,
  listOf,
  nameOf,
  numberOf,
  recordOf,
  truthOf,
  UNKNOWN,
  type Value,
} from './values.ts'

/** Nodes within each other. */
const DEPTH_MAX = 800
const STEP_WORK = 450
/** A function with the variables around it. */
const CLOSURE_BYTES = 400

type Of<K extends Node['kind']> = Extract<Node, { kind: K }>

/** Follows a script, with the handlers that it gives to the host. `values`: of what it did not define, by their name. */
export function evaluateScript(
  source: string,
  recorder: Recorder,
  values: ReadonlyMap<string, string>,
  cache: Cache,
): Machine {
  const machine = machineFor(recorder, values, null, cache)
  run(machine, source, null)
  machine.flow = null
  runTimers(machine)
  runHandlers(machine)
  return machine
}

/** Handlers run after the script. One that redraws the page registers itself again, and does the same if nothing has changed. */
function runHandlers(machine: Machine): void {
  const runs = new Map<Node, { value: FunctionValue; version: number }[]>()
  let version = 0
  for (const value of machine.deferred) {
    const known = runs.get(value.node) ?? []
    runs.set(value.node, known)
    if (known.some((run) => run.version === version && areAlike(run.value, value))) continue
    known.push({ value, version })
    machine.journal.begin()
    runAgain(machine, value)
    runTimers(machine)
    if (changedSince(machine.journal.commit())) version += 1
  }
}

function machineFor(...args: Parameters<typeof createMachine>): Machine {
  const machine = createMachine(...args)
  machine.evaluate = (node) => evaluate(machine, node)
  machine.runFunction = (value, given, byTimer) => runFunction(machine, value, given, byTimer)
  return machine
}

/** For all functions that nothing called: those that can do something, and the others. */
const ACTING_ALLOWANCE: Allowance = { work: 100_000_000, bytes: 20_000_000 }
/** Of a long script, it takes less than all of it. */
const ACTING_CHARACTER_WORK = 400
const OTHERS_ALLOWANCE: Allowance = { work: 40_000_000, bytes: 10_000_000 }
/** In a library, they are most of its functions, and nothing that could act is named in the script. */
const LIBRARY_OTHERS_ALLOWANCE: Allowance = { work: 4_000_000, bytes: 10_000_000 }
/** For one of them, and for one that is a script of its own, such as a library in a bundle. */
const ALONE_ALLOWANCE: Allowance = { work: 10_000_000, bytes: 10_000_000 }
const LONG_ALLOWANCE: Allowance = { work: 100_000_000, bytes: 20_000_000 }

/**
 * Functions that nothing called may be called by code that was not understood. Those that can do something run first,
 * each with an allowance of its own. Returns whether all of these were seen to their end.
 */
export function evaluateOthers(machine: Machine, { length }: string): boolean {
  machine.isReached = false
  machine.isDistant ||= machine.cache.host === 'windows'
  const { recorder } = machine
  // What they leave out is read by nothing that runs.
  machine.recorder = { ...recorder, exhausted() {} }
  let areSeen = true
  const work = ACTING_ALLOWANCE.work + length * ACTING_CHARACTER_WORK
  const isEnd = withAllowance({ ...ACTING_ALLOWANCE, work }, () => {
    for (const value of machine.known)
      if (
        acts(value.node, machine.cache.host) &&
        !runAlone(machine, value, ALONE_ALLOWANCE) &&
        !runAlone(machine, value, ALONE_ALLOWANCE, true) &&
        !runAlone(machine, value, LONG_ALLOWANCE, true)
      )
        areSeen = false
  })
  withAllowance(machine.cache.isDistant ? LIBRARY_OTHERS_ALLOWANCE : OTHERS_ALLOWANCE, () => {
    for (const value of machine.known)
      if (!acts(value.node, machine.cache.host)) runAlone(machine, value, ALONE_ALLOWANCE)
  })
  machine.recorder = recorder
  return isEnd && areSeen
}

/** false: it was given up. */
function runAlone(machine: Machine, value: FunctionValue, allowance: Allowance, isShallow = false): boolean {
  const { scope, flow, isTimed, returned, thrown, yields, call, depth } = machine
  const { callDepth, evaluationDepth, loopDoubts, tries, doubts } = machine
  const [exits, levels] = [machine.exits.length, machine.journal.depth()]
  if (isShallow) machine.entered.delete(value.node)
  machine.isShallow = isShallow
  const isEnd = withAllowance(allowance, () => {
    callBack(machine, value)
    runTimers(machine)
  })
  machine.isShallow = false
  if (isEnd) return true
  machine.journal.unwind(levels, tries)
  machine.exits.length = exits
  Object.assign(machine, { scope, flow, label: null, labels: [], isTimed, returned, thrown, yields, call })
  Object.assign(machine, { depth, callDepth, evaluationDepth, loopDoubts, tries, doubts })
  Object.assign(machine, { timers: [], timer: null })
  machine.active.clear()
  machine.widened.clear()
  return false
}

function callOthers(machine: Machine): void {
  machine.isReached = false
  for (const value of machine.known) callBack(machine, value)
}

/** Sees all of a script that is too long to be followed. */
export function settleScript(
  source: string,
  recorder: Recorder,
  values: ReadonlyMap<string, string>,
  cache: Cache,
): void {
  const settled = createSettled()
  const machine = machineFor(recorder, values, settled, cache)
  // The script itself is a function that nothing calls.
  do {
    settled.pass += 1
    settled.script.isOpen = false
    machine.isReached = true
    machine.entered.clear()
    run(machine, source, null)
    machine.flow = null
    callOthers(machine)
    runOthers(machine, settled)
    if (!settled.script.isOpen)
      callLost(
        settled,
        machine.known.filter(({ node }) => node.isDropped),
      )
    runOthers(machine, settled)
  } while (settled.script.isOpen)
}

/** Runs functions until nothing changes for any of them. */
function runOthers(machine: Machine, settled: Settled): void {
  for (let open = openFunctions(settled); open.length > 0; open = openFunctions(settled)) {
    settled.pass += 1
    for (const { value, summary } of open) {
      if (summary.isOpen) runOpen(machine, settled, value, summary)
      machine.flow = null
    }
  }
}

function runAgain(machine: Machine, value: FunctionValue): void {
  const args = value.node.params.map(() => UNKNOWN)
  maybe(machine, () => invokeFunction(machine, value, args))
}

function evaluate(machine: Machine, node: Node): Value {
  spend(STEP_WORK)
  if (machine.depth >= DEPTH_MAX) return exhausted(machine)
  machine.depth += 1
  const { depth } = machine
  try {
    return (evaluators[node.kind] as (machine: Machine, node: Node) => Value)(machine, node)
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error
    return exhausted(machine)
  } finally {
    machine.depth = depth - 1
  }
}

const evaluators: { [K in Node['kind']]: (machine: Machine, node: Of<K>) => Value } = {
  constant: (_, { value }) => value,
  numbers(machine, node) {
    store(node.values.length * ITEM_BYTES)
    return madeAt(machine, node, listOf([...node.values]))
  },
  pattern: (_, { pattern }) => patternOf(pattern),
  name: (machine, { name }) => lookUp(machine, name),
  array(machine, node) {
    const values = argumentsOf(machine, node.items)
    // A copy of an unknown list has an unknown length, too.
    const isCopy = values.length === 1 && values[0] === UNKNOWN && node.items[0]?.kind === 'spread'
    return isCopy ? UNKNOWN : madeAt(machine, node, listOf(values))
  },
  object(machine, node) {
    const { entries } = node
    const cells = new Map<string, Value>()
    for (const { key, value, how } of entries) {
      if (value.kind === 'spread') copyCells(machine, machine.evaluate(value.value), cells)
      else {
        const held = machine.evaluate(value)
        const name = nameOf(machine.evaluate(key)) ?? ANY
        cells.set(name, how === undefined || machine.isDistant ? held : accessorOf(held, how, cells.get(name)))
      }
    }
    return madeAt(machine, node, recordOf(cells))
  },
  class: defineClass,
  function(machine, node) {
    const value: FunctionValue = { kind: 'function', node, scope: machine.scope }
    // One for all that the same place makes, where all calls are joined.
    if (machine.settled !== null && firstOf(machine.settled, value) !== value) return value
    store(CLOSURE_BYTES)
    machine.known.push(value)
    return value
  },
  spread: (machine, { value }) => machine.evaluate(value),
  member: (machine, { owner, key }) => readMember(machine, ownerOf(machine, owner), machine.evaluate(key)),
  call(machine, node) {
    const { target, self } = calleeOf(machine, node.callee)
    const values = argumentsOf(machine, node.args)
    const text = machine.settled === null ? undefined : computed(machine, machine.settled, node, target, values)
    if (node.isNew && isUnknown(target)) return madeAt(machine, node, invokeNamed(machine, target.name, values, true))
    if (node.isNew) return construct(machine, target, values, (value) => madeAt(machine, node, value))
    const result = madeAt(machine, node, invoke(machine, target, values, self))
    return text ?? result
  },
  unary(machine, { operator, operand }) {
    machine.isProbed = operator === 'typeof' && operand.kind === 'name'
    const operated = machine.evaluate(operand)
    machine.isProbed = false
    const value = unary(operator, operated)
    if (operator === 'yield') {
      store(ITEM_BYTES)
      machine.yields?.push(value)
    }
    if (operator === 'yield*') yieldAll(machine, operated)
    if (operator === 'delete' && operand.kind === 'member') assign(machine, operand, undefined)
    return value
  },
  update(machine, { step, target, isPrefix }) {
    const value = machine.evaluate(target)
    const next = combine([value], ([one]) =>
      isUnknown(one) ? (isLossy(one) ? CUT_NUMBER : UNKNOWN) : numberOf(one) + step,
    )
    assign(machine, target, next)
    return isPrefix ? next : value
  },
  binary: evaluateChain,
  assign(machine, { operator, target, value }) {
    if (operator === '=') {
      const right = machine.evaluate(value)
      assign(machine, target, right)
      return right
    }
    const result = combined(machine, operator.slice(0, -1), machine.evaluate(target), value)
    assign(machine, target, result)
    return result
  },
  declare(machine, { how, target, value }) {
    // Functions are declared before the statements.
    if (how === 'function') return undefined
    if (how === 'let') bind(machine, target, value === null ? undefined : machine.evaluate(value))
    else if (value !== null) assign(machine, target, machine.evaluate(value))
    else if (target.kind === 'name' && machine.scope === machine.root && !machine.root.cells.has(target.name))
      bind(machine, target, undefined)
    return undefined
  },
  choice(machine, { test, yes, no }) {
    const truth = truthOf(machine.evaluate(test))
    const runYes = (): Value => machine.evaluate(yes)
    const runNo = (): Value => (no === null ? undefined : machine.evaluate(no))
    if (truth === null || (truth === false && machine.isTimed)) {
      if (no === null) return maybe(machine, runYes)
      if (!isQuiet(yes) || !isQuiet(no)) return alternate(machine, [runYes, runNo])
      return join(maybeQuiet(machine, yes), maybeQuiet(machine, no))
    }
    lookInto(machine, truth ? no : yes)
    return truth ? runYes() : runNo()
  },
  sequence: (machine, { items }) => items.map(machine.evaluate).at(-1),
  block(machine, node) {
    if (node.isScope) withScope(machine, node, () => runAll(machine, node.body))
    else runAll(machine, node.body)
    return undefined
  },
  loop,
  each,
  switch: switched,
  try: tried,
  leave(machine, { how, value, label }) {
    const result = value === null ? undefined : machine.evaluate(value)
    if (how === 'return') machine.returned = { value: joinedTo(machine.returned, result) }
    if (how === 'throw') machine.thrown = { value: joinedTo(machine.thrown, result) }
    machine.flow = how
    machine.label = label
    return undefined
  },
  with(machine, node) {
    machine.recorder.missing(null)
    const object = machine.evaluate(node.object)
    return withScope(machine, node, () => {
      const { cells } = machine.scope
      for (const each of alternativesOf(object))
        if (isComposite(each) && each.kind === 'record') copyCells(machine, each, cells)
      const before = new Map(cells)
      machine.evaluate(node.body)
      for (const [key, value] of cells) if (before.get(key) !== value) assignMember(machine, object, key, value)
      return undefined
    })
  },
  labelled(machine, { name, body }) {
    machine.labels.push(name)
    const base = machine.exits.length
    machine.evaluate(body)
    machine.labels.length = 0
    const left = new Set(closeExits(machine, base))
    left.delete(`break ${name}`)
    if (machine.flow === 'break' && machine.label === name) Object.assign(machine, { flow: null, label: null })
    reopenExits(machine, left)
    return undefined
  },
}

function yieldAll(machine: Machine, all: Value): void {
  const { yields } = machine
  const items = spreadOf(iterated(machine, all))
  spend(items.length * STEP_WORK)
  store(items.length * ITEM_BYTES)
  if (yields !== null) for (const item of items) yields.push(item)
}

function copyCells(machine: Machine, source: Value, cells: Map<string, Value>): void {
  for (const each of alternativesOf(source)) {
    if (isUnknown(each)) cells.set(ANY, isLossy(each) ? CUT : UNKNOWN)
    for (const key of keysOrItems(each, false)) {
      spend(COPIED_WORK)
      cells.set(nameOf(key) ?? ANY, member(machine, each, key))
    }
  }
}

function computed(
  machine: Machine,
  settled: Settled,
  site: Node,
  target: Value,
  args: readonly Value[],
): string | undefined {
  settled.site = site
  return computedCall(machine, settled, site, target, args, (recorder) =>
    machineFor(recorder, new Map(), null, machine.cache),
  )
}

/** Objects that the language made have no place yet. */
function madeAt(machine: Machine, site: Node, value: Value): Value {
  const { settled, call } = machine
  if (settled === null || !isComposite(value)) return value
  if (value.kind === 'alternatives') for (const each of value.values) madeAt(machine, site, each)
  if ((value.kind !== 'list' && value.kind !== 'record') || value.site !== undefined) return value
  Object.assign(value, { site: siteOf(settled, site), call })
  if (value.kind === 'record') for (const [key, each] of value.cells) note(settled, value, key, each, call)
  return value
}

function joinedTo(before: { value: Value } | null, value: Value): Value {
  return before === null ? value : join(before.value, value)
}

/** `a + b + c` may have thousands of operands, so that the left ones are not evaluated within each other. */
function evaluateChain(machine: Machine, node: Of<'binary'>): Value {
  const chain: Of<'binary'>[] = []
  let first: Node = node
  while (first.kind === 'binary') {
    chain.push(first)
    first = first.left
  }
  let value = machine.evaluate(first)
  for (const { operator, right } of chain.reverse()) {
    spend(STEP_WORK)
    value = combined(machine, operator, value, right)
  }
  return value
}

function combined(machine: Machine, operator: string, left: Value, node: Node): Value {
  const right = (): Value => machine.evaluate(node)
  if (operator === '+') return binary(operator, primitive(machine, left), primitive(machine, right()))
  if (operator !== '&&' && operator !== '||' && operator !== '??') return binary(operator, left, right())
  const truth = operator === '??' ? isPresent(left) : truthOf(left)
  if (truth === (operator === '&&')) return right()
  if (truth !== null) {
    lookInto(machine, node)
    return left
  }
  // What `&&` leaves of an unknown value is false.
  if (isQuiet(node)) return operator === '&&' ? maybeQuiet(machine, node) : join(left, maybeQuiet(machine, node))
  return operator === '&&' ? maybeValue(machine, right) : alternate(machine, [() => left, right])
}

const CONVERTERS = ['@@toPrimitive', 'valueOf', 'toString']

/** An object may say itself what its text is. */
function primitive(machine: Machine, value: Value): Value {
  if (!isComposite(value) || value.kind !== 'record') return value
  const name = CONVERTERS.find((each) => holderOf(value, each)?.cells.get(each) !== undefined) ?? ''
  const convert = holderOf(value, name)?.cells.get(name)
  return convert === undefined ? value : invoke(machine, convert, [], value)
}

function maybeValue(machine: Machine, run: () => Value): Value {
  let value: Value
  maybe(machine, () => {
    value = run()
    return undefined
  })
  return value
}

function isPresent(value: Value): boolean | null {
  if (isAlternatives(value) || isUnknown(value)) return null
  return (value ?? null) !== null
}

function argumentsOf(machine: Machine, nodes: readonly Node[]): Value[] {
  store(nodes.length * ITEM_BYTES)
  const values: Value[] = []
  for (const node of nodes) {
    const value = machine.evaluate(node)
    const items = node.kind === 'spread' ? spreadOf(iterated(machine, value)) : [value]
    if (items.length > 1) store(items.length * ITEM_BYTES)
    for (const item of items) values.push(item)
  }
  return values
}
