/** Whether a question is about the service, judged before any model sees it. */
import type { Conversation } from './conversation.ts'
import { isDeskWord } from './desk-words.ts'
import { isOrder } from './orders.ts'
import { asksForVerdict } from './own-file.ts'
import type { Hit, Search } from './search.ts'
import { contentWords } from './words.ts'

/** Articles that go into the prompt. */
export const ARTICLES_MAX = 4
/** Of what the question is about, at least this share must be words that our articles know. */
export const KNOWN_SHARE_MIN = 0.5
/** From this share on, one of our articles answers it when the model does not. */
export const SURE_SHARE_MIN = 2 / 3
/** And when the next best is so far behind. */
export const AHEAD_MIN = 1.2
/** A question this short may lean on the one before it: "And for ZIP?" */
const FOLLOW_UP_WORDS_MAX = 4
/** What a question without any topic is answered from. */
const ABOUT_ITSELF = 'assistant'

/** Greetings, thanks, and whether there is somebody: words that people have for us, and not for a topic. */
const SMALL_TALK =
  /^\W*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening|day|night)|thanks|thank you|thx|cheers|great|perfect|cool|nice|bye|goodbye|see you|ok|okay|alright|got it|never mind)\b|(?:are you|am i (?:talking|speaking) (?:to|with)) (?:an? )?(?:real |living )?(?:human|person|robot|bot|machine|ai)\b)/i
const TALK_WORDS = new Set(
  'morning afternoon evening day night thx cheers cool bye goodbye alright awesome perfect lot human person robot bot machine ai real living assist assistance talking speaking help helped'.split(
    ' ',
  ),
)

export type Scope =
  | { inScope: true; isSure: boolean; hits: Hit[] }
  | { inScope: false; about: 'something else' | 'a file' | 'nothing' }

/** Of what the text is about, the share that our articles know; all of nothing. Words of any desk say nothing. */
function knownShare(search: Search, text: string): number {
  const words = contentWords(text).filter(({ text: word, stem }) => search.knows(stem) || !isDeskWord(word, stem))
  return words.length === 0 ? 1 : words.filter(({ stem }) => search.knows(stem)).length / words.length
}

function lookUp(search: Search, text: string): Hit[] {
  return knownShare(search, text) < KNOWN_SHARE_MIN ? [] : search.find(text, ARTICLES_MAX)
}

/** Whether one of our articles is the answer: it knows the question, and no other knows it nearly as well. */
function isSure(search: Search, question: string, [best, next]: Hit[]): boolean {
  if (knownShare(search, question) < SURE_SHARE_MIN || best === undefined) return false
  return best.score >= (next?.score ?? 0) * AHEAD_MIN
}

const isSmallTalk = (question: string): boolean =>
  SMALL_TALK.test(question) && contentWords(question).every(({ text }) => TALK_WORDS.has(text))

export function judgeQuestion(search: Search, { question, earlier }: Conversation): Scope {
  if (isOrder(question)) return { inScope: false, about: 'something else' }
  if (asksForVerdict(question)) return { inScope: false, about: 'a file' }
  if (isSmallTalk(question)) return { inScope: false, about: 'nothing' }
  const answering = (hits: Hit[]): Scope => ({ inScope: true, isSure: isSure(search, question, hits), hits })
  const found = lookUp(search, question)
  if (found.length > 0) return answering(found)
  const words = contentWords(question)
  const before = earlier.findLast(({ role, content }) => role === 'user' && !isSmallTalk(content))?.content
  if (before !== undefined && words.length <= FOLLOW_UP_WORDS_MAX && knownShare(search, question) >= KNOWN_SHARE_MIN) {
    const together = lookUp(search, `${before} ${question}`)
    if (together.length > 0) return answering(together)
  }
  if (words.length > 0) return { inScope: false, about: 'something else' }
  return answering(search.find(ABOUT_ITSELF, ARTICLES_MAX))
}
