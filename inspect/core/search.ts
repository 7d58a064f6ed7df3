/** Searches in texts whose time grows with the sum of the lengths, not with their product as that of the engine does. */

import { charge } from './work.ts'

/** The engine compares a shorter part at every place, which is fast enough. */
const SHORT = 16
const STEP_WORK = 6

/** -1: the text does not contain the part. */
export function indexOf(text: string, part: string, from = 0): number {
  if (part.length > text.length) return -1
  charge(text.length * (part.length <= SHORT ? 1 : STEP_WORK))
  return part.length <= SHORT ? text.indexOf(part, from) : find(text, part, Math.max(0, from), tableOf(part))
}

/** Characters at the beginning of the part that the text contains, at any place. */
export function longestBeginning(text: string, part: string): number {
  charge(text.length * STEP_WORK)
  const table = tableOf(part)
  let [matched, longest] = [0, 0]
  for (let at = 0; at < text.length && longest < part.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = table[matched - 1] ?? 0
    if (unit === part.charCodeAt(matched)) matched += 1
    if (matched > longest) longest = matched
  }
  return longest
}

/** The pieces between the parts, at most `max` of them. */
export function split(text: string, part: string, max = Number.POSITIVE_INFINITY): string[] {
  charge(text.length * STEP_WORK)
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
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = table[matched - 1] ?? 0
    if (unit === part.charCodeAt(matched)) matched += 1
    if (matched === part.length) return at - part.length + 1
  }
  return -1
}

/** For each place of the part, the length of its beginning that also ends there. */
function tableOf(part: string): Uint32Array {
  charge(part.length * STEP_WORK)
  const table = new Uint32Array(part.length)
  let matched = 0
  for (let at = 1; at < part.length; at++) {
    while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched)) matched = table[matched - 1] ?? 0
    if (part.charCodeAt(at) === part.charCodeAt(matched)) matched += 1
    table[at] = matched
  }
  return table
}
