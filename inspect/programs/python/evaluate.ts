/** Evaluates expressions of Python. */

import { call, callSpecial, readAttribute } from './calls.ts'
import { hasEffect } from './effects.ts'
import { branch } from './flow.ts'
import { itemsIn } from './functions.ts'
import { assign, createFrame, type Frame, lookUp, type Machine, step } from './machine.ts'
import { elementOf, itemOf, keyOf, sliceOf } from './members.ts'
import { operate } from './operators.ts'
import type { Argument, Expression, Part } from './syntax.ts'
import {
  asText,
  bigNumber,
  CONTENT,
  CUT,
  choicesOf,
  combined,
  contentsOf,
  join,
  NONE,
  named,
  number,
  originsOf,
  textWith,
  truthOf,
  UNKNOWN,
  unknown,
  type Value,
} from './values.ts'

export function evaluate(machine: Machine, expression: Expression, frame: Frame): Value {
  step()
  const value = (each: Expression): Value => evaluate(machine, each, frame)
  switch (expression.kind) {
    case 'text':
      return textWith(expression.text, expression.isBytes, 0)
    case 'number':
      return expression.big === undefined ? number(expression.value) : bigNumber(expression.big)
    case 'none':
      return NONE
    case 'name':
      return variable(machine, expression.name, frame)
    case 'member':
      return readAttribute(machine, value(expression.on), expression.name, frame)
    case 'index':
      return indexed(machine, expression, frame)
    case 'slice':
      return UNKNOWN
    case 'call':
      return evaluateCall(machine, value(expression.target), expression.args, frame)
    case 'operation':
      return chained(machine, expression, frame)
    case 'and':
    case 'or':
      return either(machine, expression, frame)
    case 'not': {
      const truth = truthOf(value(expression.value))
      return truth === undefined ? UNKNOWN : number(Number(!truth))
    }
    case 'choice':
      return chosen(machine, expression, frame)
    case 'list':
      return container('list', { kind: 'items', items: all(machine, expression.items, frame) })
    case 'tuple':
      return { kind: 'items', items: all(machine, expression.items, frame) }
    case 'dict':
      return dictionary(machine, expression.pairs, frame)
    case 'spread':
      return value(expression.value)
    case 'lambda':
      machine.created.set(expression.definition, frame.scopes)
      return { kind: 'function', definition: expression.definition, scopes: frame.scopes }
    case 'comprehension':
      return comprehended(machine, expression.result, expression.parts, frame)
    case 'walrus': {
      const given = value(expression.value)
      assign(machine, expression.name, given, frame)
      return given
    }
    case 'yield':
      frame.yielded.push(value(expression.value))
      return UNKNOWN
    case 'format':
      return combined(
        expression.pieces.map((piece) => spoken(machine, value(piece), frame)),
        (...pieces) => textWith(pieces.map(asText).join(''), false, originsOf(pieces)),
      )
  }
}

/** What an object says itself as a text. */
const spoken = (machine: Machine, value: Value, frame: Frame): Value =>
  callSpecial(machine, value, '__str__', [], frame) ?? callSpecial(machine, value, '__repr__', [], frame) ?? value

function indexed(machine: Machine, { on, at }: Extract<Expression, { kind: 'index' }>, frame: Frame): Value {
  const owner = evaluate(machine, on, frame)
  if (at.kind !== 'slice') {
    const key = evaluate(machine, at, frame)
    return callSpecial(machine, owner, '__getitem__', [key], frame) ?? itemOf(machine, owner, key, frame)
  }
  const bounds = [at.from, at.to, at.step].map((each) => each && evaluate(machine, each, frame))
  return sliceOf(owner, bounds)
}

function dictionary(machine: Machine, pairs: Extract<Expression, { kind: 'dict' }>['pairs'], frame: Frame): Value {
  const entries = new Map<string, Value>()
  for (const { key, value } of pairs) {
    const held = evaluate(machine, value, frame)
    if (key !== null) entries.set(keyOf(evaluate(machine, key, frame)), held)
    else for (const [name, other] of contentsOf(held).flatMap(entriesIn)) entries.set(name, other)
  }
  return container('dict', { kind: 'entries', entries })
}

const entriesIn = (value: Value): [string, Value][] => (value.kind === 'entries' ? [...value.entries] : [])

const container = (kind: 'list' | 'dict', content: Value): Value => ({
  kind,
  holder: { cells: new Map([[CONTENT, content]]) },
})

function variable(machine: Machine, name: string, frame: Frame): Value {
  const found = lookUp(machine, name, frame)
  if (found !== undefined) return found
  const module = machine.wildcards.find((each) => hasEffect(`${each}.${name}`))
  return named(module === undefined ? name : `${module}.${name}`)
}

function all(machine: Machine, items: readonly Expression[], frame: Frame): Value[] {
  return items.flatMap((each) => {
    const value = evaluate(machine, each, frame)
    if (each.kind !== 'spread' && each.kind !== 'comprehension') return [value]
    const [first = UNKNOWN] = contentsOf(value)
    return itemsIn(first) ?? [elementOf(first)]
  })
}

function evaluateCall(machine: Machine, target: Value, args: readonly Argument[], frame: Frame): Value {
  const given: Value[] = []
  const keywords = new Map<string, Value>()
  for (const { value, name, isSpread } of args) {
    const held = evaluate(machine, value, frame)
    const [first = UNKNOWN] = contentsOf(held)
    if (name !== undefined) keywords.set(name, held)
    else if (!isSpread) given.push(held)
    else if (first.kind === 'entries') for (const [key, each] of first.entries) keywords.set(key, each)
    else given.push(...(itemsIn(first) ?? [elementOf(first)]))
  }
  return call(machine, target, given, keywords, frame)
}

/** Methods by which objects are added and so on. */
const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '+': '__add__', '-': '__sub__', '*': '__mul__', '/': '__truediv__', '%': '__mod__', '^': '__xor__' },
  ...{ '|': '__or__', '&': '__and__', '<<': '__lshift__', '>>': '__rshift__', '@': '__matmul__' },
}

/** Sums of very many parts are not evaluated within each other. */
function chained(machine: Machine, expression: Extract<Expression, { kind: 'operation' }>, frame: Frame): Value {
  const parts: { sign: string; right: Expression }[] = []
  let left: Expression = expression
  while (left.kind === 'operation') {
    parts.push({ sign: left.sign, right: left.right })
    left = left.left
  }
  let value = evaluate(machine, left, frame)
  for (const { sign, right } of parts.reverse()) {
    step()
    const other = evaluate(machine, right, frame)
    const own = OPERATORS[sign] === undefined ? null : callSpecial(machine, value, OPERATORS[sign], [other], frame)
    value = own ?? operate(sign, value, other)
  }
  return value
}

/** `a or b` and `a and b`: the first value counts if it decides. */
function either(
  machine: Machine,
  { kind, left, right }: Extract<Expression, { kind: 'and' | 'or' }>,
  frame: Frame,
): Value {
  const first = evaluate(machine, left, frame)
  const truth = truthOf(first)
  if (truth === (kind === 'or')) return first
  if (truth !== undefined) return evaluate(machine, right, frame)
  let second: Value = UNKNOWN
  branch(machine, [
    () => {
      second = evaluate(machine, right, frame)
      return undefined
    },
    () => undefined,
  ])
  const kept = choicesOf(first).filter((each) => truthOf(each) !== (kind === 'and'))
  return join(...kept, second)
}

function chosen(machine: Machine, { test, yes, no }: Extract<Expression, { kind: 'choice' }>, frame: Frame): Value {
  const truth = truthOf(evaluate(machine, test, frame))
  if (truth !== undefined) return evaluate(machine, truth ? yes : no, frame)
  const values: Value[] = []
  branch(
    machine,
    [yes, no].map((each) => () => {
      values.push(evaluate(machine, each, frame))
      return undefined
    }),
  )
  return join(...values)
}

function comprehended(machine: Machine, result: Expression, parts: readonly Part[], outer: Frame): Value {
  const frame = { ...createFrame([...outer.scopes, { cells: new Map() }], machine.journal.depth), outer: outer.outer }
  const found: Value[] = []
  let [isOpen, isCut] = [false, false]
  const isChosen = (conditions: readonly Expression[]): boolean => {
    const truths = conditions.map((condition) => truthOf(evaluate(machine, condition, frame)))
    isOpen ||= truths.includes(undefined)
    return !truths.includes(false)
  }
  const run = (at: number): void => {
    const part = parts[at]
    if (part === undefined) {
      found.push(evaluate(machine, result, frame))
      return
    }
    const choices = contentsOf(evaluate(machine, part.from, frame))
    const lists = choices.map(itemsIn)
    isOpen ||= lists.length !== 1 || lists[0] === null
    const items = lists.flatMap((list, place) => list ?? [elementOf(choices[place] ?? UNKNOWN)])
    // A survey reads it once, like the body of a loop.
    isCut ||= machine.isSurvey && items.length > 1
    for (const item of machine.isSurvey ? [join(...items)] : items) {
      step()
      machine.assignTo(part.target, item, frame)
      if (isChosen(part.conditions)) run(at + 1)
    }
  }
  run(0)
  if (!isOpen && !isCut) return container('list', { kind: 'items', items: found })
  // How many there are is not known: those that are, or others.
  return join({ kind: 'items', items: found }, unknown(originsOf(found) | (isCut ? CUT : 0)))
}
