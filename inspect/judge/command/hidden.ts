/** Words of commands that a program hides. */

import { GAP } from '#inspect/commands/parse.ts'
import { pattern } from '#inspect/core/pattern.ts'
import { SHELL_CLASSES, WRITE_CLASSES } from '#inspect/windows/classes.ts'
import { DOWNLOADERS, RUNNERS } from '#inspect/windows/programs.ts'

/** Those that are no words of a language. */
const HIDDEN_NAMES = [...RUNNERS, ...DOWNLOADERS].filter((name) => name.length > 7 || name === 'mshta')
/** Words that nobody needs to build from pieces. */
const WORDS = new RegExp(
  pattern`${HIDDEN_NAMES}|${SHELL_CLASSES}|${WRITE_CLASSES}|xmlhttp|winmgmts|https?://|\.exe\b|cmd(?:\.exe)? ?/[ck]`,
  'g',
)

/** Whether an evaluated text has a telling word that the source, in lower case, does not have. */
export function hidesText(text: string, source: string): boolean {
  if (text === '' || text === GAP) return false
  // A program and its options may be two arguments.
  return [...text.toLowerCase().matchAll(WORDS)].some(([word]) =>
    word.split(/ ?(?=\/[ck]$)/).some((part) => !source.includes(part)),
  )
}
