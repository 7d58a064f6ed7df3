/** Decides what the macros of Excel 4 sheets mean. */

import type { Definition } from '#inspect/catalogue/definition.ts'
import { MACROS } from '#inspect/catalogue/macros.ts'
import { findCommand } from '#inspect/commands/find.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { ownOf } from '#inspect/core/own.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { type MacroBook, runMacros, type XlmCall } from '#inspect/programs/excel4/evaluate.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { LIBRARIES } from '#inspect/windows/extensions.ts'
import { INSTALLED } from '#inspect/windows/folders.ts'
import { ACTING } from '#inspect/windows/libraries.ts'
import { RUNNERS } from '#inspect/windows/programs.ts'

interface Judged {
  definition: Definition
  detail: string | null
}

interface Circumstances {
  isAutomatic: boolean
  isVeryHidden: boolean
  /** Takes the place of other malicious findings. */
  malicious?: Definition
}

/** Adds what the macros do to the findings of the workbook. */
export function judgeXlm(item: Item, book: MacroBook, circumstances: Circumstances, context: Context): void {
  const { found, isComplete } = findingsOf(book, circumstances)
  for (const { definition, detail } of found) {
    const shown = definition.severity === 'malicious' ? (circumstances.malicious ?? definition) : definition
    context.addFinding(item, { ...shown, detail })
  }
  if (!isComplete) context.addObstacle(item, 'too_complex', 'Its Excel 4 macros are too long to be judged.')
}

function findingsOf(
  book: MacroBook,
  { isAutomatic, isVeryHidden }: Circumstances,
): { found: readonly Judged[]; isComplete: boolean } {
  const found: Judged[] = [{ definition: MACROS.xlmPresent, detail: null }]
  const hasFormulas = [...book.cells].some(
    ([key, { formula }]) => formula !== null && book.macroSheets.has(key.slice(0, key.lastIndexOf('!'))),
  )
  if (!hasFormulas) return { found, isComplete: true }
  const { calls, builds, isComplete } = runMacros(book, (name) => Object.hasOwn(DECISIONS, name))
  if (isAutomatic) found.push({ definition: MACROS.xlmAutoStart, detail: null })
  if (isVeryHidden) found.push({ definition: MACROS.xlmHidden, detail: null })
  const [worst] = calls
    .flatMap((call) => judgeCall(call, isAutomatic, builds) ?? [])
    .sort((a, b) => Number(b.definition.severity === 'malicious') - Number(a.definition.severity === 'malicious'))
  return { found: worst === undefined ? found : [...found, worst], isComplete }
}

const GAP = '\ufffd'
/** From this many on, text is built to hide it. */
const BUILDS_MIN = 10

function judgeCall({ name, args, isBuilt }: XlmCall, isAutomatic: boolean, builds: number): Judged | null {
  const first = args[0] ?? ''
  const definition = ownOf(DECISIONS, name)?.({ first, all: args.join(' '), isBuilt, isAutomatic, builds }) ?? null
  return definition && { definition, detail: describeTarget(`${name}(${args.join(',')})`.replaceAll(GAP, '...')) }
}

interface Call {
  first: string
  all: string
  isBuilt: boolean
  isAutomatic: boolean
  builds: number
}

const PROGRAM_SERVER = anyCase`\b(?:${RUNNERS}|msexcel|winword|progman)\b`
const { xlmExecute, xlmLibrary } = MACROS

const callsLibrary = ({ first, isBuilt, isAutomatic }: Call): Definition => {
  if (isBuilt || isOfSystem(first)) return xlmExecute
  return isOwnLibrary(first) || !isAutomatic ? xlmLibrary : xlmExecute
}
const talksToServer = ({ all }: Call): Definition | null => (PROGRAM_SERVER.test(all) ? xlmExecute : null)
const writes = ({ isAutomatic }: Call): Definition | null => (isAutomatic ? xlmLibrary : null)

const DECISIONS: Readonly<Record<string, (call: Call) => Definition | null>> = {
  EXEC: ({ first, isAutomatic, isBuilt }) =>
    isAutomatic || isBuilt || findCommand(first) !== null ? xlmExecute : xlmLibrary,
  CALL: callsLibrary,
  REGISTER: callsLibrary,
  'REGISTER.ID': callsLibrary,
  EXECUTE: talksToServer,
  INITIATE: talksToServer,
  FORMULA: ({ first, isAutomatic, builds }) =>
    isAutomatic && first.includes(GAP) && builds >= BUILDS_MIN ? xlmExecute : null,
  FOPEN: writes,
  'VBA.INSERT.FILE': writes,
  'SEND.KEYS': writes,
}

const SYSTEM_LIBRARY = anyCase`^(?:.*[\\/])?${ACTING}(?:\.dll)?$`

function isOfSystem(library: string): boolean {
  return SYSTEM_LIBRARY.test(library.trim())
}

const OWN_LIBRARY = anyCase`^(?:${INSTALLED}(?:[^*?"<>|]*\\)?)?[\w .-]{1,60}(?:\.${LIBRARIES})?$`

/** A library by a plain name, or beside an installed program. */
function isOwnLibrary(library: string): boolean {
  return OWN_LIBRARY.test(library.trim())
}

const AUTO_NAME = /^auto_?(?:open|close|activate|deactivate)/

/** Excel only compares the beginning, and ignores characters that cannot be seen. */
export function isAutoName(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\x21-\x7e]/g, '')
    .replace(/^_xlnm\./, '')
  return AUTO_NAME.test(plain)
}
