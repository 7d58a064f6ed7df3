/** Checks that a reply is made of words from the articles and facts, so that other topics do not get out. */
import { contentWords, isGenericWord } from './words.ts'

/** Share of words that we have written, generic words left out: in the whole reply and in each sentence. */
export const REPLY_SHARE_MIN = 0.7
export const SENTENCE_SHARE_MIN = 0.5
/** Share of all content words that are in the prompt: advice that fits any topic is not an answer. */
export const GIVEN_SHARE_MIN = 0.25

const SENTENCE_END = /(?<=[.!?;:)])\s+|\n+/
const LIST_MARKS = /^[^\S\r\n]*(?:\d{1,2}[.)]|[-*•])\s+/gm
const NUMBER = /^\d+$/

interface Sources {
  /** Stems of everything that we have written. */
  vocabulary: ReadonlySet<string>
  /** Stems of the articles and facts in the prompt. */
  given: ReadonlySet<string>
  /** Stems of the question. */
  asked: ReadonlySet<string>
}

export function isGrounded(reply: string, { vocabulary, given, asked }: Sources): boolean {
  const total = { words: 0, known: 0, strange: 0, given: 0 }
  for (const sentence of reply.replaceAll(LIST_MARKS, '').split(SENTENCE_END)) {
    // A single digit says nothing: "step 2", "UTF-8".
    const words = contentWords(sentence).filter(({ text }) => !NUMBER.test(text) || text.length > 1)
    const known = words.filter(({ stem }) => vocabulary.has(stem)).length
    const strange = words.filter(({ text, stem }) => !vocabulary.has(stem) && !isGenericWord(text, stem))
    // A made-up limit, price or code is worse than none.
    if (strange.some(({ text, stem }) => NUMBER.test(text) && !asked.has(stem))) return false
    if (known < (known + strange.length) * SENTENCE_SHARE_MIN) return false
    total.words += words.length
    total.known += known
    total.strange += strange.length
    total.given += words.filter(({ stem }) => given.has(stem)).length
  }
  return total.known >= (total.known + total.strange) * REPLY_SHARE_MIN && total.given >= total.words * GIVEN_SHARE_MIN
}
