/** Schemas of receipts. */
import { Type } from 'typebox'

export const ReceiptEnvelope = Type.Object(
  {
    payload: Type.String({
      description: 'An in-toto Statement v1 in Base64; its predicate is described at its `predicateType`.',
      examples: ['eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEi…'],
    }),
    payloadType: Type.Literal('application/vnd.in-toto+json', { examples: ['application/vnd.in-toto+json'] }),
    signatures: Type.Array(
      Type.Object({
        keyid: Type.String({
          description: 'Which key signed, as a hint.',
          examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'],
        }),
        sig: Type.String({
          description: 'Ed25519 over the DSSE encoding of type and payload, in Base64.',
          examples: ['3yQ…Aw=='],
        }),
      }),
    ),
  },
  { title: 'Receipt', description: 'A DSSE envelope: verify it with `docvet verify`, or any tool for in-toto.' },
)

/** The `uuid` format also accepts the longer form `urn:uuid:…`. */
const UUID_LENGTH = 36

export const ReceiptParams = Type.Object({
  scanId: Type.String({
    format: 'uuid',
    maxLength: UUID_LENGTH,
    description: 'The `scanId` of the scan.',
    examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'],
  }),
})

export const ReceiptQuery = Type.Object(
  {
    name: Type.Optional(
      Type.Enum(['0', '1'], {
        type: 'string',
        description: '`1`: the subject of the statement has the name of the file.',
        examples: ['1'],
      }),
    ),
  },
  { additionalProperties: false },
)

const time = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-11-18T06:00:00.000Z'] }))

export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object({
        kty: Type.Literal('OKP', { examples: ['OKP'] }),
        crv: Type.Literal('Ed25519', { examples: ['Ed25519'] }),
        x: Type.String({ examples: ['11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'] }),
        kid: Type.String({ examples: ['kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'] }),
        use: Type.Literal('sig', { examples: ['sig'] }),
        alg: Type.Literal('Ed25519', { examples: ['Ed25519'] }),
        since: time('When it was first used.'),
        until: time('When it was replaced. What it signed before stays valid.'),
        revoked_at: time('From when on it is not to be trusted, for example because it was stolen.'),
      }),
      { description: 'The newest first.' },
    ),
  },
  { title: 'ReceiptKeys', description: 'The public keys of receipts.' },
)

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }

/** The JSON Schema of the predicate, at the URL that is its type. */
export const predicateSchema = (id: string) => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: id,
  title: 'Receipt of a scan by Docvet',
  type: 'object',
  required: [
    'scanId',
    'verdict',
    'threat',
    'obstacle',
    'scannedAt',
    'size',
    'detectedType',
    'engines',
    'service',
    'statement',
  ],
  properties: {
    scanId: { ...text, format: 'uuid' },
    verdict: { enum: ['clean', 'infected', null], description: 'Null: the document was refused, see `obstacle`.' },
    threat: textOrNull,
    obstacle: { enum: ['encrypted', 'too_complex', 'damaged', null], description: 'Why there is no verdict.' },
    scannedAt: { ...text, format: 'date-time', description: 'By the clock of the service.' },
    size: { type: 'integer', minimum: 0 },
    detectedType: text,
    engines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'version', 'signatures', 'signaturesAt'],
        properties: { name: text, version: textOrNull, signatures: textOrNull, signaturesAt: textOrNull },
      },
    },
    rules: {
      ...text,
      description:
        'The SHA-256 of the list of rule files in force, of the operator and of the update channel: for each, sorted by name, its SHA-256, two spaces, its name and a line feed.',
    },
    policy: { ...text, description: 'The SHA-256 of the policy of the operator.' },
    sensitivity: { enum: ['standard', 'strict'] },
    unscannable: {
      enum: ['refuse', 'infected', 'clean'],
      description: 'What becomes of documents that cannot be scanned.',
    },
    limits: { type: 'object', additionalProperties: { type: 'integer' } },
    findings: {
      type: 'array',
      maxItems: 20,
      items: { type: 'object', required: ['id', 'severity'], properties: { id: text, severity: text } },
    },
    allowed: { const: true, description: 'Clean because the account allows this document.' },
    notFullyScanned: {
      const: true,
      description: 'Clean because `unscannable` is, although not all of it was scanned.',
    },
    service: {
      type: 'object',
      required: ['name', 'version', 'publicUrl'],
      properties: { name: text, version: text, publicUrl: text },
    },
    keys: { ...text, description: 'Where the public keys are.' },
    statement: text,
  },
})
