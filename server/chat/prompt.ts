/** Builds the prompt: instructions with a canary, articles, facts, and the conversation as quoted data. */
import { readFileSync } from 'node:fs'
import { type Article, fillIn } from './articles.ts'
import type { Conversation } from './conversation.ts'
import { factsInWords, type Placeholders } from './facts.ts'

/** Only the latest messages are sent: they help to resolve pronouns and add no knowledge. */
export const EARLIER_MESSAGES_MAX = 6
export const EARLIER_LENGTH_MAX = 600

export interface Prompt {
  messages: { role: 'system' | 'user'; content: string }[]
  /** Must not appear in a reply, like the canary. */
  instructions: string
  canary: string
  /** Articles and facts; every answer must come from them. */
  sources: string
  question: string
}

/** Ends with the words before the canary. */
const INSTRUCTIONS = readFileSync(new URL('./instructions.txt', import.meta.url), 'utf8').trim()

export function buildPrompt(
  { question, earlier }: Conversation,
  articles: readonly Article[],
  values: Placeholders,
  canary: string,
): Prompt {
  const filled = articles.map(({ id, title, body }) => `[${id}] ${title}\n${fillIn(body, values)}`).join('\n\n')
  const facts = factsInWords(values)
  const latest = earlier
    .slice(-EARLIER_MESSAGES_MAX)
    .map(({ role, content }) => ({ from: role, text: content.slice(0, EARLIER_LENGTH_MAX).toWellFormed() }))
  const conversation = { earlier: latest, question }
  return {
    messages: [
      { role: 'system', content: `${INSTRUCTIONS} ${canary}\n\nARTICLES\n${filled}\n\nFACTS\n${facts}` },
      { role: 'user', content: `CONVERSATION\n${JSON.stringify(conversation, null, 1)}` },
    ],
    instructions: INSTRUCTIONS,
    canary,
    sources: `${filled}\n\n${facts}`,
    question,
  }
}
