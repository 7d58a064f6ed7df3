/** Values of evaluated Visual Basic code, of which some are unknown. */

import { GAP } from '#inspect/commands/parse.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { comparisonWork } from '../keys.ts'
import { isTellingText } from '../telling-texts.ts'

/** `undefined` is unknown, null is Empty or Nothing. */
export type Value = string | number | boolean | null | undefined | BasicArray | BasicObject | Choice

export interface BasicArray {
  items: Value[]
  /** The index of the first item, if it is not 0. */
  base?: number
  /** A number was stored at a place that is not known: each of them may be it. Never taken back. */
  hasStrays?: true
  /** The same for texts, of a long list. */
  strays?: Value
  /** Whether a text was ever in it, if that was found out. */
  hasText?: boolean
}

export interface BasicObject {
  /** ProgID or path of members, such as `winmgmts:.get(win32_process)`, in lower case. */
  class: string
  properties: Map<string, Value>
  /** Of an object in which texts can be put, and of all that is read from it. */
  store?: { isGiven: boolean }
  /** A list whose keys, order or length are not known. Never taken back. */
  isLoose?: true
  /** A dictionary whose keys have no case. */
  ignoresCase?: true
  /** How it stands in a text. Found out when it is needed. */
  gap?: string
}

/** One of several values: branches that may be taken store different ones. */
interface Choice {
  options: readonly Value[]
  /** Or another one, which is unknown. */
  isOpen: boolean
  /** More than are followed: how all of those begin that are left out. */
  cut?: string
}

/** Stands in a text for a part that is unknown. */
export { GAP }

/** The origin of an unknown part: the character after the gap. */
const ORIGINS = {
  /** Computed character by character, to hide it. */
  coded: '\u200d',
  /** Stored where nobody looks for a command: comments, alternative texts, properties, tags of forms. */
  hidden: '\u200c',
  /** Source of a macro module. */
  macro: '\u2060',
  /** Path of the document itself. */
  self: '\u2061',
  /** Name of the user or the computer. */
  identity: '\u2062',
  /** Content of a file. */
  file: '\u2063',
  /** A disk, one of all. */
  drive: '\u2064',
  /** The answer of a server. */
  fetched: '\u2065',
  /** One of too many values. */
  joined: '\u206a',
  /** Not followed, though the program has it: past a limit, or too costly. */
  cut: '\u206b',
} as const

type Origin = keyof typeof ORIGINS

export const CODED_GAP = GAP + ORIGINS.coded

const MARKS = new RegExp(`[${GAP}${Object.values(ORIGINS).join('')}]`, 'g')
const FOREIGN_MARK = '\ufffc'

/** Text of the document itself cannot pass for an unknown part. */
export function fromDocument(text: string): string {
  return text.search(MARKS) === -1 ? text : text.replace(MARKS, FOREIGN_MARK)
}

const CUT_MARK = new RegExp(`^[${Object.values(ORIGINS).join('')}]`)

/** A part of a text that begins between a gap and its origin. */
export function withWholeGap(text: string): string {
  return CUT_MARK.test(text) ? GAP + text : text
}

/** Whether a part of the text is unknown and comes from there. */
export function hasPartFrom(origin: Origin, text: string): boolean {
  return text.includes(GAP + ORIGINS[origin])
}

export function startsWithPartFrom(origin: Origin, text: string): boolean {
  return text.startsWith(GAP + ORIGINS[origin])
}

const UNKNOWN_PARTS = new RegExp(`(?:${GAP}[${Object.values(ORIGINS).join('')}]?)+`, 'g')

/** Unknown parts without their origin. */
export function withoutOrigins(text: string): string {
  return text.replace(UNKNOWN_PARTS, GAP)
}

/** For readers: unknown parts as an ellipsis. */
export function withoutGaps(text: string): string {
  return text.replace(UNKNOWN_PARTS, '...')
}

/** Paths of members. */
const CLASS_ORIGINS: readonly (readonly [pattern: RegExp, origin: Origin])[] = [
  [/codemodule(?:(?!codemodule).)*\.lines\b/, 'macro'],
  [/^(?:application\.)?(?:this|active)(?:document|workbook|presentation)\.(?:full)?name$/, 'self'],
  [/^wscript\.scriptfullname$/, 'self'],
  [/^application\.username$|^wscript\.network\.(?:username|computername|userdomain)$/, 'identity'],
  [/\.drives\.item\b/, 'drive'],
  // Its own text.
  [new RegExp(`^file:.*${GAP}${ORIGINS.self}`), 'cut'],
  [/^file:/, 'file'],
  [/http(?:(?!http)\S)*\.response\b|^internetexplorer\.application\.document\b/, 'fetched'],
  [
    /\.(?:tag|controltiptext|alternativetext|caption)$|\.text$(?<=\.(?:comments?\b|selectsinglenode\().*\.text)|\.value$(?<=\.variables\(.*\.value)|\.(?:builtin|custom)documentproperties\(/,
    'hidden',
  ],
  // Text of the document itself, without what people fill in.
  [
    /^(?:application\.)?(?:(?:this|active)document\.(?:bookmarks|characters|content|customxmlparts|inlineshapes|paragraphs|range|sentences|shapes|storyranges|tables|words)\b|selection\.(?:text|range)\b)/,
    'hidden',
  ],
]

function gapOf(object: BasicObject): string {
  // Values that were put in may come out.
  if (object.store?.isGiven) return CUT_GAP
  if (object.gap === undefined) {
    const origin = CLASS_ORIGINS.find(([pattern]) => pattern.test(object.class))?.[1]
    object.gap = origin === undefined ? GAP : GAP + ORIGINS[origin]
  }
  return object.gap
}

export const isArray = (value: Value): value is BasicArray =>
  typeof value === 'object' && value !== null && 'items' in value
export const isObject = (value: Value): value is BasicObject =>
  typeof value === 'object' && value !== null && 'class' in value

export const isChoice = (value: Value): value is Choice =>
  typeof value === 'object' && value !== null && 'options' in value

/** The values that it may have. Further ones are unknown. */
export const optionsOf = (value: Value): readonly Value[] =>
  isChoice(value) ? (value.isOpen ? [...value.options, toText(value)] : value.options) : [value]

const JOINED_GAP = GAP + ORIGINS.joined
export const CUT_GAP = GAP + ORIGINS.cut

/** A text that the program has, and that is not followed. */
export const CUT: Value = { options: [GAP], isOpen: true, cut: '' }

const isCut = (value: Value): boolean => isChoice(value) && value.cut !== undefined

/** Values of one place. With more, it is unknown, but some are remembered. */
export const ALTERNATIVES_MAX = 8
export const REMEMBERED_MAX = 32
/** Combinations of the values of several places. */
export const COMBINATIONS_MAX = 64
const COMBINATION_WORK = 200
const ARGUMENT_WORK = 20
/** For each value that is compared with others. */
const OPTION_WORK = 220
/** For each character of the texts among which the most telling are chosen. */
const TELLING_WORK = 20

/** Nothing is known of it but its class, and where it comes from. */
const isPlainObject = (value: Value): value is BasicObject => isObject(value) && value.properties.size === 0

/** Unknown objects of one class are the same. */
function isSame(one: Value, other: Value): boolean {
  if (one === other) return true
  if (typeof one !== 'object') return typeof one === 'number' && Number.isNaN(one) && Number.isNaN(other)
  return isPlainObject(one) && isPlainObject(other) && one.class === other.class && one.store === other.store
}

/** With fewer values, comparing each with each takes less time than a set. */
const COMPARED_MAX = 8

/** Values without those that are there already. */
class Distinct {
  readonly options: Value[] = []
  private known: { values: Set<Value>; classes: Map<string, BasicObject['store']> } | null = null

  has(value: Value): boolean {
    charge(OPTION_WORK)
    if (typeof value === 'string') charge(value.length + comparisonWork(value, this.options.length))
    if (this.options.length <= COMPARED_MAX) return this.isAmong(value)
    const { values, classes } = this.known ?? this.noteAll()
    if (!isPlainObject(value)) return values.has(value)
    return classes.has(value.class) && classes.get(value.class) === value.store
  }

  add(value: Value): void {
    if (this.has(value)) return
    this.options.push(value)
    if (this.known !== null) this.note(value, this.known)
  }

  private isAmong(value: Value): boolean {
    for (const option of this.options) if (isSame(option, value)) return true
    return false
  }

  private noteAll(): NonNullable<typeof this.known> {
    this.known = { values: new Set(), classes: new Map() }
    for (const option of this.options) this.note(option, this.known)
    return this.known
  }

  private note(value: Value, { values, classes }: NonNullable<typeof this.known>): void {
    if (isPlainObject(value)) classes.set(value.class, value.store)
    else values.add(value)
  }
}

/** Whether both may have the same values. */
export function areSame(one: Value, other: Value): boolean {
  if (one === other) return true
  if (typeof one === 'string' && typeof other === 'string') return false
  if (!isChoice(one) || !isChoice(other)) return isSame(one, other)
  if (one.isOpen !== other.isOpen || one.options.length !== other.options.length || one.cut !== other.cut) return false
  const known = new Distinct()
  for (const option of one.options) known.add(option)
  return other.options.every((option) => known.has(option))
}

/** One value that may be any of these. */
export function joinValues(values: readonly Value[], isOpen = false): Value {
  const first = values[0]
  if (!isOpen && values.every((value) => value === first)) return first
  const distinct = new Distinct()
  let opens = isOpen
  for (const value of values) {
    if (!isChoice(value)) distinct.add(value)
    else {
      for (const option of value.options) distinct.add(option)
      opens ||= value.isOpen
    }
  }
  const { options } = distinct
  if (!opens && options.length < 2) return options[0]
  const joined = choiceOf(options, opens)
  if (!values.some(isCut)) return joined
  const cuts = values.flatMap((value) => (isChoice(value) && value.cut !== undefined ? [value.cut] : []))
  return { ...joined, cut: startOf([...cuts, joined.cut ?? cuts[0]]) }
}

function choiceOf(options: readonly Value[], isOpen: boolean): Choice {
  const known = options.includes(undefined) ? options.filter((option) => option !== undefined) : options
  if (known.length <= ALTERNATIVES_MAX && !isOpen) return { options, isOpen }
  if (known.length <= REMEMBERED_MAX) return { options: known, isOpen: true }
  const choice = { options: mostTelling(known), isOpen: true }
  // Numbers and objects that are left out are unknown.
  return known.some((option) => typeof option === 'string') ? { ...choice, cut: startOf(known) } : choice
}

/** How all of them begin, if they are texts. */
function startOf(values: readonly Value[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? value : ''))
  let [start = ''] = texts
  for (const text of texts) {
    let length = 0
    while (length < start.length && start.charCodeAt(length) === text.charCodeAt(length)) length++
    charge(length * CHARACTER_WORK)
    start = start.slice(0, length)
  }
  return start.split(GAP, 1)[0] ?? ''
}

/** All that it may be in one text. */
const wholeOf = (value: Value): Value =>
  isChoice(value) ? (value.cut ?? startOf(value.isOpen ? [''] : value.options)) + CUT_GAP : value

/** Harmless ones in any number do not displace a command. */
function mostTelling(known: readonly Value[]): Value[] {
  const telling = new Set(known.filter(isTelling))
  return [...telling, ...known.filter((value) => !telling.has(value))].slice(0, REMEMBERED_MAX)
}

/** Whether a command may be among the texts that it may be. */
export function isTelling(value: Value): boolean {
  return optionsOf(value).some((option) => {
    charge(TELLING_WORK * (1 + (typeof option === 'string' ? option.length : 0)))
    return typeof option === 'string' && isTellingText(option)
  })
}

/** The result for each combination of the values that the arguments may have. */
export function lift(args: readonly Value[], compute: (args: readonly Value[]) => Value): Value {
  if (!args.some(isChoice)) return compute(args)
  const { all, isOpen, whole } = combinationsOf(args)
  const joined = joinValues(all.map(compute), isOpen)
  if (whole === null) return joined
  const result = compute(whole)
  const cut: Value = { options: [], isOpen: true, cut: typeof result === 'string' ? startOf([result]) : '' }
  return joinValues([joined, cut], true)
}

interface Combinations {
  all: readonly (readonly Value[])[]
  /** There are more. */
  isOpen: boolean
  /** Those that are left out, in one; null: none. */
  whole: readonly Value[] | null
}

function eachWith(all: readonly (readonly Value[])[], options: readonly Value[]): Value[][] {
  const next: Value[][] = []
  for (const chosen of all)
    for (const option of options) if (next.length < COMBINATIONS_MAX) next.push([...chosen, option])
  return next
}

export function combinationsOf(args: readonly Value[]): Combinations {
  let all: Value[][] = [[]]
  let isOpen = false
  let isOver = args.some(isCut)
  for (const arg of args) {
    if (isChoice(arg) && arg.isOpen) isOpen = true
    if (isChoice(arg) && all.length * arg.options.length > COMBINATIONS_MAX) isOpen = isOver = true
    if (isChoice(arg)) all = eachWith(all, arg.options)
    else for (const chosen of all) chosen.push(arg)
    charge(all.length * (isChoice(arg) ? COMBINATION_WORK : ARGUMENT_WORK))
  }
  return { all, isOpen, whole: isOver ? args.map(wholeOf) : null }
}

/** Characters of a class name. */
const CLASS_MAX = 200

export function objectOf(name: string): BasicObject {
  return { class: name.slice(0, CLASS_MAX).toLowerCase(), properties: new Map() }
}

/** A member or an element of an object. */
export function derivedOf({ store }: BasicObject, name: string): BasicObject {
  return store === undefined ? objectOf(name) : { ...objectOf(name), store }
}

/** Of the user, to a question. */
const ANSWER = '(answer)'
export const answer = (): BasicObject => objectOf(ANSWER)
export const isAnswer = (value: Value): value is BasicObject => isObject(value) && value.class === ANSWER

export function arrayOf(items: Value[]): BasicArray {
  return { items }
}

export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return ''
  if (isObject(value)) return gapOf(value)
  if (isChoice(value)) return value.cut === undefined ? JOINED_GAP : value.cut + CUT_GAP
  return isArray(value) ? bytesText(value) : GAP
}

/** Shorter texts are part of the work of a step. */
const LONG_MIN = 64
const CHARACTER_WORK = 2
const ITEM_WORK = 20
const ITEM_BYTES = 8

/** For a text that is read as a whole where only its place was asked for, such as a number in it. */
function chargeLong(length: number): void {
  if (length > LONG_MIN) charge(length * CHARACTER_WORK)
}

/** With what was stored at places that are not known. */
function withStrays({ hasStrays, strays }: BasicArray, item: Value): Value {
  const plain = hasStrays && (item === null || typeof item === 'number') ? undefined : item
  return strays === undefined ? plain : joinValues([plain, strays])
}

export const itemOf = (list: BasicArray, index: number): Value => withStrays(list, list.items[index])

export function itemsOf(list: BasicArray): readonly Value[] {
  chargeItems(list.items)
  return list.hasStrays || list.strays !== undefined ? list.items.map((item) => withStrays(list, item)) : list.items
}

/** Arrays are values: a copy does not change when an item is stored in the other. */
export function copied(value: Value): Value {
  if (isChoice(value) && value.options.some(isArray)) return { ...value, options: value.options.map(copied) }
  if (!isArray(value)) return value
  charge(value.items.length * ITEM_WORK)
  keep(value.items.length * ITEM_BYTES)
  return { ...value, items: [...value.items] }
}

/** For the texts in a list that a function reads. */
export function chargeItems(items: readonly Value[]): void {
  let length = items.length * ITEM_WORK
  for (const item of items) if (typeof item === 'string') length += item.length * CHARACTER_WORK
  charge(length)
}

/** A byte array is a text in UTF-16; arrays that are no text are unknown. */
function bytesText({ items, hasStrays }: BasicArray): string {
  if (hasStrays) return CODED_GAP
  charge(items.length * ITEM_WORK)
  const bytes = Buffer.from(items.map((item) => (typeof item === 'number' ? item : 0)))
  const isWide = bytes.length % 2 === 0 && bytes[1] === 0
  return bytes.length === 0 ? '' : fromDocument(bytes.toString(isWide ? 'utf16le' : 'latin1'))
}

/** undefined: no number, or unknown. */
export function toNumber(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? -1 : 0
  if (value === null) return 0
  if (typeof value !== 'string') return undefined
  chargeLong(value.length)
  const trimmed = value.trim()
  const hex = /^&h([0-9a-f]{1,12})&?$/i.exec(trimmed)
  if (hex?.[1] !== undefined) return Number.parseInt(hex[1], 16)
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? Number(trimmed) : undefined
}

/** Half a number is rounded to the even one. */
export function roundEven(value: number): number {
  const rounded = Math.round(value)
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded
}

/** undefined: unknown. */
export function toCondition(value: Value): boolean | undefined {
  if (isChoice(value)) {
    const [first, ...others] = value.options.map(toCondition)
    return !value.isOpen && others.every((other) => other === first) ? first : undefined
  }
  const number = toNumber(value)
  if (number !== undefined) return number !== 0
  return typeof value === 'string' && /^(?:true|false)$/i.test(value) ? value.toLowerCase() === 'true' : undefined
}

/** Whether a text is known as a whole. Environment variables are known by name only. */
export function isCertain(value: Value): boolean {
  if (typeof value === 'string') {
    chargeLong(value.length)
    return !value.includes(GAP) && !/%\w+%/.test(value)
  }
  return typeof value === 'number' || typeof value === 'boolean' || value === null
}
