/** Parses regular expressions and hex patterns as far as needed to find bytes that every match contains. */

import { Unsupported } from './rule-tokens.ts'

export type Node =
  | { kind: 'byte'; byte: number }
  /** Matches anything, possibly nothing. */
  | { kind: 'gap' }
  | { kind: 'sequence'; nodes: readonly Node[] }
  | { kind: 'choice'; nodes: readonly Node[] }
  | { kind: 'repeat'; node: Node; min: number }

const DEPTH_MAX = 50
const GAP: Node = { kind: 'gap' }
const byte = (value: number): Node => ({ kind: 'byte', byte: value })

interface Reader {
  /** The match at the current position, which is then skipped. */
  take(expression: RegExp): RegExpExecArray | null
  done(): boolean
}

function readerOf(text: string): Reader {
  let at = 0
  return {
    take(expression) {
      expression.lastIndex = at
      const match = expression.exec(text)
      if (match !== null) at += match[0].length
      return match
    },
    done: () => at >= text.length,
  }
}

/** Alternatives of sequences up to the end or a closing parenthesis. */
function choiceOf(reader: Reader, depth: number, item: () => Node): Node {
  if (depth > DEPTH_MAX) throw new Unsupported('nesting')
  const isOver = (): boolean => (depth === 0 ? reader.done() : reader.take(/\)/y) !== null)
  const choices: Node[][] = [[]]
  while (!isOver()) {
    if (reader.done()) throw new Unsupported('parenthesis')
    if (reader.take(/\|/y)) choices.push([])
    else choices.at(-1)?.push(item())
  }
  const nodes = choices.map((each): Node => ({ kind: 'sequence', nodes: each }))
  // Without alternatives, the bytes are part of the run around them.
  return nodes.length === 1 && nodes[0] ? nodes[0] : { kind: 'choice', nodes }
}

export function parseHex(text: string): Node {
  const body = text.slice(1, -1).replace(/\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g, ' ')
  const reader = readerOf(body.replace(/\s+/g, ''))
  const choice = (depth: number): Node =>
    choiceOf(reader, depth, () => {
      if (reader.take(/\(/y)) return choice(depth + 1)
      if (reader.take(/\[[0-9-]*\]|~[0-9A-Fa-f?]{2}/y)) return GAP
      const [pair] = reader.take(/[0-9A-Fa-f?]{2}/y) ?? []
      if (pair === undefined) throw new Unsupported('hex pattern')
      return pair.includes('?') ? GAP : byte(Number.parseInt(pair, 16))
    })
  return choice(0)
}

const CONTROL: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, a: 7, v: 11 }
/** Classes and assertions; `\<` and `\>` are word boundaries. */
const INEXACT = /^[wWsSdDbB<>]$/

/** The text between the slashes. */
export function parseRegex(source: string): Node {
  const reader = readerOf(source)
  const choice = (depth: number): Node => choiceOf(reader, depth, () => quantified(reader, atom(depth)))

  function atom(depth: number): Node {
    // Not `(?i)` and other groups with flags.
    if (reader.take(/\(\?:|\((?!\?)/y)) return choice(depth + 1)
    const set = reader.take(/\[(\^?\]?(?:\\.|[^\]\\[])*)\]/sy)
    if (set !== null) return classOf(set[1] ?? '')
    const escaped = reader.take(/\\(?:x([0-9A-Fa-f]{2})|(.))/sy)
    if (escaped !== null) return escapeOf(escaped[1], escaped[2] ?? '')
    const [letter] = reader.take(/[^*+?{}[\]()|\\]/sy) ?? []
    if (letter === undefined) throw new Unsupported('regular expression')
    // Beyond ASCII, one character is several bytes.
    return /[.^$]|[^\t-~]/.test(letter) ? GAP : byte(letter.charCodeAt(0))
  }
  return choice(0)
}

function escapeOf(hex: string | undefined, letter: string): Node {
  if (hex !== undefined) return byte(Number.parseInt(hex, 16))
  const control = CONTROL[letter]
  if (control !== undefined) return byte(control)
  if (INEXACT.test(letter)) return GAP
  if (/^[ !-/:-@[-`{-~]$/.test(letter)) return byte(letter.charCodeAt(0))
  throw new Unsupported('escape')
}

function quantified(reader: Reader, node: Node): Node {
  const sign = reader.take(/([*+?]|\{(\d*)(?:(,)(\d*))?\})\??/y)
  if (sign === null) return node
  const [, text = '', least = '', comma = '', most = ''] = sign
  if (text.startsWith('{') && least === '' && (comma === '' || most === '')) throw new Unsupported('quantifier')
  const min = text === '+' ? 1 : text.startsWith('{') ? Number(least) : 0
  // A second quantifier, as in `a{2}{3}`.
  return quantified(reader, { kind: 'repeat', node, min })
}

/** `[pP]` is a byte, because letters are compared in any case. */
function classOf(body: string): Node {
  const [first = '', second = '', ...more] = body
  const isLetterInBothCases =
    more.length === 0 && /^[A-Za-z]{2}$/.test(first + second) && first.toLowerCase() === second.toLowerCase()
  return isLetterInBothCases ? byte(first.charCodeAt(0)) : GAP
}
