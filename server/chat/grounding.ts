/**
 * Whether a reply says what its sources say. A model can be talked into anything; this looks only at its words, and
 * wants them to come from the articles that it was given.
 */
import { contentWords, type Word } from './words.ts'

/** Of the content words of a whole reply, and of each sentence, this share must be in the sources. */
export const REPLY_SHARE_MIN = 0.7
export const SENTENCE_SHARE_MIN = 0.5
/** So many content words in a row that the sources do not have are a topic of their own. */
export const STRANGERS_IN_A_ROW_MAX = 2
/** With fewer words of the sources, a reply says nothing about the service: "Yes." */
export const SOURCED_WORDS_MIN = 3

const SENTENCE_END = /(?<=[.!?;:)])\s+|\n+/
const LIST_NUMBER = /^\s*(?:\d{1,2}[.)]|[-*•])\s+/

/** A name that the sources do not have weighs double: it is what off-topic answers are made of. */
function weigh(
  words: readonly Word[],
  sources: ReadonlySet<string>,
): { sourced: number; strange: number; row: number } {
  let [sourced, strange, row, longest] = [0, 0, 0, 0]
  for (const [index, { stem, capital }] of words.entries()) {
    if (sources.has(stem)) {
      sourced++
      row = 0
      continue
    }
    strange += capital && index > 0 ? 2 : 1
    row++
    longest = Math.max(longest, row)
  }
  return { sourced, strange, row: longest }
}

export function isGrounded(reply: string, sources: ReadonlySet<string>): boolean {
  const total = { sourced: 0, strange: 0 }
  for (const sentence of reply.split(SENTENCE_END)) {
    const { sourced, strange, row } = weigh(contentWords(sentence.replace(LIST_NUMBER, '')), sources)
    if (row > STRANGERS_IN_A_ROW_MAX) return false
    if (sourced < (sourced + strange) * SENTENCE_SHARE_MIN) return false
    total.sourced += sourced
    total.strange += strange
  }
  if (total.sourced < SOURCED_WORDS_MIN) return false
  return total.sourced >= (total.sourced + total.strange) * REPLY_SHARE_MIN
}
