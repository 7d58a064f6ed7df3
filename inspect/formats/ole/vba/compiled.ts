/** Compares the compiled code of VBA modules with their source. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { MACROS } from '#inspect/catalogue/macros.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { BasicReading } from '#inspect/judge/basic/basic.ts'
import type { Module } from '#inspect/judge/basic/program.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import type { VbaProject } from './project.ts'

/** The size of `_VBA_PROJECT` without compiled code. */
const EMPTY_CACHE_BYTES = 7

export function judgeCompiled(project: VbaProject, modules: readonly Module[], reading: BasicReading): Definition[] {
  const found: Definition[] = []
  const hidden = hiddenLiterals(project, modules)
  if (hidden.length > 0) found.push(MACROS.stomped)
  else if (project.modules.some((module) => hasNoSource(module))) found.push(MACROS.mismatch)
  const isPurged =
    project.modules.length > 0 &&
    project.cacheBytes <= EMPTY_CACHE_BYTES &&
    project.modules.every(({ compiled }) => compiled.length === 0)
  const startsSomething = reading.effects.some(({ kind, isAutomatic }) => isAutomatic && kind === 'start')
  if (isPurged && startsSomething) found.push(MACROS.purged)
  return found
}

/** Compiled code of a module without procedures is below this. */
const COMPILED_BYTES_MIN = 2_000

function hasNoSource({ compiled, source, broken }: VbaProject['modules'][number]): boolean {
  return compiled.length >= COMPILED_BYTES_MIN && (source.length === 0 || (broken && source.length < 100))
}

const LITERAL_WORK = 8
/** Texts shorter than this may be chance. */
const LITERAL_MIN = 4
const LITERAL_BYTES = 100
/** The instruction that loads a text (its number differs between versions of Office), and the length of the text. */
const LITERAL = /[\xad-\xb9]\0([\s\S])([\s\S])/g

/** Texts that matter in compiled code, and that no module has in its source. Quotes in comments can shift the reading of literals. */
function hiddenLiterals({ modules }: VbaProject, sources: readonly Module[]): string[] {
  const known = sourceLiterals(sources)
  const hidden = new Set<string>()
  for (const { compiled } of modules)
    for (const text of compiledLiterals(compiled)) {
      if (known.has(text) || hidden.has(text)) continue
      keep(LITERAL_BYTES + text.length)
      hidden.add(text)
    }
  if (hidden.size === 0) return []
  const source = sources
    .map(({ text }) => text)
    .join('\n')
    .replaceAll('""', '"')
  // Only those that matter are searched for: a project of another version may have thousands.
  return [...hidden].filter((text) => {
    if (!isTelling(text)) return false
    charge(source.length)
    return !source.includes(text)
  })
}

function* compiledLiterals(compiled: Buffer): Generator<string> {
  charge(compiled.length * LITERAL_WORK)
  const code = compiled.toString('latin1')
  for (const { index, 1: low = '', 2: high = '' } of code.matchAll(LITERAL)) {
    const length = low.charCodeAt(0) + high.charCodeAt(0) * 256
    const text = code.slice(index + 4, index + 4 + length)
    if (length >= LITERAL_MIN && text.length === length && /^[\x20-\x7e]*$/.test(text)) yield text
  }
}

function sourceLiterals(sources: readonly Module[]): Set<string> {
  const known = new Set<string>()
  for (const { text } of sources) {
    charge(text.length * LITERAL_WORK)
    for (const [literal] of text.matchAll(/"(?:[^"\r\n]|"")*"/g)) {
      keep(LITERAL_BYTES)
      known.add(literal.slice(1, -1).replaceAll('""', '"'))
    }
  }
  return known
}

const TELLING_NAME =
  /^(?:wscript\.shell|shell\.application|adodb\.stream|(?:msxml2|microsoft)\.(?:server)?xmlhttp.*|winhttp.*|winmgmts:.*|urlmon|https?:\/\/.{4,}|[^ ]*(?:powershell|mshta|rundll32|regsvr32|certutil|bitsadmin)(?:\.exe)?)$/i

function isTelling(text: string): boolean {
  return TELLING_NAME.test(text.trim()) || findCommand(text) !== null
}
