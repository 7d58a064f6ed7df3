/** Code in Markdown, whose markup is shown and not read. */

import { ownOf } from '#inspect/core/own.ts'
import { charge } from '#inspect/core/work.ts'

const FENCE = /^[ \t>*+-]{0,20}(`{3,}|~{3,})/
/** A line that begins with a tag begins markup up to an empty line, or up to the end of an element with text of its own. */
const MARKUP = /^[ \t>]{0,9}<(?:(script|pre|style|textarea|!--)|[/a-z!?])/i
/** What comes first: a tag has no code in it, and code no tag. A sign may be escaped. */
const SPAN = /\\[\\`]|<[/a-z!?][^<>\n]{0,2000}>|(?<!`)(`{1,9})(?!`)[^\n]{1,2000}?(?<!`)\1(?!`)/gi
const LINE_WORK = 300
const CHARACTER_WORK = 20

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
  return state.fence === '' ? line.replace(SPAN, (found, ticks?: string) => (ticks ? escaped(found) : found)) : line
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

const escaped = (code: string): string => code.replaceAll('<', '&lt;').replaceAll('[', '&#91;')
