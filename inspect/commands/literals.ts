/** Texts in a program that stand side by side, joined to one command: `Command::new("sh").arg("-c").arg("…")`. */

import { charge } from '#inspect/core/work.ts'

const LITERAL = /"(?:[^"\\\r\n]|\\.)*"?|'(?:[^'\\\r\n]|\\.)*'?|`(?:[^`\\\r\n]|\\.)*`?/g
/** Between the arguments of one call, or of calls that add arguments to each other. */
const BETWEEN = /^[\s,()[\]{}&.:]{0,60}(?:(?:arrayOf|listOf|vec!|args?|new)[\s,()[\]{}&.]{0,40})?$/
const LITERAL_WORK = 500
const TEXT_WORK = 10

export function* literalsIn(text: string): Generator<string> {
  charge(text.length * TEXT_WORK)
  let joined = ''
  let end = 0
  for (const { 0: literal, index } of text.matchAll(LITERAL)) {
    charge(LITERAL_WORK)
    const value = literal.replace(/^.|["'`]$/g, '').replace(/\\(["'`$\\/])/g, '$1')
    if (joined !== '' && BETWEEN.test(text.slice(end, Math.min(index, end + 200)))) joined += ` ${value}`
    else {
      if (joined !== '') yield joined
      joined = value
    }
    end = index + literal.length
  }
  if (joined !== '') yield joined
}
