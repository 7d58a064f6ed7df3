/** Reads and judges the VBA project of a compound file. */

import { MACROS } from '#inspect/catalogue/macros.ts'
import type { Compound } from '#inspect/codecs/compound.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { MACRO_SOURCE, safeName } from '#inspect/core/names.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { readsUnknown, UNKNOWN_MACROS } from '#inspect/judge/macros/again.ts'
import { MACRO_PROJECT } from '#inspect/judge/macros/callbacks.ts'
import { judgeMacros, runsUnknown } from '#inspect/judge/macros/macros.ts'
import { RUNS_UNKNOWN } from '#inspect/judge/stored.ts'
import { type BasicReading, readBasic } from '#inspect/programs/basic/basic.ts'
import type { Module } from '#inspect/programs/basic/program.ts'
import type { StoredValues } from '#inspect/programs/basic/stored-values.ts'
import { judgeCompiled } from './compiled.ts'
import { readForms } from './forms.ts'
import { readProject, type VbaModule, type VbaProject } from './project.ts'

export function inspectVba(item: Item, compound: Compound, context: Context): void {
  const project = readProject(compound)
  if (project === null) return
  context.addFinding(item, { ...MACROS.present, detail: `${project.modules.length} modules` })
  if (project.isTooLarge) context.addObstacle(item, 'too_complex', 'The VBA project is larger than any real one.')
  if (project.isDamaged) context.addObstacle(item, 'damaged', 'A module of the VBA project cannot be read.')
  for (const module of project.modules) if (!inspectSource(item, module, context)) return
  if (project.modules.some(({ unlisted }) => unlisted)) context.addFinding(item, MACROS.hidden)
  const modules = project.modules.map(({ name, source }) => ({ name, text: decode(source, project.codePage) }))
  const { reading, stored } = readWithForms(modules, compound)
  const texts = (): string[] => textsOf(project)
  const judged = judgeMacros({ reading, modules, texts })
  for (const { definition, detail } of judged) context.addFinding(item, { ...definition, detail })
  const found = new Set(judged.map(({ definition }) => definition.id))
  keep(modules.reduce((total, { text }) => total + text.length, 0))
  context.record(item, MACRO_PROJECT, { modules, texts, found })
  if (readsUnknown(reading)) context.record(item, UNKNOWN_MACROS, { modules, stored, reading, found })
  if (reading.mayExecute || reading.isCut)
    context.addObstacle(item, 'too_complex', 'Its macros are too long to be judged.')
  if (runsUnknown(reading)) context.record(item, RUNS_UNKNOWN, true)
  for (const definition of judgeCompiled(project, reading)) context.addFinding(item, definition)
}

/** With the texts of forms, if the macros run something that is not in them. */
function readWithForms(
  modules: readonly Module[],
  compound: Compound,
): { reading: BasicReading; stored: StoredValues } {
  const reading = readBasic(modules)
  const stored = readsUnknown(reading) ? { controls: readForms(compound) } : {}
  return { reading: stored.controls?.size ? readBasic(modules, { stored }) : reading, stored }
}

/** The source as a member, so that rules and carvers see it. false: the budget is spent. */
function inspectSource(item: Item, { name, source }: VbaModule, context: Context): boolean {
  if (source.length === 0) return true
  if (!context.countEntry(item) || !context.chargeBytes(item, source.length, 'stream')) return false
  context.inspectMember(item, safeName(name) + MACRO_SOURCE, source)
  return true
}

const ENCODINGS: Readonly<Record<number, string>> = {
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

function decode(source: Buffer, codePage: number): string {
  const encoding = ENCODINGS[codePage] ?? (codePage >= 1250 && codePage <= 1258 ? `windows-${codePage}` : null)
  return encoding === null ? source.toString('latin1') : new TextDecoder(encoding).decode(source)
}

/** Characters of a text. Shorter ones are labels. */
const TEXT_MIN = 8
const TEXT_WORK = 10
const TEXT = new RegExp(`(?:[\\x20-\\x7e\\r\\n\\t]\\0){${TEXT_MIN},}|[\\x20-\\x7e\\r\\n\\t]{${TEXT_MIN},}`, 'g')
const TEXT_BYTES = 100

/** Texts of forms and documents, in Latin-1 or UTF-16. */
function textsOf({ stored }: VbaProject): string[] {
  const texts: string[] = []
  for (const stream of stored()) {
    charge(stream.length * TEXT_WORK)
    for (const [text] of stream.toString('latin1').matchAll(TEXT)) {
      keep(TEXT_BYTES + text.length)
      texts.push(text.replaceAll('\0', ''))
    }
  }
  return texts
}
