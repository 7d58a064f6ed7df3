/** Tests of scanners in Python list commands of attackers, which nothing in them starts. */

import { charge } from '#inspect/core/work.ts'

const TOKEN =
  /#[^\r\n]*|[rbf]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\r\n]|\\[\s\S])*"?|'(?:[^'\\\r\n]|\\[\s\S])*'?)/gi
const TEST = /^[ \t]{0,16}(?:async[ \t]{1,4})?def[ \t]{1,4}test_\w/m
/** What a line without indentation does in a file that only defines tests. */
const DEFINES =
  /^(?:import\s|from\s|class\s|(?:async\s{1,4})?def\s{1,4}\w{1,80}\([^()]{0,400}\)[^()]{0,80}:|@(?:pytest|unittest|mock|patch|parameterized|staticmethod|classmethod|property)\b|[)\]}]|""|\w{1,80}(?:\s{0,4}:[^=()]{0,80})?\s{0,4}=\s{0,4}[^()]{0,4000}$|if\s{1,4}__name__\s{0,4}==)/
/** Texts with code in them. */
const FORMATTED = /^r?f/i
/** For each character: it is searched twice, and literals are joined. */
const CHARACTER_WORK = 15

/** A name by which a script gets at what acts. */
const isName = (literal: string): boolean => /^[^\s"']{0,4}["'][\w.]*["']$/.test(literal)

/** The code of such a file without its texts; null: it is none. */
export function testedCode(text: string): string | null {
  charge(text.length)
  if (!TEST.test(text)) return null
  charge(text.length * CHARACTER_WORK)
  const code = text.replace(TOKEN, (token) => {
    if (token.startsWith('#')) return ''
    return isName(token) || FORMATTED.test(token) ? token : '""'
  })
  const isTest = code.split(/\r?\n/).every((line) => line === '' || /^\s/.test(line) || DEFINES.test(line))
  return isTest ? code : null
}
