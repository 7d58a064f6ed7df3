/** Calls of Python: functions of the program, functions that are known, and those that matter. */

import { indexOf } from '#inspect/core/search.ts'
import { spend } from '../javascript/budget.ts'
import { foldContainer } from './containers.ts'
import {
  answers,
  creates,
  fetches,
  isShell,
  isTelling,
  type PythonEffect,
  runsCode,
  starts,
  takesAll,
  usesMemory,
} from './effects.ts'
import { branch, within } from './flow.ts'
import { fold, foldMethod, itemsIn } from './functions.ts'
import { addEffect, CALLS_MAX, createFrame, DOUBTFUL_CALLS_MAX, type Frame, type Machine, remember } from './machine.ts'
import { attributeOf, change, elementOf, itemOf, setMember } from './members.ts'
import { foldNumber } from './numbers.ts'
import { matchesIn } from './patterns.ts'
import type { Definition, Expression } from './syntax.ts'
import { GAP } from './tokens.ts'
import {
  BUILT,
  CUT,
  choicesOf,
  commandOf,
  commandRowsOf,
  contentsOf,
  DECODED,
  FETCHED,
  type FunctionValue,
  type Holder,
  join,
  known,
  type NameValue,
  NONE,
  named,
  number,
  originOf,
  originsOf,
  rowsOf,
  truthOf,
  UNKNOWN,
  unknown,
  type Value,
} from './values.ts'

/** Modules of which an unknown function may be anything. */
const POWERFUL = /^(?:os|subprocess|builtins|__builtins__|ctypes)$/
const SAVES = /^(?:open|io\.open|codecs\.open)$/
type Keywords = ReadonlyMap<string, Value>

export function call(
  machine: Machine,
  target: Value,
  given: readonly Value[],
  keywords: Keywords,
  frame: Frame,
): Value {
  const results: Value[] = []
  const all = choicesOf(target)
  const one = (each: Value): void => void results.push(callOne(machine, each, given, keywords, frame))
  // Each may be the one that is called.
  if (all.length === 1) one(all[0] as Value)
  else
    branch(
      machine,
      all.map((each) => () => {
        one(each)
        return undefined
      }),
    )
  return join(...results)
}

function callOne(machine: Machine, target: Value, given: readonly Value[], keywords: Keywords, frame: Frame): Value {
  if (target.kind === 'function') return callFunction(machine, target, given, keywords)
  if (target.kind === 'class') {
    const isError = target.holder.cells.has('args') && !target.holder.cells.has('__init__')
    if (isError) return errorOf(target.name, given, target.holder)
    const made: Value = { kind: 'object', type: target.holder, name: target.name }
    const init = target.holder.cells.get('__init__')
    for (const each of init === undefined ? [] : choicesOf(init))
      if (each.kind === 'function') callFunction(machine, { ...each, self: made }, given, keywords)
    return made
  }
  if (target.kind === 'name') return callNamed(machine, target, given, keywords, frame)
  if (target.kind === 'object') return call(machine, attributeOf(machine, target, '__call__'), given, keywords, frame)
  return unknown(originsOf(given))
}

function holderOf({ given }: Machine, definition: FunctionValue['definition']): Holder {
  const known = given.get(definition) ?? { cells: new Map() }
  given.set(definition, known)
  return known
}

/** Binds what a function is given. Without arguments, everything is unknown. */
function bind(
  machine: Machine,
  { definition, self }: FunctionValue,
  given: readonly Value[] | null,
  keywords: Keywords,
): Holder {
  const scope: Holder = { cells: new Map() }
  const holder = holderOf(machine, definition)
  const frame = createFrame([machine.module, scope], machine.journal.depth)
  const values = self === undefined ? given : [self, ...(given ?? [])]
  let at = 0
  for (const { name, initial, rest } of definition.parameters) {
    const usual = initial === null ? UNKNOWN : machine.evaluate(initial, frame)
    const passed = rest === null ? (keywords.get(name) ?? values?.[at++]) : restOf(rest, values, at, keywords)
    const ever = machine.isLate ? machine.ever.get(holder)?.get(name) : undefined
    const value = passed ?? (given === null ? join(usual, UNKNOWN) : usual)
    remember(machine, holder, name, value)
    machine.journal.set(scope, name, ever === undefined ? value : join(ever, value))
  }
  return scope
}

/** `*names` takes the arguments from a place on, `**names` those with names: it has those of other parameters as well. */
function restOf(kind: 'items' | 'entries', values: readonly Value[] | null, at: number, keywords: Keywords): Value {
  if (values === null) return UNKNOWN
  return kind === 'items' ? { kind, items: values.slice(at) } : { kind, entries: new Map(keywords) }
}

function callFunction(machine: Machine, value: FunctionValue, given: readonly Value[], keywords: Keywords): Value {
  const { definition } = value
  const { active } = machine
  machine.called.add(definition)
  const times = active.filter((each) => each === definition).length
  spend(active.length)
  const isRepeated = times >= (machine.doubts > 0 ? DOUBTFUL_CALLS_MAX : CALLS_MAX) || active.length >= CALLS_MAX
  if (isRepeated || machine.isSurvey) {
    // Variables that it writes are not known from now on, until the whole program is read again.
    if (isRepeated) machine.isExhausted = true
    const isCut = isRepeated && machine.doubts === 0
    bind(machine, value, given, keywords)
    const returned = machine.returned.get(definition) ?? UNKNOWN
    return isRepeated ? join(returned, unknown(originOf(returned) | (isCut ? CUT : 0))) : returned
  }
  return runFunction(machine, value, given, keywords)
}

/** `given: null`: nobody is known to call it. */
export function runFunction(
  machine: Machine,
  value: FunctionValue,
  given: readonly Value[] | null,
  keywords: Keywords = new Map(),
): Value {
  const { definition, scopes } = value
  const scope = bind(machine, value, given, keywords)
  const frame = createFrame([...scopes, scope], machine.journal.depth)
  machine.active.push(definition)
  const signal = within(machine, frame.exit, 'return', () => machine.runBlock(definition.body, frame))
  machine.active.pop()
  const { results, yielded } = frame
  const isOpen = signal === undefined && (results.length === 0 || definition.body.at(-1)?.kind !== 'return')
  const all = yielded.length > 0 ? [{ kind: 'items' as const, items: yielded }] : isOpen ? [...results, NONE] : results
  const result = all.length === 0 ? UNKNOWN : join(...all)
  const before = machine.returned.get(definition)
  machine.returned.set(definition, before === undefined ? result : join(before, result))
  return result
}

function callNamed(
  machine: Machine,
  target: NameValue,
  given: readonly Value[],
  keywords: Keywords,
  frame: Frame,
): Value {
  const { name, self } = target
  const all = [...given, ...keywords.values()]
  const made = self === undefined ? unbound(name, given) : callMethod(machine, target, self, given, keywords, frame)
  const result = made ?? SPECIAL.get(name)?.(machine, given, frame, keywords) ?? null
  if (result !== null) return result
  if (runsCode(name)) runCode(machine, target, all[0] ?? UNKNOWN)
  recordEffects(machine, target, given, keywords)
  if (ERROR.test(name)) return errorOf(name, given)
  const service = creates(name) ? (all.map(textIn).find((each) => each?.includes('.')) ?? null) : null
  if (service !== null) {
    machine.createsShell ||= isShell(service)
    return named(service)
  }
  const folded = fold(name, given)
  if (folded !== null) return folded
  callPassed(machine, all)
  return named(`${name}()`, originsOf(all) | target.origin | (answers(name) ? FETCHED : 0))
}

export const isError = (name: string): boolean => ERROR.test(name)
const ERROR = /^[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|StopIteration)$|^(?:Exception|StopIteration)$/

/** It holds what it was made with. */
function errorOf(name: string, given: readonly Value[], holder?: Holder): Value {
  const args: Value = { kind: 'items', items: given }
  const [text] = given
  const cells = new Map<string, Value>([...(holder?.cells ?? []), ['args', args]])
  if (text !== undefined && !cells.has('__str__')) cells.set('__str__', textMethod(text))
  return { kind: 'object', type: { cells }, name }
}

/** A method that returns a value. */
function textMethod(text: Value): Value {
  const value: Expression = { kind: 'name', name: 'text' }
  const definition: Definition = { name: '__str__', parameters: [], body: [{ kind: 'return', value }] }
  return { kind: 'function', definition, scopes: [{ cells: new Map([['text', text]]) }], how: 'static' }
}

/** `str.lower(text)` is `text.lower()`. */
function unbound(name: string, [self, ...given]: readonly Value[]): Value | null {
  const method = /^(?:str|bytes|bytearray)\.(\w+)$/.exec(name)?.[1]
  return method === undefined || self?.kind !== 'text' ? null : foldMethod(self, method, given)
}

type Special = (machine: Machine, given: readonly Value[], frame: Frame, keywords: Keywords) => Value | null

const loaded =
  (isOuter: boolean): Special =>
  (machine, [module = UNKNOWN, ...others]) =>
    load(machine, module, isOuter && others.length === 0)

/** For a method that an expression calls. */
const SPECIAL_WORK = 20_000

/** What a method of an object returns, such as `__str__`; null: it has none. */
export function callSpecial(
  machine: Machine,
  value: Value,
  method: string,
  given: readonly Value[],
  frame: Frame,
): Value | null {
  const choices = choicesOf(value)
  const hasOwn = (each: Value): boolean => each.kind === 'object' && each.type.cells.has(method)
  if (!choices.some(hasOwn)) return null
  spend(SPECIAL_WORK)
  return join(
    ...choices.map((each) =>
      hasOwn(each) ? call(machine, attributeOf(machine, each, method), given, new Map(), frame) : each,
    ),
  )
}

/** A member, which may be what a function of the class returns. */
export function readAttribute(machine: Machine, owner: Value, name: string, frame: Frame): Value {
  const found = attributeOf(machine, owner, name)
  const isMissing = (each: Value): boolean =>
    each.kind === 'name' && each.name === `.${name}` && each.self === undefined
  const choices = choicesOf(found)
  if (choices.some(isMissing)) {
    const given = callSpecial(machine, owner, '__getattr__', [known(name)], frame)
    if (given !== null) return join(given, ...choices.filter((each) => !isMissing(each)))
  }
  const isRead = (each: Value): boolean =>
    each.kind === 'function' && each.how === 'property' && each.self !== undefined
  if (!choices.some(isRead)) return found
  spend(SPECIAL_WORK)
  return join(...choices.map((each) => (isRead(each) ? call(machine, each, [], new Map(), frame) : each)))
}

const how =
  (kind: NonNullable<FunctionValue['how']>): Special =>
  (_machine, [value = UNKNOWN]) =>
    join(...choicesOf(value).map((each): Value => (each.kind === 'function' ? { ...each, how: kind } : each)))

/** `partial(f, a)` is `lambda *b: f(a, *b)`. */
function partial(
  machine: Machine,
  [target = UNKNOWN, ...given]: readonly Value[],
  _frame: Frame,
  keywords: Keywords,
): Value {
  const own = (name: string): Expression => ({ kind: 'name', name })
  const spread = (name: string) => ({ value: own(name), isSpread: true as const })
  const args = [spread('first'), spread('later'), spread('given'), spread('named')]
  const definition: Definition = {
    name: 'partial',
    parameters: [
      { name: 'later', initial: null, rest: 'items' },
      { name: 'named', initial: null, rest: 'entries' },
    ],
    body: [{ kind: 'return', value: { kind: 'call', target: own('target'), args } }],
  }
  const entries: Value = { kind: 'entries', entries: new Map(keywords) }
  const cells = new Map<string, Value>([
    ['target', target],
    ['first', { kind: 'items', items: given }],
    ['given', entries],
  ])
  return { kind: 'function', definition, scopes: [machine.module, { cells }] }
}

/** Functions that read and write names. */
const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>([
  ['getattr', (machine, given, frame) => getAttribute(machine, given, frame)],
  [
    'setattr',
    (machine, [on = UNKNOWN, name, value = UNKNOWN]) => {
      setMember(machine, on, textIn(name) ?? '', value)
      return NONE
    },
  ],
  ['vars', (machine, [on]) => (on === undefined ? null : attributeOf(machine, on, '__dict__'))],
  ['__import__', loaded(true)],
  ['importlib.import_module', loaded(false)],
  ['importlib.__import__', loaded(true)],
  ['map', (machine, given, frame) => mapped(machine, false, given, frame)],
  ['filter', (machine, given, frame) => mapped(machine, true, given, frame)],
  ['functools.reduce', reduced],
  ['sorted', (machine, [list], frame, keywords) => sortedBy(machine, list ?? UNKNOWN, keywords, frame)],
  ['super', (machine) => parentOf(machine)],
  ['property', how('property')],
  ['functools.cached_property', how('property')],
  ['staticmethod', how('static')],
  ['classmethod', how('class')],
  ['functools.partial', partial],
  ['str', (machine, [value = UNKNOWN], frame) => callSpecial(machine, value, '__str__', [], frame)],
  ['repr', (machine, [value = UNKNOWN], frame) => callSpecial(machine, value, '__repr__', [], frame)],
  ['re.sub', substituted],
  ['re.match', (_machine, given) => firstMatch(given)],
  ['re.search', (_machine, given) => firstMatch(given)],
  ['re.fullmatch', (_machine, given) => firstMatch(given)],
  ['re.findall', (_machine, given) => allMatches(given, true)],
  ['re.finditer', (_machine, given) => allMatches(given, false)],
])

const textIn = (value: Value | undefined): string | null => (value?.kind === 'text' ? value.text : null)

function callMethod(
  machine: Machine,
  { name }: NameValue,
  self: Value,
  given: readonly Value[],
  keywords: Keywords,
  frame: Frame,
): Value | null {
  const method = name.slice(1)
  if (self.kind === 'text') return foldMethod(self, method, given)
  if (self.kind === 'number') return foldNumber(self, method, [...given, ...keywords.values()])
  if (self.kind === 'items' && method === 'group') return itemOf(machine, self, given[0] ?? number(0), frame)
  if (self.kind === 'items' && method === 'groups') return { kind: 'items', items: self.items.slice(1) }
  if (method === 'sort' && self.kind === 'list') return sortInPlace(machine, self.holder, keywords, frame)
  const changed = foldContainer(machine, self, method, given)
  if (changed !== null) return changed
  if (method === 'get' || method === '__getitem__') return itemOf(machine, self, given[0] ?? UNKNOWN, frame)
  return null
}

/** Functions that are given to something unknown may be called by it. */
function callPassed(machine: Machine, given: readonly Value[]): void {
  for (const each of given.flatMap(choicesOf)) {
    if (each.kind === 'function' && !machine.active.includes(each.definition))
      branch(machine, [
        () => {
          machine.called.add(each.definition)
          if (!machine.isSurvey) runFunction(machine, each, null)
          return undefined
        },
        () => undefined,
      ])
    if (each.kind !== 'name' || !starts(each.name)) continue
    const others = given.filter((other) => !choicesOf(other).includes(each)).flatMap((other) => itemsOf(other))
    recordEffects(machine, each, others.length === 0 ? [UNKNOWN] : others, new Map())
  }
}

const itemsOf = (value: Value): readonly Value[] =>
  contentsOf(value).flatMap((each) => (each.kind === 'items' ? each.items : [each]))

/** `re.sub(pattern, f, text)`: what the function makes of each match. */
function substituted(machine: Machine, [pattern, by = UNKNOWN, text]: readonly Value[], frame: Frame): Value | null {
  const functions = choicesOf(by).filter(({ kind }) => kind === 'function')
  const matches = functions.length === 0 ? null : matchesIn(pattern, text)
  if (matches === null || text?.kind !== 'text') return null
  const parts: Value[] = []
  let last = 0
  for (const { at, length, groups } of matches) {
    parts.push(
      known(text.text.slice(last, at), text.isBytes, text.origin),
      call(machine, by, [groups], new Map(), frame),
    )
    last = at + length
  }
  parts.push(known(text.text.slice(last), text.isBytes, text.origin))
  return foldMethod({ kind: 'text', text: '', isBytes: text.isBytes, origin: text.origin | DECODED }, 'join', [
    { kind: 'items', items: parts },
  ])
}

function firstMatch([pattern, text]: readonly Value[]): Value | null {
  const matches = matchesIn(pattern, text)
  return matches === null ? null : (matches[0]?.groups ?? NONE)
}

/** `isText`: as texts, of which several groups are a list. */
function allMatches([pattern, text]: readonly Value[], isText: boolean): Value | null {
  const matches = matchesIn(pattern, text)
  if (matches === null) return null
  const items = matches.map(({ groups }): Value => {
    if (!isText || groups.kind !== 'items') return groups
    const [all = UNKNOWN, first, ...others] = groups.items
    return others.length > 0 ? { kind: 'items', items: groups.items.slice(1) } : (first ?? all)
  })
  return { kind: 'items', items }
}

function mapped(machine: Machine, isFilter: boolean, given: readonly Value[], frame: Frame): Value {
  const [compute = UNKNOWN, list = UNKNOWN] = given
  return join(
    ...contentsOf(list).map((each): Value => {
      const items = itemsIn(each)
      const isPlain = isFilter && compute.kind === 'none'
      const results = (items ?? [elementOf(each)]).map((item) =>
        isPlain ? item : call(machine, compute, [item], new Map(), frame),
      )
      if (items === null) return unknown(originsOf(results))
      const kept = (_: Value, i: number): boolean => truthOf(results[i] ?? UNKNOWN) !== false
      return { kind: 'items', items: isFilter ? items.filter(kept) : results }
    }),
  )
}

function reduced(machine: Machine, [compute = UNKNOWN, list = UNKNOWN, first]: readonly Value[], frame: Frame): Value {
  return join(
    ...contentsOf(list).map((each): Value => {
      const items = itemsIn(each)
      if (items === null) return call(machine, compute, [UNKNOWN, elementOf(each)], new Map(), frame)
      const [start = UNKNOWN, ...rest] = first === undefined ? items : [first, ...items]
      return rest.reduce<Value>((sum, item) => call(machine, compute, [sum, item], new Map(), frame), start)
    }),
  )
}

/** In the order of what a function makes of each item. Where that is not known, they are not known either. */
function sortedBy(machine: Machine, list: Value, keywords: Keywords, frame: Frame): Value {
  const key = keywords.get('key')
  const isReversed = truthOf(keywords.get('reverse') ?? number(0))
  return join(
    ...contentsOf(list).map((each): Value => {
      const items = itemsIn(each)
      if (items === null || items.length > SORTED_MAX) return unknown(originOf(each))
      const rows = items.map((item) => ({
        item,
        by: key === undefined ? item : call(machine, key, [item], new Map(), frame),
      }))
      spend(rows.length * rows.length)
      let isKnown = isReversed !== undefined
      rows.sort((left, right) => {
        const order = compared(left.by, right.by) * (isReversed ? -1 : 1)
        isKnown &&= !Number.isNaN(order)
        return order
      })
      return isKnown ? { kind: 'items', items: rows.map(({ item }) => item) } : unknown(originsOf(items))
    }),
  )
}

function sortInPlace(machine: Machine, holder: Holder, keywords: Keywords, frame: Frame): Value {
  const sorted = sortedBy(machine, { kind: 'list', holder }, keywords, frame)
  change(machine, holder, false, () => choicesOf(sorted))
  return NONE
}

/** Items that are put in order. */
const SORTED_MAX = 2_000

const COMPARED_WORK = 60

/** NaN: not known which comes first. */
function compared(left: Value, right: Value): number {
  // Tuples of tuples may have far more items than the program.
  spend(COMPARED_WORK)
  if (left.kind === 'number' && right.kind === 'number') return left.number - right.number
  if (left.kind === 'text' && right.kind === 'text' && !`${left.text}${right.text}`.includes(GAP)) {
    spend(Math.min(left.text.length, right.text.length))
    return left.text < right.text ? -1 : Number(left.text > right.text)
  }
  if (left.kind !== 'items' || right.kind !== 'items') return Number.NaN
  for (const [i, item] of left.items.entries()) {
    const other = right.items[i]
    const order = other === undefined ? 1 : compared(item, other)
    if (order !== 0) return order
  }
  return left.items.length - right.items.length
}

/** `super()`: an object of the classes from which that of the running method is derived. */
function parentOf({ active, parents }: Machine): Value | null {
  const last = active.at(-1)
  const type = last && parents.get(last)
  return type === undefined ? null : { kind: 'object', type, name: 'super' }
}

function getAttribute(machine: Machine, [owner = UNKNOWN, name = UNKNOWN]: readonly Value[], frame: Frame): Value {
  return join(
    ...choicesOf(name).map((each) => {
      if (each.kind === 'text' && !each.text.includes(GAP)) return readAttribute(machine, owner, each.text, frame)
      for (const from of choicesOf(owner))
        if (from.kind === 'name' && POWERFUL.test(from.name)) addCode(machine, each, false)
      return unknown(originOf(each))
    }),
  )
}

/** `isOuter`: of a module in others, the outermost. */
function load(machine: Machine, module: Value, isOuter: boolean): Value {
  return join(
    ...choicesOf(module).map((each) => {
      if (each.kind === 'text' && !each.text.includes(GAP))
        return named(isOuter ? (each.text.split('.', 1)[0] ?? '') : each.text)
      addCode(machine, each, false)
      return UNKNOWN
    }),
  )
}

function addCode(machine: Machine, value: Value, isText: boolean): void {
  // Programs load modules by names from everywhere; only hidden ones matter.
  if (isText || originOf(value) & (BUILT | DECODED)) checkCut(machine, value)
  addEffect(machine, { kind: 'code', text: '', call: '' })
}

/** A value that is unknown because of a limit, and that may be hidden. */
function checkCut(machine: Machine, value: Value): void {
  const origin = originOf(value)
  if (!(origin & CUT)) return
  machine.isUnclear = true
  if (origin & (BUILT | DECODED) || machine.isStopped) machine.isCut = true
}

/** A name that is not in the program as it is was put together, or decoded. */
function isConcealed(machine: Machine, name: string): boolean {
  return name.split(/[^\w]+/).some((part) => part !== '' && !isMentioned(machine, part))
}

function isMentioned({ source, mentioned }: Machine, part: string): boolean {
  const known = mentioned.get(part)
  if (known !== undefined) return known
  const found = indexOf(source, part, 0, spend) !== -1
  mentioned.set(part, found)
  return found
}

function runCode(machine: Machine, target: NameValue, value: Value): void {
  if (isConcealed(machine, target.name)) machine.isHidden = true
  for (const each of contentsOf(value)) {
    // The result of `compile`, whose text was read there.
    const origin = originOf(each)
    if (origin & (DECODED | FETCHED | BUILT) && target.name !== 'compile') machine.isHidden = true
    if (each.kind === 'name' && each.name === 'compile()' && (origin & CUT) === 0) continue
    if (each.kind === 'text' && !each.text.includes(GAP)) machine.runText(each.text)
    else addCode(machine, each, true)
  }
}

function kindOf(name: string): PythonEffect['kind'] | null {
  if (starts(name)) return 'start'
  if (fetches(name)) return 'fetch'
  if (SAVES.test(name)) return 'save'
  if (usesMemory(name)) return 'memory'
  return isTelling(name) ? 'call' : null
}

/** Whose names nobody hides without a reason. */
const CONCEALABLE: ReadonlySet<string> = new Set(['start', 'fetch', 'call'])

/** Each combination of what the arguments may be. */
function recordEffects(machine: Machine, { name }: NameValue, given: readonly Value[], keywords: Keywords): void {
  const kind = kindOf(name)
  if (kind === null || (kind === 'save' && !isWritten(given[1] ?? keywords.get('mode')))) return
  if (CONCEALABLE.has(kind)) machine.isHidden ||= isConcealed(machine, name)
  const shell = keywords.has('shell') ? ', shell=True' : ''
  const told = toldBy(given, keywords)
  const [main = UNKNOWN, second = UNKNOWN] = kind === 'start' && takesAll(name) ? [joinedArguments(told)] : told
  for (const row of kind === 'start' ? startedBy(machine, main) : rowsOf(main)) {
    const text = commandOf(row) ?? ''
    const call = `${name}(${written([text, commandOf(rowsOf(second)[0]) ?? ''])}${shell})`
    addEffect(machine, { kind, text: kind === 'memory' ? '' : text, call })
  }
}

/** The mode in which a file is opened. */
function isWritten(mode: Value | undefined): boolean {
  return /[wax]/.test(textIn(mode) ?? '')
}

function written(texts: readonly string[]): string {
  return texts
    .filter((each) => each !== '')
    .map((each) => JSON.stringify(each.replaceAll(GAP, ' ')))
    .join(', ')
}

const TOLD_NAMES = /^(?:args|cmd|command|url|filename)$/

function toldBy(given: readonly Value[], keywords: Keywords): readonly Value[] {
  const told = [...given, ...[...keywords].filter(([key]) => TOLD_NAMES.test(key)).map(([, each]) => each)]
  return told.length > 0 ? told : [...keywords.values()]
}

function joinedArguments(given: readonly Value[]): Value {
  return { kind: 'items', items: given.flatMap(itemsOf).filter(({ kind }) => kind !== 'number') }
}

function startedBy(machine: Machine, value: Value): readonly Value[] {
  const rows = commandRowsOf(value)
  for (const row of rows) checkOrigin(machine, row)
  return rows
}

/** Of a command. */
function checkOrigin(machine: Machine, row: Value): void {
  const [program = UNKNOWN] = row.kind === 'items' ? row.items : [row]
  checkCut(machine, row)
  const isUnknown = program.kind === 'name' || (program.kind === 'text' && program.text.startsWith(GAP))
  const telling = program.kind === 'name' ? DECODED | FETCHED | BUILT : DECODED | BUILT
  if (isUnknown && originOf(program) & telling) machine.isHidden = true
}
