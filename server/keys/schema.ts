/** Schemas of API keys. */
import { Type } from 'typebox'
import { NAME_LENGTH_MAX } from './key-name.ts'

const id = Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] })
const name = Type.String({ examples: ['Build server'] })
const keyPrefix = Type.String({ description: 'The first 12 characters of the key.', examples: ['dv_live_aB3d'] })

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
  },
  { title: 'CreateKeyRequest', description: 'Optional settings of the new key.', additionalProperties: false },
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
    status: Type.Enum(['active', 'revoked'], { type: 'string', description: '`revoked` is permanent.' }),
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
