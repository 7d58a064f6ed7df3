/** Code in Markdown, whose markup is shown and not read. */

import { ownOf } from '#inspect/core/own.ts'
import { charge } from '#inspect/core/work.ts'

const FENCE = /^[ \t>*+-]{0,20}(`{3,}|~{3,})/
/** A line that begins with a tag begins markup up to an empty line, or up to the end of an element with text of its own. */
const MARKUP = /^[ \t>]{0,9}<(?:(script|pre|style|textarea|!--)|[/a-z!?])/i
/** What comes first: a tag has no code in it, and code no tag. A sign may be escaped. */
const SPAN = /\\[\\`]|<[/a-z!?][^<>\n]{0,2000}>|(?<!`)(`{1,9})(?!`)[^\n]{1,2000}?(?<!`)\1(?!`)/gi
const LINE_WORK = 300
const CHARACTER_WORK = 2
/** For each character of a line and each sign of code in it, each sign that is read, and each character that is escaped. */
const SPAN_WORK = 10
const SIGN_WORK = 400
const ESCAPE_WORK = 40

/** The same text with the code in it written so that it is no markup. What hides its surroundings hides it as well. */
export function withCodeAsText(text: string): string {
  charge(text.length * CHARACTER_WORK)
  const state: State = { fence: '', markupEnd: null }
  return text
    .split('\n')
    .map((line) => {
      charge(LINE_WORK)
      return state.fence === '' ? readLine(line, state) : readCode(line, state)
    })
    .join('\n')
}

interface State {
  /** '': outside of a block of code. */
  fence: string
  /** null: outside of markup. */
  markupEnd: RegExp | null
}

function readCode(line: string, state: State): string {
  if (line.replace(/^[ \t>]{0,20}/, '').trimEnd() === state.fence) state.fence = ''
  return escaped(line)
}

function readLine(line: string, state: State): string {
  state.markupEnd ??= endOf(MARKUP.exec(line))
  if (state.markupEnd !== null) {
    if (state.markupEnd.test(line)) state.markupEnd = null
    return line
  }
  state.fence = FENCE.exec(line)?.[1] ?? ''
  const signs = state.fence === '' ? signsIn(line) : 0
  if (signs === 0) return line
  charge(line.length * signs * SPAN_WORK)
  return line.replace(SPAN, (found, ticks?: string) => {
    charge(SIGN_WORK)
    return ticks ? escaped(found) : found
  })
}

/** From each length of a sign, all of the line may be read. */
const SIGNS_MAX = 9

function signsIn(line: string): number {
  let count = 0
  for (let at = line.indexOf('`'); at !== -1 && count < SIGNS_MAX; at = line.indexOf('`', at + 1)) count += 1
  return count
}

/** By what begins it: an element whose text has no markup in it, or a comment. */
const ENDS: Readonly<Record<string, RegExp>> = {
  script: /<\/script>/i,
  pre: /<\/pre>/i,
  style: /<\/style>/i,
  textarea: /<\/textarea>/i,
  '!--': /-->/,
}
const EMPTY = /^\s*$/

function endOf(markup: RegExpExecArray | null): RegExp | null {
  return markup === null ? null : (ownOf(ENDS, markup[1]?.toLowerCase() ?? '') ?? EMPTY)
}

function escaped(code: string): string {
  charge(code.length)
  const text = code.replaceAll('<', '&lt;').replaceAll('[', '&#91;')
  charge((text.length - code.length) * ESCAPE_WORK)
  return text
}
