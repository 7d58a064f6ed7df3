/** Regular expressions of scripts, as far as they take linear time. */

import { spend } from './budget.ts'
import type { Pattern } from './tokens.ts'
import {
  isComposite,
  type ListValue,
  listOf,
  type PatternValue,
  recordOf,
  textOf,
  UNKNOWN,
  type Value,
} from './values.ts'

/** Escapes, classes and single characters. */
const TOKEN = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|.)|\[(?:[^\\\]]|\\.){0,200}\]|./gs
const ATOM =
  /^(?:\\[bBdDsSwWtrnfv]|\\[^a-zA-Z0-9]|\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\[(?:[^\\\]]|\\.)*\]|[^\\[\](){}|*+?^$])$/s
const PATTERN_MAX = 1000
const MATCH_WORK = 4

/** Charges for a search in the text. null: it may take long, or is no pattern. */
export function expressionFor(value: Value, text: string): RegExp | null {
  if (!isComposite(value) || value.kind !== 'pattern') return null
  const { source, flags } = value.pattern
  if (source.length > PATTERN_MAX || !/^[gim]*$/.test(flags)) return null
  const repeated = repeatedIn(source)
  if (repeated === null && !spendOnAll(source, text)) return null
  spend(text.length * (source.length + MATCH_WORK))
  try {
    // At each place, the text is read to the end of what is repeated.
    if (repeated) spend(text.length * longestRun(text, new RegExp(`(?:${repeated})+`, 'gi')))
    return new RegExp(source, flags)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** Where a global pattern goes on, which ended there the last time. */
export const LAST = 'lastIndex'

/** Repetitions and choices of a pattern, none of which is repeated itself. */
const REPETITIONS_MAX = 3
const CHOICES_MAX = 5
/** Steps of a search that tries all ways. */
const WAYS_MAX = 2_000_000

/** Charges for all ways in which a short text can match. false: they may be too many. */
function spendOnAll(source: string, text: string): boolean {
  const tokens = tokensOf(source)
  const isRepeated = tokens.some((token, i) => token === ')' && /^[*+?{]/.test(tokens[i + 1] ?? ''))
  const repetitions = tokens.filter((token) => /^[*+?{]$/.test(token)).length
  const choices = tokens.filter((token) => token === '|').length
  if (isRepeated || repetitions > REPETITIONS_MAX || choices > CHOICES_MAX || /\\[1-9k]|\(\?<[=!]/.test(source))
    return false
  const ways = (text.length + 1) ** (repetitions + 1) * 2 ** choices
  if (ways > WAYS_MAX) return false
  spend(ways)
  return true
}

/**
 * What is repeated before something else, '' if nothing is. null: other than characters, classes, limits and groups of
 * them, with one repetition. Such patterns may take exponential time.
 */
function repeatedIn(source: string): string | null {
  const tokens = tokensOf(source).filter((token, i, all) => !isGroup(token, all[i + 1]))
  const marks = tokens.flatMap((token, i) => (token === '*' || token === '+' ? [i] : []))
  const [at = 0] = marks
  const isPlain = (token: string, i: number): boolean =>
    ATOM.test(token) ||
    (token === '^' && i === 0) ||
    (token === '$' && i === tokens.length - 1) ||
    isRepetition(tokens, i)
  if (marks.length > 1 || !tokens.every(isPlain)) return null
  return marks.length === 0 || at === tokens.length - 1 ? '' : (tokens[at - 1] ?? null)
}

/** Without what only names a group, or says that it is not kept: `?:`, `?<name>`. */
function tokensOf(source: string): string[] {
  const tokens = source.match(TOKEN) ?? []
  const kept: string[] = []
  for (let i = 0; i < tokens.length; i++) {
    kept.push(tokens[i] ?? '')
    if (tokens[i] === '(') i += headLength(tokens, i + 1)
  }
  return kept
}

function headLength(tokens: readonly string[], at: number): number {
  if (tokens[at] !== '?') return 0
  if (tokens[at + 1] === ':') return 2
  const end = tokens[at + 1] === '<' ? tokens.indexOf('>', at) : -1
  return GROUP_NAME.test(tokens.slice(at + 2, Math.max(end, 0)).join('')) ? end - at + 1 : 0
}

const GROUP_NAME = /^[a-zA-Z_$][\w$]{0,99}$/

/** What a pattern has found, with its named groups. */
export function foundList(
  found: readonly string[] & { groups?: Record<string, string | undefined> | undefined },
): ListValue {
  const list = listOf([...found])
  if (found.groups !== undefined) list.groups = recordOf(new Map(Object.entries(found.groups)))
  return list
}

/** A group that is not repeated, nor chosen or looked for. */
function isGroup(token: string, next: string | undefined): boolean {
  return (token === '(' && next !== '?') || (token === ')' && !/^[*+?{]/.test(next ?? ''))
}

function isRepetition(tokens: readonly string[], at: number): boolean {
  return /^[*+?]$/.test(tokens[at] ?? '') && ATOM.test(tokens[at - 1] ?? '')
}

function longestRun(text: string, pattern: RegExp): number {
  spend(text.length * MATCH_WORK)
  let longest = 0
  for (const [run] of text.matchAll(pattern)) longest = Math.max(longest, run.length)
  return longest
}

export function patternOf(pattern: Pattern): PatternValue {
  return { kind: 'pattern', pattern, state: recordOf(new Map([[LAST, 0]])) }
}

export function newPattern(source: Value, flags: Value): Value {
  if (isComposite(source) && source.kind === 'pattern') return source
  const texts = [textOf(source), flags === undefined ? '' : textOf(flags)] as const
  if (texts[0] === null || texts[1] === null) return UNKNOWN
  return patternOf({ source: texts[0], flags: texts[1] })
}
