/** Searches in texts whose time grows with the sum of the lengths, not with their product. */

import { spend, store } from './budget.ts'

/** The engine compares a shorter text at every place, which is fast enough. */
const SHORT = 16
const STEP_WORK = 6
const NUMBER_BYTES = 4

export function indexOf(text: string, part: string, from = 0): number {
  if (part.length > text.length) return -1
  spend(text.length * (part.length <= SHORT ? part.length + 1 : STEP_WORK * 2))
  return part.length <= SHORT ? text.indexOf(part, from) : find(text, part, Math.max(0, from))
}

export function lastIndexOf(text: string, part: string): number {
  if (part.length > text.length) return -1
  spend(text.length * (part.length <= SHORT ? part.length + 1 : STEP_WORK * 4))
  if (part.length <= SHORT) return text.lastIndexOf(part)
  let last = -1
  const table = tableOf(part)
  for (let at = find(text, part, 0, table); at !== -1; at = find(text, part, at + 1, table)) {
    // Each repetition reads at most the part again.
    spend(part.length * STEP_WORK)
    last = at
  }
  return last
}

/** The pieces between the parts. */
export function split(text: string, part: string): string[] {
  spend(text.length * (Math.min(part.length, SHORT) + STEP_WORK))
  store(text.length * (part === '' ? PIECE_BYTES : 1))
  if (part.length <= SHORT) return text.split(part)
  const pieces: string[] = []
  const table = tableOf(part)
  let from = 0
  for (let at = find(text, part, 0, table); at !== -1; at = find(text, part, from, table)) {
    pieces.push(text.slice(from, at))
    from = at + part.length
  }
  return [...pieces, text.slice(from)]
}

/** Memory for a text of one character in a list. */
export const PIECE_BYTES = 24

/** By Knuth, Morris and Pratt. */
function find(text: string, part: string, from: number, table = tableOf(part)): number {
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
  spend(part.length * STEP_WORK)
  store(part.length * NUMBER_BYTES)
  const table = new Uint32Array(part.length)
  let matched = 0
  for (let at = 1; at < part.length; at++) {
    while (matched > 0 && part.charCodeAt(at) !== part.charCodeAt(matched)) matched = table[matched - 1] ?? 0
    if (part.charCodeAt(at) === part.charCodeAt(matched)) matched += 1
    table[at] = matched
  }
  return table
}
