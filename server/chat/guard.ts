/** Checks a model's reply before it is returned; the model itself is never trusted. */
import { visible } from './conversation.ts'
import { statesVerdict } from './file-verdict.ts'
import { isGrounded } from './grounding.ts'
import type { Knowledge } from './knowledge.ts'
import { isEncoded, leaksPrompt } from './leak.ts'
import { hasForeignLink } from './links.ts'
import type { Prompt } from './prompt.ts'
import { CONTENT_LENGTH_MAX, plainText, REPLY_LENGTH_MAX, readStructured } from './reply.ts'
import { asksForSecret } from './secrets.ts'
import { vocabularyOf } from './words.ts'

const SENTENCE_END = /(?<=[.!?])\s+/

export const CHECKS = ['leak', 'encoded', 'link', 'verdict', 'secret', 'grounding'] as const
export type Check = (typeof CHECKS)[number]

export type Judgement =
  | { kind: 'answer'; text: string }
  /** A fixed reply or an article is returned instead. */
  | { kind: 'replaced'; by: Check | 'model' }
  | { kind: 'unusable'; why: 'not as asked for' | 'empty' | 'too long' }

interface JudgeOptions {
  prompt: Prompt
  known: Knowledge
  /** Articles whose sentences are no verdict on the file of the question, such as "The document contains scripts". */
  quotable?: string
  /** Only the measurement switches checks off. */
  checks?: readonly Check[]
}

function withoutQuotes(text: string, quotable: string): string {
  const sources = plainText(quotable)
  return text
    .split(SENTENCE_END)
    .filter((sentence) => !sources.includes(sentence))
    .join(' ')
}

export function judgeReply(content: string, options: JudgeOptions): Judgement {
  const { prompt, known, quotable = '', checks = CHECKS } = options
  if (content.length > CONTENT_LENGTH_MAX) return { kind: 'unusable', why: 'too long' }
  const structured = readStructured(content)
  if (structured === null) return { kind: 'unusable', why: 'not as asked for' }
  if (!structured.onTopic) return { kind: 'replaced', by: 'model' }
  const { reply } = structured
  const fails: Record<Check, (text: string) => boolean> = {
    leak: (text) => leaksPrompt(text, prompt),
    encoded: (text) => isEncoded(text, prompt.sources),
    link: (text) => hasForeignLink(text, { ...known, ...prompt }),
    verdict: (text) => statesVerdict(withoutQuotes(text, quotable), prompt.question),
    secret: asksForSecret,
    grounding: (text) =>
      !isGrounded(text, {
        vocabulary: known.vocabulary,
        given: vocabularyOf(prompt.sources),
        asked: vocabularyOf(prompt.question),
      }),
  }
  const isOn = (check: Check) => checks.includes(check)
  // A leak is refused at any length, so that the caller is not asked to retry.
  if (isOn('leak') && fails.leak(reply)) return { kind: 'replaced', by: 'leak' }
  if ([reply, visible(reply)].some((text) => [...text].length > REPLY_LENGTH_MAX))
    return { kind: 'unusable', why: 'too long' }
  // Links are also checked before the markup is removed, because removal could hide them.
  if (isOn('link') && fails.link(reply)) return { kind: 'replaced', by: 'link' }
  const text = plainText(reply)
  if (text === '') return { kind: 'unusable', why: 'empty' }
  const by = CHECKS.find((check) => isOn(check) && fails[check](text))
  return by === undefined ? { kind: 'answer', text } : { kind: 'replaced', by }
}
