/** Evaluates scripts as far as they are constant. Runs nothing: calls of the outside world are only recorded. */

import { charge } from '#inspect/core/work.ts'
import { FUNCTIONS, itemsOf, LIST_METHODS, TEXT_METHODS } from './builtins.ts'
import { binary, unary } from './operators.ts'
import { parse } from './parser.ts'
import type { FunctionNode, Node } from './syntax.ts'
import {
  type FunctionValue,
  isComposite,
  isUnknown,
  listOf,
  named,
  numberOf,
  type Scope,
  textOf,
  truthOf,
  UNKNOWN,
  type Unknown,
  type Value,
} from './values.ts'

/** Nodes that are evaluated in all, and in one loop. Past it, loops and functions are evaluated once. */
const STEPS_MAX = 1_000_000
const LOOP_STEPS_MAX = 300_000
/** Functions that call each other. */
const CALLS_DEPTH_MAX = 20
/** Nodes within each other. */
const DEPTH_MAX = 800
/** Texts that are run as code by texts that are run as code. */
export const EVALUATION_DEPTH_MAX = 5

const STEP_WORK = 500

interface Recorder {
  /** `isReached`: not in a function that nothing in the script calls. */
  call(name: string, args: readonly Value[], isNew: boolean, isReached: boolean): void
  assign(name: string, value: Value): void
  /** Text that is run as code by a function; by none for the script itself. */
  code(text: string, by: string | null, names: ReadonlySet<string>, isComplete: boolean, isReached: boolean): void
  /** A limit was reached. */
  exhausted(): void
}

type Of<K extends Node['kind']> = Extract<Node, { kind: K }>
type Flow = 'break' | 'continue' | 'return' | null

const GLOBALS = new Set([
  'this',
  'window',
  'self',
  'globalThis',
  'top',
  'parent',
  'frames',
  'document.defaultView',
  'app.doc',
])
/** Functions that run their text as code, besides `Function`. */
const RUNNERS = new Set([
  ...['eval', 'execScript', 'setTimeout', 'setInterval', 'setImmediate', 'app.setTimeOut', 'app.setInterval'],
  ...['event.target.eval', 'app.eval'],
])
/** `eval.call(null, text)` */
const APPLIED = /^([\w.]+)\.(apply|call)$/
/** Function constructors, such as that of `[].flat`, of `Array` and of asynchronous functions. */
const CONSTRUCTORS = new Set([
  ...['Function', 'Array', 'String', 'Object', 'Number', 'Boolean', 'RegExp', 'Date'].map(
    (name) => `${name}.constructor`,
  ),
  ...['Function', 'Function.prototype.constructor', 'Object.getPrototypeOf().constructor'],
  ...['Reflect.getPrototypeOf().constructor', 'eval.constructor', 'atob.constructor'],
])

/** `values`: of things that the script did not define, by their name. */
export function createEvaluator(
  recorder: Recorder,
  values: ReadonlyMap<string, string> = new Map(),
): (source: string) => void {
  const root: Scope = { variables: new Map(), outer: null }
  const properties = new Map<string, Value>(values)
  const entered = new Set<FunctionNode>()
  const timed = new Set<FunctionNode>()
  const known: FunctionValue[] = []
  let scope = root
  let steps = 0
  let depth = 0
  let callDepth = 0
  let evaluationDepth = 0
  let flow: Flow = null
  let isReached = true
  /** In a function that a timer calls, until conditions that are false now are true. */
  let isTimed = false
  let returned: Value
  /** A branch that may not be taken left the loop or function. */
  let mayHaveLeft = false

  function evaluate(node: Node): Value {
    steps += 1
    charge(STEP_WORK)
    if (depth >= DEPTH_MAX) return exhausted()
    depth += 1
    const value = (evaluators[node.kind] as (node: Node) => Value)(node)
    depth -= 1
    return value
  }

  function exhausted(): Unknown {
    recorder.exhausted()
    return UNKNOWN
  }

  /** Functions are known before they are declared. */
  function hoist(body: readonly Node[]): void {
    for (const node of body)
      if (node.kind === 'assign' && node.value.kind === 'function') declare(nameOf(node.target), evaluate(node.value))
  }

  function runAll(body: readonly Node[]): void {
    hoist(body)
    for (const node of body) {
      if (flow !== null) return
      evaluate(node)
    }
  }

  function scopeOf(name: string): Scope | null {
    for (let each: Scope | null = scope; each !== null; each = each.outer) if (each.variables.has(name)) return each
    return null
  }

  function lookUp(name: string): Value {
    const owner = scopeOf(name)
    return owner === null ? (properties.get(name) ?? named(name)) : owner.variables.get(name)
  }

  function declare(name: string, value: Value): void {
    scope.variables.set(name, value)
  }

  function assign(target: Node, value: Value): void {
    if (target.kind === 'name') (scopeOf(target.name) ?? root).variables.set(target.name, value)
    if (target.kind === 'name' && GLOBAL_TARGETS.has(target.name)) recorder.assign(target.name, value)
    if (target.kind === 'member') assignMember(evaluate(target.owner), evaluate(target.key), value)
    if (target.kind === 'array') {
      const items = itemsOf(value) ?? []
      for (const [i, each] of target.items.entries()) assign(each, items[i] ?? UNKNOWN)
    }
  }

  function assignMember(owner: Value, key: Value, value: Value): void {
    const name = textOf(key)
    if (!isComposite(owner) || name === null) return
    if (owner.kind === 'record') owner.entries.set(name, value)
    if (owner.kind === 'list') assignItem(owner.items, name, value)
    if (owner.kind !== 'unknown') return
    const path = memberName(owner.name, name)
    const known = GLOBALS.has(owner.name) ? scopeOf(name) : null
    if (known !== null) known.variables.set(name, value)
    else properties.set(path, value)
    recorder.assign(path, value)
  }

  function member(owner: Value, key: Value): Value {
    const name = textOf(key)
    if (name === null) return UNKNOWN
    return isUnknown(owner) ? memberOfUnknown(owner.name, name) : memberOfKnown(owner, name)
  }

  function memberOfUnknown(owner: string, name: string): Value {
    if (GLOBALS.has(owner)) return lookUp(name)
    const path = memberName(owner, name)
    return properties.get(path) ?? named(path)
  }

  function invoke(callee: Value, args: Value[]): Value {
    if (!isComposite(callee)) return UNKNOWN
    if (callee.kind === 'function') return invokeFunction(callee, args)
    if (callee.kind === 'method') return invokeMethod(callee.owner, callee.name, args)
    return callee.kind === 'unknown' ? invokeNamed(callee.name, args, false) : UNKNOWN
  }

  function invokeFunction({ node, scope: outer }: FunctionValue, args: readonly Value[], byTimer = false): Value {
    const isRepeated = entered.has(node)
    if ((isRepeated && steps > STEPS_MAX) || callDepth >= CALLS_DEPTH_MAX) return exhausted()
    entered.add(node)
    const saved = { scope, flow, mayHaveLeft, isTimed }
    const variables = new Map<string, Value>([['arguments', listOf([...args])]])
    for (const [i, name] of node.params.entries()) variables.set(name, i < args.length ? args[i] : undefined)
    scope = { variables, outer }
    flow = null
    returned = undefined
    callDepth += 1
    isTimed = byTimer && !timed.has(node)
    if (byTimer) timed.add(node)
    runAll(node.body)
    isTimed = saved.isTimed
    callDepth -= 1
    const value = returned
    returned = undefined
    scope = saved.scope
    flow = saved.flow
    mayHaveLeft = saved.mayHaveLeft
    return value
  }

  function invokeMethod(owner: Value, name: string, args: Value[]): Value {
    // Old readers have `eval` as a method of every value.
    if (name === 'eval') return invokeNamed('eval', args, false)
    if (typeof owner === 'string') return invokeTextMethod(owner, name, args)
    if (!isComposite(owner)) return primitiveMethod(owner, name, args)
    if (owner.kind === 'list')
      return Object.hasOwn(LIST_METHODS, name) ? LIST_METHODS[name]?.(owner, args, invoke) : UNKNOWN
    return applied(owner, name, args)
  }

  function invokeTextMethod(text: string, name: string, args: Value[]): Value {
    const isKnown = Object.hasOwn(TEXT_METHODS, name) && !args.some(isUnknown)
    return isKnown ? TEXT_METHODS[name]?.(text, args, invoke) : UNKNOWN
  }

  /** `f.call(null, a)` */
  function applied(callee: Value, how: string, args: Value[]): Value {
    if (how === 'apply') return invoke(callee, [...(itemsOf(args[1]) ?? [])])
    if (how === 'call') return invoke(callee, args.slice(1))
    return how === 'bind' ? callee : UNKNOWN
  }

  /** Calls something that the script did not define. */
  function invokeNamed(name: string, args: Value[], isNew: boolean): Value {
    const plain = name.includes('("') ? name.replaceAll(/\("[^"]*"\)/g, '()') : name
    const [, callee, how = ''] = APPLIED.exec(plain) ?? []
    if (callee !== undefined) return applied(named(callee), how, args)
    recorder.call(name, args, isNew, isReached)
    if (RUNNERS.has(plain)) return runText(args[0], plain)
    if (CONSTRUCTORS.has(plain)) return functionOf(args)
    const builtin = FUNCTIONS.get(plain)
    if (builtin !== undefined) return namedResult(builtin(args, invoke), plain, args)
    for (const arg of args) callBack(arg, plain === 'requestAnimationFrame')
    const result = `${name}(${shortText(args[0])})`
    return properties.get(result) ?? named(result)
  }

  /** Functions that are passed to others are called some time. */
  function callBack(value: Value, byTimer = false): void {
    if (!isComposite(value) || value.kind !== 'function') return
    const { node } = value
    if (byTimer ? timed.has(node) : entered.has(node)) return
    const args = node.params.map(() => UNKNOWN)
    invokeFunction(value, args, byTimer)
  }

  function runText(value: Value, by: string): Value {
    if (isComposite(value) && value.kind === 'function') return invokeFunction(value, [], true)
    return typeof value === 'string' ? run(value, by) : value
  }

  function functionOf(args: readonly Value[]): Value {
    const texts = args.map(textOf)
    const body = texts.pop() ?? null
    if (body === null) return UNKNOWN
    if (evaluationDepth >= EVALUATION_DEPTH_MAX) return exhausted()
    const parsed = parse(body)
    if (parsed.isCut) exhausted()
    recorder.code(body, 'Function', parsed.names, parsed.isComplete, isReached)
    const params = texts.flatMap((text) => text?.split(',') ?? []).map((text) => text.trim())
    const value: FunctionValue = {
      kind: 'function',
      node: { kind: 'function', name: '', params, body: parsed.body },
      scope: root,
    }
    known.push(value)
    return value
  }

  function run(source: string, by: string | null): Value {
    if (evaluationDepth >= EVALUATION_DEPTH_MAX) return exhausted()
    evaluationDepth += 1
    const { body, names, isComplete, isCut } = parse(source)
    if (isCut) exhausted()
    recorder.code(source, by, names, isComplete, isReached)
    hoist(body)
    runAll(body.slice(0, -1))
    const last = body.at(-1)
    const value = flow === null && last !== undefined ? evaluate(last) : undefined
    evaluationDepth -= 1
    return value
  }

  const evaluators: { [K in Node['kind']]: (node: Of<K>) => Value } = {
    constant: ({ value }) => value,
    numbers: ({ values }) => listOf([...values]),
    pattern: ({ pattern }) => ({ kind: 'pattern', pattern }),
    name: ({ name }) => lookUp(name),
    array: ({ items }) => listOf(argumentsOf(items)),
    object({ entries }) {
      const values = new Map<string, Value>()
      for (const { key, value } of entries) values.set(textOf(evaluate(key)) ?? '', evaluate(value))
      return { kind: 'record', entries: values }
    },
    function(node) {
      const value: FunctionValue = { kind: 'function', node, scope }
      known.push(value)
      return value
    },
    spread: ({ value }) => evaluate(value),
    member: ({ owner, key }) => member(evaluate(owner), evaluate(key)),
    call({ callee, args, isNew }) {
      const target = evaluate(callee)
      const values = argumentsOf(args)
      if (isNew && isUnknown(target)) return invokeNamed(target.name, values, true)
      return invoke(target, values)
    },
    unary: ({ operator, operand }) => unary(operator, evaluate(operand)),
    update({ step, target, isPrefix }) {
      const value = evaluate(target)
      const next = isUnknown(value) ? UNKNOWN : numberOf(value) + step
      assign(target, next)
      return isPrefix ? next : value
    },
    binary: (node) => evaluateChain(node),
    assign({ operator, target, value, declares }) {
      if (declares) {
        if (target.kind === 'name' && !scope.variables.has(target.name)) declare(target.name, undefined)
        return undefined
      }
      const right = evaluate(value)
      const result = operator === '=' ? right : combined(operator.slice(0, -1), evaluate(target), () => right)
      assign(target, result)
      return result
    },
    choice({ test, yes, no }) {
      const truth = truthOf(evaluate(test))
      if (truth) return evaluate(yes)
      if (truth === false) {
        if (isTimed) branch(yes)
        return no === null ? undefined : evaluate(no)
      }
      const first = branch(yes)
      const second = no === null ? first : branch(no)
      return isUnknown(second) ? first : second
    },
    sequence: ({ items }) => items.map(evaluate).at(-1),
    block({ body }) {
      runAll(body)
      return undefined
    },
    loop,
    each,
    switch: switched,
    leave({ how, value }) {
      if (value !== null) returned = evaluate(value)
      flow = how
      return undefined
    },
  }

  /** `a + b + c` may have thousands of operands, so that the left ones are not evaluated within each other. */
  function evaluateChain(node: Of<'binary'>): Value {
    const chain: Of<'binary'>[] = []
    let first: Node = node
    while (first.kind === 'binary') {
      chain.push(first)
      first = first.left
    }
    let value = evaluate(first)
    for (const { operator, right } of chain.reverse()) {
      steps += 1
      charge(STEP_WORK)
      value = combined(operator, value, () => evaluate(right))
    }
    return value
  }

  function combined(operator: string, left: Value, right: () => Value): Value {
    if (operator !== '&&' && operator !== '||' && operator !== '??') return binary(operator, left, right())
    const truth = operator === '??' && !isUnknown(left) ? (left ?? null) !== null : truthOf(left)
    if (truth !== null) return truth === (operator === '&&') ? right() : left
    const value = right()
    return operator === '&&' ? value : left
  }

  function argumentsOf(nodes: readonly Node[]): Value[] {
    return nodes.flatMap((node) =>
      node.kind === 'spread' ? [...(itemsOf(evaluate(node)) ?? [UNKNOWN])] : [evaluate(node)],
    )
  }

  /** Evaluates code that may not run. */
  function branch(node: Node): Value {
    const value = evaluate(node)
    if (flow !== null) mayHaveLeft = true
    flow = null
    return value
  }

  function loop({ start, test, step, body, testsLast }: Of<'loop'>): Value {
    const saved = mayHaveLeft
    const until = Math.min(steps + LOOP_STEPS_MAX, STEPS_MAX)
    const isTrue = (): boolean | null => (test === null ? true : truthOf(evaluate(test)))
    if (start !== null) evaluate(start)
    let truth = testsLast ? true : isTrue()
    // The body is read at least once.
    do {
      mayHaveLeft = false
      if (truth === false) branch(body)
      else evaluate(body)
      if (!continuesLoop() || truth !== true || mayHaveLeft || isPast(until)) break
      if (step !== null) evaluate(step)
      truth = isTrue()
    } while (truth !== false)
    mayHaveLeft = saved
    return undefined
  }

  function isPast(until: number): boolean {
    if (steps > until) exhausted()
    return steps > until
  }

  function continuesLoop(): boolean {
    const how = flow
    if (how !== 'return') flow = null
    return how === null || how === 'continue'
  }

  function each({ target, source, ofValues, body }: Of<'each'>): Value {
    const items = keysOrItems(evaluate(source), ofValues)
    const until = steps + LOOP_STEPS_MAX
    for (const item of items.length === 0 ? [UNKNOWN] : items) {
      assign(target, item)
      evaluate(body)
      if (!continuesLoop() || isPast(Math.min(until, STEPS_MAX))) break
    }
    return undefined
  }

  function switched({ value, cases }: Of<'switch'>): Value {
    const found = evaluate(value)
    const at = isUnknown(found) ? null : caseOf(found, cases)
    if (at === null) for (const node of cases.flatMap(({ body }) => body)) branch(node)
    else runAll(cases.slice(at).flatMap(({ body }) => body))
    if (flow === 'break') flow = null
    return undefined
  }

  /** null: not known. */
  function caseOf(value: Value, cases: Of<'switch'>['cases']): number | null {
    const tests = cases.map(({ test }) => (test === null ? null : { value: evaluate(test) }))
    const at = tests.findIndex((test) => test !== null && test.value === value)
    if (at !== -1) return at
    if (tests.some((test) => test !== null && isUnknown(test.value))) return null
    return tests.includes(null) ? tests.indexOf(null) : cases.length
  }

  return (source) => {
    run(source, null)
    flow = null
    // Functions that nothing called are called by events, or by code that was not understood.
    isReached = false
    for (const value of known) callBack(value)
  }
}

/** The result of unknown arguments keeps their name, because it tells where a text comes from. */
function namedResult(result: Value, callee: string, args: readonly Value[]): Value {
  if (!isUnknown(result) || result.name !== '' || result.text !== undefined) return result
  return named(`${callee}(${args.find(isUnknown)?.name ?? ''})`)
}

/** Variables of the page whose assignment has an effect. */
const GLOBAL_TARGETS = new Set(['location', 'onload', 'onclick', 'name'])

function nameOf(node: Node): string {
  return node.kind === 'name' ? node.name : ''
}

function memberName(owner: string, name: string): string {
  return owner === '' || GLOBALS.has(owner) ? name : `${owner}.${name}`
}

function memberOfKnown(owner: Exclude<Value, Unknown>, name: string): Value {
  if (typeof owner === 'string') return memberOfText(owner, name)
  if (!isComposite(owner)) return (owner ?? null) === null ? UNKNOWN : { kind: 'method', owner, name }
  if (owner.kind === 'list') return memberOfList(owner.items, owner, name)
  if (owner.kind === 'record' && owner.entries.has(name)) return owner.entries.get(name)
  if (name === '__proto__' || (name === 'prototype' && owner.kind === 'function')) return owner
  return name === 'constructor' ? named('Function') : { kind: 'method', owner, name }
}

function primitiveMethod(owner: number | boolean | null | undefined, name: string, args: readonly Value[]): Value {
  if (name !== 'toString') return UNKNOWN
  return typeof owner === 'number' ? radixText(owner, args[0]) : String(owner)
}

function memberOfText(text: string, name: string): Value {
  if (name === 'length') return text.length
  if (/^\d+$/.test(name)) return text.charAt(Number(name))
  if (name === 'constructor') return named('String')
  return name === 'eval' ? named('eval') : { kind: 'method', owner: text, name }
}

function memberOfList(items: readonly Value[], owner: Value, name: string): Value {
  if (name === 'length' || name === 'byteLength') return items.length
  if (/^\d+$/.test(name)) return items[Number(name)]
  if (name === 'buffer') return owner
  return name === 'constructor' ? named('Array') : { kind: 'method', owner, name }
}

/** Assignments past the end, as loops do, up to this many. */
const SPARSE_MAX = 1_000_000

function assignItem(items: Value[], name: string, value: Value): void {
  const at = Number(name)
  if (Number.isInteger(at) && at >= 0 && at <= Math.min(items.length + 1000, SPARSE_MAX)) {
    // Without holes, which other code would not expect.
    while (items.length < at) items.push(undefined)
    items[at] = value
  }
  if (name === 'length' && value === 0) items.length = 0
}

function keysOrItems(source: Value, ofValues: boolean): readonly Value[] {
  if (ofValues) return itemsOf(source) ?? []
  if (isComposite(source) && source.kind === 'record') return [...source.entries.keys()]
  return (itemsOf(source) ?? []).map((_, i) => String(i))
}

function radixText(value: number, radix: Value): string {
  const base = radix === undefined ? 10 : numberOf(radix)
  return base >= 2 && base <= 36 ? value.toString(base) : String(value)
}

const SHORT_MAX = 60

/** Tells objects apart that were made by the same function. */
function shortText(value: Value): string {
  return typeof value === 'string' && value.length <= SHORT_MAX && !value.includes('"') ? `"${value}"` : ''
}
