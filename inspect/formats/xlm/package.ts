/** Finds Excel 4 macro sheets in workbooks of Excel 2007 and later, in XML (xlsm) and in binary parts (xlsb). */

import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { view } from '#inspect/core/bytes.ts'
import { type Facts, factType } from '#inspect/core/facts.ts'
import type { Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { keep } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { judgeAgain, storedCells, UNKNOWN_MACROS } from '#inspect/judge/macros/again.ts'
import { isAutoName, judgeXlm } from '#inspect/judge/macros/excel4.ts'
import type { StoredCells } from '#inspect/programs/basic/stored-values.ts'
import { cellKey, type MacroBook, placesOf, type Value } from '#inspect/programs/excel4/evaluate.ts'
import { cellOf, type Formula, parseFormula, UNKNOWN } from '#inspect/programs/excel4/formula.ts'
import { readBinaryBook, readBinarySheet, readBinaryStrings } from './binary-parts.ts'

/** A part of a workbook that is read if the workbook turns out to have a macro sheet. */
interface Part {
  name: string
  bytes: Uint8Array
  /** Mentions macro sheets. */
  isMarked: boolean
}

const WORKBOOK = factType<Part>('workbook part')
const SHEET = factType<Part>('sheet part')
const STRINGS = factType<Part>('shared strings')
/** Relationships of a workbook with a macro sheet: parts by id. */
const SHEET_TARGETS = factType<ReadonlyMap<string, Target>>('macro sheets')

interface Target {
  /** The last segments, which identify the part. */
  part: string
  isMacro: boolean
}

/** Parts without macros that are kept for one workbook, for the texts that macros put together. */
export const KEPT_BYTES_MAX = 8_000_000

const MACRO_RELATION = mark(['acrosheet'], { ignoresCase: true })
const CELL_BYTES = 250
const RELATION = tagPattern(['Relationship'])

const nameOf = ({ path }: Item): string => path.at(-1) ?? ''
const isPart = ({ parent }: Item): boolean => parent?.sniffed.kind === 'ooxml' || parent?.sniffed.kind === 'zip'
const isBook = (item: Item): boolean => item.sniffed.kind === 'ooxml'

const ROLES: readonly (readonly [pattern: RegExp, type: typeof SHEET])[] = [
  [/(?:^|\/)workbook\d*\.(?:xml|bin)$/i, WORKBOOK],
  [/(?:^|\/)sharedstrings\d*\.(?:xml|bin)$/i, STRINGS],
  [/(?:^|\/)(?:work|macro)?sheets?\d*(?:\/[^/]+)?\.(?:xml|bin)$/i, SHEET],
]

export const packageMacros: Format = {
  among: { members: true, binary: true },
  applies: (item) => isBook(item) || (isPart(item) && /\.(?:xml|bin|rels)$/i.test(nameOf(item))),
  analyse(item, context) {
    if (!isPart(item)) return
    const name = nameOf(item)
    const isRelations = name.endsWith('.rels') && item.has(MACRO_RELATION)
    if (isRelations) context.record(item, SHEET_TARGETS, readRelations(textOf(item.bytes)))
    const isMarked = item.has(MACRO_RELATION) || /macrosheet/i.test(name)
    const role = ROLES.find(([pattern]) => pattern.test(name))?.[1] ?? (isMarked && !isRelations ? SHEET : null)
    if (role !== null && (isMarked || takes(item)))
      context.record(item, role, { name: name.toLowerCase(), bytes: item.bytes, isMarked })
  },
  conclude(item, facts, context) {
    if (!isBook(item)) return
    const macros = facts.of(UNKNOWN_MACROS).filter(({ path }) => path.length === item.path.length + 1)
    const cells = macros.length === 0 ? null : readCells(item, facts)
    if (cells !== null) for (const { value } of macros) judgeAgain(item, value, { cells }, context)
    const found = readBook(item, facts)
    if (found === null) return
    judgeXlm(item, found.book, found, context)
    if ((kept.get(item) ?? 0) > KEPT_BYTES_MAX) context.addObstacle(item, 'too_complex', TOO_LARGE)
  },
}

const TOO_LARGE = 'Its sheets are too large to be searched for texts of Excel 4 macros.'

const kept = new WeakMap<Item, number>()

function takes({ parent, bytes }: Item): boolean {
  if (parent === null) return false
  const total = (kept.get(parent) ?? 0) + bytes.length
  kept.set(parent, total)
  return total <= KEPT_BYTES_MAX
}

function textOf(bytes: Uint8Array): string {
  return decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
}

function readRelations(text: string): Map<string, Target> {
  const targets = new Map<string, Target>()
  for (const { attributes } of tagsOf(text, RELATION)) {
    const part = (attributes.get('target') ?? '').replace(/^(?:\.{0,2}\/)+/, '').toLowerCase()
    const isMacro = /macrosheet$/i.test(attributes.get('type') ?? '')
    targets.set(attributes.get('id') ?? '', { part, isMacro })
  }
  return targets
}

interface BookSheet {
  /** In lower case. */
  name: string
  relation: string
  isVeryHidden: boolean
}

interface ReadSheet {
  part: Part
  name: string
  isMacro: boolean
  isVeryHidden: boolean
}

/** Facts of the parts of the package itself, not of packages in it. */
function ownFacts<T>(item: Item, facts: Facts, type: ReturnType<typeof factType<T>>): T[] {
  return facts
    .of(type)
    .filter(({ path }) => path.length === item.path.length + 1)
    .map(({ value }) => value)
}

/** For VBA macros that read them. null: none, or too many. */
function readCells(item: Item, facts: Facts): StoredCells | null {
  const parts = ownFacts(item, facts, SHEET)
  if (parts.length === 0 || (kept.get(item) ?? 0) > KEPT_BYTES_MAX) return null
  const [workbook] = ownFacts(item, facts, WORKBOOK)
  const { sheets, names, references } = workbook === undefined ? NOTHING : readWorkbook(workbook)
  const strings = ownFacts(item, facts, STRINGS).flatMap(readSharedStrings)
  const book: MacroBook = { cells: new Map(), macroSheets: new Set(), names }
  // Excel numbers the parts in the order of the sheets.
  const ordered = parts.toSorted((one, other) => one.name.localeCompare(other.name, 'en', { numeric: true }))
  ordered.forEach((part, index) => {
    const name = sheets[index]?.name ?? part.name
    if (isBinary(part)) readBinarySheet(view(part.bytes), name, book, { strings, sheets: references, names })
    else readXmlSheet({ part, name, isMacro: false, isVeryHidden: false }, book, strings)
  })
  return storedCells(
    ordered.map((part, index) => sheets[index]?.name ?? part.name),
    book.cells,
    placesOf(names),
  )
}

/** null: no macro sheet. */
function readBook(item: Item, facts: Facts): { book: MacroBook; isAutomatic: boolean; isVeryHidden: boolean } | null {
  const own = <T>(type: ReturnType<typeof factType<T>>): T[] => ownFacts(item, facts, type)
  const parts = own(SHEET)
  const targets = new Map(own(SHEET_TARGETS).flatMap((each) => [...each]))
  const isMacroPart = (part: Part): boolean =>
    [...targets.values()].some((target) => target.isMacro && part.name.endsWith(target.part)) || isMacroXml(part)
  // Most workbooks end here.
  if (targets.size === 0 && !parts.some(({ isMarked }) => isMarked)) return null
  if (!parts.some(isMacroPart)) return null
  const [workbook] = own(WORKBOOK)
  const { sheets, names, references } = workbook === undefined ? NOTHING : readWorkbook(workbook)
  const strings = own(STRINGS).flatMap(readSharedStrings)
  const book: MacroBook = { cells: new Map(), macroSheets: new Set(), names }
  const all = parts.map((part): ReadSheet => {
    const sheet = sheets.find(({ relation }) => part.name.endsWith(targets.get(relation)?.part ?? '\0'))
    return {
      part,
      name: sheet?.name ?? part.name,
      isMacro: isMacroPart(part),
      isVeryHidden: sheet?.isVeryHidden === true,
    }
  })
  for (const sheet of all) {
    if (sheet.isMacro) book.macroSheets.add(sheet.name)
    if (isBinary(sheet.part))
      readBinarySheet(view(sheet.part.bytes), sheet.name, book, { strings, sheets: references, names })
    else readXmlSheet(sheet, book, strings)
  }
  return {
    book,
    isAutomatic: [...names.keys()].some(isAutoName),
    isVeryHidden: all.some(({ isMacro, isVeryHidden }) => isMacro && isVeryHidden),
  }
}

const NOTHING = { sheets: [] as BookSheet[], names: new Map<string, Formula>(), references: [] as string[] }
const isBinary = ({ name }: Part): boolean => name.endsWith('.bin')

function isMacroXml(part: Part): boolean {
  return (
    part.isMarked && !isBinary(part) && /<(?:\w+:)?macrosheet[\s>]/i.test(textOf(part.bytes.subarray(0, HEAD_BYTES)))
  )
}

function readSharedStrings(part: Part): string[] {
  if (isBinary(part)) return readBinaryStrings(view(part.bytes))
  const strings: string[] = []
  for (const { name, text } of tagsOf(textOf(part.bytes), SHARED)) {
    keep(CELL_BYTES)
    if (name === 'si') strings.push('')
    else strings[strings.length - 1] = (strings.at(-1) ?? '') + text
  }
  return strings
}

const SHARED = tagPattern(['si', 't'])
const BOOK_TAGS = tagPattern(['sheet', 'definedName'])

function readWorkbook(part: Part): typeof NOTHING {
  if (isBinary(part)) return readBinaryBook(view(part.bytes))
  const sheets: BookSheet[] = []
  const names = new Map<string, Formula>()
  for (const { name, attributes, text } of tagsOf(textOf(part.bytes), BOOK_TAGS)) {
    keep(CELL_BYTES)
    const value = attributes.get('name') ?? ''
    if (name === 'sheet')
      sheets.push({
        name: value.toLowerCase(),
        relation: attributes.get('id') ?? '',
        isVeryHidden: attributes.get('state') === 'veryHidden',
      })
    else names.set(value.toUpperCase(), parseFormula(text) ?? { kind: 'value', value: text })
  }
  return { sheets, names, references: [] }
}

const CELL_TAGS = tagPattern(['c', 'f', 'v', 't'])

/** Characters of a formula that stands for a letter. */
const PLAIN_FORMULA_MAX = 100

/** Of other sheets, only short formulas without a result matter. */
function readFormula(text: string, isMacro: boolean): Formula | null {
  if (isMacro) return parseFormula(text) ?? UNKNOWN
  return text.length <= PLAIN_FORMULA_MAX ? parseFormula(text) : null
}

function readXmlSheet({ part, name: sheet, isMacro }: ReadSheet, book: MacroBook, strings: readonly string[]): void {
  let key: string | null = null
  let type = ''
  for (const { name, attributes, text } of tagsOf(textOf(part.bytes), CELL_TAGS)) {
    keep(CELL_BYTES)
    if (name === 'c') {
      const at = cellOf(attributes.get('r') ?? '')
      key = at && cellKey(sheet, at.row, at.column)
      type = attributes.get('t') ?? ''
      continue
    }
    if (key === null) continue
    const cell = book.cells.get(key) ?? { formula: null, value: null }
    book.cells.set(key, cell)
    if (name === 'f') cell.formula = readFormula(text, isMacro)
    else cell.value = storedValue(text, type, strings)
    if (name !== 'f' && !isMacro) cell.formula = null
  }
}

function storedValue(text: string, type: string, strings: readonly string[]): Value {
  if (type === 's') return strings[Number(text)]
  return type === 'n' || type === '' ? Number(text) : text
}
