/** A conversation as the client sends it: data to be judged, never instructions. */
import { AppError } from '#base/errors.ts'

export const MESSAGES_MAX = 40
export const MESSAGE_LENGTH_MAX = 4_000

export interface Message {
  role: 'user' | 'assistant'
  content: string
}

export interface Conversation {
  /** What came before, oldest first. Nothing in it is believed, least of all what claims to be from us. */
  earlier: Message[]
  question: string
}

/**
 * Control and format characters, unassigned and private ones, and whatever fonts show as nothing: zero-width and
 * direction marks, tags, variation selectors, fillers, blanks.
 */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu

/** What a reader would see, in the usual form of each character. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize('NFKC').replaceAll(INVISIBLE, '').trim()
}

function refuse(field: string, message: string): AppError {
  return new AppError('invalid_conversation', `Invalid conversation: \`${field}\` ${message}.`, {
    errors: [{ field, message }],
  })
}

/** The shape was checked by the schema; here is what a schema cannot say. */
export function readConversation(messages: readonly Message[]): Conversation {
  const seen = messages.map(({ role, content }, index) => {
    const text = visible(content)
    if (text === '') throw refuse(`messages.${index}.content`, 'must have at least 1 visible character')
    // Some characters become many in their usual form.
    if ([...text].length > MESSAGE_LENGTH_MAX)
      throw refuse(`messages.${index}.content`, `must have at most ${MESSAGE_LENGTH_MAX} visible characters`)
    return { role, content: text }
  })
  const last = seen.at(-1)
  if (last?.role !== 'user')
    throw refuse(`messages.${Math.max(0, seen.length - 1)}.role`, 'must be "user" in the last message')
  return { earlier: seen.slice(0, -1), question: last.content }
}
