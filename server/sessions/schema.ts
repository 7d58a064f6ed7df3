/** Public shapes of sign-up, sign-in and password reset. */
import { Type } from 'typebox'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password-rules.ts'

/** Longer than any address may be: what is longer is not worth a look. */
const EMAIL_LENGTH_MAX = 320
const TAG_LENGTH_MAX = 255
const ADDRESS_LENGTH_MAX = 2_048
const TOKEN_LENGTH_MAX = 200
const EXAMPLE = 'a meadow full of crickets'

const email = Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX, examples: ['grace@example.com'] })
/** The exact rules are in password-rules.ts: here is only what must hold before anything is looked at. */
const newPassword = Type.String({
  maxLength: PASSWORD_LENGTH_MAX,
  description: `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters of any kind; none of the most common passwords, nor the e-mail address.`,
  examples: [EXAMPLE],
})

const tag = Type.Optional(Type.String({ maxLength: TAG_LENGTH_MAX }))
const address = Type.Optional(Type.String({ maxLength: ADDRESS_LENGTH_MAX }))

export const Attribution = Type.Object(
  {
    utmSource: tag,
    utmMedium: tag,
    utmCampaign: tag,
    utmTerm: tag,
    utmContent: tag,
    referrer: address,
    landingPath: address,
  },
  { additionalProperties: false, description: 'Where the person came from. Stored with the account.' },
)

export const SignupPasswordRequest = Type.Object(
  { email, password: newPassword, attribution: Type.Optional(Attribution) },
  { additionalProperties: false },
)

export const LoginRequest = Type.Object(
  { email, password: Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, examples: [EXAMPLE] }) },
  { additionalProperties: false },
)

export const MeResponse = Type.Object({
  email: Type.String({ examples: ['grace@example.com'] }),
  plan: Type.String({ examples: ['free'] }),
  authProvider: Type.String({ description: 'How the account signs in: `password` today.', examples: ['password'] }),
})

export const ForgotPasswordRequest = Type.Object({ email }, { additionalProperties: false })

export const ResetPasswordRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: TOKEN_LENGTH_MAX,
      description: 'What stands behind `#token=` in the link of the mail.',
      examples: ['$RESET_TOKEN'],
    }),
    password: newPassword,
  },
  { additionalProperties: false },
)
