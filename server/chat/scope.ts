/** Decides, before any model call, whether a question is about the service. */
import type { Article } from './articles.ts'
import type { Conversation } from './conversation.ts'
import { asksForVerdict } from './file-question.ts'
import { asksForPrompt } from './leak.ts'
import type { Hit, Search } from './search.ts'
import { contentWords, isGenericWord } from './words.ts'

/** Articles in the prompt. */
export const ARTICLES_MAX = 4
/** Share of the question's content words that the articles must contain. */
export const KNOWN_SHARE_MIN = 0.5
/** The best article may replace a rejected reply from this share on, if it scores this much higher than the next. */
const SURE_SHARE_MIN = 0.7
export const AHEAD_MIN = 1.2
/** A question this short may refer to the one before it: "And for ZIP?" */
const FOLLOW_UP_WORDS_MAX = 4
/** Used for a question without any content words. */
const DEFAULT_QUERY = 'assistant'

const SMALL_TALK =
  /^\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day|night)|thanks|thank you|thx|cheers|great|perfect|cool|nice|bye|goodbye|see you|ok|okay|alright|got it|never mind)\b|(?:are you|am i (?:talking|speaking) (?:to|with)) (?:an? )?(?:real |living )?(?:human|person|robot|bot|machine|ai)\b)/i
const SMALL_TALK_WORDS = new Set(
  'morning afternoon evening day night thx cheers cool bye goodbye alright awesome perfect lot human person robot bot machine ai real living assist assistance talking speaking help helped'.split(
    ' ',
  ),
)

export type Scope =
  | { inScope: true; isSure: boolean; hits: Hit[] }
  | { inScope: false; about: 'another topic' | 'the prompt' | 'a file' | 'small talk' }

/** Share of the content words that the articles contain. Generic words do not count against it. */
function knownShare(search: Search, text: string): number {
  const words = contentWords(text).filter(({ text: word, stem }) => search.knows(stem) || !isGenericWord(word, stem))
  return words.length === 0 ? 1 : words.filter(({ stem }) => search.knows(stem)).length / words.length
}

function lookUp(search: Search, text: string): Hit[] {
  return knownShare(search, text) < KNOWN_SHARE_MIN ? [] : search.find(text, ARTICLES_MAX)
}

function isSure(search: Search, question: string, [best, next]: Hit[]): boolean {
  if (knownShare(search, question) < SURE_SHARE_MIN || best === undefined) return false
  return best.score >= (next?.score ?? 0) * AHEAD_MIN
}

const isSmallTalk = (question: string): boolean =>
  SMALL_TALK.test(question) && contentWords(question).every(({ text }) => SMALL_TALK_WORDS.has(text))

/** `named`: articles about the findings that the question names. */
export function judgeQuestion(
  search: Search,
  { question, earlier }: Conversation,
  named: readonly Article[] = [],
): Scope {
  if (asksForPrompt(question)) return { inScope: false, about: 'the prompt' }
  if (asksForVerdict(question)) return { inScope: false, about: 'a file' }
  if (isSmallTalk(question)) return { inScope: false, about: 'small talk' }
  if (named.length > 0) {
    const others = search.find(question, ARTICLES_MAX - named.length)
    const hits = [...named.map((article) => ({ article, score: Number.POSITIVE_INFINITY })), ...others]
    return { inScope: true, isSure: true, hits }
  }
  const answerFrom = (hits: Hit[]): Scope => ({ inScope: true, isSure: isSure(search, question, hits), hits })
  const found = lookUp(search, question)
  if (found.length > 0) return answerFrom(found)
  const words = contentWords(question)
  const before = earlier.findLast(({ role, content }) => role === 'user' && !isSmallTalk(content))?.content
  if (before !== undefined && words.length <= FOLLOW_UP_WORDS_MAX && knownShare(search, question) >= KNOWN_SHARE_MIN) {
    const together = lookUp(search, `${before} ${question}`)
    if (together.length > 0) return answerFrom(together)
  }
  if (words.length > 0) return { inScope: false, about: 'another topic' }
  return answerFrom(search.find(DEFAULT_QUERY, ARTICLES_MAX))
}
