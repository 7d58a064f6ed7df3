/** Schemas of the assistant. */
import { Type } from 'typebox'
import { MESSAGE_LENGTH_MAX, MESSAGES_MAX } from './conversation.ts'

const ChatMessage = Type.Object(
  {
    role: Type.Enum(['user', 'assistant'], { type: 'string' }),
    content: Type.String({
      minLength: 1,
      maxLength: MESSAGE_LENGTH_MAX,
      description: 'Invisible characters are removed; U+0000 and unpaired surrogates are rejected.',
      examples: ['What does infected mean?'],
    }),
  },
  { title: 'ChatMessage', additionalProperties: false },
)

export const ChatRequest = Type.Object(
  {
    messages: Type.Array(ChatMessage, {
      minItems: 1,
      maxItems: MESSAGES_MAX,
      description:
        "The conversation, oldest first. The last message is the user's new question. The whole body has at most 65,536 bytes.",
      examples: [[{ role: 'user', content: 'What does infected mean?' }]],
    }),
  },
  { title: 'ChatRequest', description: 'The conversation so far.', additionalProperties: false },
)

export const ChatReply = Type.Object(
  {
    reply: Type.String({
      description: 'Plain text. Questions about other topics get a fixed refusal.',
      examples: ['At least one engine found a threat.'],
    }),
    model: Type.String({
      description: 'The model that answered, as its service reports it; the configured model if none was called.',
      examples: ['gpt-4o-mini'],
    }),
  },
  { title: 'ChatReply', description: 'The answer of the assistant.' },
)

export const ChatSuggestion = Type.Object(
  {
    id: Type.String({ description: 'A stable identifier.', examples: ['verdict'] }),
    question: Type.String({ examples: ['What do "clean" and "infected" mean?'] }),
    answer: Type.String({ description: 'Plain text, specific to this installation.' }),
  },
  { title: 'ChatSuggestion', description: 'A predefined question with its answer.' },
)

export const ChatHealth = Type.Object(
  {
    status: Type.Enum(['UP', 'DOWN'], {
      type: 'string',
      description:
        'UP if the assistant is configured and enabled, its language model responds and its daily limit is not reached.',
    }),
    configured: Type.Boolean(),
    enabled: Type.Boolean(),
    model: Type.Union([Type.String(), Type.Null()], {
      description: 'The configured model.',
      examples: ['gpt-4o-mini'],
    }),
  },
  { title: 'ChatHealth', description: 'The state of the assistant.' },
)
