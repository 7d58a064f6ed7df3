/** Harm that programs do in languages that are not evaluated, in files of their own and in command lines. */

import { decodedView, type View } from '#inspect/commands/encoded-literals.ts'
import { literalsIn } from '#inspect/commands/literals.ts'
import { charge } from '#inspect/core/work.ts'
import { runsForeignCode } from '../command/foreign.ts'
import { SCRIPTING_LANGUAGES, type ScriptingLanguage } from './scripting-languages.ts'
import { steals } from './thefts.ts'

const CHARACTER_WORK = 30

/** Whether the program does such harm, also by a command that it starts. */
export function doesHarm({ harms, executes, lines }: ScriptingLanguage, { text, decoded }: View): boolean {
  charge(text.length * CHARACTER_WORK)
  if (harms.some((all) => all.every((each) => each.test(text))) || steals(text)) return true
  const isForeign = (command: string): boolean => runsForeignCode(command, 'installation')
  if (lines !== undefined && text.matchAll(lines).some(([, command = '']) => isForeign(command))) return true
  return executes.test(text) && (decoded.some(isForeign) || literalsIn(text).some(isForeign))
}

/** Code for an interpreter in a command line. */
const INLINE =
  /\b(node|nodejs|bun|php|perl|ruby|lua|osascript)\s{1,4}(?:-e|-r|--eval|-p)\s{1,4}(?:"((?:[^"\\]|\\[\s\S])*)(?:"|$)|'([^']*)(?:'|$))/g

/** Whether a command line gives an interpreter code that does such harm. */
export function harmsInline(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  for (const [, program = '', double, single] of text.matchAll(INLINE)) {
    const code = decodedView(double?.replace(/\\(["$`\\])/g, '$1') ?? single ?? '')
    const languages = SCRIPTING_LANGUAGES.filter(({ programs }) => programs?.test(program))
    if (languages.some((language) => doesHarm(language, code) || language.received?.test(code.text))) return true
  }
  return false
}
