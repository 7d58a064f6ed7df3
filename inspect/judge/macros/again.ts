/** Judges macros once more, with values that the document stores where they read them. */

import { factType } from '#inspect/core/facts.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { type BasicReading, readBasic } from '#inspect/programs/basic/basic.ts'
import type { Module } from '#inspect/programs/basic/program.ts'
import type { StoredCells, StoredValues } from '#inspect/programs/basic/stored-values.ts'
import { GAP } from '#inspect/programs/basic/values.ts'
import { cellKey } from '#inspect/programs/excel4/evaluate.ts'
import { judgeMacros } from './macros.ts'

interface UnknownMacros {
  modules: readonly Module[]
  stored: StoredValues
  /** With all values that were read so far. */
  reading: BasicReading
  /** Findings that they have already. */
  found: ReadonlySet<string>
}

/** Macros that run without a click, with a command, an address or an object that is not in them. */
export const UNKNOWN_MACROS = factType<UnknownMacros>('macros with unknown values')

const KINDS: ReadonlySet<string> = new Set(['start', 'code', 'object', 'fetch', 'document', 'template'])

export function readsUnknown({ effects }: BasicReading): boolean {
  return effects.some(
    ({ kind, text, isAutomatic }) => isAutomatic && KINDS.has(kind) && (text === '' || text.includes(GAP)),
  )
}

/** Adds what follows from the values, and nothing twice. */
export function judgeAgain(item: Item, macros: UnknownMacros, stored: StoredValues, context: Context): BasicReading {
  const { modules, found } = macros
  // A command may be joined from several places, which are read one after the other.
  Object.assign(macros.stored, stored, {
    controls: new Map([...(macros.stored.controls ?? []), ...(stored.controls ?? [])]),
  })
  const reading = readBasic(modules, { stored: macros.stored })
  macros.reading = reading
  for (const { definition, detail } of judgeMacros({ reading, modules, texts: () => [] }))
    if (definition.severity !== 'notice' && !found.has(definition.id))
      context.addFinding(item, { ...definition, detail })
  return reading
}

/** `cells` by `cellKey`. */
export function storedCells(
  sheets: readonly string[],
  cells: ReadonlyMap<string, { value: unknown }>,
  names: StoredCells['names'],
): StoredCells {
  return {
    sheets,
    names,
    at({ sheet, row, column }) {
      const value = cells.get(cellKey(sheet, row, column))?.value
      return typeof value === 'string' || typeof value === 'number' ? value : undefined
    },
  }
}
