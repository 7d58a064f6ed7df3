/** What is recorded of a script while it is evaluated. */

import { longestBeginning } from '#inspect/core/search.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { spend, store } from './budget.ts'
import { type Folded, folded, ITEMS_MAX } from './folded.ts'
import type { Recorder } from './machine.ts'
import { alternativesOf, combinationsOf, ITEM_BYTES, isComposite, isOpen, isUnknown, type Value } from './values.ts'

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
  /** It is too long to be followed: all calls of a function were seen as one. */
  isJoined: boolean
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
/** Variables that do not exist, which are remembered. */
const MISSING_MAX = 20

/** For a name that is of no interest, and to find out whether something was recorded before. */
const PASSED_WORK = 300
const REPEATED_WORK = 500

/** `isTelling`: whether calls and assignments of a name are of interest. */
export function createRecord(isTelling: (name: string) => boolean = () => true) {
  const known = new Set<string>()
  const repeated = new Set<string>()
  const lists: Numbered = new Map()
  const isPassed = (name: string): boolean => {
    spend(PASSED_WORK)
    if (isTelling(name)) return false
    record.passed += 1
    return true
  }
  /** Functions run more than once, most with what they got before. */
  const isRepeated = (values: readonly Value[], ...others: readonly unknown[]): boolean => {
    spend(REPEATED_WORK)
    const key = plainKeyOf(values, others, lists)
    if (key === null) return false
    if (repeated.has(key)) return true
    store(RECORD_BYTES)
    repeated.add(key)
    return false
  }
  const isNewRecord = (key: string | null): boolean => {
    spend(REPEATED_WORK)
    if (key !== null && known.has(key)) return false
    spend(RECORD_WORK)
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
    /** Calls and assignments that are of no interest. */
    passed: 0,
  }
  const all: Recorder = {
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
  const recorder: Recorder = {
    ...all,
    call(name, args, ...how) {
      if (!isPassed(name) && !isRepeated(args, 'call', name, ...how)) all.call(name, args, ...how)
    },
    assign(name, value, ...how) {
      if (!isPassed(name) && !isRepeated([value], '=', name, ...how)) all.assign(name, value, ...how)
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

const ESCAPED = /\\([nrt]|[^\w\r\n])/g
const SPACES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }
const ESCAPED_WORK = 4

/** The same for a text that may stand in quotes, with signs of its own escaped. */
export function createVisible(source: string): (text: string) => boolean {
  let plain: string | undefined
  return (text) => {
    if (isVisible(source, text)) return true
    if (plain === undefined) {
      charge(source.length * ESCAPED_WORK)
      keep(source.length)
      plain = source.replace(ESCAPED, (_, sign: string) => SPACES[sign] ?? sign)
    }
    return isVisible(plain, text)
  }
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

/** Lists of texts that are compared as objects. */
type Numbered = Map<readonly string[], number>

/** Tells values apart that cannot change, before anything is made of them. null: they can, or are too long. */
function plainKeyOf(values: readonly Value[], others: readonly unknown[], lists: Numbered): string | null {
  let key = others.join('\0')
  for (const value of values) {
    const text = plainText(value, lists)
    if (text === null) return null
    key += `\0\0${text}`
    if (key.length > KEY_MAX) return null
  }
  return key
}

function plainText(value: Value, lists: Numbered): string | null {
  if (typeof value === 'string') return `"${value}`
  if (!isComposite(value)) return String(value)
  if (value.kind === 'function') return '\0function'
  if (value.kind === 'unknown')
    return `\0${value.name}\0${value.text}\0${value.isCut}\0${value.isListed}\0${numberIn(lists, value.several)}`
  if (value.kind !== 'alternatives') return null
  const texts = value.values.map((each) => plainText(each, lists))
  return texts.includes(null) ? null : texts.join('\0|')
}

function numberIn(lists: Numbered, texts: readonly string[] | undefined): number {
  if (texts === undefined) return 0
  const known = lists.get(texts)
  if (known !== undefined) return known
  store(ITEM_BYTES)
  lists.set(texts, lists.size + 1)
  return lists.size
}

/** Tells records apart, because handlers run more than once. null: too long. */
function keyOf(values: readonly Folded[], ...others: readonly unknown[]): string | null {
  const texts = values.map((value) => {
    if (value.kind === 'constant') return typeof value.value === 'string' ? `"${value.value}` : String(value.value)
    return value.kind === 'unknown' ? `${value.name}\0${value.text}\0${value.isCut}` : null
  })
  if (texts.some((text) => text === null || text.length > KEY_MAX)) return null
  return [...others, ...texts].join('\0\0')
}
