/** Calls of functions: of the script, of the language and of the host. */

import { acts } from './acting.ts'
import { spend, store } from './budget.ts'
import { callFunction, callListMethod, callTextMethod } from './builtins.ts'
import { spreadOf } from './functions.ts'
import { heldBy, heldResult } from './held.ts'
import { sizeOf } from './journal.ts'
import { MUTATORS } from './list-methods.ts'
import { isGlobal, member } from './lookup.ts'
import { alternate, closeExits, type Machine, maybe } from './machine.ts'
import { COPIED_WORK, keysOrItems, primitiveMethod } from './members.ts'
import { type Program, parse } from './parser.ts'
import { callPattern } from './pattern-calls.ts'
import { runAll } from './programs.ts'
import { ITEMS, note } from './settled.ts'
import { CALLS_DEPTH_MAX, invokeLost, invokeSettled, withOtherItems } from './settled-calls.ts'
import { joinArguments } from './summaries.ts'
import type { FunctionNode } from './syntax.ts'
import { assignMember, bind, widen } from './targets.ts'
import { setTimer } from './timers.ts'
import {
  alternativesOf,
  CUT,
  CUT_NUMBER,
  type FunctionValue,
  getterOf,
  ITEM_BYTES,
  isAlternatives,
  isComposite,
  isFunction,
  isLossy,
  isOpen,
  isRecord,
  isUnknown,
  join,
  joinValues,
  listOf,
  mayBeText,
  named,
  nameOf,
  type RecordValue,
  recordOf,
  scopeIn,
  textOf,
  UNKNOWN,
  type Unknown,
  unknownOf,
  type Value,
} from './values.ts'

const CALL_WORK = 2_000
/** Texts that are run as code by texts that are run as code. */
export const EVALUATION_DEPTH_MAX = 5

/** Functions that run their text as code, besides `Function`. */
const TIMERS = new Set([
  ...['setTimeout', 'setInterval', 'setImmediate', 'requestAnimationFrame', 'app.setTimeOut', 'app.setInterval'],
])
const RUNNERS = new Set(['eval', 'execScript', 'event.target.eval', 'app.eval', ...TIMERS])
/** Methods of a text that return a text, or a list of them. */
const TEXT_RESULTS =
  /(?:^|\.)(?:trim(?:Start|End)?|slice|substr(?:ing)?|toString|valueOf|replace(?:All)?|split|concat|match|to(?:Lower|Upper)Case|pad(?:Start|End)|repeat|charAt|at|join|reverse|map|filter|normalize)$/
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

export function exhausted(machine: Machine): Unknown {
  machine.risks += 1
  machine.recorder.exhausted()
  return CUT
}

/** `self`: the object whose method is called. */
export function invoke(machine: Machine, callee: Value, args: Value[], self?: Value): Value {
  if (!isComposite(callee)) {
    machine.risks += 1
    return UNKNOWN
  }
  if (callee.kind === 'alternatives')
    return alternate(
      machine,
      callee.values.map((each) => () => invoke(machine, each, args, self)),
    )
  if (callee.kind === 'function') {
    machine.self = callee.self ?? self
    return invokeFunction(machine, callee, args)
  }
  if (callee.kind === 'method')
    return invokeMethod(machine, callee.owner, callee.name, [...(callee.bound ?? []), ...args])
  if (callee.kind !== 'unknown') return UNKNOWN
  if (callee.content !== undefined && callee.name.endsWith(THEN))
    return invoke(machine, args[0], [unknownOf({ ...callee, name: callee.name.slice(0, -THEN.length) })])
  const result = invokeUnknown(machine, callee, args)
  return machine.settled === null ? result : joinValues([result, ...invokeLost(machine, machine.settled, callee, args)])
}

const THEN = '.then'

function invokeUnknown(machine: Machine, callee: Unknown, args: Value[]): Value {
  const { name, isCut, isListed, content } = callee
  const made = invokeNamed(machine, name, args, false)
  if (content !== undefined) {
    // A file that is made so is saved as any other.
    if (name.endsWith('.blob')) machine.recorder.call('Blob', [listOf([content])], true, machine.isReached)
    return heldResult(callee, args)
  }
  if (!isCut) return made
  for (const arg of args)
    if (isFunction(arg) || (isListed && isMaker(arg))) maybe(machine, () => invoke(machine, arg, [CUT]))
  // A function of which it is not known in which order it hands on its arguments.
  return (isListed || TEXT_RESULTS.test(name)) && isUnknown(made) ? { ...made, isCut } : made
}

/** What makes code of texts, or objects of Windows. */
const isMaker = (value: Value): boolean =>
  isUnknown(value) && (CONSTRUCTORS.has(value.name) || /^(?:eval|execScript|ActiveXObject)$/.test(value.name))

export function invokeFunction(machine: Machine, value: FunctionValue, args: readonly Value[], byTimer = false): Value {
  const { settled } = machine
  if (settled !== null) return invokeSettled(machine, settled, value, args, byTimer)
  const { callDepth, widened, doubts, active, isShallow } = machine
  if (isShallow && callDepth > 0 && !acts(value.node, machine.cache.host)) return skip(machine, args)
  const own = active.get(value.node) ?? []
  const [first] = own
  const isDeep = callDepth >= CALLS_DEPTH_MAX
  if (first !== undefined && (isDeep || (first.doubts < doubts && own.length >= RECURSIONS_MAX)))
    return recur(machine, value, args, byTimer)
  if (isDeep && (![...widened.values()].some(({ isRunning }) => isRunning) || callDepth >= CALLS_DEPTH_MAX * 2))
    return exhausted(machine)
  return runFunction(machine, value, args, byTimer)
}

/** A function that is not followed may call those that it is given. */
function skip(machine: Machine, args: readonly Value[]): Value {
  for (const arg of args.flatMap(alternativesOf))
    if (isFunction(arg) && !machine.entered.has(arg.node)) maybe(machine, () => invoke(machine, arg, [CUT, CUT, CUT]))
  return CUT
}

/** Calls of a function in itself that are followed, if it is not known whether they happen. */
const RECURSIONS_MAX = 3

/** Runs the function once more, as the body of a loop: what the calls before have written is in doubt. */
function recur(machine: Machine, value: FunctionValue, args: readonly Value[], byTimer: boolean): Value {
  const { widened, journal, callDepth, active } = machine
  const { node } = value
  if (callDepth >= CALLS_DEPTH_MAX * 2) return CUT
  const known = widened.get(node)
  const isKnown = known !== undefined && args.every((arg, i) => isCovered(known.args[i], arg))
  if (isKnown && known.isRunning) return handOver(machine, known.args, args)
  const calls = active.get(node) ?? []
  const changes = journal.since(calls[0]?.level ?? 0)
  // Once in doubt, what was written before stays so.
  if (isKnown && known.scope === value.scope && known.size === sizeOf(changes)) {
    handOver(machine, known.args, args)
    return known.result
  }
  const rounds = known?.isRunning ? known.rounds + 1 : 1
  const all = args.map((arg, i) =>
    anyOf(
      known === undefined ? joinValues(calls.map((call) => call.args[i])) : known.args[i],
      arg,
      rounds > ROUNDS_MAX,
    ),
  )
  const entry = { args: all, rounds, isRunning: true, scope: value.scope, size: sizeOf(changes), result: CUT as Value }
  widened.set(node, entry)
  widen(machine, changes, CUT)
  entry.result = join(runFunction(machine, value, all, byTimer), CUT)
  entry.isRunning = false
  if (known?.isRunning) widened.set(node, known)
  return entry.result
}

/** Runs of a function in itself that bring other functions. */
const ROUNDS_MAX = 8

/** An argument of any number of calls. What changes may be anything, but functions are those of the script. */
function anyOf(known: Value, arg: Value, isLast: boolean): Value {
  if (isCovered(known, arg)) return join(known, arg)
  const others = alternativesOf(arg).filter((each) => !isCovered(known, each))
  if (!isLast && others.every(isCallable)) return join(known, arg)
  return joinValues([known, arg, others.every((each) => typeof each === 'number') ? CUT_NUMBER : CUT])
}

/** Functions, and functions with their first arguments. */
const isCallable = (value: Value): boolean =>
  isFunction(value) || (isComposite(value) && value.kind === 'method' && isFunction(value.owner))

/** Whether a call with this argument does nothing that one with the known ones does not, but for what a function holds. */
function isCovered(known: Value, arg: Value): boolean {
  const all = alternativesOf(known)
  const isAny = all.some((each) => isUnknown(each) && each.isCut === true)
  return alternativesOf(arg).every((each) => {
    if (isFunction(each)) return functionsIn(all).some(({ node }) => node === each.node)
    if (isUnknown(each) ? !mayBeText(each) : !isComposite(each) && typeof each !== 'string' && typeof each !== 'number')
      return true
    if (typeof each === 'number' && all.some((one) => isUnknown(one) && one.isNumber)) return true
    return isAny || all.includes(each)
  })
}

const functionsIn = (values: readonly Value[]): readonly FunctionValue[] =>
  values.flatMap((each) => (isFunction(each) ? [each] : isUnknown(each) ? (each.functions ?? []) : []))

/** Functions that a call would get may hold other values than those of the calls before. */
function handOver(machine: Machine, known: readonly Value[], args: readonly Value[]): Value {
  for (const [i, arg] of args.entries())
    for (const each of alternativesOf(arg))
      if (isFunction(each) && !alternativesOf(known[i]).includes(each))
        maybe(machine, () =>
          invoke(
            machine,
            each,
            each.node.params.map(() => UNKNOWN),
          ),
        )
  return CUT
}

/** Runs the body of a function. */
export function runFunction(machine: Machine, value: FunctionValue, args: readonly Value[], byTimer: boolean): Value {
  spend(CALL_WORK)
  const { node, scope: outer } = value
  machine.entered.add(node)
  const { scope, flow, isTimed, returned, call } = machine
  machine.calls += 1
  machine.call = machine.calls
  const place = machine.settled?.running ?? node
  machine.scope = scopeIn(outer, place, machine.call)
  bindSelf(machine, value)
  if (node.name !== '' && !node.isDeclared) machine.scope.cells.set(node.name, value)
  machine.scope.cells.set(
    'arguments',
    Object.assign(listOf([...args]), { callee: value, site: node.body, call: machine.call }),
  )
  for (const name of node.vars) machine.scope.cells.set(name, undefined)
  machine.flow = null
  machine.returned = null
  machine.isTimed = byTimer && (machine.timed.get(node)?.runs ?? 0) < 2
  machine.callDepth += 1
  const own = machine.active.get(node) ?? []
  machine.active.set(node, own)
  own.push({ doubts: machine.doubts, level: machine.journal.depth(), args })
  const isRecursive = own.length > 1
  if (isRecursive) machine.journal.begin()
  const base = machine.exits.length
  bindAll(machine, node, args)
  const yields = machine.yields
  machine.yields = node.isGenerator ? [] : null
  runAll(machine, node.body)
  closeExits(machine, base)
  if (isRecursive) machine.journal.commit()
  own.pop()
  if (own.length === 0) machine.widened.delete(node)
  machine.callDepth -= 1
  const result = machine.yields === null ? resultOf(machine) : listOf(machine.yields)
  machine.yields = yields
  const isThrown = machine.flow === 'throw' && machine.tries > 0
  machine.scope = scope
  machine.flow = isThrown ? 'throw' : flow
  machine.isTimed = isTimed
  machine.returned = returned
  machine.call = call
  return result
}

function bindAll(machine: Machine, { params }: FunctionNode, args: readonly Value[]): void {
  params.forEach((target, i) => {
    const isRest = target.kind === 'spread'
    bind(machine, target, isRest ? { ...listOf(args.slice(i)), site: target, call: machine.call } : args[i])
  })
}

const THIS = named('this')

function bindSelf(machine: Machine, { node, self: bound }: FunctionValue): void {
  const self = machine.self ?? bound
  machine.self = undefined
  if (!node.isArrow) machine.scope.cells.set('this', isMade(self) ? self : THIS)
}

/** Objects and texts of the script. Others are what the host has. */
function isMade(value: Value): boolean {
  return alternativesOf(value).some(
    (each) => typeof each === 'string' || (isComposite(each) && each.kind !== 'unknown'),
  )
}

/** A function that may not reach a `return` may also return nothing. */
function resultOf({ returned, flow }: Machine): Value {
  if (returned === null) return undefined
  return flow === 'return' ? returned.value : join(returned.value, undefined)
}

function invokeMethod(machine: Machine, owner: Value, name: string, args: Value[]): Value {
  // Old readers have `eval` as a method of every value.
  if (name === 'eval') return invokeNamed(machine, 'eval', args, false)
  // A promise is taken for what it brings.
  if (name === 'then') return invoke(machine, args[0], [owner])
  const call = (callee: Value, given: Value[]): Value => invoke(machine, callee, given)
  if (typeof owner === 'string') return callTextMethod(owner, name, args, call)
  if (!isComposite(owner)) return primitiveMethod(owner, name, args)
  if (owner.kind === 'record' && MAP_METHODS.has(name)) return callMap(machine, owner, name, args)
  if (owner.kind === 'pattern') return callPattern(machine, owner, name, args)
  if (owner.kind !== 'list') return applied(machine, owner, name, args)
  if (MUTATORS.has(name)) {
    machine.journal.touch(owner)
    if (machine.settled !== null) for (const arg of args) note(machine.settled, owner, ITEMS, arg, machine.call)
  }
  const result = callListMethod(owner, name, args, call)
  return machine.settled === null
    ? result
    : withOtherItems(machine, machine.settled, owner, name, args[0], result, call)
}

/** Methods of maps, which other records do not have. */
const MAP_METHODS = new Set(['get', 'set', 'forEach', 'values', 'entries'])

function callMap(machine: Machine, owner: RecordValue, name: string, [key, value]: Value[]): Value {
  if (name === 'get') return member(machine, owner, key)
  if (name === 'set') {
    assignMember(machine, owner, key, value)
    return owner
  }
  if (name === 'forEach') for (const [at, item] of owner.cells) invoke(machine, key, [item, at])
  store(owner.cells.size * ITEM_BYTES)
  return listOf([...owner.cells].map(([at, item]) => (name === 'values' ? item : listOf([at, item]))))
}

function listedIn(list: Value): Value[] {
  if (list === undefined || list === null) return []
  const items = spreadOf(list)
  store(items.length * ITEM_BYTES)
  return [...items]
}

/** `f.call(null, a)` */
function applied(machine: Machine, callee: Value, how: string, args: Value[]): Value {
  const self = args[0]
  if (how === 'apply' || how === 'call') {
    const given = how === 'apply' ? listedIn(args[1]) : args.slice(1)
    const lent = isMade(self) && !isAlternatives(self) ? lentMethod(callee) : null
    return lent === null ? invoke(machine, callee, given, self) : invokeMethod(machine, self, lent, given)
  }
  if (how !== 'bind') return UNKNOWN
  if (args.length < 2) return isFunction(callee) && isMade(args[0]) ? bound(machine, callee, args[0]) : callee
  return { kind: 'method', owner: callee, name: 'call', bound: args }
}

/** `[].slice.call(list)`, `Array.prototype.slice.call(list)`: the method of one value is that of another one. */
function lentMethod(callee: Value): string | null {
  if (!isComposite(callee)) return null
  if (callee.kind === 'unknown') return LENT.exec(callee.name)?.[1] ?? null
  const isLent = callee.kind === 'method' && callee.bound === undefined && !isFunction(callee.owner)
  return isLent && !HOW.has(callee.name) ? callee.name : null
}

const LENT = /^(?:Array|String)\.prototype\.(\w{1,20})$/
const HOW = new Set(['call', 'apply', 'bind'])

/** Where all calls are joined, functions of one place are one, which would forget its object. */
function bound(machine: Machine, callee: FunctionValue, self: Value): Value {
  const args = callee.node.params.map(() => UNKNOWN)
  if (machine.settled !== null) maybe(machine, () => invoke(machine, callee, args, self))
  return { ...callee, self }
}

/** Calls something that the script did not define. */
export function invokeNamed(machine: Machine, name: string, args: Value[], isNew: boolean): Value {
  const plain = name.includes('("') ? name.replaceAll(/\("[^"]*"\)/g, '()') : name
  const reflected = plain.startsWith('Reflect.') ? reflect(machine, plain, args) : null
  if (reflected !== null) return reflected.value
  const isApplied = name.endsWith('.apply') || name.endsWith('.call')
  const [, callee, how = ''] = (isApplied ? APPLIED.exec(plain) : null) ?? []
  if (callee !== undefined) return applied(machine, named(callee), how, args)
  machine.recorder.call(name, args, isNew, machine.isReached)
  if (RUNNERS.has(plain)) return runText(machine, args, plain)
  if (CONSTRUCTORS.has(plain)) return functionOf(machine, args)
  const made = OBJECT_MAKERS.get(plain)
  if (made !== undefined) return made(machine, args)
  const builtin = callFunction(plain, args, (target, given) => invoke(machine, target, given))
  if (isUnknown(builtin?.value ?? UNKNOWN)) machine.risks += 1
  if (builtin !== undefined) return namedResult(builtin.value, plain, args)
  for (const arg of args) callBack(machine, arg)
  return withContent(machine, resultOfHost(machine, name, args[0]), plain, args)
}

/** Where all calls are joined, contents are not followed. */
function withContent({ settled }: Machine, result: Value, name: string, args: readonly Value[]): Value {
  const content = settled === null && isUnknown(result) ? heldBy(name, args) : null
  return content === null || !isUnknown(result) ? result : unknownOf({ ...result, content })
}

/** A promise is taken for what it brings. */
function promised(machine: Machine, [callee]: readonly Value[]): Value {
  const brought = listOf([])
  const resolve: Value = { kind: 'method', owner: brought, name: 'push' }
  invoke(machine, callee, [resolve, resolve])
  return brought.items.length === 0 ? UNKNOWN : joinValues(brought.items)
}

/** Without a handler that reads, it is the object itself. */
function proxied(machine: Machine, [target, handler]: readonly Value[]): Value {
  callBack(machine, handler)
  const get = isRecord(handler) ? handler.cells.get('get') : undefined
  return machine.isDistant || !isFunction(get) ? target : { ...recordOf(new Map()), reader: { target, get } }
}

/** null: nothing that is followed. */
function reflect(machine: Machine, name: string, [target, key, given]: Value[]): { value: Value } | null {
  if (name === 'Reflect.apply') return { value: applied(machine, target, 'apply', [key, given]) }
  if (name === 'Reflect.construct') return { value: applied(machine, target, 'apply', [undefined, key]) }
  if (name === 'Reflect.get') return { value: member(machine, target, key) }
  if (name !== 'Reflect.set') return null
  assignMember(machine, target, key, given)
  return { value: true }
}

function assignAll(machine: Machine, [target, ...sources]: readonly Value[]): Value {
  for (const source of sources.flatMap(alternativesOf))
    for (const key of keysOrItems(source, false)) {
      spend(COPIED_WORK)
      assignMember(machine, target, key, member(machine, source, key))
    }
  if (sources.some(isUnknown)) assignMember(machine, target, UNKNOWN, sources.some(isLossy) ? CUT : UNKNOWN)
  return target
}

/**
 * `Object.defineProperty(object, name, { get, value })`. Of objects and by names that are not known, bundles define so many members that
 * nothing would be known of any. Of global variables only texts are.
 */
function defineMember(machine: Machine, [target, key, how]: readonly Value[]): Value {
  const isOwn = isRecord(target) || isFunction(target)
  if (nameOf(key) === null || !(isOwn || (isUnknown(target) && isGlobal(target.name)))) return target
  for (const each of alternativesOf(how)) {
    const get = isRecord(each) ? each.cells.get('get') : undefined
    const made = get === undefined || machine.isDistant ? get : getterOf(get)
    const value = made ?? member(machine, each, 'value')
    if (isOwn || typeof value === 'string') assignMember(machine, target, key, value)
  }
  return target
}

function defineMembers(machine: Machine, [target, all]: readonly Value[]): Value {
  for (const each of alternativesOf(all))
    for (const key of keysOrItems(each, false)) defineMember(machine, [target, key, member(machine, each, key)])
  return target
}

/** An object that has the members of another one. */
function derived(machine: Machine, [parent, members]: readonly Value[]): Value {
  const above = alternativesOf(parent).findLast(isRecord)
  const made: RecordValue = { ...recordOf(new Map()), ...(above !== undefined && { parent: above }) }
  return members === undefined ? made : defineMembers(machine, [made, members])
}

/** An error holds its text. JScript gives its number first. */
const failed = (_machine: Machine, [first, second]: readonly Value[]): Value =>
  recordOf(
    new Map([
      ['message', second ?? first],
      ['description', second ?? first],
      ['number', first],
    ]),
  )

const OBJECT_MAKERS: ReadonlyMap<string, (machine: Machine, args: readonly Value[]) => Value> = new Map<
  string,
  (machine: Machine, args: readonly Value[]) => Value
>([
  ['Object.assign', assignAll],
  ['Object.create', derived],
  ['Object.defineProperties', defineMembers],
  ['Object.defineProperty', defineMember],
  ...['Error', 'TypeError', 'RangeError', 'SyntaxError', 'EvalError'].map((name) => [name, failed] as const),
  ['Promise', promised],
  ['Proxy', proxied],
])

function resultOfHost(machine: Machine, name: string, arg: Value): Value {
  if (isAlternatives(arg)) return joinValues(arg.values.map((each) => resultOfHost(machine, name, each)))
  const result = `${name}(${shortText(arg)})`
  const { cells } = machine.properties
  if (cells.has(result)) return cells.get(result)
  const length = Number(machine.data.get(`${result}.length`) ?? 0)
  return length > 0 ? listOf(Array.from({ length }, (_, i) => named(`${result}.${i}`))) : named(result)
}

/** Functions that are passed to others are called some time, and see what was assigned until then. */
export function callBack(machine: Machine, value: Value): void {
  for (const each of alternativesOf(value)) {
    if (isFunction(each)) callLater(machine, each)
    // `ajax({ success: function () {} })`
    else if (isComposite(each) && each.kind === 'record') handleAll(machine, each.cells)
  }
}

/** Functions that the host calls after the script. That of Windows calls none of an object. */
function handleAll({ deferred, cache: { host } }: Machine, cells: ReadonlyMap<string, Value>): void {
  if (host === 'windows') return
  spend(cells.size * HANDLER_WORK)
  for (const value of cells.values()) for (const each of alternativesOf(value)) if (isFunction(each)) deferred.add(each)
}

const HANDLER_WORK = 50

function callLater(machine: Machine, value: FunctionValue): void {
  const { node } = value
  const args = node.params.map(() => UNKNOWN)
  if (machine.entered.has(node)) {
    if (machine.settled !== null) joinArguments(machine.settled, value, args, machine.isReached)
    return
  }
  machine.deferred.add(value)
  maybe(machine, () => invokeFunction(machine, value, args))
}

function runText(machine: Machine, args: readonly Value[], by: string): Value {
  const [value] = args
  if (isAlternatives(value))
    return alternate(
      machine,
      value.values.map((each) => () => runText(machine, [each, ...args.slice(1)], by)),
    )
  if (isUnknown(value) && value.several !== undefined && by !== 'setTimeout')
    for (const text of value.several) maybe(machine, () => run(machine, text, by))
  const given = args.slice(by === 'setImmediate' ? 1 : 2)
  if (isComposite(value) && value.kind === 'method' && TIMERS.has(by)) return invoke(machine, value, given)
  if (isFunction(value)) {
    if (machine.settled !== null || !TIMERS.has(by)) return invokeFunction(machine, value, given, true)
    setTimer(machine, value, given, by.endsWith('setInterval'))
    return UNKNOWN
  }
  if (typeof value === 'string') return run(machine, value, by)
  machine.recorder.missing(null)
  return value
}

function functionOf(machine: Machine, args: readonly Value[]): Value {
  const texts = args.map(textOf)
  const body = texts.pop() ?? null
  const last = args.at(-1)
  if (isAlternatives(last))
    return joinValues(last.values.map((each) => functionOf(machine, [...args.slice(0, -1), each])))
  if (body === null) machine.recorder.missing(null)
  if (body === null) return isOpen(last ?? undefined) && isUnknown(last) ? last : UNKNOWN
  if (machine.evaluationDepth >= EVALUATION_DEPTH_MAX) return exhausted(machine)
  const parsed = programOf(machine, body)
  if (parsed.isCut) exhausted(machine)
  machine.recorder.code(body, 'Function', parsed.names, parsed.isComplete, machine.isReached)
  const params = texts.flatMap((text) => text?.split(',') ?? []).map((text) => text.trim())
  const key = `${params}\0${body}`
  const { functions } = machine.cache
  const node: FunctionNode = functions.get(key) ?? {
    ...{ kind: 'function', name: '', body: parsed.body, vars: parsed.vars },
    params: params.map((name) => ({ kind: 'name', name })),
  }
  functions.set(key, node)
  const value: FunctionValue = { kind: 'function', node, scope: machine.root }
  machine.known.push(value)
  return value
}

function programOf({ cache: { programs } }: Machine, source: string): Program {
  const known = programs.get(source)
  if (known !== undefined) return known
  const program = parse(source)
  programs.set(source, program)
  return program
}

/** Runs a script, or a text as code. */
export function run(machine: Machine, source: string, by: string | null): Value {
  if (machine.evaluationDepth >= EVALUATION_DEPTH_MAX) return exhausted(machine)
  const { body, names, isComplete, isCut, vars } = programOf(machine, source)
  if (isCut) exhausted(machine)
  machine.recorder.code(source, by, names, isComplete, machine.isReached)
  machine.evaluationDepth += 1
  const { scope, root } = machine
  if (scope !== root) for (const name of vars) if (!scope.cells.has(name)) scope.cells.set(name, undefined)
  const value = runAll(machine, body)
  machine.evaluationDepth -= 1
  return value
}

/** The result of unknown arguments keeps their name, because it tells where a text comes from. */
function namedResult(result: Value, callee: string, args: readonly Value[]): Value {
  if (!isUnknown(result) || result.name !== '' || result.text !== undefined || result.several !== undefined)
    return result
  return { ...result, name: named(`${callee}(${args.find(isUnknown)?.name ?? ''})`).name }
}

const SHORT_MAX = 60

/** Tells objects apart that were made by the same function. */
function shortText(value: Value): string {
  return typeof value === 'string' && value.length <= SHORT_MAX && !value.includes('"') ? `"${value}"` : ''
}
