/** Schemas of sign-up, sign-in and password reset. */
import { Type } from 'typebox'
import { MEMBER_ROLES } from '#base/principal.ts'
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from './password-rules.ts'

/** An upper bound; parseEmail applies the exact limit. */
const EMAIL_LENGTH_MAX = 320
const TAG_LENGTH_MAX = 255
const URL_LENGTH_MAX = 2_048
const TOKEN_LENGTH_MAX = 200
const CODE_LENGTH_MAX = 200
const EXAMPLE = 'a meadow full of crickets'

const email = Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX, examples: ['grace@example.com'] })
/** password-rules.ts applies the exact rules. */
const newPassword = Type.String({
  maxLength: PASSWORD_LENGTH_MAX,
  description: `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters of any kind. Common passwords and the e-mail address are rejected.`,
  examples: [EXAMPLE],
})

const givenPassword = Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, examples: [EXAMPLE] })

const tag = (example: string) => Type.Optional(Type.String({ maxLength: TAG_LENGTH_MAX, examples: [example] }))
const url = (example: string) => Type.Optional(Type.String({ maxLength: URL_LENGTH_MAX, examples: [example] }))

const Attribution = Type.Object(
  {
    utmSource: tag('newsletter'),
    utmMedium: tag('email'),
    utmCampaign: tag('launch'),
    utmTerm: tag('malware scanning'),
    utmContent: tag('header'),
    referrer: url('https://example.com/'),
    landingPath: url('/pricing'),
  },
  {
    title: 'AttributionPayload',
    description: 'The marketing source of the sign-up, stored with the account.',
    additionalProperties: false,
  },
)

const inviteCode = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: CODE_LENGTH_MAX,
    description: 'The invite code, if the installation requires one. Ignored otherwise.',
  }),
)

export const SignupPasswordRequest = Type.Object(
  { email, password: newPassword, attribution: Type.Optional(Attribution), inviteCode },
  {
    title: 'SignupPasswordRequest',
    description: 'The new account.',
    additionalProperties: false,
    examples: [{ email: 'grace@example.com', password: EXAMPLE }],
  },
)

export const LoginRequest = Type.Object(
  { email, password: givenPassword },
  { title: 'LoginRequest', description: 'The credentials of the account.', additionalProperties: false },
)

const ActingAs = Type.Object(
  {
    accountId: Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] }),
    role: Type.Enum([...MEMBER_ROLES], { type: 'string', description: 'Of the person in it.', examples: ['member'] }),
    email: Type.String({ description: 'The address of its owner.', examples: ['ada@example.com'] }),
  },
  { title: 'ActingAs' },
)

export const MeResponse = Type.Object(
  {
    email: Type.String({ examples: ['grace@example.com'] }),
    plan: Type.String({ description: 'Of the account that the session works in.', examples: ['free'] }),
    authProvider: Type.String({
      description: 'How the session began: `password`, `passkey`, `recovery_code`, `microsoft`, `google` or `oidc`.',
      examples: ['password'],
    }),
    actingAs: Type.Optional(ActingAs),
    operator: Type.Optional(
      Type.Boolean({ description: 'The person may open the page of operators.', examples: [true] }),
    ),
  },
  {
    title: 'MeResponse',
    description:
      'The signed-in account. `actingAs` is present only while the session works in the account of another, and `operator` only for people who may open the page of operators.',
    examples: [{ email: 'grace@example.com', plan: 'free', authProvider: 'password' }],
  },
)

export const ForgotPasswordRequest = Type.Object(
  { email },
  { title: 'ForgotPasswordRequest', description: 'The e-mail address of the account.', additionalProperties: false },
)

const revokeKeys = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'Also revokes all API keys of the account. Revoked keys still count toward the monthly limit of keys. Default: false.',
    examples: [true],
  }),
)

export const ResetPasswordRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: TOKEN_LENGTH_MAX,
      description: 'The value after `#token=` in the reset link.',
      examples: ['kP3vXw0Zr8QmT5nYb1LcDf7HsJ2gUa9E4iVoRxWtB6M'],
    }),
    password: newPassword,
    revokeKeys,
  },
  { title: 'ResetPasswordRequest', description: 'The token and the new password.', additionalProperties: false },
)

export const ChangePasswordRequest = Type.Object(
  { currentPassword: givenPassword, newPassword: { ...newPassword, examples: ['the owl left the barn'] }, revokeKeys },
  { title: 'ChangePasswordRequest', description: 'The current and the new password.', additionalProperties: false },
)

export const DeleteMeRequest = Type.Object(
  { password: Type.Optional(givenPassword) },
  {
    title: 'DeleteMeRequest',
    description:
      'The password. May be omitted in a session that started with it within the last 10 minutes, or whose owner has signed in with a passkey, or again with a provider, since then.',
    additionalProperties: false,
  },
)

const SESSION_ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'
/** The `uuid` format also accepts the longer form `urn:uuid:…`. */
const UUID_LENGTH = 36

export const SessionParams = Type.Object({
  id: Type.String({
    format: 'uuid',
    maxLength: UUID_LENGTH,
    description: 'The id of the session.',
    examples: [SESSION_ID],
  }),
})

const SessionView = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [SESSION_ID] }),
    userAgent: Type.Union([Type.String(), Type.Null()], {
      description: 'The browser at sign-in; null if unknown.',
      examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'],
    }),
    createdAt: Type.String({ format: 'date-time' }),
    lastSeenAt: Type.String({ format: 'date-time', description: 'The last request, up to 5 minutes late.' }),
    current: Type.Boolean({ description: 'The session of this request.', examples: [true] }),
  },
  { title: 'SessionView' },
)

export const SessionList = Type.Object(
  { items: Type.Array(SessionView, { description: 'The most recently used first.' }) },
  { title: 'SessionList', description: 'The sessions of the account.' },
)
