/** Loops of batch files over lists, numbers, texts and what `echo` says. */

import { charge } from '#inspect/core/work.ts'

/** The values of one turn, by the letters of the variables. */
type Turn = ReadonlyMap<string, string>

interface Loop {
  turns: readonly Turn[]
  /** What is run each time. */
  body: string
}

const HEAD =
  /^[\s@]{0,200}for\s{1,200}(?:\/([fl])\s{1,200})?(?:("[^"]{0,200}"|[^\s%"(]{1,200})\s{1,200})?%%(\w)\s{1,200}in\s{0,200}\(([^\r\n]{0,8000}?)\)\s{1,200}do\b\s{0,200}(?=\S)/i
const ECHO = /^@?echo[\s.:]([^|]*)$/i
const TURNS_MAX = 1_000
const TURN_WORK = 500
const CHARACTER_WORK = 40

/** null: none whose values the line has. */
export function readLoop(line: string): Loop | null {
  const [whole = '', kind, options = '', name = '', list = ''] = HEAD.exec(line) ?? []
  const body = line.slice(whole.length)
  if (name === '') return null
  charge(list.length * CHARACTER_WORK)
  const letter = name.toLowerCase()
  const one = (values: readonly string[]): Turn[] =>
    values.slice(0, TURNS_MAX).map((value) => new Map([[letter, value]]))
  const turns =
    kind === undefined ? one(itemsIn(list)) : /l/i.test(kind) ? one(numbersIn(list)) : linesIn(list, options, letter)
  charge(turns.length * TURN_WORK)
  return turns.length === 0 ? null : { turns, body }
}

const itemsIn = (list: string): string[] => list.match(/"[^"]*"?|[^\s,;="]+/g) ?? []

/** `(start,step,end)` */
function numbersIn(list: string): string[] {
  const [from = 0, by = 1, to = 0] = list.split(/[\s,]+/).map(Number)
  const count = Math.floor((to - from) / by) + 1
  return count > 0 && count <= TURNS_MAX ? Array.from({ length: count }, (_, at) => String(from + at * by)) : []
}

/** A text, or what `echo` says of it, in its parts. */
function linesIn(list: string, options: string, letter: string): Turn[] {
  const inner = list.trim()
  const isText = inner.startsWith(/usebackq/i.test(options) ? "'" : '"')
  const written = inner.slice(1, -1)
  const text = isText ? written : ECHO.exec(written.trim())?.[1]
  if (text === undefined) return []
  const found = partsOf(text, options)
  return found.length === 0 ? [] : [new Map(found.map((part, at) => [letterAfter(letter, at), part]))]
}

const letterAfter = (letter: string, count: number): string => String.fromCharCode(letter.charCodeAt(0) + count)

const OPTION = /\s(?:tokens|skip|eol|usebackq)\b/i

function partsOf(text: string, options: string): string[] {
  const [, given] = options.split(/delims=/i)
  const [signs = ''] = given?.replace(/"$/, '').split(OPTION) ?? [' \t']
  const [, tokens = '1'] = /tokens=([\d,*-]{1,60})/i.exec(options) ?? []
  if (signs === '' || tokens === '*') return [text]
  const parts: { from: number; text: string }[] = []
  let from = 0
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && !signs.includes(text.charAt(at))) continue
    if (at > from) parts.push({ from, text: text.slice(from, at) })
    from = at + 1
  }
  return numbered(tokens).flatMap((token) => {
    const isRest = token === '*'
    const part = isRest ? parts[Number(/(?<!\d)\d{1,3}(?=,?\*)/.exec(tokens)?.[0] ?? 0)] : parts[Number(token) - 1]
    return part === undefined ? [] : [isRest ? text.slice(part.from) : part.text]
  })
}

/** `1,3-5*` */
function numbered(tokens: string): string[] {
  return (tokens.match(/\d{1,3}-\d{1,3}|\d{1,3}|\*/g) ?? []).flatMap((each) => {
    const [from = 0, to = 0] = each.split('-').map(Number)
    if (!each.includes('-')) return [each]
    return Array.from({ length: Math.max(0, Math.min(to - from, 31) + 1) }, (_, at) => String(from + at))
  })
}
