/** Compares the compiled code of VBA modules with their source. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { MACROS } from '#inspect/catalogue/macros.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import type { BasicReading } from '#inspect/programs/basic/basic.ts'
import { joinLines, withoutComments } from '#inspect/programs/basic/tokens.ts'
import { SHELL_CLASSES, WRITE_CLASSES } from '#inspect/windows/classes.ts'
import { FETCHING } from '#inspect/windows/libraries.ts'
import { DOWNLOADERS, RUNNERS } from '#inspect/windows/programs.ts'
import { readLines } from './lines.ts'
import type { VbaModule, VbaProject } from './project.ts'

/** The size of `_VBA_PROJECT` without compiled code. */
const EMPTY_CACHE_BYTES = 7

export function judgeCompiled(project: VbaProject, reading: BasicReading): Definition[] {
  const found: Definition[] = []
  const stomped = judgeDifference(project)
  if (stomped !== null) found.push(stomped)
  const isPurged =
    project.modules.length > 0 &&
    project.cacheBytes <= EMPTY_CACHE_BYTES &&
    project.modules.every(({ compiled }) => compiled.length === 0)
  const startsSomething = reading.effects.some(({ kind, isAutomatic }) => isAutomatic && kind === 'start')
  if (isPurged && startsSomething) found.push(MACROS.purged)
  return found
}

function judgeDifference(project: VbaProject): Definition | null {
  // Not decoded: compiled code has the same bytes.
  const sources = project.modules.map(({ source }) => source.toString('latin1'))
  const code = sources.map(withoutComments).join('\n')
  const compiled = project.modules.map((module, i) => readCompiled(module, sources[i] ?? ''))
  const hidden = unknownLiterals(compiled, code)
  const isMissing = missingFrom(code)
  if (hidden.some((text) => isTelling(text) && isMissing(text))) return MACROS.stomped
  const differs = compiled.some(({ isOther }) => isOther)
  const mayDiffer = differs || hidden.slice(0, COMPARED_MAX).some((text) => PLAIN.test(text) && isMissing(text))
  if (mayDiffer && hasHiddenCalls(project.cache(), code)) return MACROS.stomped
  return differs ? MACROS.mismatch : null
}

/** Texts that are searched for in the source: a project of another version may have thousands. */
const COMPARED_MAX = 50
const PLAIN = /^[\x20-\x7e]*$/

/** Quotes in comments can shift the reading of literals, so the whole text is searched. */
function missingFrom(source: string): (text: string) => boolean {
  const plain = source.replaceAll('""', '"')
  return (text) => {
    charge(plain.length)
    return !plain.includes(text)
  }
}

/** Functions that malicious macros need, by their names in the cache. */
const CALLS =
  /(?:Shell(?:Execute[AW]?)?|CreateObject|GetObject|CallByName|URLDownloadToFile[AW]?|WinExec|CreateProcess[AW]?|VirtualAlloc(?:Ex)?|VirtualProtect|RtlMoveMemory|WriteProcessMemory|CreateThread|CreateRemoteThread|LoadLibrary[AW]?|ExecuteExcel4Macro|MacScript|SaveToFile|RegWrite)/gi

/** Names stay in the cache after code was deleted, and names of libraries are there as well: they count only with other differences. */
function hasHiddenCalls(cache: Buffer, code: string): boolean {
  charge(cache.length * LITERAL_WORK)
  const names = cache.toString('latin1')
  const source = code.toLowerCase()
  // Each name follows its length and a type.
  for (const { index, 0: name } of names.matchAll(CALLS))
    if (names.charCodeAt(index - 2) === name.length && !source.includes(name.toLowerCase())) return true
  return false
}

interface Compiled {
  /** Code that may run: of the lines in the table, or all if there is no table. */
  code: readonly Buffer[]
  /** The source is missing, or has another number of lines. */
  isOther: boolean
}

/** Compiled code of a module without procedures is below this. */
const COMPILED_BYTES_MIN = 2_000
/** Lines that the source may have more or less. Office writes the same number. */
const LINES_TOLERANCE = 2

function readCompiled({ compiled, broken }: VbaModule, source: string): Compiled {
  const lines = readLines(compiled)
  const statements = statementsOf(source)
  if (lines === null) {
    const isMissing = statements === 0 || (broken && source.length < 100)
    return { code: [compiled], isOther: isMissing && compiled.length >= COMPILED_BYTES_MIN }
  }
  const isOther = Math.abs(lines.length - linesOf(source)) > LINES_TOLERANCE
  return { code: lines, isOther: isOther && lines.some((line) => line.length > 0) }
}

/** As the table counts them: without attributes, and with continued lines as one. */
function linesOf(source: string): number {
  const lines = joinLines(source).split(/\r\n?|\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines.filter((line) => !ATTRIBUTE.test(line)).length
}

const ATTRIBUTE = /^attribute /i

function statementsOf(source: string): number {
  return withoutComments(source)
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== '' && !ATTRIBUTE.test(line)).length
}

const LITERAL_WORK = 8
/** Texts shorter than this may be chance. */
const LITERAL_MIN = 4
const LITERAL_BYTES = 100
/** The instruction that loads a text (its number differs between versions of Office), and the length of the text. */
const LITERAL = /[\xad-\xb9]\0([\s\S])([\s\S])/g

/** Texts in compiled code that are no literals of the source. */
function unknownLiterals(modules: readonly Compiled[], source: string): string[] {
  const known = sourceLiterals(source)
  const unknown = new Set<string>()
  for (const { code } of modules)
    for (const part of code)
      for (const text of compiledLiterals(part)) {
        if (known.has(text) || unknown.has(text)) continue
        keep(LITERAL_BYTES + text.length)
        unknown.add(text)
      }
  return [...unknown]
}

function* compiledLiterals(compiled: Buffer): Generator<string> {
  charge(compiled.length * LITERAL_WORK)
  const code = compiled.toString('latin1')
  for (const { index, 1: low = '', 2: high = '' } of code.matchAll(LITERAL)) {
    const length = low.charCodeAt(0) + high.charCodeAt(0) * 256
    const text = code.slice(index + 4, index + 4 + length)
    if (length >= LITERAL_MIN && text.length === length && /^[\t\x20-\x7e\x80-\xff]*$/.test(text)) yield text
  }
}

function sourceLiterals(source: string): Set<string> {
  const known = new Set<string>()
  charge(source.length * LITERAL_WORK)
  for (const [literal] of source.matchAll(/"(?:[^"\r\n]|"")*"/g)) {
    keep(LITERAL_BYTES)
    known.add(literal.slice(1, -1).replaceAll('""', '"'))
  }
  return known
}

const TELLING_NAME = anyCase`^(?:${SHELL_CLASSES}|${WRITE_CLASSES}|(?:msxml2|microsoft)\.(?:server)?xmlhttp.*|winhttp.*|winmgmts:.*|${FETCHING}|https?://.{4,}|[^ ]*(?:${RUNNERS}|${DOWNLOADERS})(?:\.exe)?)$`

function isTelling(text: string): boolean {
  return TELLING_NAME.test(text.trim()) || findCommand(text) !== null
}
