/** Signatures without which a format has nothing to do. They only permit it to look: formats check the bytes again. */

import { ascii } from './bytes.ts'
import type { Literal } from './matcher/matcher.ts'

export interface Mark {
  readonly id: number
}

/** Below the ids of the keywords. */
const FIRST_ID = -1_000

const literals: Literal[] = []
let count = 0
let isComplete = false

/**
 * Registers byte strings, each of three bytes or more in Latin-1, of which an item must contain one. `fits` checks the
 * bytes around one, where it may occur by chance. It must accept everything that the format accepts.
 */
export function mark(texts: readonly string[], options: Pick<Literal, 'fits'> & { ignoresCase?: boolean } = {}): Mark {
  // A mark that nobody searches for would never be found.
  if (isComplete) throw new Error('Marks are registered when their module is loaded')
  const id = FIRST_ID - count++
  const { ignoresCase = false, fits } = options
  for (const text of texts) literals.push({ bytes: ascii(text), id, exact: !ignoresCase, ...(fits && { fits }) })
  return { id }
}

/** For the matcher. No mark can be registered afterwards. */
export function markLiterals(): readonly Literal[] {
  isComplete = true
  return literals
}
