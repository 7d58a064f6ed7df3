/** Judges what the model wrote, without believing it: only an answer about the service, from its sources, gets out. */
import { claimsVerdict } from './claims.ts'
import { visible } from './conversation.ts'
import { isGrounded } from './grounding.ts'
import type { Written } from './knowledge.ts'
import { givesAway } from './leak.ts'
import { hasForeignLink } from './links.ts'
import { hasForeignNumber } from './numbers.ts'
import { helpsEvasion } from './orders.ts'
import type { Prompt } from './prompt.ts'
import { CONTENT_LENGTH_MAX, hasCode, isPlainlyWritten, plainText, REPLY_LENGTH_MAX, readStructured } from './reply.ts'
import { asksForSecret } from './secrets.ts'
import { vocabularyOf } from './words.ts'

export type Judgement =
  | { kind: 'answer'; text: string }
  /** The fixed refusal takes its place. `by` is for the log. */
  | { kind: 'declined'; by: 'model' | 'leak' | 'link' | 'letters' | 'secret' | 'evasion' }
  /** Not what we have written. What we have takes its place. */
  | { kind: 'ungrounded'; by: 'words' | 'number' | 'code' }
  /** It spoke of somebody's file; the fixed words about that take its place. */
  | { kind: 'verdict' }
  /** No answer at all. */
  | { kind: 'unusable'; why: 'not as asked for' | 'empty' | 'too long' }

/** Who gives our rules away at length is declined like anybody else, and not told to try again. */
const LEAK_LENGTH_MAX = 2 * REPLY_LENGTH_MAX

export interface JudgeOptions {
  prompt: Prompt
  publicUrl: string
  written: Written
}

/** What a reader would see, all markup taken out. */
function judgeText(text: string, prompt: Prompt, { vocabulary, statuses }: Written): Judgement {
  if (!isPlainlyWritten(text, prompt.sources)) return { kind: 'declined', by: 'letters' }
  if (claimsVerdict(text, prompt.question)) return { kind: 'verdict' }
  if (asksForSecret(text)) return { kind: 'declined', by: 'secret' }
  if (helpsEvasion(text)) return { kind: 'declined', by: 'evasion' }
  if (hasCode(text)) return { kind: 'ungrounded', by: 'code' }
  if (hasForeignNumber(text, { ...prompt, statuses })) return { kind: 'ungrounded', by: 'number' }
  const [given, asked] = [vocabularyOf(prompt.sources), vocabularyOf(prompt.question)]
  if (!isGrounded(text, { vocabulary, given, asked })) return { kind: 'ungrounded', by: 'words' }
  return { kind: 'answer', text }
}

export function judgeReply(content: string, { prompt, publicUrl, written }: JudgeOptions): Judgement {
  if (content.length > CONTENT_LENGTH_MAX) return { kind: 'unusable', why: 'too long' }
  const structured = readStructured(content)
  if (structured === null) return { kind: 'unusable', why: 'not as asked for' }
  if (!structured.onTopic) return { kind: 'declined', by: 'model' }
  const { reply } = structured
  const known = { ...written, publicUrl, sources: prompt.sources, question: prompt.question }
  // Judged as written, before anything is taken out that would hide it. The checks after this one need a bound.
  if (givesAway(reply.slice(0, LEAK_LENGTH_MAX), prompt)) return { kind: 'declined', by: 'leak' }
  if ([reply, visible(reply)].some((each) => [...each].length > REPLY_LENGTH_MAX))
    return { kind: 'unusable', why: 'too long' }
  if (hasForeignLink(reply, known)) return { kind: 'declined', by: 'link' }
  const text = plainText(reply)
  if (text === '') return { kind: 'unusable', why: 'empty' }
  if (givesAway(text, prompt)) return { kind: 'declined', by: 'leak' }
  if (hasForeignLink(text, known)) return { kind: 'declined', by: 'link' }
  return judgeText(text, prompt, written)
}
