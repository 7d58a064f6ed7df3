/** Texts on which a pattern may take more than linear time: a prefix, a pump that is repeated, and a suffix. */

import { type Automaton, buildAutomaton } from './automaton.ts'

export interface Attack {
  prefix: string
  pump: string
  suffix: string
}

/** Bound the search in one pattern; what is beyond them is tried with the pumps that need no search. */
const WORDS_MAX = 6
const AMBIGUOUS_MAX = 110
const ATTACKS_MAX = 140
const VISITED_MAX = 4000
const SEARCHED_MAX = 40_000
const PAIRED_SYMBOLS_MAX = 7

/** Characters that end what repeats in most patterns. */
const ENDS = ['', '\x01', '\n', '!']

/** For each state, words to the states that can be reached from it. */
type Reach = readonly Map<number, string>[]

export const textOf = ({ prefix, pump, suffix }: Attack, length: number): string =>
  prefix + pump.repeat(Math.max(1, Math.floor((length - prefix.length - suffix.length) / pump.length))) + suffix

export function attacksOn(source: string, flags: string): Attack[] {
  const automaton = buildAutomaton(source, flags)
  const reach = shortestWords(automaton)
  const found = new Map<string, Attack>()
  const add = (attacks: Generator<Attack>, max: number): void => {
    for (const attack of attacks) {
      if (found.size >= max) return
      if (attack.pump !== '') found.set(JSON.stringify(attack), attack)
    }
  }
  add(ambiguous(automaton, reach), AMBIGUOUS_MAX)
  add(plain(automaton, reach), ATTACKS_MAX)
  return [...found.values()]
}

/**
 * A search is superlinear if a word can be read in two ways again and again: from state p back to p, from p to q, and
 * from q back to q. With p before the pattern, each repetition starts another attempt, all of which read to the end.
 */
function* ambiguous(automaton: Automaton, reach: Reach): Generator<Attack> {
  const loops = automaton.next.flatMap((_, at) => (reach[at]?.has(at) && (at === 0 || reach[0]?.has(at)) ? [at] : []))
  const pairs = loops.flatMap((p) => loops.filter((q) => p !== q && reach[p]?.has(q)).map((q) => [p, q] as const))
  const others: Attack[] = []
  const toward = createToward(automaton, reach)
  let searched = 0
  for (const [p, q] of pairs) {
    if (searched > SEARCHED_MAX) break
    const { words, visited } = pumps(automaton, p, q, toward)
    searched += visited
    const prefix = p === 0 ? '' : (reach[0]?.get(p) ?? '')
    const [first, ...more] = words
    const longer = more.flatMap((word) => [word, first + word])
    const ends = endsOf(automaton, q, reach)
    if (first !== undefined) yield* ends.map((suffix) => ({ prefix, pump: first, suffix }))
    others.push(...longer.flatMap((pump) => ends.map((suffix) => ({ prefix, pump, suffix }))))
  }
  // The shortest pump of each pair comes first, because not all are tried.
  yield* others
}

function endsOf(automaton: Automaton, q: number, reach: Reach): string[] {
  const failing = automaton.symbols.filter((_, symbol) => automaton.next[q]?.[symbol]?.length === 0)
  const accepted = acceptedFrom(automaton, q, reach)
  return ['', ...failing.slice(0, 2), '\x01', '\n', accepted, accepted.slice(0, -1)]
}

function acceptedFrom(automaton: Automaton, from: number, reach: Reach): string {
  const words = [...(reach[from] ?? [])].filter(([to]) => automaton.accepts[to]).map(([, word]) => word)
  return words.sort((a, b) => a.length - b.length)[0] ?? ''
}

/** The shortest word, of at least one character, to each state, from each. */
function shortestWords({ next, symbols }: Automaton): Reach {
  const edges = next.map((row) => {
    const byState = new Map<number, string>()
    row.forEach((states, symbol) => {
      for (const to of states) if (!byState.has(to)) byState.set(to, symbols[symbol] ?? '')
    })
    return [...byState]
  })
  return edges.map((firsts) =>
    wordsTo(
      firsts,
      (at) => edges[at] ?? [],
      (at) => at,
    ),
  )
}

/** Breadth first, so that the first word to a state is the shortest. */
function wordsTo<State>(
  firsts: readonly [State, string][],
  after: (at: State) => [State, string][],
  keyOf: (at: State) => number,
  goal?: number,
): Map<number, string> {
  const words = new Map<number, string>()
  const queue: [State, string][] = []
  const add = (state: State, word: string): void => {
    if (words.has(keyOf(state)) || words.size > VISITED_MAX) return
    words.set(keyOf(state), word)
    queue.push([state, word])
  }
  for (const [state, symbol] of firsts) add(state, symbol)
  for (const [at, word] of queue) {
    if (words.size > VISITED_MAX || (goal !== undefined && words.has(goal))) break
    for (const [to, symbol] of after(at)) add(to, word + symbol)
  }
  return words
}

type Triple = readonly [first: number, second: number, third: number]

/** The next states from which a goal can be reached. */
type Toward = (goal: number, from: number, symbol: number) => readonly number[]

/** The same states are asked for again and again. */
function createToward({ next }: Automaton, reach: Reach): Toward {
  const known: (number[][] | undefined)[][] = []
  return (goal, from, symbol) => {
    known[goal] ??= []
    const ofGoal = known[goal]
    ofGoal[from] ??= (next[from] ?? []).map((states) => states.filter((to) => to === goal || reach[to]?.has(goal)))
    return ofGoal[from][symbol] ?? []
  }
}

/** Words that lead from (p, p, q) to (p, q, q): the shortest for each first character. */
function pumps({ next, symbols }: Automaton, p: number, q: number, toward: Toward) {
  const by = ([a, b, c]: Triple, symbol: number): [Triple, string][] => {
    const [firsts, thirds] = [toward(p, a, symbol), toward(q, c, symbol)]
    if (firsts.length === 0 || thirds.length === 0) return []
    const found: [Triple, string][] = []
    const read = symbols[symbol] ?? ''
    for (const x of firsts) for (const y of toward(q, b, symbol)) for (const z of thirds) found.push([[x, y, z], read])
    return found
  }
  const keyOf = ([x, y, z]: Triple): number => (x * next.length + y) * next.length + z
  const all = symbols.map((_, symbol) => symbol)
  const words: string[] = []
  let visited = 0
  for (const first of all) {
    if (words.length >= WORDS_MAX) break
    const found = wordsTo(
      by([p, p, q], first),
      (at) => all.flatMap((symbol) => by(at, symbol)),
      keyOf,
      keyOf([p, q, q]),
    )
    visited += found.size
    const word = found.get(keyOf([p, q, q]))
    if (word !== undefined) words.push(word)
  }
  return { words, visited }
}

/** Texts that need no search: the characters of the pattern alone and in pairs, and what it matches, whole and cut short. */
function* plain(automaton: Automaton, reach: Reach): Generator<Attack> {
  const accepted = acceptedFrom(automaton, 0, reach)
  for (const pump of [accepted, accepted.slice(0, -1), accepted.slice(1)]) {
    for (const suffix of ENDS) yield { prefix: '', pump, suffix }
  }
  const letters = automaton.symbols.slice(0, PAIRED_SYMBOLS_MAX)
  for (const pump of automaton.symbols)
    for (const prefix of ['', accepted.slice(0, 1)]) yield { prefix, pump, suffix: '\x01' }
  for (const a of letters) for (const b of letters) if (a !== b) yield { prefix: '', pump: a + b, suffix: '\x01' }
}
