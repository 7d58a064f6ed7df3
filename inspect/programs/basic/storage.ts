/** Reads and keeps the values of cells, controls of forms, variables and properties. */

import { DOCUMENT_CONTROL } from '#inspect/codecs/control-texts.ts'
import { keep } from '#inspect/core/work.ts'
import { type Frame, store } from './state.ts'
import { type BasicObject, fromDocument, toText, type Value } from './values.ts'

const CELL =
  /^(?:(.*)\.)?(?:range\(([^()]{1,80})\)|cells\(([^(),]{1,10}),([^(),]{1,10})\))(?:\.offset\((-?\d{1,7}),(-?\d{1,5})\))?(?:\.(?:value2?|text|formula|formular1c1|formulalocal))?$/
const TEXT =
  /(?:^|\.)(variables|customdocumentproperties|builtindocumentproperties)(?:\.item)?\(([^()]{1,120})\)(?:\.value)?$/
const REFERENCE = /^(?:'?([^'!]{1,40})'?!)?\$?([a-z]{1,3})\$?(\d{1,7})$/
const SHEET = /(?:^|\.)(?:work)?sheets(?:\.item)?\(([^()]{1,40})\)$/

/** undefined: nothing is stored there, as far as is known. */
export function storedValue(object: BasicObject, frame: Frame): Value {
  const { class: path } = object
  const { written, stored } = frame.state
  const key = keyOf(path, frame)
  if (key !== null && written.has(key)) return written.get(key)
  const named = TEXT.exec(path)
  if (named !== null) return noted(stored.texts?.get(`${named[1]}(${named[2]})`), frame)
  const control = stored.controls && controlKey(path, frame)
  const text = control ? controlText(control, frame) : undefined
  return noted(text ?? cellValue(path, frame), frame)
}

/** Texts that are remembered, to tell whether a command stands in the document or is hidden there. */
const READ_MAX = 1_000

function noted(value: Value, { state: { readTexts } }: Frame): Value {
  if (typeof value !== 'string') return value
  if (readTexts.size < READ_MAX && !readTexts.has(value)) {
    keep(value.length)
    readTexts.add(value)
  }
  return fromDocument(value)
}

/** Keeps what a macro writes there. false: it is not such a place. */
export function writeStored(path: string, value: Value, frame: Frame): boolean {
  const key = keyOf(path, frame)
  if (key === null) return false
  store(frame.state, frame.state.written, key, value)
  return true
}

/** `Variables.Add name, value` and `CustomDocumentProperties.Add name, linked, type, value`. */
export function addStored({ class: path }: BasicObject, args: readonly Value[], frame: Frame): undefined {
  if (/(?:^|\.)(?:variables|customdocumentproperties)$/.test(path))
    writeStored(`${path}(${toText(args[0]).toLowerCase()})`, args.at(-1), frame)
}

function keyOf(path: string, frame: Frame): string | null {
  const text = TEXT.exec(path)
  if (text !== null) return `${text[1]}(${text[2]})`
  const cell = cellOf(path)
  if (cell !== null) return `${cell.sheet ?? ''}!${cell.name ?? ''}${cell.row},${cell.column}`
  return controlKey(path, frame)
}

interface Cell {
  /** As the macro names it; null: the active one. */
  sheet: string | null
  /** A defined name, in place of a row and a column. */
  name: string | null
  row: number
  column: number
}

function cellOf(path: string): Cell | null {
  const found = CELL.exec(path)
  if (found === null) return null
  const [, on = '', range, row = '', column = '', down = '0', right = '0'] = found
  const sheet = sheetIn(on)
  if (range === undefined) {
    const at = [Number(row), /^\d+$/.test(column) ? Number(column) : columnOf(column)]
    return at.every((each) => each >= 1)
      ? { sheet, name: null, row: (at[0] ?? 1) - 1 + Number(down), column: (at[1] ?? 1) - 1 + Number(right) }
      : null
  }
  const reference = REFERENCE.exec(range)
  if (reference === null) return /^[\w.]+$/.test(range) ? { sheet, name: range, row: 0, column: 0 } : null
  const [, own, letters = '', digits = ''] = reference
  return {
    sheet: own ?? sheet,
    name: null,
    row: Number(digits) - 1 + Number(down),
    column: columnOf(letters) - 1 + Number(right),
  }
}

function sheetIn(path: string): string | null {
  const named = SHEET.exec(path)?.[1]
  if (named !== undefined) return named
  const last = path.split('.').at(-1) ?? ''
  return last === '' || /^(?:activesheet|me|application|(?:active|this)workbook)$/.test(last) ? null : last
}

/** `A` is 1. */
function columnOf(letters: string): number {
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0)
}

function cellValue(path: string, { state: { stored } }: Frame): Value {
  const { cells } = stored
  const cell = cells && cellOf(path)
  if (!cells || !cell) return undefined
  if (cell.name !== null) {
    const place = cells.names.get(cell.name)
    return place && cells.at(place)
  }
  for (const sheet of sheetsFor(cell.sheet, cells.sheets)) {
    const value = cells.at({ sheet, row: cell.row, column: cell.column })
    if (value !== undefined) return value
  }
  return undefined
}

/** By name or number. The names of the modules of sheets end with their number. Without either, any sheet may be meant. */
function sheetsFor(name: string | null, sheets: readonly string[]): readonly string[] {
  if (name === null) return sheets
  if (sheets.includes(name)) return [name]
  const numbered = sheets[Number(/(?<!\d)\d+$/.exec(name)?.[0] ?? 0) - 1]
  return numbered === undefined ? sheets : [numbered]
}

/** null: not a member of a form. */
function controlKey(path: string, { module, state: { program } }: Frame): string | null {
  if (module === '') return null
  const named = path.replace(/\.controls(?:\.item)?\(([^()]{1,60})\)/, '.$1').replace(/^me\./, `${module}.`)
  if (!/^[^.()]+(?:\.[^.()]+){0,2}$/.test(named)) return null
  return program.modules.has(named.slice(0, named.indexOf('.'))) ? named : `${module}.${named}`
}

/** Of a form, or else of the document itself, whose module may have any name. */
function controlText(key: string, { state: { stored } }: Frame): string | undefined {
  return stored.controls?.get(key) ?? stored.controls?.get(DOCUMENT_CONTROL + key.slice(key.indexOf('.')))
}

/** A control by its name alone stands for its default property. */
export function storedControl(name: string, frame: Frame): Value {
  return noted(controlText(`${frame.module}.${name}`, frame), frame)
}
