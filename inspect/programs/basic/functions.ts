/** Functions of Visual Basic that only depend on their arguments. */

import { indexOf, split as piecesOf } from '#inspect/core/search.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { VARIABLES } from '#inspect/windows/folders.ts'
import {
  arrayOf,
  type BasicArray,
  CODED_GAP,
  CUT,
  chargeItems,
  fromDocument,
  GAP,
  isArray,
  isChoice,
  isObject,
  itemsOf,
  joinValues,
  lift,
  objectOf,
  roundEven,
  toCondition,
  toNumber,
  toText,
  type Value,
  withoutOrigins,
  withWholeGap,
} from './values.ts'

type Args = readonly Value[]
type Call = (args: Args) => Value

/** Characters of one text. A longer result is unknown, and the evaluation incomplete. */
export const TEXT_MAX = 1_000_000

/** Stands for a result past a limit. */
export const OVERFLOW: Value = objectOf('(overflow)')

const textAt = (args: Args, at: number): string => toText(args[at])
const numberAt = (args: Args, at: number, otherwise?: number): number | undefined =>
  args[at] === undefined && args.length <= at ? otherwise : toNumber(args[at])
const isUnknown = (value: Value): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && !isArray(value))

/** Of a text that is known at least in part. */
const onText =
  (compute: (text: string, args: Args) => Value): Call =>
  (args) =>
    isUnknown(args[0]) ? undefined : compute(textAt(args, 0), args)

/** A part of an unknown text, or that text in another order, comes from the same place. */
const onPart =
  (compute: (text: string, args: Args) => Value): Call =>
  (args) =>
    isObject(args[0]) ? args[0] : onText(compute)(args)

const onNumber =
  (compute: (number: number) => Value): Call =>
  (args) => {
    const number = toNumber(args[0])
    return number === undefined ? undefined : compute(number)
  }

function character(code: number): Value {
  const unit = Math.round(code)
  return unit >= -32768 && unit <= 0xffff ? fromDocument(String.fromCharCode(unit & 0xffff)) : undefined
}

/** A part of a text. Of variables of the environment, that of their value. */
const onSlice = (compute: (text: string, args: Args) => Value): Call =>
  onPart((text, args) => {
    const variable = /^%(\w+)%$/.exec(text)?.[1]
    const value = variable === undefined ? text : VARIABLES.get(variable)
    const part = value === undefined ? CODED_GAP : compute(value, args)
    return typeof part === 'string' ? withWholeGap(part) : part
  })

/** Some part of a text, of which it is not known where it begins or ends. */
function somePart(text: string): Value {
  return withoutOrigins(text).replaceAll(GAP, '').trim() === '' ? undefined : joinValues([text, CUT], true)
}

function mid(text: string, args: Args): Value {
  const start = numberAt(args, 1)
  const length = numberAt(args, 2, TEXT_MAX)
  if (start === undefined || length === undefined) return somePart(text)
  return start < 1 ? undefined : text.substr(Math.round(start) - 1, Math.max(0, Math.round(length)))
}

function side(text: string, args: Args, fromRight: boolean): Value {
  const length = numberAt(args, 1)
  if (length === undefined) return somePart(text)
  if (length < 0) return undefined
  const count = Math.round(length)
  return fromRight ? text.slice(Math.max(0, text.length - count)) : text.slice(0, count)
}

const left = onSlice((text, args) => side(text, args, false))

/** Leaves texts as they are. */
const isPlainFormat = ([text, how]: Args): boolean => typeof text === 'string' && how === '@'

/** `Replace(text, find, with, start, count, compare)`: what is before the start is left out. */
function replace(whole: string, args: Args): Value {
  const [find, by] = [textAt(args, 1), textAt(args, 2)]
  const [start, count] = [numberAt(args, 3, 1), numberAt(args, 4, -1)]
  if (find.includes(GAP)) return joinValues([whole], true)
  if (start === undefined || count === undefined) return somePart(whole)
  const text = whole.slice(Math.max(0, Math.round(start) - 1))
  if (find === '') return text
  const pieces = piecesIn(text, find, count, args[5], Number.POSITIVE_INFINITY)
  if (text.length + pieces.length * by.length > TEXT_MAX) return OVERFLOW
  return pieces.join(by)
}

/** At most `count` places are divided, unless it is negative. */
function piecesIn(text: string, by: string, count: number, compare: Value, max: number): string[] {
  keep(Math.min(max, text.length / by.length) * PIECE_BYTES)
  const pieces = toNumber(compare) === 1 ? splitIgnoringCase(text, by) : piecesOf(text, by, max)
  const most = count < 0 ? pieces.length : Math.round(count)
  if (pieces.length <= most + 1) return pieces
  const first = pieces.slice(0, most)
  const length = first.reduce((sum, piece) => sum + piece.length + by.length, 0)
  return [...first, text.slice(length)]
}

function splitIgnoringCase(text: string, by: string): string[] {
  let from = -by.length
  return piecesOf(text.toLowerCase(), by.toLowerCase()).map(({ length }) => {
    const start = from + by.length
    from = start + length
    return text.slice(start, from)
  })
}

/** Elements of one array. */
export const ELEMENTS_MAX = 200_000
/** Of an element of a text that is split. Most are parts of that text. */
const PIECE_BYTES = 16

/** `Split(text, by, count, compare)`. */
function split(text: string, args: Args): Value {
  const by = args.length < 2 ? ' ' : textAt(args, 1)
  const count = numberAt(args, 2, -1)
  // Parts of a text that are not known.
  if (count === undefined || by.includes(GAP)) return arrayOf([somePart(text)])
  const pieces =
    by === '' ? [text] : piecesIn(text, by, count < 0 ? count : Math.max(0, count - 1), args[3], ELEMENTS_MAX)
  return pieces.length >= ELEMENTS_MAX ? OVERFLOW : arrayOf(pieces)
}

function join(args: Args): Value {
  const [list] = args
  if (!isArray(list)) return undefined
  const by = args.length < 2 ? ' ' : textAt(args, 1)
  const items = itemsOf(list)
  if (items.some(isChoice)) return items.reduce((all, item) => joinedBy(all, by, item))
  const texts = Array.from(items, toText)
  const length = texts.reduce((sum, text) => sum + text.length + by.length, -by.length)
  return length > TEXT_MAX ? OVERFLOW : texts.join(by)
}

function joinedBy(all: Value, by: string, item: Value): Value {
  return lift([all, item], (texts) => {
    charge(texts.reduce<number>((sum, text) => sum + toText(text).length, by.length))
    const text = texts.map(toText).join(by)
    return text.length > TEXT_MAX ? CUT : text
  })
}

function filter(args: Args): Value {
  const [list, match] = args
  if (!isArray(list) || isUnknown(match)) return undefined
  const excludes = toCondition(args[2]) === false
  const ignoresCase = toNumber(args[3]) === 1
  const textIn = (item: Value): string => (ignoresCase ? toText(item).toLowerCase() : toText(item))
  const wanted = textIn(match)
  keep(list.items.length * PIECE_BYTES)
  return arrayOf(itemsOf(list).filter((item) => (indexOf(textIn(item), wanted) === -1) === excludes))
}

/** `InStr(text, find)` or `InStr(start, text, find)`. */
function inStr(args: Args): Value {
  const start = typeof args[0] === 'number' && args.length > 2 ? args[0] : 1
  const at = args.length > 2 && typeof args[0] !== 'string' ? 1 : 0
  if (isUnknown(args[at]) || isUnknown(args[at + 1])) return undefined
  const ignoresCase = toNumber(args[at + 2]) === 1
  const [text, find] = [textAt(args, at), textAt(args, at + 1)].map((each) => (ignoresCase ? each.toLowerCase() : each))
  return indexOf(text ?? '', find ?? '', Math.max(0, start - 1)) + 1
}

/** `InStrRev(text, find, start, compare)`, from the end by reversing both: a search backwards takes the product of the lengths. */
function lastPlace(whole: string, args: Args): Value {
  const start = numberAt(args, 2, -1)
  if (start === undefined || whole.includes(GAP) || isUnknown(args[1])) return undefined
  const ignoresCase = toNumber(args[3]) === 1
  const [all, find] = [whole, textAt(args, 1)].map((each) => (ignoresCase ? each.toLowerCase() : each)) as [
    string,
    string,
  ]
  const text = start < 0 ? all : all.slice(0, Math.round(start))
  if (find === '') return text.length
  const at = indexOf(reversed(text), reversed(find))
  return at === -1 ? 0 : text.length - at - find.length + 1
}

/** `StrComp(one, other, compare)`. */
function compared(one: string, args: Args): Value {
  if (isUnknown(args[1]) || one.includes(GAP) || textAt(args, 1).includes(GAP)) return undefined
  const ignoresCase = toNumber(args[2]) === 1
  const [first, second] = [one, textAt(args, 1)].map((each) => (ignoresCase ? each.toLowerCase() : each)) as [
    string,
    string,
  ]
  return first === second ? 0 : first < second ? -1 : 1
}

/** Whether a small negative number has two bytes or four is not known. */
function hexOf(number: number): Value {
  const rounded = Math.round(number)
  const text = (rounded >>> 0).toString(16).toUpperCase()
  return rounded < 0 && rounded >= -0x8000 ? joinValues([text.slice(-4), text]) : text
}

function repeated(count: number | undefined, piece: string): Value {
  if (count === undefined || count < 0) return undefined
  return count > TEXT_MAX ? OVERFLOW : piece.repeat(Math.round(count))
}

/** 64 is from bytes to text, 128 the reverse; 1 and 2 change the case. */
function convert(text: string, args: Args): Value {
  const to = toNumber(args[1])
  if (to === 128) {
    if (text.length > ELEMENTS_MAX) return OVERFLOW
    keep(text.length * PIECE_BYTES)
    return arrayOf([...Buffer.from(text, 'latin1')])
  }
  if (to === 64 && isArray(args[0])) return latin1Of(args[0])
  if (to === 1) return text.toUpperCase()
  return to === 2 ? text.toLowerCase() : text
}

export function latin1Of(list: BasicArray): string {
  if (list.hasStrays) return CODED_GAP
  const { items } = list
  chargeItems(items)
  return Buffer.from(items.map((item) => toNumber(item) ?? 0)).toString('latin1')
}

function choose(args: Args): Value {
  const at = toNumber(args[0])
  return at === undefined ? joinValues(args.slice(1)) : args[Math.round(at)]
}

function iif(args: Args): Value {
  const holds = toCondition(args[0])
  return holds === undefined ? joinValues(args.slice(1, 3)) : holds ? args[1] : args[2]
}

/** `Switch(condition, value, condition, value)`: the value of the first condition that holds. */
function switched(args: Args): Value {
  const possible: Value[] = []
  for (let at = 0; at + 1 < args.length; at += 2) {
    const holds = toCondition(args[at])
    if (holds !== false) possible.push(args[at + 1])
    if (holds === true) return joinValues(possible)
  }
  return joinValues([...possible, null])
}

function leadingNumber(text: string): Value {
  if (text.includes(GAP)) return undefined
  const hex = /^\s*&h([0-9a-f]+)/i.exec(text)
  if (hex?.[1] !== undefined) return Number.parseInt(hex[1], 16)
  return Number.parseFloat(/^\s*[+-]?\d*\.?\d*/.exec(text.replaceAll(' ', ''))?.[0] ?? '') || 0
}

function bound(args: Args, isUpper: boolean): Value {
  const [list, dimension] = args
  if (!isArray(list) || (dimension !== undefined && dimension !== 1)) return undefined
  return (list.base ?? 0) + (isUpper ? list.items.length - 1 : 0)
}

/** For each character, of which every third may begin an escape. */
const ESCAPE_WORK = 60
const REVERSE_WORK = 20

function reversed(text: string): string {
  charge(text.length * REVERSE_WORK)
  const units = Uint16Array.from({ length: text.length }, (_, i) => text.charCodeAt(text.length - 1 - i))
  return Buffer.from(units.buffer).toString('utf16le')
}

function unescaped(text: string): string {
  charge(text.length * ESCAPE_WORK)
  return text.replace(/%(?:u([0-9a-f]{4})|([0-9a-f]{2}))/gi, (_, wide?: string, narrow?: string) =>
    fromDocument(String.fromCharCode(Number.parseInt(wide ?? narrow ?? '0', 16))),
  )
}

function environment(text: string): Value {
  return text === '' || text.includes(GAP) ? undefined : `%${text.toLowerCase()}%`
}

const asInteger = (round: (value: number) => number): Call => onNumber((number) => round(number))
const chr: Call = (args) => {
  const code = toNumber(args[0])
  return code === undefined ? CODED_GAP : character(code)
}
const asc = onText((text) => (text === '' || text.startsWith(GAP) ? undefined : text.charCodeAt(0)))
const same: Call = (args) => args[0]
const toInteger = asInteger(roundEven)

/** `Round(number, digits)`. */
function round(args: Args): Value {
  const [number, digits] = [toNumber(args[0]), numberAt(args, 1, 0)]
  if (number === undefined || digits === undefined) return undefined
  const scale = 10 ** Math.min(15, Math.max(0, Math.round(digits)))
  return roundEven(number * scale) / scale
}
const toFloat = onNumber((number) => number)

/** Without the `$` that names of functions may end with. */
export const FUNCTIONS: ReadonlyMap<string, Call> = new Map<string, Call>([
  ...['chr', 'chrw', 'chrb'].map((name) => [name, chr] as const),
  ...['asc', 'ascw', 'ascb'].map((name) => [name, asc] as const),
  ['strreverse', onPart(reversed)],
  ['mid', onSlice(mid)],
  ['midb', onSlice(mid)],
  ['left', (args) => (toNumber(args[1]) === 0 ? '' : left(args))],
  ['right', onSlice((text, args) => side(text, args, true))],
  ['replace', onPart(replace)],
  ['split', onText(split)],
  ['join', join],
  ['filter', filter],
  ['lcase', onPart((text) => text.toLowerCase())],
  ['ucase', onPart((text) => text.toUpperCase())],
  ['trim', onPart((text) => text.trim())],
  ['ltrim', onPart((text) => text.trimStart())],
  ['rtrim', onPart((text) => text.trimEnd())],
  ['len', onText((text) => (text.includes(GAP) ? undefined : text.length))],
  ['lenb', onText((text) => text.length * 2)],
  ['instr', inStr],
  ['instrrev', onText(lastPlace)],
  [
    'string',
    (args) =>
      repeated(
        toNumber(args[0]),
        typeof args[1] === 'number' ? toText(character(args[1])) : textAt(args, 1).slice(0, 1),
      ),
  ],
  ['space', (args) => repeated(toNumber(args[0]), ' ')],
  ['hex', onNumber(hexOf)],
  ['oct', onNumber((number) => (Math.round(number) >>> 0).toString(8))],
  ['val', onText(leadingNumber)],
  ...['cint', 'clng', 'cbyte', 'clnglng', 'clngptr'].map((name) => [name, toInteger] as const),
  ...['cdbl', 'csng', 'cdec', 'ccur'].map((name) => [name, toFloat] as const),
  ['int', asInteger(Math.floor)],
  ['fix', asInteger(Math.trunc)],
  ['round', round],
  ['abs', onNumber(Math.abs)],
  ['sgn', onNumber(Math.sign)],
  ['sqr', onNumber(Math.sqrt)],
  ['log', onNumber(Math.log)],
  ['exp', onNumber(Math.exp)],
  ['sin', onNumber(Math.sin)],
  ['cos', onNumber(Math.cos)],
  ['tan', onNumber(Math.tan)],
  ['atn', onNumber(Math.atan)],
  ['cstr', onPart((text) => text)],
  ['cvar', same],
  ['cbool', (args) => toCondition(args[0])],
  ['array', (args) => arrayOf([...args])],
  ['ubound', (args) => bound(args, true)],
  ['lbound', (args) => bound(args, false)],
  ['iif', iif],
  ['choose', choose],
  ['switch', switched],
  ['strconv', onText(convert)],
  ['environ', onText(environment)],
  ['isarray', (args) => isArray(args[0])],
  ['unescape', onText(unescaped)],
  ['format', (args) => (args.length < 2 || isPlainFormat(args) ? args[0] : undefined)],
  ['strcomp', onText(compared)],
])

/** Constants of the libraries that every project refers to. */
export const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['vbcrlf', '\r\n'],
  ['vbnewline', '\r\n'],
  ['vbcr', '\r'],
  ['vblf', '\n'],
  ['vbtab', '\t'],
  ['vbnullstring', ''],
  ['vbnullchar', '\0'],
  ['vbback', '\b'],
  ['vbformfeed', '\f'],
  ['vbverticaltab', '\v'],
  ['true', true],
  ['false', false],
  ['empty', null],
  ['nothing', null],
  ['null', null],
  ['vba6', true],
  ['vba7', true],
  ['win32', true],
  ['win64', true],
  ['mac', false],
  ['vbhide', 0],
  ['vbnormalfocus', 1],
  ['vbminimizedfocus', 2],
  ['vbunicode', 64],
  ['vbfromunicode', 128],
  ['vbuppercase', 1],
  ['vblowercase', 2],
  ['vbtextcompare', 1],
  ['vbbinarycompare', 0],
  ['wdorganizerobjectstyles', 0],
  ['wdorganizerobjectautotext', 1],
  ['wdorganizerobjectcommandbars', 2],
  ['wdorganizerobjectprojectitems', 3],
  ['wdstartuppath', 8],
])
