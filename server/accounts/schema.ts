/** Schemas of accounts. */
import { Type } from 'typebox'
import { EMAIL_LENGTH_MAX } from './email.ts'

const CODE_LENGTH_MAX = 200

const inviteCode = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: CODE_LENGTH_MAX,
    description: 'The invite code, if the installation requires one. Ignored otherwise.',
  }),
)

export const SignupRequest = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      // parseEmail checks the limit after it has trimmed the value.
      description: `At most ${EMAIL_LENGTH_MAX} characters without surrounding spaces. Case-insensitive.`,
      examples: ['ada@example.com'],
    }),
    inviteCode,
  },
  {
    title: 'SignupRequest',
    description: 'The e-mail address of the new account.',
    additionalProperties: false,
    examples: [{ email: 'ada@example.com' }],
  },
)

export const SignupResponse = Type.Object(
  {
    accountId: Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    plan: Type.String({ examples: ['free'] }),
    apiKey: Type.String({
      description: 'The first API key of the account, shown only in this response.',
      examples: ['dv_live_…'],
    }),
    keyPrefix: Type.String({ description: 'The first 12 characters of the key.', examples: ['dv_live_aB3d'] }),
  },
  { title: 'SignupResponse', description: 'The new account and its first API key.' },
)
