/** Functions of the language that scripts use to build texts and bytes. */

import { charge } from '#inspect/core/work.ts'
import type { Pattern } from './tokens.ts'
import {
  isComposite,
  isUnknown,
  joined,
  type ListValue,
  listOf,
  numberOf,
  TEXT_MAX,
  textOf,
  UNKNOWN,
  type Value,
} from './values.ts'

/** Calls a function of the script. */
type Invoke = (callee: Value, args: Value[]) => Value

/** Items of a list that is made by its length. */
const ITEMS_MAX = 1_000_000
const ITEM_WORK = 20

type TextMethod = (text: string, args: readonly Value[], invoke: Invoke) => Value
type ListMethod = (list: ListValue, args: Value[], invoke: Invoke) => Value

const numberAt = (args: readonly Value[], i: number): number | undefined =>
  args[i] === undefined ? undefined : numberOf(args[i])
const textAt = (args: readonly Value[], i: number): string => textOf(args[i]) ?? ''

export const TEXT_METHODS: Readonly<Record<string, TextMethod>> = {
  charAt: (text, args) => text.charAt(numberAt(args, 0) ?? 0),
  at: (text, args) => text.at(numberAt(args, 0) ?? 0),
  charCodeAt: (text, args) => text.charCodeAt(numberAt(args, 0) ?? 0),
  codePointAt: (text, args) => text.codePointAt(numberAt(args, 0) ?? 0),
  substr: (text, args) => substr(text, numberAt(args, 0) ?? 0, numberAt(args, 1)),
  substring: (text, args) => text.substring(numberAt(args, 0) ?? 0, numberAt(args, 1)),
  slice: (text, args) => text.slice(numberAt(args, 0), numberAt(args, 1)),
  toLowerCase: (text) => text.toLowerCase(),
  toUpperCase: (text) => text.toUpperCase(),
  toString: (text: string) => text,
  valueOf: (text: string) => text,
  trim: (text) => text.trim(),
  concat: (text, args) => joined([text, ...args], '') ?? UNKNOWN,
  indexOf: (text, args) => text.indexOf(textAt(args, 0), numberAt(args, 1)),
  lastIndexOf: (text, args) => text.lastIndexOf(textAt(args, 0)),
  includes: (text, args) => text.includes(textAt(args, 0)),
  startsWith: (text, args) => text.startsWith(textAt(args, 0)),
  endsWith: (text, args) => text.endsWith(textAt(args, 0)),
  repeat: (text, args) => repeated(text, numberAt(args, 0) ?? 0),
  padStart: (text, args) => padded(text, args, 'padStart'),
  padEnd: (text, args) => padded(text, args, 'padEnd'),
  split,
  replace: (text, args, invoke) => replaced(text, args, invoke, false),
  replaceAll: (text, args, invoke) => replaced(text, args, invoke, true),
  match: (text, [pattern]) => {
    const expression = expressionOf(pattern)
    const found = expression === null ? null : text.match(expression)
    return expression === null ? UNKNOWN : found === null ? null : listOf([...found])
  },
}

export const LIST_METHODS: Readonly<Record<string, ListMethod>> = {
  join: ({ items }, args) => joined(items, args[0] === undefined ? ',' : textAt(args, 0)) ?? UNKNOWN,
  toString: ({ items }: ListValue) => joined(items, ',') ?? UNKNOWN,
  reverse(list) {
    list.items.reverse()
    return list
  },
  push(list, args) {
    list.items.push(...args)
    return list.items.length
  },
  unshift(list, args) {
    charge(list.items.length)
    return list.items.unshift(...args)
  },
  pop: ({ items }) => items.pop(),
  shift({ items }) {
    charge(items.length)
    return items.shift()
  },
  slice: ({ items, isTyped }, args) => listOf(items.slice(numberAt(args, 0), numberAt(args, 1)), isTyped),
  subarray: ({ items, isTyped }, args) => listOf(items.slice(numberAt(args, 0), numberAt(args, 1)), isTyped),
  splice: ({ items }, [at, count, ...added]) =>
    listOf(items.splice(numberOf(at), count === undefined ? items.length : numberOf(count), ...added)),
  concat: ({ items }, args) =>
    listOf([...items, ...args.flatMap((arg) => (isComposite(arg) && arg.kind === 'list' ? arg.items : [arg]))]),
  indexOf: ({ items }, [item]) => items.indexOf(item),
  includes: ({ items }, [item]) => items.includes(item),
  at: ({ items }, args) => items.at(numberAt(args, 0) ?? 0),
  fill(list, [value]) {
    list.items.fill(value)
    return list
  },
  set(list, [source, at]) {
    const added = isComposite(source) && source.kind === 'list' ? source.items : []
    for (const [i, item] of added.entries()) list.items[(numberOf(at) || 0) + i] = item
    return undefined
  },
  map: ({ items, isTyped }, [callee], invoke) =>
    listOf(
      items.map((item, i) => invoke(callee, [item, i])),
      isTyped,
    ),
  forEach({ items }, [callee], invoke) {
    for (const [i, item] of items.entries()) invoke(callee, [item, i])
    return undefined
  },
  filter: ({ items }, [callee], invoke) => listOf(items.filter((item, i) => invoke(callee, [item, i]) !== false)),
  reduce({ items }, [callee, start], invoke) {
    const [first, ...rest] = start === undefined ? items : [start, ...items]
    return rest.reduce((sum: Value, item, i) => invoke(callee, [sum, item, i]), first)
  },
}

type Builtin = (args: Value[], invoke: Invoke) => Value

const MATH = ['floor', 'ceil', 'round', 'abs', 'pow', 'min', 'max', 'sqrt', 'trunc'] as const

export const FUNCTIONS: ReadonlyMap<string, Builtin> = new Map<string, Builtin>([
  ['String.fromCharCode', (args) => fromCodes(args, String.fromCharCode)],
  ['String.fromCodePoint', (args) => fromCodes(args, safeFromCodePoint)],
  ['String', ([value = '']) => textOf(value) ?? value],
  ['Number', ([value]) => numberOf(value)],
  ['Boolean', ([value]) => (isComposite(value) ? true : Boolean(value))],
  ['parseInt', (args) => Number.parseInt(textAt(args, 0), numberAt(args, 1))],
  ['parseFloat', (args) => Number.parseFloat(textAt(args, 0))],
  ['isNaN', ([value]) => Number.isNaN(numberOf(value))],
  ['unescape', decoder(unescaped)],
  ['escape', decoder((text) => text)],
  ['decodeURIComponent', decoder(percentDecoded)],
  ['decodeURI', decoder(percentDecoded)],
  // Addresses stay legible.
  ['encodeURI', ([value]) => value],
  ['encodeURIComponent', ([value]) => value],
  ['atob', decoder((text) => Buffer.from(text, 'base64').toString('latin1'))],
  ['btoa', decoder((text) => Buffer.from(text, 'latin1').toString('base64'))],
  ['Array', array],
  ['Array.of', (args) => listOf(args)],
  ['Array.from', arrayFrom],
  ['RegExp', ([source, flags]) => newPattern(source, flags)],
  // Streams of PDF readers.
  ['util.streamFromString', ([text]) => text],
  ['util.stringFromStream', readerText],
  ['SOAP.stringFromStream', readerText],
  ['SOAP.streamFromString', ([text]) => text],
  ['SOAP.streamDecode', readerText],
  ['util.byteToChar', (args) => fromCodes(args, String.fromCharCode)],
  ['Buffer.from', (args) => bytesOf(args)],
  ['TextEncoder().encode', ([text]) => bytesOf([text])],
  ['TextDecoder().decode', ([bytes]) => textOfBytes(bytes)],
  ...['Uint8Array', 'Int8Array', 'Uint8ClampedArray', 'Uint16Array', 'Uint32Array', 'ArrayBuffer'].flatMap((name) => [
    [name, typed] as const,
    [`${name}.from`, arrayFrom] as const,
    [`${name}.of`, (args: Value[]) => listOf(args, true)] as const,
  ]),
  ...MATH.map((name): [string, Builtin] => [`Math.${name}`, (args) => math(name, args)]),
])

function math(name: (typeof MATH)[number], args: readonly Value[]): Value {
  if (args.some(isUnknown)) return UNKNOWN
  const numbers = args.map(numberOf)
  return (Math[name] as (...numbers: number[]) => number)(...numbers)
}

function decoder(decode: (text: string) => string): Builtin {
  return ([value]) => {
    const text = textOf(value)
    charge((text?.length ?? 0) * 4)
    return text === null ? UNKNOWN : decode(text)
  }
}

const UNICODE = /%u([\da-f]{4})|%([\da-f]{2})/gi

function unescaped(text: string): string {
  return text.replace(UNICODE, (_, four?: string, two?: string) =>
    String.fromCharCode(Number.parseInt(four ?? two ?? '', 16)),
  )
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return unescaped(text)
  }
}

function fromCodes(args: readonly Value[], convert: (code: number) => string): Value {
  const codes = args.flatMap((arg) => (isComposite(arg) && arg.kind === 'list' ? arg.items : [arg]))
  if (codes.some(isUnknown)) return UNKNOWN
  charge(codes.length * ITEM_WORK)
  return codes.map((code) => convert(numberOf(code))).join('')
}

function safeFromCodePoint(code: number): string {
  return Number.isInteger(code) && code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

function substr(text: string, from: number, length: number | undefined): string {
  const start = from < 0 ? Math.max(0, text.length + from) : from
  return text.slice(start, length === undefined ? undefined : start + Math.max(0, length))
}

function repeated(text: string, times: number): Value {
  if (!(times >= 0) || text.length * times > TEXT_MAX) return UNKNOWN
  charge(text.length * times)
  return text.repeat(times)
}

function padded(text: string, args: readonly Value[], method: 'padStart' | 'padEnd'): Value {
  const length = numberAt(args, 0) ?? 0
  if (!(length <= TEXT_MAX)) return UNKNOWN
  charge(length)
  return text[method](length, args[1] === undefined ? ' ' : textAt(args, 1))
}

function split(text: string, [separator]: readonly Value[]): Value {
  const pattern = isComposite(separator) ? expressionOf(separator) : null
  if (isComposite(separator) && pattern === null) return UNKNOWN
  charge(text.length * ITEM_WORK)
  return listOf(separator === undefined ? [text] : text.split(pattern ?? textOf(separator) ?? ''))
}

function replaced(text: string, [search, replacement]: readonly Value[], invoke: Invoke, isAll: boolean): Value {
  if (isUnknown(search) || isUnknown(replacement)) return UNKNOWN
  const expression = isComposite(search) ? expressionOf(search) : null
  if (isComposite(search) && expression === null) return UNKNOWN
  charge(text.length * 4)
  let isKnown = true
  const replace = (...found: unknown[]): string => {
    charge(ITEM_WORK)
    if (!isComposite(replacement)) return literal(textOf(replacement) ?? '', String(found[0]))
    const result = textOf(invoke(replacement, [String(found[0])]))
    if (result === null) isKnown = false
    return result ?? ''
  }
  const key = expression ?? textOf(search) ?? ''
  const result = isAll && typeof key === 'string' ? text.replaceAll(key, replace) : text.replace(key, replace)
  return isKnown && result.length <= TEXT_MAX ? result : UNKNOWN
}

function literal(replacement: string, found: string): string {
  return replacement.includes('$') ? replacement.replaceAll('$&', () => found) : replacement
}

/** Characters, classes and word limits, with a quantifier at the end only. Other patterns may take exponential time. */
const SAFE =
  /^(?:\\[bBdDsSwW]|\\[^a-zA-Z0-9]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\[(?:[^\\\]]|\\.)*\]|[^\\[\](){}|*+?^$])+[+*]?$/s
const PATTERN_MAX = 1000

function expressionOf(value: Value): RegExp | null {
  if (!isComposite(value) || value.kind !== 'pattern') return null
  const { source, flags } = value.pattern
  if (source.length > PATTERN_MAX || !SAFE.test(source) || !/^[gim]*$/.test(flags)) return null
  try {
    return new RegExp(source, flags)
  } catch {
    return null
  }
}

function newPattern(source: Value, flags: Value): Value {
  if (isComposite(source) && source.kind === 'pattern') return source
  const texts = [textOf(source), flags === undefined ? '' : textOf(flags)] as const
  if (texts[0] === null || texts[1] === null) return UNKNOWN
  return { kind: 'pattern', pattern: { source: texts[0], flags: texts[1] } satisfies Pattern }
}

function array(args: Value[]): Value {
  const [length] = args
  if (args.length !== 1 || typeof length !== 'number') return listOf(args)
  return filled(length, undefined, false)
}

function filled(length: number, value: Value, isTyped: boolean): Value {
  if (!Number.isInteger(length) || length < 0 || length > ITEMS_MAX) return UNKNOWN
  charge(length * ITEM_WORK)
  return listOf(Array<Value>(length).fill(value), isTyped)
}

function typed([source]: Value[]): Value {
  if (typeof source === 'number') return filled(source, 0, true)
  if (isComposite(source) && source.kind === 'list') {
    charge(source.items.length)
    return listOf([...source.items], true)
  }
  return UNKNOWN
}

function arrayFrom([source, callee]: Value[], invoke: Invoke): Value {
  const items = itemsOf(source)
  if (items === null) return UNKNOWN
  charge(items.length * ITEM_WORK)
  return listOf(callee === undefined ? [...items] : items.map((item, i) => invoke(callee, [item, i])))
}

/** null: not known. */
export function itemsOf(source: Value): readonly Value[] | null {
  if (typeof source === 'string') return [...source]
  if (!isComposite(source)) return null
  if (source.kind === 'list') return source.items
  const length = source.kind === 'record' ? source.entries.get('length') : undefined
  return typeof length === 'number' && length <= ITEMS_MAX
    ? Array<Value>(Math.max(0, Math.floor(length))).fill(undefined)
    : null
}

const ENCODINGS: ReadonlySet<string> = new Set(['base64', 'hex', 'latin1', 'binary', 'utf8', 'base64url'])

function bytesOf([source, encoding]: readonly Value[]): Value {
  if (isComposite(source)) return source.kind === 'list' ? source : UNKNOWN
  const name = encoding === undefined ? 'utf8' : (textOf(encoding) ?? '')
  if (!ENCODINGS.has(name)) return UNKNOWN
  const bytes = Buffer.from(textOf(source) ?? '', name as BufferEncoding)
  if (bytes.length > ITEMS_MAX) return UNKNOWN
  charge(bytes.length * ITEM_WORK)
  return listOf([...bytes], true)
}

/** Text of a stream, with the name of an encoding. */
function readerText([stream, encoding]: Value[]): Value {
  const text = textOf(stream)
  if (text === null) return UNKNOWN
  const name = encoding === undefined ? '' : (textOf(encoding) ?? '')
  charge(text.length)
  return /^(?:base64|hex)$/i.test(name)
    ? Buffer.from(text, name.toLowerCase() as BufferEncoding).toString('latin1')
    : text
}

function textOfBytes(value: Value): Value {
  if (!isComposite(value) || value.kind !== 'list') return UNKNOWN
  charge(value.items.length * ITEM_WORK)
  return Buffer.from(value.items.map(numberOf)).toString('utf8')
}
