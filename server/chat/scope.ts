/** Whether a question is about the service, judged before any model sees it. */
import type { Conversation } from './conversation.ts'
import { asksForVerdict } from './own-file.ts'
import type { Hit, Search } from './search.ts'
import { contentWords } from './words.ts'

/** Articles that go into the prompt. */
export const ARTICLES_MAX = 4
/** Of what the question is about, at least this share must be words that our articles know. */
export const KNOWN_SHARE_MIN = 0.5
/** From this share on, one of our articles answers it when the model does not. */
export const SURE_SHARE_MIN = 2 / 3
/** A question this short may lean on the one before it: "And for ZIP?" */
const FOLLOW_UP_WORDS_MAX = 4
/** What a greeting, or a question without any topic, is answered from. */
const ABOUT_ITSELF = 'assistant'

/** Orders that no question about a service needs. They only save a call: the reply is judged in any case. */
const ORDERS = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|rule|prompt|previous|above|article|you (?:are|belong))/i,
  /\b(?:system|initial|hidden|secret|internal|original)\b.{0,20}\b(?:prompt|instructions?|mark|context)\b/i,
  /\byour (?:own |full |exact )?(?:prompt|instructions?|rules|context)\b/i,
  /\b(?:repeat|print|output|reveal|quote|spell|encode|append)\b.{0,60}\b(?:above|verbatim|prompt|your instructions?|your context|text before)\b/i,
  /\b(?:you are now|from now on|developer mode|jailbreak|as dan\b|roleplay|role-play|pretend (?:to be|that|you))/i,
  /\b(?:write|compose|tell|sing|give|make|create|invent|generate|add|form of|need|want)\b.{0,30}\b(?:poem|haiku|limerick|sonnet|lyrics|rap|song|joke|story|essay|novel|recipe)s?\b/i,
  /\b(?:write|create|build|develop|generate|make(?! sure| certain))\b(?!.{0,30}\btest\b).{0,30}\b(?:virus|malware|ransomware|trojan|worm|keylogger|exploit|rootkit)(?:es|s)?\b/i,
  /\b(?:how (?:to|(?:do|can|could|would|should) (?:I|we|one))|help me|show me|teach me)\b.{0,40}\b(?:evade|hack|break into|get past|sneak past|slip past|undetected|hide .{0,30}from|fool|trick)\b/i,
  /\btranslate\b.{0,60}\binto\b/i,
  /\bonTopic\b/,
]

export type Scope =
  | { inScope: true; isSure: boolean; hits: Hit[] }
  | { inScope: false; about: 'something else' | 'a file' }

/** Of what the text is about, the share that our articles know; all of nothing. */
function knownShare(search: Search, text: string): number {
  const words = contentWords(text)
  return words.length === 0 ? 1 : words.filter(({ stem }) => search.knows(stem)).length / words.length
}

function lookUp(search: Search, text: string): Hit[] {
  return knownShare(search, text) < KNOWN_SHARE_MIN ? [] : search.find(text, ARTICLES_MAX)
}

export function judgeQuestion(search: Search, { question, earlier }: Conversation): Scope {
  if (ORDERS.some((order) => order.test(question))) return { inScope: false, about: 'something else' }
  if (asksForVerdict(question)) return { inScope: false, about: 'a file' }
  const isSure = knownShare(search, question) >= SURE_SHARE_MIN
  const found = lookUp(search, question)
  if (found.length > 0) return { inScope: true, isSure, hits: found }
  const words = contentWords(question)
  const before = earlier.findLast(({ role }) => role === 'user')?.content
  if (before !== undefined && words.length <= FOLLOW_UP_WORDS_MAX && knownShare(search, question) >= KNOWN_SHARE_MIN) {
    const together = lookUp(search, `${before} ${question}`)
    if (together.length > 0) return { inScope: true, isSure, hits: together }
  }
  if (words.length > 0) return { inScope: false, about: 'something else' }
  return { inScope: true, isSure, hits: search.find(ABOUT_ITSELF, ARTICLES_MAX) }
}
