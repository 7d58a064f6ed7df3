/** Validates a conversation. Its content is data, never instructions. */
import { AppError } from '#base/errors.ts'

export const MESSAGES_MAX = 40
export const MESSAGE_LENGTH_MAX = 4_000

export interface Message {
  role: 'user' | 'assistant'
  content: string
}

export interface Conversation {
  /** Oldest first. All of it comes from the client, including messages of the role `assistant`. */
  earlier: Message[]
  question: string
}

/**
 * Control, format, private and unassigned characters, and those that fonts render as nothing: zero-width and direction
 * marks, tags, variation selectors, fillers, blanks.
 */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu

/** The text that a reader would see, in NFKC form. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').normalize('NFKC').replaceAll(INVISIBLE, '').trim()
}

function refuse(field: string, message: string): AppError {
  return new AppError('invalid_conversation', `Invalid conversation: \`${field}\` ${message}.`, {
    errors: [{ field, message }],
  })
}

/** Checks the rules that the schema cannot express. */
export function readConversation(messages: readonly Message[]): Conversation {
  const seen = messages.map(({ role, content }, index) => {
    // Rejected rather than removed, as in every other field: no keyboard produces them.
    if (!content.isWellFormed() || content.includes('\0'))
      throw refuse(`messages.${index}.content`, 'must not contain U+0000 or unpaired surrogates')
    const text = visible(content)
    if (text === '') throw refuse(`messages.${index}.content`, 'must have at least 1 visible character')
    // NFKC can turn one character into many.
    if ([...text].length > MESSAGE_LENGTH_MAX)
      throw refuse(`messages.${index}.content`, `must have at most ${MESSAGE_LENGTH_MAX} visible characters`)
    return { role, content: text }
  })
  const last = seen.at(-1)
  if (last?.role !== 'user')
    throw refuse(`messages.${Math.max(0, seen.length - 1)}.role`, 'must be "user" in the last message')
  return { earlier: seen.slice(0, -1), question: last.content }
}
