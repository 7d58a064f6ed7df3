/** Public shapes of accounts. */
import { Type } from 'typebox'
import { EMAIL_LENGTH_MAX } from './email.ts'

export const SignupRequest = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      // The exact limit is the rule's: it counts after the spaces around the address are gone.
      description: `At most ${EMAIL_LENGTH_MAX} characters, spaces around it not counted; upper and lower case are the same.`,
      examples: ['ada@example.com'],
    }),
  },
  { additionalProperties: false },
)

export const SignupResponse = Type.Object({
  accountId: Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] }),
  email: Type.String({ examples: ['ada@example.com'] }),
  plan: Type.String({ examples: ['free'] }),
  apiKey: Type.String({
    description: 'The first key of the account. It is shown only here and cannot be shown again.',
    examples: ['dv_live_…'],
  }),
  keyPrefix: Type.String({ description: 'The first 12 characters of the key.', examples: ['dv_live_aB3d'] }),
})
