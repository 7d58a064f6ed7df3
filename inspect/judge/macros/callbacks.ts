/** Macros that other parts of a document name, to be called without a click. */

import { factType } from '#inspect/core/facts.ts'
import { readBasic } from '#inspect/programs/basic/basic.ts'
import { lastPart } from '#inspect/programs/basic/expressions.ts'
import type { Module } from '#inspect/programs/basic/program.ts'
import { judgeMacros } from './macros.ts'

/** Procedures that Office calls: of a ribbon, or when the mouse moves over a shape. */
export const CALLBACKS = factType<readonly string[]>('macro callbacks')

interface MacroProject {
  modules: readonly Module[]
  /** Texts of forms and properties. */
  texts: () => readonly string[]
  /** Findings that it has without the callbacks. */
  found: ReadonlySet<string>
}

export const MACRO_PROJECT = factType<MacroProject>('macro project')

/** Effects of the project beyond its own findings if these procedures run by themselves. */
export function judgeCallbacks({ modules, texts, found }: MacroProject, callbacks: readonly string[]) {
  const source = modules.map(({ text }) => text.toLowerCase()).join('\n')
  const triggers = callbacks
    .map((name) => lastPart(name.toLowerCase()))
    .filter((name) => name !== '' && source.includes(name))
  if (triggers.length === 0) return { judged: [], isTooComplex: false }
  const reading = readBasic(modules, { triggers })
  const judged = judgeMacros({ reading, modules, texts }).filter(({ definition }) => !found.has(definition.id))
  return { judged, isTooComplex: reading.mayExecute || reading.isCut }
}
