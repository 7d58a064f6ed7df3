/** Public shapes of keys. */
import { Type } from 'typebox'
import { NAME_LENGTH_MAX } from './key-name.ts'

const exampleId = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'

export const CreateKeyRequest = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: NAME_LENGTH_MAX,
        description: 'A name to recognise the key by.',
        examples: ['Build server'],
      }),
    ),
  },
  { additionalProperties: false, description: 'The body may be left out.' },
)

export const CreatedKeyResponse = Type.Object({
  id: Type.String({ format: 'uuid', examples: [exampleId] }),
  name: Type.String({ examples: ['Build server'] }),
  apiKey: Type.String({
    description: 'The key itself. It is shown only here and cannot be shown again.',
    examples: ['dv_live_…'],
  }),
  keyPrefix: Type.String({ examples: ['dv_live_aB3d'] }),
})

export const KeySummary = Type.Object({
  id: Type.String({ format: 'uuid', examples: [exampleId] }),
  name: Type.String({ examples: ['Build server'] }),
  keyPrefix: Type.String({ description: 'The first 12 characters of the key.', examples: ['dv_live_aB3d'] }),
  lastFour: Type.String({ description: 'The last 4 characters of the key.', examples: ['x9Qz'] }),
  status: Type.Union([Type.Literal('active'), Type.Literal('revoked')], { description: '`revoked` is final.' }),
  createdAt: Type.String({ format: 'date-time' }),
  lastUsedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Null until the key is used; up to ten seconds behind on other replicas.',
  }),
})

/** The validator's `uuid` also takes the form `urn:uuid:…`, which is longer. */
const UUID_LENGTH = 36

export const KeyParams = Type.Object({
  id: Type.String({ format: 'uuid', maxLength: UUID_LENGTH, description: 'The id of the key.' }),
})
