/** A pattern as an automaton, over the few characters that it tells apart. */

import { type Node, parsePattern } from './syntax.ts'

export interface Automaton {
  /** One character for each set of characters that the pattern treats alike. */
  symbols: string[]
  /** For each state and symbol the next states. State 0 is where a search stands before it begins, at every position. */
  next: number[][][]
  accepts: boolean[]
}

/** Characters that documents repeat, besides those in the pattern. */
const COMMON = [...'\0\t\n\r !"#$%&\'()*+,-./019:;<=>?@AFZ[\\]^_`afnsuxz{|}~\x7f\xa0é\u0130\u212a\u2028\ufffd']
/** Copies of a repeated part beyond which the automaton grows without telling more. */
const COPIES_MAX = 48
const STATES_MAX = 400

export function buildAutomaton(source: string, flags: string): Automaton {
  const tree = parsePattern(source, flags)
  // Assertions tell characters apart, too.
  const asserted = [...(flags.includes('m') ? ['\\n'] : []), ...(/\\b/i.test(source) ? ['\\w'] : [])]
  const atoms = [...new Set([...atomsOf(tree), ...asserted])]
  const { symbols, sets } = alphabet(source, atoms, flags)

  // By Thompson: edges without a character, then states reached by one.
  const empty: number[][] = []
  const edges: { set: number[]; to: number }[][] = []
  const state = (): number => {
    empty.push([])
    return edges.push([]) - 1
  }
  const join = (from: number, to: number): void => void empty[from]?.push(to)

  const build = (node: Node, from: number): number => {
    if (node.kind === 'atom') {
      const to = state()
      edges[from]?.push({ set: sets.get(node.source) ?? [], to })
      return to
    }
    if (node.kind === 'sequence') return node.nodes.reduce((at, part) => build(part, at), from)
    if (node.kind === 'choice') {
      const to = state()
      for (const part of node.nodes) join(build(part, from), to)
      return to
    }
    if (node.kind === 'look') {
      const to = state()
      join(build(node.node, from), to)
      join(from, to)
      return to
    }
    return repeat(node, from)
  }

  const repeat = ({ node, min, max }: Node & { kind: 'repeat' }, from: number): number => {
    const before = edges.length
    let at = from
    const room = (): boolean => edges.length - before < COPIES_MAX && edges.length < STATES_MAX
    for (let copy = 0; copy < min && (copy === 0 || room()); copy++) at = build(node, at)
    const to = state()
    join(at, to)
    if (max === Number.POSITIVE_INFINITY || max - min > COPIES_MAX) {
      const again = state()
      join(to, again)
      join(build(node, again), to)
      return to
    }
    for (let copy = min; copy < max && (copy === min || room()); copy++) {
      at = build(node, at)
      join(at, to)
    }
    return to
  }

  const first = state()
  const last = build(tree, first)
  const closures = empty.map((_, from) => closure(from, empty))
  const next = closures.map((reached) =>
    symbols.map((_, symbol) => {
      const found = reached.flatMap(
        (at) => edges[at]?.filter(({ set }) => set.includes(symbol)).map(({ to }) => to) ?? [],
      )
      return [...new Set(found)]
    }),
  )
  const shifted = next.map((row) => row.map((states) => states.map((at) => at + 1)))
  return {
    symbols,
    next: [symbols.map((_, symbol) => [0, ...(next[first]?.[symbol] ?? []).map((at) => at + 1)]), ...shifted],
    accepts: [false, ...closures.map((reached) => reached.includes(last))],
  }
}

function atomsOf(node: Node): string[] {
  if (node.kind === 'atom') return [node.source]
  return 'nodes' in node ? node.nodes.flatMap(atomsOf) : atomsOf(node.node)
}

function closure(from: number, empty: readonly number[][]): number[] {
  const reached = new Set([from])
  for (const at of reached) for (const to of empty[at] ?? []) reached.add(to)
  return [...reached]
}

/** Two characters that the same atoms match are one symbol. */
function alphabet(source: string, atoms: readonly string[], flags: string) {
  const own = source.match(/[\s\S]/gu) ?? []
  const neighbours = own.flatMap((letter) => {
    const code = letter.codePointAt(0) ?? 0
    return [code - 1, code, code + 1].filter((at) => at >= 0).map((at) => String.fromCodePoint(at))
  })
  const escaped = [...source.matchAll(/\\(?:x([\da-f]{2})|u([\da-f]{4})|u\{([\da-f]+)\})/gi)].map(([, ...hex]) =>
    String.fromCodePoint(Number.parseInt(hex.join(''), 16)),
  )
  const kept = flags.replace(/[gymd]/g, '')
  const tests = atoms.map((atom) => new RegExp(`^(?:${atom})$`, kept))
  const bySets = new Map<string, string>()
  for (const letter of [...own, ...COMMON, ...escaped, ...neighbours]) {
    const key = tests.map((test) => (test.test(letter) ? '1' : '0')).join('')
    if (!bySets.has(key)) bySets.set(key, letter)
  }
  const keys = [...bySets.keys()]
  return {
    symbols: [...bySets.values()],
    sets: new Map(
      atoms.map((atom, index) => [atom, keys.flatMap((key, symbol) => (key[index] === '1' ? [symbol] : []))]),
    ),
  }
}
