/** Parses a regular expression as far as its structure matters for its cost; what a single character matches, V8 says. */

export type Node =
  | { kind: 'atom'; source: string }
  | { kind: 'sequence'; nodes: Node[] }
  | { kind: 'choice'; nodes: Node[] }
  | { kind: 'repeat'; node: Node; min: number; max: number }
  /** Looks at characters without consuming them. */
  | { kind: 'look'; node: Node }

/** Characters that one attempt of a pattern reads. Far fewer than the texts have on which patterns are measured. */
const READ_MAX = 1000

/** Whether an attempt reads few characters, in few ways: then the time cannot grow faster than the text. */
export function readsLittle(node: Node): boolean {
  return lengthOf(node) <= READ_MAX && !isNested(node, false)
}

function lengthOf(node: Node): number {
  if (node.kind === 'atom') return 1
  if (node.kind === 'sequence') return node.nodes.reduce((sum, each) => sum + lengthOf(each), 0)
  if (node.kind === 'choice') return Math.max(...node.nodes.map(lengthOf))
  const length = lengthOf(node.node)
  return node.kind === 'look' ? length : length * node.max
}

/** A repetition within another reads the same characters in very many ways. */
function isNested(node: Node, isRepeated: boolean): boolean {
  if (node.kind === 'atom') return false
  if (node.kind !== 'repeat')
    return ('nodes' in node ? node.nodes : [node.node]).some((each) => isNested(each, isRepeated))
  const repeats = node.max > 1
  return (repeats && isRepeated) || isNested(node.node, repeats || isRepeated)
}

const ATOM = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|[\s\S])|[\s\S]/iy
const ASSERTION = /\^|\$|\\b|\\B/y
const BACK_REFERENCE = /\\(?:[1-9]\d*|k<[^>]*>)/y
const GROUP = /\((?:\?(?:(<?[=!])|:|<[^>]*>|[a-z]*(?:-[a-z]*)?:))?/y
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const EMPTY: Node = { kind: 'sequence', nodes: [] }

export function parsePattern(source: string, flags: string): Node {
  let at = 0
  const wide = /[uv]/.test(flags)

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (match !== null) at = pattern.lastIndex
    return match
  }

  const choice = (): Node => {
    const nodes = [sequence()]
    while (source[at] === '|') {
      at++
      nodes.push(sequence())
    }
    return nodes.length === 1 ? (nodes[0] ?? EMPTY) : { kind: 'choice', nodes }
  }

  const sequence = (): Node => {
    const nodes: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') nodes.push(quantified(single()))
    return { kind: 'sequence', nodes }
  }

  const quantified = (node: Node): Node => {
    const found = take(QUANTIFIER)
    if (found === null) return node
    const [, sign, low, comma, high] = found
    if (sign !== undefined) {
      return { kind: 'repeat', node, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Number.POSITIVE_INFINITY }
    }
    const min = Number(low)
    if (comma === '') return { kind: 'repeat', node, min, max: min }
    return { kind: 'repeat', node, min, max: high === '' ? Number.POSITIVE_INFINITY : Number(high) }
  }

  const single = (): Node => {
    if (take(ASSERTION) !== null || take(BACK_REFERENCE) !== null) return EMPTY
    const group = take(GROUP)
    if (group !== null) {
      const node = choice()
      at++
      return group[1] === undefined ? node : { kind: 'look', node }
    }
    const start = at
    if (source[at] === '[') skipClass()
    else if (wide && /[\ud800-\udbff]/.test(source[at] ?? '')) at += 2
    else take(ATOM)
    return { kind: 'atom', source: source.slice(start, at) }
  }

  const skipClass = (): void => {
    const nests = flags.includes('v')
    let depth = 0
    do {
      if (source[at] === '\\') at++
      else if (source[at] === '[' && (depth === 0 || nests)) depth++
      else if (source[at] === ']') depth--
      at++
    } while (depth > 0 && at < source.length)
  }

  return choice()
}
