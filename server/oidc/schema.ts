/** Schemas of sign-in with a provider. */
import { Type } from 'typebox'
import { RETURN_TO_LENGTH_MAX } from './return-to.ts'

const ID_LENGTH_MAX = 32
const CODE_LENGTH_MAX = 200
const PASSWORD_LENGTH_MAX = 256
const TOKEN_LENGTH_MAX = 1_000
const UUID_LENGTH = 36
const IDENTITY_ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'

export const ProviderParams = Type.Object({
  provider: Type.String({
    maxLength: ID_LENGTH_MAX,
    description: 'The id of the provider.',
    examples: ['microsoft'],
  }),
})

const Provider = Type.Object(
  {
    id: Type.String({ examples: ['microsoft'] }),
    name: Type.String({ examples: ['Microsoft'] }),
  },
  { title: 'SignInProvider' },
)

export const ProviderList = Type.Object(
  {
    items: Type.Array(Provider),
    passwords: Type.Boolean({ description: 'Whether accounts can have a password.', examples: [true] }),
  },
  { title: 'SignInProviderList', description: 'The ways to sign in that this installation offers.' },
)

const returnTo = Type.Optional(
  Type.String({
    description: `The page of this service to continue with, such as \`/keys\`. Anything else is the overview, also more than ${RETURN_TO_LENGTH_MAX} characters.`,
    examples: ['/keys'],
  }),
)

export const StartQuery = Type.Object({ returnTo })

export const StartRequest = Type.Object(
  {
    returnTo,
    inviteCode: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: CODE_LENGTH_MAX,
        description: 'The invite code, if the installation requires one for new accounts.',
      }),
    ),
  },
  { title: 'StartSignInRequest', description: 'Where to continue.', additionalProperties: false },
)

const password = Type.Optional(
  Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, examples: ['a meadow full of crickets'] }),
)

export const LinkRequest = Type.Object(
  { returnTo, password },
  {
    title: 'LinkSignInRequest',
    description: 'Where to continue, and the password unless the sign-in is at most 5 minutes old.',
    additionalProperties: false,
  },
)

export const ConfirmRequest = Type.Object(
  { returnTo },
  { title: 'ConfirmSignInRequest', description: 'Where to continue.', additionalProperties: false },
)

export const StartResponse = Type.Object(
  {
    url: Type.String({
      description: 'The page of the provider to open in the browser.',
      examples: ['https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=…'],
    }),
  },
  { title: 'StartSignInResponse', description: 'Where the sign-in continues.' },
)

/** The parameters are those of the provider. */
export const CallbackQuery = Type.Object({}, { additionalProperties: true })

const Identity = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [IDENTITY_ID] }),
    provider: Type.String({ examples: ['microsoft'] }),
    name: Type.String({ examples: ['Microsoft'] }),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.String({ format: 'date-time' }),
  },
  { title: 'SignInIdentity' },
)

export const IdentityList = Type.Object(
  {
    hasPassword: Type.Boolean({ description: 'Whether the account can sign in with a password.', examples: [true] }),
    items: Type.Array(Identity, { description: 'The oldest first.' }),
  },
  { title: 'SignInIdentityList', description: 'The ways to sign in to the account.' },
)

export const IdentityParams = Type.Object({
  identityId: Type.String({
    format: 'uuid',
    maxLength: UUID_LENGTH,
    description: 'The id of the way to sign in.',
    examples: [IDENTITY_ID],
  }),
})

export const RemoveRequest = Type.Object(
  { password },
  {
    title: 'RemoveIdentityRequest',
    description: 'The password. May be omitted if the sign-in is at most 5 minutes old.',
    additionalProperties: false,
  },
)

export const UndoRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: TOKEN_LENGTH_MAX,
      description: 'The value after `#token=` in the mailed link.',
      examples: ['MDEyMzQ1NjcuQUFB…'],
    }),
  },
  { title: 'UndoIdentityRequest', description: 'The token of the link.', additionalProperties: false },
)
