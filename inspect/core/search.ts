/** Searches in texts whose time grows with the sum of the lengths, not with their product as that of the engine does. */

import { charge } from './work.ts'

/** The engine compares a shorter part at every place, which is fast enough. */
const SHORT = 16
const STEP_WORK = 6

/** Charges for work before it is done. Evaluations have allowances of their own. */
export type Pay = (units: number) => void

/** The cost of a search that finds nothing. */
const workOf = (text: string, part: string): number =>
  text.length * (part.length <= SHORT ? part.length + 1 : STEP_WORK) + part.length * STEP_WORK

/** -1: the text does not contain the part. */
export function indexOf(text: string, part: string, from = 0, pay: Pay = charge): number {
  if (part.length > text.length) return -1
  pay(workOf(text, part))
  return part.length <= SHORT ? text.indexOf(part, from) : find(text, part, Math.max(0, from), tableOf(part))
}

export function lastIndexOf(text: string, part: string, pay: Pay = charge): number {
  if (part.length > text.length) return -1
  pay(workOf(text, part))
  if (part.length <= SHORT) return text.lastIndexOf(part)
  let last = -1
  const table = tableOf(part)
  for (let at = find(text, part, 0, table); at !== -1; at = find(text, part, at + 1, table)) {
    // Each repetition reads at most the part again.
    pay(part.length * STEP_WORK)
    last = at
  }
  return last
}

/** Characters at the beginning of the part that the text contains, at any place. */
export function longestBeginning(text: string, part: string): number {
  charge((text.length + part.length) * STEP_WORK)
  const table = tableOf(part)
  let [matched, longest] = [0, 0]
  for (let at = 0; at < text.length && longest < part.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = table[matched - 1] as number
    if (unit !== part.charCodeAt(matched)) continue
    matched += 1
    if (matched > longest) longest = matched
  }
  return longest
}

/** The pieces between the parts, at most `max` of them. */
export function split(text: string, part: string, max = Number.POSITIVE_INFINITY, pay: Pay = charge): string[] {
  pay(workOf(text, part) + text.length * STEP_WORK)
  if (part.length <= SHORT) return text.split(part, max === Number.POSITIVE_INFINITY ? undefined : max)
  const pieces: string[] = []
  const table = tableOf(part)
  let from = 0
  for (let at = find(text, part, 0, table); at !== -1 && pieces.length < max; at = find(text, part, from, table)) {
    pieces.push(text.slice(from, at))
    from = at + part.length
  }
  if (pieces.length < max) pieces.push(text.slice(from))
  return pieces
}

/** By Knuth, Morris and Pratt. */
function find(text: string, part: string, from: number, table: Uint32Array): number {
  let matched = 0
  // For each character, a call takes longer than the comparison.
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = table[matched - 1] as number
    if (unit === part.charCodeAt(matched)) matched += 1
    if (matched === part.length) return at - part.length + 1
  }
  return -1
}

/** Characters of the part that end at a character, if `known` of them end at the one before. */
function matchedAfter(unit: number, part: string, known: number, table: Uint32Array): number {
  let matched = known
  while (matched > 0 && unit !== part.charCodeAt(matched)) matched = table[matched - 1] ?? 0
  return unit === part.charCodeAt(matched) ? matched + 1 : matched
}

/** For each place of the part, the length of its beginning that also ends there. */
function tableOf(part: string): Uint32Array {
  const table = new Uint32Array(part.length)
  let matched = 0
  for (let at = 1; at < part.length; at++) {
    matched = matchedAfter(part.charCodeAt(at), part, matched, table)
    table[at] = matched
  }
  return table
}
