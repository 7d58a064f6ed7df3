/** Methods of texts. */

import { spend, store } from './budget.ts'
import { expressionFor, foundList } from './patterns.ts'
import { indexOf, lastIndexOf, PIECE_BYTES, split } from './search.ts'
import {
  CUT,
  type Invoke,
  isAlternatives,
  isComposite,
  isLossy,
  isUnknown,
  joined,
  joinedInPart,
  listOf,
  numberOf,
  partOf,
  TEXT_MAX,
  textOf,
  UNKNOWN,
  type Value,
} from './values.ts'

type TextMethod = (text: string, args: readonly Value[], invoke: Invoke) => Value

const numberAt = (args: readonly Value[], i: number): number | undefined =>
  args[i] === undefined ? undefined : numberOf(args[i])
const textAt = (args: readonly Value[], i: number): string => textOf(args[i]) ?? ''

/** They read a place of the text, whatever its length. */
export const INDEXED_TEXT_METHODS: Readonly<Record<string, TextMethod>> = {
  charAt: (text, args) => text.charAt(numberAt(args, 0) ?? 0),
  at: (text, args) => text.at(numberAt(args, 0) ?? 0),
  charCodeAt: (text, args) => text.charCodeAt(numberAt(args, 0) ?? 0),
  codePointAt: (text, args) => text.codePointAt(numberAt(args, 0) ?? 0),
  // The engine makes no copy.
  substr: (text, args) => substr(text, numberAt(args, 0) ?? 0, numberAt(args, 1)),
  substring: (text, args) => text.substring(numberAt(args, 0) ?? 0, numberAt(args, 1)),
  slice: (text, args) => text.slice(numberAt(args, 0), numberAt(args, 1)),
  toString: (text: string) => text,
  valueOf: (text: string) => text,
}

/** They read the whole text, for which the caller charges. */
export const TEXT_METHODS: Readonly<Record<string, TextMethod>> = {
  toLowerCase: (text) => stored(text.length * 2, () => text.toLowerCase()),
  toUpperCase: (text) => stored(text.length * 2, () => text.toUpperCase()),
  trim: (text) => text.trim(),
  trimStart: (text) => text.trimStart(),
  trimEnd: (text) => text.trimEnd(),
  concat: (text, args) => joined([text, ...args], '') ?? joinedInPart([text, ...args], ''),
  indexOf: (text, args) => indexOf(text, textAt(args, 0), numberAt(args, 1)),
  lastIndexOf: (text, args) => lastIndexOf(text, textAt(args, 0)),
  includes: (text, args) => indexOf(text, textAt(args, 0)) !== -1,
  startsWith: (text, args) => text.startsWith(textAt(args, 0)),
  endsWith: (text, args) => text.endsWith(textAt(args, 0)),
  repeat: (text, args) => repeated(text, numberAt(args, 0) ?? 0),
  padStart: (text, args) => padded(text, args, 'padStart'),
  padEnd: (text, args) => padded(text, args, 'padEnd'),
  split: splitText,
  replace: (text, args, invoke) => replaced(text, args, invoke, false),
  replaceAll: (text, args, invoke) => replaced(text, args, invoke, true),
  match(text, [pattern]) {
    const expression = expressionFor(pattern, text)
    if (expression === null) return CUT
    store(text.length * PIECE_BYTES)
    const found = text.match(expression)
    return found === null ? null : foundList(found)
  },
  matchAll(text, [pattern]) {
    const expression = expressionFor(pattern, text)
    if (expression === null || !expression.global) return CUT
    store(text.length * PIECE_BYTES)
    const found = [...text.matchAll(expression)]
    spend(found.length * PIECE_WORK)
    store(found.length * LIST_BYTES)
    return listOf(found.map(foundList))
  },
}

export const isTextMethod = (name: string): boolean =>
  Object.hasOwn(INDEXED_TEXT_METHODS, name) || Object.hasOwn(TEXT_METHODS, name)

function stored(length: number, make: () => string): string {
  spend(length)
  store(length)
  return make()
}

function substr(text: string, from: number, length: number | undefined): string {
  const start = from < 0 ? Math.max(0, text.length + from) : from
  return text.slice(start, length === undefined ? undefined : start + Math.max(0, length))
}

function repeated(text: string, times: number): Value {
  if (!(times >= 0)) return UNKNOWN
  if (text.length * times > TEXT_MAX) return CUT
  return stored(text.length * times, () => text.repeat(times))
}

function padded(text: string, args: readonly Value[], method: 'padStart' | 'padEnd'): Value {
  const length = numberAt(args, 0) ?? 0
  if (!(length <= TEXT_MAX)) return CUT
  return stored(Math.max(length, 0), () => text[method](length, args[1] === undefined ? ' ' : textAt(args, 1)))
}

/** A list of what a pattern has found, with its groups. */
const LIST_BYTES = 200
/** For each piece of a text that is split. */
const PIECE_WORK = 20

function splitText(text: string, [separator]: readonly Value[]): Value {
  if (separator === undefined) return listOf([text])
  spend(text.length * PIECE_WORK)
  if (!isComposite(separator)) return listOf(split(text, textOf(separator) ?? ''))
  const pattern = expressionFor(separator, text)
  if (pattern === null) return CUT
  store(text.length * PIECE_BYTES)
  return listOf(text.split(pattern))
}

function replaced(text: string, [search, replacement]: readonly Value[], invoke: Invoke, isAll: boolean): Value {
  if (isUnknown(search)) return UNKNOWN
  const expression = isComposite(search) ? expressionFor(search, text) : null
  if (isComposite(search) && expression === null) return CUT
  let isKnown = true
  let isCut = false
  let length = text.length
  const replace = (found: string, groups: readonly Value[], names: Names = {}): string => {
    const made = isCallable(replacement) ? invoke(replacement, [found, ...groups]) : replacement
    isCut ||= inDoubt(made)
    if (textOf(made) === null) isKnown = false
    const result = made === replacement ? withFound(partOf(made), found, groups, names) : partOf(made)
    length += result.length
    spend(PIECE_WORK + result.length)
    store(result.length)
    return length > TEXT_MAX ? '' : result
  }
  const result =
    expression === null
      ? replacedTexts(text, textOf(search) ?? '', isAll, (found) => replace(found, []))
      : text.replace(expression, (found, ...given: (Value | Names)[]) => {
          const names = areNames(given.at(-1)) ? (given.pop() as Names) : undefined
          return replace(found, given.slice(0, -1) as Value[], names)
        })
  if (length > TEXT_MAX) return CUT
  if (isKnown) return result
  return isCut ? CUT : joinedInPart([result, UNKNOWN], '')
}

const isCallable = (value: Value): boolean => isComposite(value) && !(isUnknown(value) && value.name === '')

/** What named groups have found. */
type Names = Readonly<Record<string, string | undefined>>

const areNames = (value: unknown): boolean => typeof value === 'object'

const inDoubt = (value: Value): boolean => isLossy(value) || isAlternatives(value)

function replacedTexts(text: string, search: string, isAll: boolean, replace: (found: string) => string): string {
  if (search === '') return isAll ? text : replace('') + text
  if (isAll) {
    const [first = '', ...pieces] = split(text, search)
    return [first, ...pieces.flatMap((piece) => [replace(search), piece])].join('')
  }
  const at = indexOf(text, search)
  return at === -1 ? text : text.slice(0, at) + replace(search) + text.slice(at + search.length)
}

const REFERENCE = /\$(\$|&|\d|<[^<>]{1,100}>)/g

/** `groups`: with the place of the match as the last. */
function withFound(text: string, found: string, groups: readonly Value[], names: Names): string {
  if (!text.includes('$')) return text
  spend(text.length * (found.length + 1))
  return text.replace(REFERENCE, (whole, sign: string) => {
    if (sign === '$' || sign === '&') return sign === '$' ? '$' : found
    if (sign.startsWith('<')) return Object.keys(names).length > 0 ? (names[sign.slice(1, -1)] ?? '') : whole
    const isGroup = Number(sign) > 0 && Number(sign) < groups.length
    return isGroup ? textOfGroup(groups[Number(sign) - 1]) : whole
  })
}

const textOfGroup = (group: Value): string => (group === undefined ? '' : (textOf(group) ?? ''))
