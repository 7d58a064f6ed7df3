/**
 * Whether a reply speaks of what we speak of. A model can be talked into anything; this looks only at its words, and
 * wants those that say what it is about to come from our articles.
 */
import { isDeskWord } from './desk-words.ts'
import { contentWords, type Word } from './words.ts'

/** Of the content words of a whole reply, and of each sentence, this share must be ours. */
export const REPLY_SHARE_MIN = 0.7
export const SENTENCE_SHARE_MIN = 0.5
/** And this share must be in what the model was given for this question: words from everywhere make no answer. */
export const GIVEN_SHARE_MIN = 0.4
/** Of all content words, those of the desk included, this share: advice that fits everywhere is about nothing of ours. */
export const GIVEN_OF_ALL_MIN = 0.25
/** So many content words in a row that we do not have are a topic of their own. */
export const STRANGERS_IN_A_ROW_MAX = 2
/** So many words of the question may come back in a sentence although we do not have them: "a dark mode". */
export const ECHOES_MAX = 2

const SENTENCE_END = /(?<=[.!?;:)])\s+|\n+/
const LIST_MARKS = /^\s*(?:\d{1,2}[.)]|[-*•])\s+/gm
/** Alone it counts nothing: "step 2", "UTF-8". Other numbers are words like any, and looked at in numbers.ts too. */
const DIGIT = /^\d$/
/** Who says that he does not know it may name what he does not know. */
const ADMITS =
  /\b(?:I|articles|docvet)\b.{0,20}(?:\bnot|n't|\bcannot|\bno)\b.{0,20}\b(?:know|sure|mention|cover|say|tell|details|information)\b/i

export interface Ours {
  /** The stems of everything that we have written. */
  vocabulary: ReadonlySet<string>
  /** Those of the articles and facts in the prompt. */
  given: ReadonlySet<string>
  /** Those of the question. */
  asked: ReadonlySet<string>
}

type Kind = 'given' | 'ours' | 'echo' | 'desk' | 'strange'

/** Whose a word is. `mayName` tells whether a name out of the question may come back. */
function kindOf({ text, stem, capital }: Word, { vocabulary, given, asked }: Ours, mayName: boolean): Kind {
  if (vocabulary.has(stem)) return given.has(stem) || asked.has(stem) ? 'given' : 'ours'
  if (asked.has(stem) && (mayName || !capital)) return 'echo'
  return isDeskWord(text, stem) ? 'desk' : 'strange'
}

interface Weight {
  ours: number
  /** Of these, in what the model was given, or in the question. */
  given: number
  strange: number
  /** The longest row of strangers. */
  row: number
}

/** A name that we do not have weighs double: it is what off-topic answers are made of. */
const strangeness = ({ capital }: Word, index: number): number => (capital && index > 0 ? 2 : 1)

function weigh(words: readonly Word[], known: Ours, admits: boolean): Weight {
  const weight = { ours: 0, given: 0, strange: 0, row: 0 }
  let [row, echoes] = [0, 0]
  for (const [index, word] of words.entries()) {
    const kind = kindOf(word, known, admits)
    if (kind === 'desk' || (kind === 'echo' && ++echoes <= ECHOES_MAX)) continue
    if (kind === 'given') weight.given++
    if (kind === 'given' || kind === 'ours') {
      weight.ours++
      row = 0
      continue
    }
    weight.strange += strangeness(word, index)
    weight.row = Math.max(weight.row, ++row)
  }
  // Without as much of ours around it, an echo is what somebody wanted to hear.
  if (!admits && echoes > weight.ours) weight.strange += echoes
  return weight
}

export function isGrounded(reply: string, known: Ours): boolean {
  const total = { ours: 0, given: 0, strange: 0, words: 0, fromGiven: 0 }
  for (const sentence of reply.replaceAll(LIST_MARKS, '').split(SENTENCE_END)) {
    const words = contentWords(sentence).filter(({ text }) => !DIGIT.test(text))
    const admits = ADMITS.test(sentence)
    const { ours, given, strange, row } = weigh(words, known, admits)
    if (row > STRANGERS_IN_A_ROW_MAX) return false
    if (ours < (ours + strange) * SENTENCE_SHARE_MIN) return false
    total.ours += ours
    total.given += given
    total.strange += strange
    if (admits) continue
    total.words += words.length
    total.fromGiven += words.filter(({ stem }) => known.given.has(stem)).length
  }
  if (total.fromGiven < total.words * GIVEN_OF_ALL_MIN) return false
  const all = total.ours + total.strange
  return total.ours >= all * REPLY_SHARE_MIN && total.given >= all * GIVEN_SHARE_MIN
}
