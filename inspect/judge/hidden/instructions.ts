/** Whether a text that readers do not see addresses a language model. */

import { charge } from '#inspect/core/work.ts'
import { callsModel } from './calls.ts'
import { PRIVATE, ROLE_LINE, ROLES, TOOL } from './phrases.ts'
import { createSaid, WRITTEN_TOGETHER } from './said.ts'

/** Longer texts are read up to here. */
export const JUDGED_MAX = 20_000
const CHARACTER_WORK = 400

/** What is said to a model. Of each kind the heaviest phrase counts, and the kinds are added. */
interface Weights {
  /** To leave aside its orders, or what the user asked for. */
  override: number
  /** Marks of turns in the formats of models. */
  roles: number
  address: number
  conceal: number
  output: number
  tool: number
  private: number
}

/** Of text that is hidden with effort, and of text in places that all documents have, such as comments. */
const ENOUGH = { strong: 1, weak: 1.5 }

export function addressesModel(text: string, hiding: keyof typeof ENOUGH): boolean {
  const written = text.slice(0, JUDGED_MAX)
  charge(written.length * CHARACTER_WORK)
  const weights = weightsOf(written)
  return Object.values(weights).reduce((sum, weight) => sum + weight, 0) >= ENOUGH[hiding]
}

/** The first that holds. */
const heaviest = (...phrases: readonly (readonly [number, boolean])[]): number =>
  phrases.find(([, holds]) => holds)?.[0] ?? 0

function weightsOf(written: string): Weights {
  const lines = withoutAccents(written)
  const words = lines.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  const said = createSaid(words.split(' '))
  const isSaid = (kind: 'address' | 'conceal' | 'output'): boolean =>
    said.has(kind) || WRITTEN_TOGETHER[kind].test(words)
  const isOverridden =
    said.inOrder('ignore', ['former', 6], ['orders', 3]) ||
    said.inOrder('ignore', ['orders', 6], ['former', 3]) ||
    // The verb comes last in German, Turkish and Hindi.
    said.inOrder('former', ['orders', 3], ['ignore', 3]) ||
    WRITTEN_TOGETHER.ignore.test(words)
  const isAside =
    said.inOrder('ignore', ['aside', 3]) ||
    said.inOrder('ignore', ['former', 3]) ||
    said.inOrder('aside', ['ignore', 3]) ||
    WRITTEN_TOGETHER.aside.test(words)
  return {
    override: heaviest([2, isOverridden], [0.75, isAside]),
    roles: heaviest([2, ROLES.test(written)]),
    address: heaviest([1, isSaid('address')], [0.75, callsModel(lines)], [0.5, ROLE_LINE.test(written)]),
    conceal: heaviest([0.5, isSaid('conceal')]),
    output: heaviest([0.5, isSaid('output')]),
    tool: heaviest([0.5, TOOL.test(written)]),
    private: heaviest([0.25, PRIVATE.test(written)]),
  }
}

/** In lower case. */
function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+/gu, '')
    .toLowerCase()
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,40}/gu
/** Scripts without spaces: two characters count as a word. */
const TOGETHER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/gu

export function wordsIn(text: string): number {
  const together = text.match(TOGETHER)?.length ?? 0
  return together + (text.replace(TOGETHER, ' ').match(WORD)?.length ?? 0)
}
