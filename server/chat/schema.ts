/** Public shapes of the assistant. */
import { Type } from 'typebox'
import { MESSAGE_LENGTH_MAX, MESSAGES_MAX } from './conversation.ts'

const ChatMessage = Type.Object(
  {
    role: Type.Unsafe<'user' | 'assistant'>({ type: 'string', enum: ['user', 'assistant'] }),
    content: Type.String({
      minLength: 1,
      maxLength: MESSAGE_LENGTH_MAX,
      description: 'Invisible characters are dropped.',
    }),
  },
  { additionalProperties: false },
)

export const ChatRequest = Type.Object(
  {
    messages: Type.Array(ChatMessage, {
      minItems: 1,
      maxItems: MESSAGES_MAX,
      description:
        "The conversation, oldest first. The last message is the user's new question. The whole body may have up to 65,536 bytes.",
      examples: [[{ role: 'user', content: 'What does infected mean?' }]],
    }),
  },
  { additionalProperties: false },
)

export const ChatReply = Type.Object({
  reply: Type.String({
    description: 'Plain text. Questions about anything else than the service get a fixed refusal.',
    examples: ['At least one engine found a threat.'],
  }),
  model: Type.String({
    description: 'The model that was asked, as its service reports it; the configured one if it was not asked.',
    examples: ['gpt-4o-mini'],
  }),
})

export const ChatSuggestion = Type.Object({
  id: Type.String({ description: 'Stays the same.', examples: ['verdict'] }),
  question: Type.String({ examples: ['What do "clean" and "infected" mean?'] }),
  answer: Type.String({ description: 'Plain text, true of this installation.' }),
})

export const ChatHealth = Type.Object({
  status: Type.Union([Type.Literal('UP'), Type.Literal('DOWN')], {
    description:
      'UP when it is configured and enabled, its language model was not lost, and the day has questions left.',
  }),
  configured: Type.Boolean(),
  enabled: Type.Boolean(),
  model: Type.Union([Type.String(), Type.Null()], { description: 'The configured one.', examples: ['gpt-4o-mini'] }),
})
