/** Texts that a script runs as code: libraries beside it, or what it decodes and fetches. */

import { pattern } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'
import { DISGUISES } from '#inspect/windows/extensions.ts'
import { SHARED } from '#inspect/windows/folders.ts'
import { decodesText } from './obfuscation.ts'
import { GAP, hasPartFrom } from './values.ts'

/** Places that every program can write to, other computers, and files that are no scripts. */
const FOREIGN_FILE = pattern`${SHARED}|\(\\\\|https?:|getspecialfolder|\.(?:${DISGUISES}|xml|json)\b`

/** Whether a file is not one of those that belong to the script. */
export function isForeignFile(path: string): boolean {
  return FOREIGN_FILE.test(path.toLowerCase())
}

/** Whether the code is not in the script as it is, and not in a file that belongs to it. */
export function runsForeignText(text: string, source: string, fetches: boolean): boolean {
  if (!text.includes(GAP)) return !isWritten(text, source)
  if (hasPartFrom('fetched', text) || hasPartFrom('coded', text) || hasPartFrom('hidden', text)) return true
  if (hasPartFrom('joined', text)) return true
  if (hasPartFrom('file', text)) return fetches || FOREIGN_FILE.test(text)
  const lower = source.toLowerCase()
  if (fetches || decodesText(lower.replace(RUNS, ''))) return true
  // Of such code nothing is known but that an object of the computer gives it.
  return text.replaceAll(GAP, '').trim() === '' && !(lower.match(RUNS) ?? []).every(isInclude)
}

/** Lines of a text that are looked for. */
const LINES_MAX = 40

/** Also line by line, with its quotes as a literal has them. */
function isWritten(text: string, source: string): boolean {
  if (source.includes(text)) return true
  const lines = text.split(/\r?\n/)
  if (lines.length > LINES_MAX) return false
  charge(source.length * lines.length)
  return lines.every((line) => source.includes(line.trim().replaceAll('"', '""')))
}

/** With the start of what it runs. */
const RUNS = /\bexecute(?:global)?\b(?:[ \t(]*\w*\.\w+[ \t]*\()?/g

/** `Execute includer.Read("library")` */
function isInclude(run: string): boolean {
  return run.endsWith('(')
}
