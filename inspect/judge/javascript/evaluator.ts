/** Evaluates scripts as far as they are constant. Runs nothing: calls of the outside world are only recorded. */

import { spend, store, TooMuch } from './budget.ts'
import { callBack, exhausted, invoke, invokeFunction, invokeNamed, run } from './calls.ts'
import { itemsOf } from './functions.ts'
import { lookUp, member } from './lookup.ts'
import { alternate, createMachine, type Machine, maybe, type Recorder, withScope } from './machine.ts'
import { binary, unary } from './operators.ts'
import { runAll } from './programs.ts'
import { each, loop, switched, tried } from './statements.ts'
import type { Node } from './syntax.ts'
import { assign, bind } from './targets.ts'
import {
  CUT,
  combine,
  type FunctionValue,
  ITEM_BYTES,
  isAlternatives,
  isUnknown,
  join,
  listOf,
  numberOf,
  recordOf,
  textOf,
  truthOf,
  UNKNOWN,
  type Value,
} from './values.ts'

/** Nodes within each other. */
const DEPTH_MAX = 800
const STEP_WORK = 450

type Of<K extends Node['kind']> = Extract<Node, { kind: K }>

/** `values`: of things that the script did not define, by their name. */
export function evaluateScript(
  source: string,
  recorder: Recorder,
  values: ReadonlyMap<string, string>,
  { isSurvey, isDoubtful }: Pick<Machine, 'isSurvey' | 'isDoubtful'>,
): void {
  const machine = createMachine(recorder, values)
  Object.assign(machine, { isSurvey, isDoubtful })
  machine.evaluate = (node) => evaluate(machine, node)
  run(machine, source, null)
  machine.flow = null
  // Handlers run after the script.
  if (!isSurvey) for (const value of machine.deferred) runAgain(machine, value)
  // Functions that nothing called are called by events, or by code that was not understood.
  machine.isReached = false
  for (const value of machine.known) callBack(machine, value)
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
  numbers(_, { values }) {
    store(values.length * ITEM_BYTES)
    return listOf([...values])
  },
  pattern: (_, { pattern }) => ({ kind: 'pattern', pattern }),
  name: (machine, { name }) => lookUp(machine, name),
  array: (machine, { items }) => listOf(argumentsOf(machine, items)),
  object(machine, { entries }) {
    const cells = new Map<string, Value>()
    for (const { key, value } of entries) cells.set(textOf(machine.evaluate(key)) ?? '', machine.evaluate(value))
    return recordOf(cells)
  },
  function(machine, node) {
    const value: FunctionValue = { kind: 'function', node, scope: machine.scope }
    machine.known.push(value)
    return value
  },
  spread: (machine, { value }) => machine.evaluate(value),
  member: (machine, { owner, key }) => member(machine, machine.evaluate(owner), machine.evaluate(key)),
  call(machine, { callee, args, isNew }) {
    const target = machine.evaluate(callee)
    const values = argumentsOf(machine, args)
    if (isNew && isUnknown(target)) return invokeNamed(machine, target.name, values, true)
    return invoke(machine, target, values)
  },
  unary: (machine, { operator, operand }) => unary(operator, machine.evaluate(operand)),
  update(machine, { step, target, isPrefix }) {
    const value = machine.evaluate(target)
    const next = combine([value], ([one]) => (isUnknown(one) ? UNKNOWN : numberOf(one) + step))
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
    const result = combined(machine, operator.slice(0, -1), machine.evaluate(target), () => machine.evaluate(value))
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
    if (truth === null || (truth === false && machine.isTimed)) return alternate(machine, [runYes, runNo])
    return truth ? runYes() : runNo()
  },
  sequence: (machine, { items }) => items.map(machine.evaluate).at(-1),
  block(machine, { body, isScope }) {
    if (isScope) withScope(machine, () => runAll(machine, body))
    else runAll(machine, body)
    return undefined
  },
  loop,
  each,
  switch: switched,
  try: tried,
  leave(machine, { how, value }) {
    const result = value === null ? undefined : machine.evaluate(value)
    if (how === 'return') machine.returned = { value: joinedTo(machine.returned, result) }
    if (how === 'throw') machine.thrown = { value: joinedTo(machine.thrown, result) }
    machine.flow = how
    return undefined
  },
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
    value = combined(machine, operator, value, () => machine.evaluate(right))
  }
  return value
}

function combined(machine: Machine, operator: string, left: Value, right: () => Value): Value {
  if (operator !== '&&' && operator !== '||' && operator !== '??') return binary(operator, left, right())
  const truth = operator === '??' ? isPresent(left) : truthOf(left)
  if (truth !== null) return truth === (operator === '&&') ? right() : left
  // What `&&` leaves of an unknown value is false.
  return operator === '&&' ? maybeValue(machine, right) : alternate(machine, [() => left, right])
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
    const items = node.kind === 'spread' ? (itemsOf(value) ?? [isAlternatives(value) ? CUT : UNKNOWN]) : [value]
    if (items.length > 1) store(items.length * ITEM_BYTES)
    for (const item of items) values.push(item)
  }
  return values
}
