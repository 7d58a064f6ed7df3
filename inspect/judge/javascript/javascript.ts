/**
 * What a script does, with its texts put together: concatenation, escapes, character codes, Base64, reversed and replaced
 * texts, loops over constants, and texts that are run as code. For PDF scripts, pages and script files alike.
 */

import { longestBeginning } from '#inspect/core/search.ts'
import { BudgetExceeded, charge, keep } from '#inspect/core/work.ts'
import type { Host } from './acting.ts'
import { type Allowance, spend, store, withAllowance } from './budget.ts'
import { evaluateOthers, evaluateScript, settleScript } from './evaluator.ts'
import type { Cache, Machine, Recorder } from './machine.ts'
import type { Program } from './parser.ts'
import {
  alternativesOf,
  combinationsOf,
  isAlternatives,
  isComposite,
  isOpen,
  isUnknown,
  numberOf,
  type Value,
} from './values.ts'

export { GAP } from './values.ts'

/** A value as far as it is known. */
export type Folded =
  | { kind: 'constant'; value: string | number | boolean | null | undefined }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'list'; items: readonly Folded[] }
  | { kind: 'record'; entries: ReadonlyMap<string, Folded> }
  /** `text`: its known parts, with `GAP` for the others. `isCut`: a limit was reached before it was known. */
  | { kind: 'unknown'; name: string; text: string | null; isCut: boolean }

interface ScriptCall {
  /**
   * As the script names it, without `this.` and `window.`: `app.launchURL`, `eval`, `getField("a").value.toString`,
   * `ActiveXObject("WScript.Shell").Run`. Results of calls are named by the call.
   */
  name: string
  args: readonly Folded[]
  isNew: boolean
  /** false: in a function that nothing in the script calls, for example a handler. */
  isReached: boolean
}

export interface Script {
  calls: readonly ScriptCall[]
  /** Members of objects that the script did not create: `location.href`, `document.createElement("a").download`. */
  assignments: readonly Assignment[]
  /** Every identifier and member, also in code that never runs, and in texts that are run as code. */
  names: ReadonlySet<string>
  /** Texts that are run as code. `by`: such as `eval`. `isBuilt`: not in the source as they are. */
  evaluated: readonly Evaluated[]
  /** false: some of it was not understood. */
  isComplete: boolean
  /** Not all of it was seen, not even once. */
  isStopped: boolean
}

interface Assignment {
  name: string
  value: Folded
  isReached: boolean
}

interface Evaluated {
  text: string
  by: string
  isBuilt: boolean
  /** As for calls. */
  isReached: boolean
}

const RECORD_BYTES = 400
const RECORD_WORK = 2_500
/** Items of a list, and lists within each other. */
const ITEMS_MAX = 200
const DEPTH_MAX = 4
/** A shorter list of small numbers is no data. */
const BYTES_MIN = 16

/** For the whole of a script. */
export const SCRIPT_ALLOWANCE: Allowance = { work: 250_000_000, bytes: 40_000_000 }

/** For a second evaluation after a limit, in which each function and loop runs once: all of the script is seen. */
const SURVEY_WORK = 150_000_000
const SURVEY_CHARACTER_WORK = 6_000

/** What was recorded so far. */
export interface Seen extends Pick<Script, 'calls' | 'names'> {
  /** Code that runs was seen to its end. Functions that nothing calls may be left. */
  isFollowed: boolean
  /** Its host refuses it, or it ends with an error. */
  isOver: boolean
}

/** A short script that takes long has functions that call each other in circles. */
const FIRST_WORK = 30_000_000
const FIRST_CHARACTER_WORK = 3_000

function allowanceFor({ length }: string): Allowance {
  return { ...SCRIPT_ALLOWANCE, work: Math.min(SCRIPT_ALLOWANCE.work, FIRST_WORK + length * FIRST_CHARACTER_WORK) }
}

interface Reading {
  host: Host
  /** The source, if it was parsed before. */
  program: Program | null
  /** A file, which the host reads alone. */
  isFile: boolean
  /** The host takes it for an error as a whole. */
  isRefused: boolean
}

/** Variables that do not exist, which are remembered. */
const MISSING_MAX = 20

/** Variables of browsers, of Node.js and of the language since 2015. The script host of Windows has none of them. */
const FOREIGN = new Set([
  ...['window', 'document', 'navigator', 'location', 'self', 'globalThis', 'global', 'process', 'Buffer', 'require'],
  ...['module', 'exports', 'define', 'console', 'fetch', 'atob', 'btoa', 'XMLHttpRequest', 'URL', 'Worker', 'Blob'],
  ...[
    'HTMLElement',
    'Element',
    'Node',
    'Event',
    'CustomEvent',
    'customElements',
    'performance',
    'requestAnimationFrame',
  ],
  ...['setTimeout', 'setInterval', 'localStorage', 'sessionStorage', 'TextDecoder', 'TextEncoder', 'Symbol', 'Promise'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'BigInt', 'ArrayBuffer', 'DataView', 'jQuery', '$'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float32Array', 'Float64Array', 'angular', 'React', 'Vue'],
])

/** Whether a name may be that of a variable: as a text, or where it is assigned or declared. */
function mayDefine(source: string, name: string): boolean {
  charge(source.length * MISSING_WORK)
  const word = name.replaceAll('$', '\\$')
  return new RegExp(
    `["']${word}["']|\\b${word}\\s{0,9}=[^=]|\\bfunction\\s{1,9}${word}\\b|[{,]\\s{0,9}${word}\\s{0,9}[:,]`,
  ).test(source)
}

const MISSING_WORK = 10

interface Lookups {
  missing: ReadonlySet<string>
  isOpen: boolean
}

/** Whether the script ends with an error because of a variable that its host does not have. */
function endsEarly(source: string, { missing, isOpen }: Lookups, { programs }: Cache): boolean {
  const declared = new Set([...programs.values()].flatMap(({ vars }) => vars))
  const names = [...missing].filter((name) => FOREIGN.has(name) && !declared.has(name))
  return !isOpen && names.some((name) => !mayDefine(source, name))
}

/**
 * `values`: texts of the document that the script can read, by the name it uses, such as `getField("a").value`.
 * `matters`: whether a script that was not followed to its end can do anything of interest.
 */
export function readScript(
  source: string,
  values: ReadonlyMap<string, string> = new Map(),
  matters: (script: Seen) => boolean = () => true,
  { host = 'any', program = null, isFile = false, isRefused = false }: Partial<Reading> = {},
): Script {
  const record = createRecord()
  const cache: Cache = { host, programs: new Map(program === null ? [] : [[source, program]]), functions: new Map() }
  const survey: Allowance = {
    work: SURVEY_WORK + source.length * SURVEY_CHARACTER_WORK,
    bytes: SCRIPT_ALLOWANCE.bytes,
  }
  let isStopped = false
  try {
    let machine: Machine | null = null
    withAllowance(allowanceFor(source), () => {
      machine = evaluateScript(source, record.recorder, values, cache)
    })
    // Calls that were left out may write what the calls and conditions after them read.
    const isFollowed = machine !== null && !record.isExhausted
    const isOver = isRefused || (isFile && host === 'windows' && endsEarly(source, record, cache))
    // What nothing called before the end is never called.
    const isIdle = isOver && !matters({ ...record, isFollowed, isOver })
    const isEnd = isIdle || (machine !== null && evaluateOthers(machine, source))
    if (!isIdle && (!isEnd || record.isExhausted) && matters({ ...record, isFollowed, isOver })) {
      record.isExhausted = false
      const isSeen = withAllowance(survey, () => settleScript(source, record.recorder, values, cache))
      isStopped = !isSeen || record.isExhausted
    }
  } catch (error) {
    if (error instanceof BudgetExceeded) throw error
    isStopped = true
    record.isComplete = false
  }
  const { calls, assignments, names, isComplete } = record
  const evaluated = record.evaluated.map((each) => ({ ...each, isBuilt: !isVisible(source, each.text) }))
  return { calls, assignments, names, evaluated, isComplete, isStopped }
}

/** Whether a limit was reached before the value was known, or a part of it. */
export function isCut(value: Folded | undefined): boolean {
  if (value === undefined) return false
  if (value.kind === 'list') return value.items.some(isCut)
  if (value.kind === 'record') return [...value.entries.values()].some(isCut)
  return value.kind === 'unknown' && value.isCut
}

function createRecord() {
  const known = new Set<string>()
  const isNewRecord = (key: string | null): boolean => {
    spend(RECORD_WORK)
    if (key !== null && known.has(key)) return false
    store(RECORD_BYTES)
    if (key !== null) known.add(key)
    return true
  }
  const record = {
    calls: [] as ScriptCall[],
    assignments: [] as Assignment[],
    names: new Set<string>(),
    evaluated: [] as Omit<Evaluated, 'isBuilt'>[],
    isComplete: true,
    isExhausted: false,
    missing: new Set<string>(),
    isOpen: false,
  }
  const recorder: Recorder = {
    call(name, given, isNew, isReached) {
      const args = given.length > ITEMS_MAX ? given.slice(0, ITEMS_MAX) : given
      // Most calls pass nothing that can be a text.
      if (args.every(isBlank)) {
        if (isNewRecord(`\0${name}\0${isNew}\0${isReached}\0${args.length}`))
          record.calls.push({ name, args: args.map((arg) => folded(arg)), isNew, isReached })
        return
      }
      for (const row of args.some(isOpen) ? combinationsOf(args.map(choicesOf)) : [args]) {
        // Which arguments a function hands to another one hides nothing.
        const isMaker = MAKER.test(name)
        const folds = row.map((arg) =>
          folded(isMaker && isUnknown(arg) && arg.isListed ? { ...arg, isCut: false } : arg),
        )
        if (isNewRecord(keyOf(folds, name, isNew, isReached)))
          record.calls.push({ name, args: folds, isNew, isReached })
      }
    },
    assign(name, value, isReached) {
      for (const each of choicesOf(value)) {
        const fold = folded(each)
        if (isNewRecord(keyOf([fold], '=', name, isReached))) record.assignments.push({ name, value: fold, isReached })
      }
    },
    code(text, by, found, isWhole, isReached) {
      for (const name of found) record.names.add(name)
      if (!isWhole) record.isComplete = false
      if (by === null) return
      if (isNewRecord(keyOf([{ kind: 'constant', value: text }], 'code', by, isReached)))
        record.evaluated.push({ text, by, isReached })
    },
    exhausted() {
      record.isExhausted = true
    },
    missing(name) {
      if (name === null) record.isOpen = true
      else if (record.missing.size < MISSING_MAX) record.missing.add(name)
    },
  }
  return Object.assign(record, { recorder })
}

const MAKER = /^Function$|\.constructor$/

/** Pieces of the source that a visible text is made of, and characters of a piece. */
const PIECES_MAX = 6
const PIECE_MIN = 8

/** Whether the text is in the source, as a whole or in a few long pieces. */
function isVisible(source: string, text: string): boolean {
  let rest = text
  for (let pieces = 0; pieces <= PIECES_MAX; pieces++) {
    const length = longestBeginning(source, rest)
    if (length === rest.length) return true
    if (length < PIECE_MIN) return false
    rest = rest.slice(length)
  }
  return false
}

function isBlank(value: Value): boolean {
  if (isUnknown(value)) return [value.text, value.several, value.isCut].every((each) => !each) && value.name === ''
  return typeof value === 'boolean' || value === null || value === undefined
}

/** What a value may be, each of which is recorded. */
function choicesOf(value: Value): readonly Value[] {
  return alternativesOf(value).flatMap((each): Value[] => (isUnknown(each) ? [each, ...(each.several ?? [])] : [each]))
}

/** Characters of a text that is compared with others. */
const KEY_MAX = 300

/** Tells records apart, because handlers run more than once. null: too long. */
function keyOf(values: readonly Folded[], ...others: readonly unknown[]): string | null {
  const texts = values.map((value) => {
    if (value.kind === 'constant') return typeof value.value === 'string' ? `"${value.value}` : String(value.value)
    return value.kind === 'unknown' ? `${value.name}\0${value.text}\0${value.isCut}` : null
  })
  if (texts.some((text) => text === null || text.length > KEY_MAX)) return null
  return [...others, ...texts].join('\0\0')
}

/** Values in one value that are recorded. Objects may hold each other, so that they are far more than the script made. */
export const FOLDED_MAX = 1_000
const FOLDED_WORK = 200

function folded(value: Value, depth = 0, left = { count: FOLDED_MAX }): Folded {
  spend(FOLDED_WORK)
  left.count -= 1
  if (!isComposite(value)) return { kind: 'constant', value }
  if (value.kind === 'unknown')
    return { kind: 'unknown', name: value.name, text: value.text ?? null, isCut: value.isCut ?? false }
  const all = (values: readonly Value[]): Folded[] => foldedAll(values, depth + 1, left)
  if (isAlternatives(value)) return { kind: 'list', items: all(value.values) }
  if (depth > DEPTH_MAX || (value.kind !== 'list' && value.kind !== 'record'))
    return { kind: 'unknown', name: value.kind === 'function' ? 'function' : '', text: null, isCut: false }
  if (value.kind === 'record') {
    const keys = [...value.cells.keys()]
    return { kind: 'record', entries: new Map(all([...value.cells.values()]).map((each, i) => [keys[i] ?? '', each])) }
  }
  const bytes = value.isTyped || value.items.length >= BYTES_MIN ? bytesOf(value.items) : null
  return bytes === null ? { kind: 'list', items: all(value.items) } : { kind: 'bytes', bytes }
}

function foldedAll(values: readonly Value[], depth: number, left: { count: number }): Folded[] {
  const found: Folded[] = []
  for (const value of values.slice(0, ITEMS_MAX)) {
    if (left.count <= 0) {
      found.push({ kind: 'unknown', name: '', text: null, isCut: true })
      break
    }
    found.push(folded(value, depth, left))
  }
  return found
}

/** null: other than bytes. */
function bytesOf(items: readonly Value[]): Uint8Array | null {
  charge(items.length * 4)
  if (!items.every((item) => typeof item === 'number' && item >= -128 && item <= 255)) return null
  keep(items.length)
  return Uint8Array.from(items, numberOf)
}

/** Every constant or partly known text in values, such as the arguments of a call. */
export function textsIn(values: Iterable<Folded>): string[] {
  const texts: string[] = []
  for (const value of values) {
    if (value.kind === 'constant' && typeof value.value === 'string') texts.push(value.value)
    if (value.kind === 'unknown' && value.text !== null) texts.push(value.text)
    if (value.kind === 'list') texts.push(...textsIn(value.items))
    if (value.kind === 'record') texts.push(...textsIn(value.entries.values()))
  }
  return texts
}
