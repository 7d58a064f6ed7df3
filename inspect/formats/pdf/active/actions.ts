/** Collects the actions of a PDF with what triggers them, from every object that a reader may use. */

import { words } from '#inspect/core/words.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { PdfObjects } from '../syntax/objects.ts'
import type { PdfDictionary, PdfValue } from '../syntax/value-tree.ts'
import type { PdfDocument } from './document.ts'
import { activeNamesIn } from './names.ts'

/** `field`: filling in a form, or any click on a page. The reader does not ask for an action by it, but a form reacts. */
export type Trigger = 'automatic' | 'field' | 'click'

const RANK: Readonly<Record<Trigger, number>> = { click: 0, field: 1, automatic: 2 }

/** The one that needs less of the reader. */
export function worse(a: Trigger, b: Trigger): Trigger {
  return RANK[a] > RANK[b] ? a : b
}

export interface Action {
  /** Such as `JavaScript`; empty if unknown. */
  types: string[]
  dictionary: PdfDictionary
  trigger: Trigger
  /** The link is as large as a page, so that any click follows it. */
  isCover: boolean
}

const isAsBad = (known: Action | undefined, trigger: Trigger): boolean =>
  known !== undefined && RANK[trigger] <= RANK[known.trigger]

interface Collected {
  actions: Action[]
  /** Dictionaries that are no actions but have one of the active keys. */
  others: PdfDictionary[]
  /** Names that matter and are written with codes. */
  hiddenNames: string[]
  /** Keys of actions that occur twice with different values. */
  ambiguousKeys: string[]
  /** Addresses that relative ones are resolved against. */
  bases: string[]
}

/** Actions of one document. Long documents have some ten thousand links. */
export const ACTIONS_MAX = 60_000
const ACTION_BYTES = 500
const ACTION_WORK = 10_000
const VALUE_WORK = 300

const TYPES = new Set(
  words(`JavaScript Launch GoToE GoToR URI SubmitForm ImportData Rendition Movie Sound Thread RichMediaExecute
  GoTo3DView Named Hide ResetForm GoTo Trans SetOCGState`),
)
/** Events that happen without a click: opening, closing, saving, printing, pages that become visible, the pointer above. */
const AUTOMATIC_EVENTS = new Set(words('O PO PC PV PI E X WC WS DS WP DP'))
/** A field is formatted, calculated, checked, typed in, or gets or loses the focus. */
const FIELD_EVENTS = new Set(['F', 'C', 'V', 'K', 'Fo', 'Bl'])
/** Keys of dictionaries that are judged although they are no actions. */
const OTHER_KEYS = ['XFA', 'EF', 'RF', 'FontMatrix', 'RichMediaContent', 'OnInstantiate', '3DD']
/** Keys that decide what a reader does. */
const DECISIVE_KEYS = ['A', 'S', 'JS', 'URI', 'OpenAction', 'AA', 'F', 'Win']

/** null: a limit was exceeded. */
export function collectActions(objects: PdfObjects, document: PdfDocument): Collected | null {
  const actions = new Map<string, Action>()
  const others: PdfDictionary[] = []
  const hiddenNames = new Set<string>()
  const ambiguousKeys = new Set<string>()
  const bases: string[] = []
  const textNumbers = new Map(objects.texts.map((text, i) => [text, i]))
  const keyOf = ({ text, at }: PdfDictionary): string => `${textNumbers.get(text)}:${at}`
  let isTypeIndirect = false
  let isCut = false
  /** Actions that calculate fields. */
  const calculations: PdfDictionary[] = []

  /** Adds an action and all that follow it. */
  function addAction(first: PdfDictionary, trigger: Trigger, isCover = false): void {
    const chain = [first]
    // The loop also visits actions added during iteration.
    for (const dictionary of chain) {
      const key = keyOf(dictionary)
      const known = actions.get(key)
      if (known !== undefined && isCover) known.isCover = true
      if (actions.size > ACTIONS_MAX || isAsBad(known, trigger)) continue
      charge(ACTION_WORK)
      keep(ACTION_BYTES)
      const types = typesOf(dictionary, document)
      // A script on a field as large as a page runs at any click.
      const isField = isCover && trigger === 'click' && types.includes('JavaScript')
      actions.set(key, { types, dictionary, trigger: isField ? 'field' : trigger, isCover })
      chain.push(...actionsIn(dictionary.entries.get('Next'), document))
    }
  }

  const addAutomatic = (found: readonly PdfDictionary[]): void => {
    for (const action of found) addAction(action, 'automatic')
  }

  function visit(value: PdfValue): void {
    charge(VALUE_WORK)
    if (value.kind === 'list') value.items.forEach(visit)
    if (value.kind === 'name' && TYPES.has(value.name)) isTypeIndirect = true
    if (value.kind !== 'dictionary') return
    visitDictionary(value)
    for (const inner of value.entries.values()) inner.filter(({ kind }) => kind !== 'name').forEach(visit)
  }

  function visitDictionary(dictionary: PdfDictionary): void {
    const { entries } = dictionary
    const addAll = (key: string, trigger: Trigger): void => {
      const isCover = key === 'A' && isLarge(entries.get('Rect'), document)
      for (const action of actionsIn(entries.get(key), document)) addAction(action, trigger, isCover)
    }
    if (isAction(dictionary, document)) addAction(dictionary, 'click')
    if (OTHER_KEYS.some((key) => entries.has(key))) addOther(dictionary)
    addAll('OpenAction', 'automatic')
    addAll('A', 'click')
    for (const events of document.dictionaries(entries.get('AA'))) visitEvents(events, dictionary)
    for (const tree of document.dictionaries(entries.get('JavaScript'))) visitNames(tree, 0)
    for (const uri of document.dictionaries(entries.get('URI'))) bases.push(...document.texts(uri.entries.get('Base')))
    for (const key of DECISIVE_KEYS.filter((each) => isAmbiguous(entries.get(each)))) ambiguousKeys.add(key)
  }

  function addOther(dictionary: PdfDictionary): void {
    keep(ACTION_BYTES)
    others.push(dictionary)
  }

  function visitEvents({ entries }: PdfDictionary, owner: PdfDictionary): void {
    const ofField = isField(owner, document)
    const isCover = isLarge(owner.entries.get('Rect'), document)
    for (const [event, values] of entries) {
      const found = actionsIn(values, document)
      for (const action of found) addAction(action, triggerOf(event, ofField), isCover)
      if (event === 'C' && ofField) calculations.push(...found)
    }
  }

  /** The scripts of a name tree run when the document opens. */
  const visitedTrees = new Set<string>()
  function visitNames(tree: PdfDictionary, depth: number): void {
    if (visitedTrees.has(keyOf(tree))) return
    if (depth > TREE_DEPTH_MAX) {
      isCut = true
      return
    }
    keep(ACTION_BYTES)
    visitedTrees.add(keyOf(tree))
    if (isAction(tree, document)) addAction(tree, 'automatic')
    addAutomatic(actionsIn(tree.entries.get('Names'), document))
    const kids = (tree.entries.get('Kids') ?? []).flatMap(document.resolve)
    for (const kid of document.dictionaries(kids.flatMap(itemsOf))) visitNames(kid, depth + 1)
  }

  for (const unit of unitsOf(objects, (name) => hiddenNames.add(name))) {
    if (actions.size > ACTIONS_MAX) return null
    for (const value of document.readUnit(...unit)) visit(value)
  }
  // The type of an action may be an object of its own, which the object with the action does not name.
  if (isTypeIndirect) for (const unit of allUnits(objects)) for (const value of document.readUnit(...unit)) visit(value)
  if (calculatesFields(actions, document)) addAutomatic(calculations)
  if (isCut || actions.size > ACTIONS_MAX || document.isExceeded()) return null
  return {
    actions: [...actions.values()],
    others,
    hiddenNames: [...hiddenNames],
    ambiguousKeys: [...ambiguousKeys],
    bases,
  }
}

/** `C` is a page that closes, or a field that is calculated. */
function triggerOf(event: string, ofField: boolean): Trigger {
  if (AUTOMATIC_EVENTS.has(event) || (event === 'C' && !ofField)) return 'automatic'
  return FIELD_EVENTS.has(event) ? 'field' : 'click'
}

/** Whether a script runs the calculations of all fields by itself. */
function calculatesFields(actions: ReadonlyMap<string, Action>, document: PdfDocument): boolean {
  return [...actions.values()].some(
    ({ dictionary, trigger }) =>
      trigger === 'automatic' &&
      document.texts(dictionary.entries.get('JS')).some((text) => /calculateNow|\bcalculate\s*=/.test(text)),
  )
}

export const TREE_DEPTH_MAX = 50

/** Keys of properties that scripts can read. */
const PROPERTIES = ['Title', 'Author', 'Subject', 'Keywords', 'Creator', 'Producer']
const VALUE_BYTES = 300

/** Texts of the document by the name that scripts use for them. */
export function collectValues(objects: PdfObjects, document: PdfDocument): Map<string, string> {
  const values = new Map<string, string>()
  const add = (name: string, texts: readonly string[]): void => {
    const [text] = texts
    if (text === undefined) return
    keep(VALUE_BYTES + text.length)
    values.set(name, text)
  }
  function visit(value: PdfValue): void {
    charge(VALUE_WORK)
    if (value.kind === 'list') value.items.forEach(visit)
    if (value.kind !== 'dictionary') return
    const { entries } = value
    addField(entries)
    if (document.names(entries.get('Subtype')).some((type) => NOTES.has(type))) addNote(entries)
    for (const inner of entries.values()) inner.forEach(visit)
  }
  function addField(entries: PdfDictionary['entries']): void {
    const [name] = entries.has('V') ? document.texts(entries.get('T')) : []
    if (name !== undefined) add(`getField("${name}").value`, document.texts(entries.get('V')))
    for (const key of PROPERTIES.filter((each) => entries.has(each)))
      for (const spelling of [key, key.toLowerCase()]) add(`info.${spelling}`, document.texts(entries.get(key)))
  }
  let notes = 0
  function addNote(entries: PdfDictionary['entries']): void {
    const [name = ''] = document.texts(entries.get('NM'))
    for (const [key, member] of NOTE_MEMBERS)
      for (const owner of [`getAnnots().${notes}`, 'getAnnot()', ...(name === '' ? [] : [`getAnnot("${name}")`])])
        if (!values.has(`${owner}.${member}`)) add(`${owner}.${member}`, document.texts(entries.get(key)))
    notes += 1
  }
  for (const unit of allUnits(objects)) document.readUnit(...unit).forEach(visit)
  return values
}

export interface TextField {
  /** The text that the reader enters is not shown. */
  isSecret: boolean
  /** Its name and the text beside the pointer. */
  label: string
}

const SECRET_FLAG = 1 << 13

/** The fields for text. Their type may be that of a parent. */
export function collectFields(objects: PdfObjects, document: PdfDocument): TextField[] {
  const fields: TextField[] = []
  function visit(value: PdfValue): void {
    charge(VALUE_WORK)
    if (value.kind === 'list') value.items.forEach(visit)
    if (value.kind !== 'dictionary') return
    const { entries } = value
    const types = document.names(entries.get('FT'))
    if (types.includes('Tx') || (types.length === 0 && entries.has('T') && isField(value, document))) addField(entries)
    for (const inner of entries.values()) inner.forEach(visit)
  }
  function addField(entries: PdfDictionary['entries']): void {
    const flags = (entries.get('Ff') ?? []).flatMap(document.resolve)
    const isSecret = flags.some((flag) => flag.kind === 'other' && (Number(flag.text) & SECRET_FLAG) !== 0)
    const label = ['T', 'TU', 'TM'].flatMap((key) => document.texts(entries.get(key))).join(' ')
    keep(VALUE_BYTES + label.length)
    fields.push({ isSecret, label })
  }
  for (const unit of allUnits(objects)) document.readUnit(...unit).forEach(visit)
  return fields
}

/** Annotations that scripts find, in the order of the file, and their texts. */
const NOTES = new Set(words('Text FreeText Highlight Underline Square Circle Stamp Ink Popup Line'))
const NOTE_MEMBERS = [
  ['Subj', 'subject'],
  ['Contents', 'contents'],
  ['T', 'author'],
  ['NM', 'name'],
] as const

function typesOf({ entries }: PdfDictionary, document: PdfDocument): string[] {
  const types = document.names(entries.get('S'))
  if (entries.has('JS')) types.push('JavaScript')
  if (entries.has('Win')) types.push('Launch')
  if (entries.has('URI')) types.push('URI')
  return [...new Set(types)]
}

/** Readers accept actions without a type, or with a wrong one. */
function isAction({ entries }: PdfDictionary, document: PdfDocument): boolean {
  if (entries.has('JS') || (entries.has('URI') && !entries.has('Pages'))) return true
  return entries.has('S') && document.names(entries.get('S')).some((name) => TYPES.has(name))
}

/** Points in each direction: most of the smallest page. */
const COVER_MIN = 350

function isLarge(rectangle: readonly PdfValue[] | undefined, document: PdfDocument): boolean {
  const numbers = (rectangle ?? [])
    .flatMap(document.resolve)
    .flatMap(itemsOf)
    .map((value) => (value.kind === 'other' ? Number(value.text) : Number.NaN))
  const [left = 0, bottom = 0, right = 0, top = 0] = numbers
  return Math.abs(right - left) >= COVER_MIN && Math.abs(top - bottom) >= COVER_MIN
}

function itemsOf(value: PdfValue): readonly PdfValue[] {
  return value.kind === 'list' ? value.items : [value]
}

/** The actions that values are or refer to, also in lists. */
function actionsIn(values: readonly PdfValue[] | undefined, document: PdfDocument): PdfDictionary[] {
  if (values === undefined) return []
  const found = values.flatMap(document.resolve).flatMap(itemsOf).flatMap(document.resolve)
  return found.filter((value) => value.kind === 'dictionary').filter((dictionary) => isAction(dictionary, document))
}

function isField({ entries }: PdfDictionary, document: PdfDocument): boolean {
  return entries.has('FT') || entries.has('T') || document.names(entries.get('Subtype')).includes('Widget')
}

function isAmbiguous(values: readonly PdfValue[] | undefined): boolean {
  if (values === undefined || values.length < 2) return false
  return values.some((value) => !isSame(value, values[0]))
}

function isSame(a: PdfValue, b: PdfValue | undefined): boolean {
  if (a.kind !== b?.kind) return false
  if (a.kind === 'text' && b.kind === 'text') return a.bytes.equals(b.bytes)
  if (a.kind === 'name' && b.kind === 'name') return a.name === b.name
  if (a.kind === 'reference' && b.kind === 'reference') return a.object === b.object
  return a.kind === 'other' || JSON.stringify(shape(a)) === JSON.stringify(shape(b))
}

function shape(value: PdfValue): unknown {
  if (value.kind === 'dictionary') return [...value.entries].map(([key, values]) => [key, values.map(shape)])
  if (value.kind === 'list') return value.items.map(shape)
  return value.kind === 'text' ? value.bytes.toString('latin1') : { ...value }
}

type Unit = Parameters<PdfDocument['readUnit']>

/** The parts of each text that have an active name: from an object to the next one. */
function* unitsOf(objects: PdfObjects, onHidden: (name: string) => void): Generator<Unit> {
  for (const text of objects.texts) {
    const names = activeNamesIn(text).sort((a, b) => a.at - b.at)
    for (const { name } of names.filter(({ isHidden }) => isHidden)) onHidden(name)
    if (names.length > 0) yield* unitsAround(names, unitsIn(objects, text))
  }
}

function* unitsAround(names: readonly { at: number }[], units: Iterable<Unit>): Generator<Unit> {
  const at = (i: number): number => names[i]?.at ?? Number.POSITIVE_INFINITY
  let next = 0
  for (const unit of units) {
    const [, from, until] = unit
    while (at(next) < from) next += 1
    if (at(next) < until) yield unit
  }
}

function* allUnits(objects: PdfObjects): Generator<Unit> {
  for (const text of objects.texts) yield* unitsIn(objects, text)
}

const HEADER_MAX = 2_048

function* unitsIn({ text: file, all, packed }: PdfObjects, text: string): Generator<Unit> {
  const starts = text === file ? all : packed.filter((each) => each.text === text).sort((a, b) => a.at - b.at)
  charge(packed.length * 4)
  // The rest of the line after the header is no comment for some readers.
  const header = text.slice(0, HEADER_MAX).indexOf('%PDF-')
  yield [text, header === -1 ? 0 : header + 5, starts[0]?.at ?? text.length, 0, 0]
  for (const [i, { at, object, generation }] of starts.entries())
    yield [text, at, starts[i + 1]?.at ?? text.length, object, generation]
}
