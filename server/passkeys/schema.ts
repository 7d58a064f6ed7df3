/** Schemas of passkeys. */
import { Type } from 'typebox'
import { STORED_TEXT } from '#base/stored-text.ts'

/** Credential ids have at most 1,023 bytes. */
export const CREDENTIAL_ID_LENGTH_MAX = 1_364
const CLIENT_DATA_LENGTH_MAX = 4_000
export const ATTESTATION_LENGTH_MAX = 16_000
const AUTHENTICATOR_DATA_LENGTH_MAX = 4_000
const SIGNATURE_LENGTH_MAX = 2_000
const HANDLE_LENGTH_MAX = 100
const STATE_LENGTH_MAX = 1_000
const PASSWORD_LENGTH_MAX = 256
const EMAIL_LENGTH_MAX = 320
const CODE_LENGTH_MAX = 40
const TRANSPORTS_MAX = 8
const TRANSPORT_LENGTH_MAX = 20
export const NAME_LENGTH_MAX = 60
const UUID_LENGTH = 36
const PASSKEY_ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'

const bytes = (maxLength: number, examples: string[] = []) =>
  Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$', examples })

const credentialId = bytes(CREDENTIAL_ID_LENGTH_MAX, ['u7bTn0d0TQe3mK4x1vS9Zg'])
const clientDataJSON = bytes(CLIENT_DATA_LENGTH_MAX, ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'])

export const Attestation = Type.Object(
  {
    id: credentialId,
    clientDataJSON,
    attestationObject: bytes(ATTESTATION_LENGTH_MAX, ['o2NmbXRkbm9uZQ']),
    transports: Type.Array(Type.String({ maxLength: TRANSPORT_LENGTH_MAX, pattern: '^[a-z-]+$' }), {
      maxItems: TRANSPORTS_MAX,
      examples: [['internal']],
    }),
  },
  {
    title: 'NewPasskeyCredential',
    description: 'What `navigator.credentials.create` returned, each value in base64url.',
    additionalProperties: false,
  },
)

export const Assertion = Type.Object(
  {
    id: credentialId,
    clientDataJSON,
    authenticatorData: bytes(AUTHENTICATOR_DATA_LENGTH_MAX, ['SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ']),
    signature: bytes(SIGNATURE_LENGTH_MAX, ['MEUCIQDx']),
    userHandle: bytes(HANDLE_LENGTH_MAX, ['aQ3cX9pVQ1Wq8Lr0mJ2t7w']),
  },
  {
    title: 'PasskeyCredential',
    description: 'What `navigator.credentials.get` returned, each value in base64url.',
    additionalProperties: false,
  },
)

const state = bytes(STATE_LENGTH_MAX, ['MDEyMzQ1NjcuQUFB'])

const password = Type.Optional(
  Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, examples: ['a meadow full of crickets'] }),
)

export const PasskeyOptions = Type.Object(
  {
    state: Type.String({
      description: 'To be sent with the answer, within 5 minutes.',
      examples: ['MDEyMzQ1NjcuQUFB'],
    }),
    options: Type.Object(
      {},
      {
        title: 'WebAuthnOptions',
        additionalProperties: true,
        description: 'The options of WebAuthn in JSON, as browsers parse them.',
      },
    ),
  },
  { title: 'PasskeyOptions', description: 'What the browser asks of a passkey.' },
)

export const PasskeySignInRequest = Type.Object(
  { state, credential: Assertion },
  { title: 'PasskeySignInRequest', description: 'The answer of a passkey.', additionalProperties: false },
)

export const StartPasskeyRequest = Type.Object(
  { password },
  {
    title: 'StartPasskeyRequest',
    description: 'The password. May be omitted if the sign-in is at most 5 minutes old.',
    additionalProperties: false,
  },
)

const givenName = Type.String({ ...STORED_TEXT, minLength: 1, maxLength: NAME_LENGTH_MAX, examples: ['Laptop'] })

export const AddPasskeyRequest = Type.Object(
  {
    state,
    credential: Attestation,
    name: givenName,
  },
  {
    title: 'AddPasskeyRequest',
    description: 'The answer of a new passkey, and its name.',
    additionalProperties: false,
  },
)

export const PasskeyView = Type.Object(
  {
    id: Type.String({ format: 'uuid', examples: [PASSKEY_ID] }),
    name: Type.String({ examples: ['Laptop'] }),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    isBackedUp: Type.Boolean({
      description: 'Whether it is copied to other devices of its owner.',
      examples: [true],
    }),
  },
  { title: 'PasskeyView', description: 'A passkey of the account.' },
)

export const PasskeyList = Type.Object(
  {
    items: Type.Array(PasskeyView, { description: 'The oldest first.' }),
    only: Type.Boolean({ description: 'Whether nothing but passkeys signs in.', examples: [false] }),
    recoveryCodesLeft: Type.Integer({ examples: [0] }),
  },
  { title: 'PasskeyList', description: 'The passkeys of the account.' },
)

export const PasskeyParams = Type.Object({
  passkeyId: Type.String({
    format: 'uuid',
    maxLength: UUID_LENGTH,
    description: 'The id of the passkey.',
    examples: [PASSKEY_ID],
  }),
})

export const RemovePasskeyRequest = Type.Object(
  { password },
  {
    title: 'RemovePasskeyRequest',
    description: 'The password. May be omitted if the sign-in is at most 5 minutes old.',
    additionalProperties: false,
  },
)

export const RenamePasskeyRequest = Type.Object(
  { name: givenName },
  { title: 'RenamePasskeyRequest', description: 'The new name.', additionalProperties: false },
)

export const PasskeysOnlyRequest = Type.Object(
  { only: Type.Boolean({ examples: [true] }), password },
  {
    title: 'PasskeysOnlyRequest',
    description: 'Whether nothing but passkeys signs in, and the password unless the sign-in is at most 5 minutes old.',
    additionalProperties: false,
  },
)

export const RecoveryCodes = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String({ examples: ['4T7QK-9XWBM-2HNRD-VC36P'] }), {
      description:
        'Each signs in once if all passkeys are lost. They replace earlier ones. None if passkeys only is off.',
    }),
  },
  { title: 'RecoveryCodes', description: 'Shown only here.' },
)

export const RecoverRequest = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX, examples: ['grace@example.com'] }),
    code: Type.String({ minLength: 1, maxLength: CODE_LENGTH_MAX, examples: ['4T7QK-9XWBM-2HNRD-VC36P'] }),
  },
  {
    title: 'RecoverRequest',
    description: 'The address of the account and a recovery code.',
    additionalProperties: false,
  },
)
