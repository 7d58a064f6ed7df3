/** Schemas of API keys. */
import { Type } from 'typebox'
import { SCOPES } from '#base/principal.ts'
import { ADDRESS_LENGTH_MAX, ADDRESSES_MAX } from './key-limits.ts'
import { NAME_LENGTH_MAX } from './key-name.ts'

const id = Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] })
const name = Type.String({ examples: ['Build server'] })
const keyPrefix = Type.String({ description: 'The first 12 characters of the key.', examples: ['dv_live_aB3d'] })

const Scopes = Type.Array(Type.Enum([...SCOPES], { type: 'string' }), {
  minItems: 1,
  uniqueItems: true,
  description:
    'What the key may do. `scan`: scan, and read its own usage. `read`: read reports, usage and the allow list. `manage`: keys, callbacks and the allow list. Everything if absent.',
  examples: [['scan']],
})

const AllowedAddresses = Type.Array(Type.String({ minLength: 2, maxLength: ADDRESS_LENGTH_MAX }), {
  minItems: 1,
  maxItems: ADDRESSES_MAX,
  description: 'IP addresses and networks from which the key is accepted. All if absent.',
  examples: [['192.0.2.0/24', '2001:db8::/32']],
})

const GRACE_SECONDS_MAX = 604_800

export const RollKeyRequest = Type.Object(
  {
    graceSeconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: GRACE_SECONDS_MAX,
        description: 'How long the old secret still works, up to 7 days. 0 if absent: it ends at once.',
        examples: [86_400],
      }),
    ),
  },
  { title: 'RollKeyRequest', description: 'When the old secret ends.', additionalProperties: false },
)

export const CreateKeyRequest = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: NAME_LENGTH_MAX,
        description: 'A name for the key, for your own use.',
        examples: ['Build server'],
      }),
    ),
    test: Type.Optional(
      Type.Boolean({
        description:
          'A key for tests: it begins with `dv_test_`, and its scans are real but not charged. All test keys of an account have 500 scans a month and 1 a second.',
        examples: [false],
      }),
    ),
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When the key stops working: at least an hour and at most two years from now. Never if absent.',
        examples: ['2027-11-30T00:00:00.000Z'],
      }),
    ),
    allowedAddresses: Type.Optional(AllowedAddresses),
  },
  {
    title: 'CreateKeyRequest',
    description: 'Optional settings of the new key.',
    additionalProperties: false,
    examples: [{ name: 'Build server' }],
  },
)

export const CreatedKeyResponse = Type.Object(
  {
    id,
    name,
    apiKey: Type.String({ description: 'The API key, shown only in this response.', examples: ['dv_live_…'] }),
    keyPrefix,
  },
  { title: 'CreatedApiKey', description: 'The new API key.' },
)

export const KeySummary = Type.Object(
  {
    id,
    name,
    keyPrefix,
    lastFour: Type.String({ description: 'The last 4 characters of the key.', examples: ['x9Qz'] }),
    status: Type.Enum(['active', 'revoked', 'expired'], {
      type: 'string',
      description: '`revoked` is permanent, and so is `expired`.',
    }),
    createdAt: Type.String({ format: 'date-time' }),
    lastUsedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'Null until the key is used. May lag by up to ten seconds with several replicas.',
    }),
    dashboard: Type.Optional(
      Type.Literal(true, {
        description:
          'Only for the key that counts the scans in the dashboard. Its secret is known to nobody, and it does not count toward the limit of keys while it is active.',
      }),
    ),
    test: Type.Optional(Type.Literal(true, { description: 'Only for keys whose scans are not charged.' })),
    scopes: Type.Optional(Scopes),
    expiresAt: Type.Optional(Type.String({ format: 'date-time', description: 'Only for a key that expires.' })),
    allowedAddresses: Type.Optional(AllowedAddresses),
    lastUsedAddress: Type.Optional(
      Type.String({
        description: 'The IP address of the last use. Only for a key with scopes, an expiry or allowed addresses.',
        examples: ['192.0.2.7'],
      }),
    ),
    rolledInto: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Only for an old secret of a key that was rolled: the id of that key, which counts the scans of both.',
      }),
    ),
    createdBy: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'Only if a member of the account, not its owner, created the key or its newest secret: the id of the member.',
      }),
    ),
  },
  { title: 'ApiKeySummary', description: 'An API key without its secret.' },
)

/** The `uuid` format also accepts the longer form `urn:uuid:…`. */
const UUID_LENGTH = 36

export const KeyParams = Type.Object({
  id: Type.String({
    format: 'uuid',
    maxLength: UUID_LENGTH,
    description: 'The id of the key.',
    examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'],
  }),
})
