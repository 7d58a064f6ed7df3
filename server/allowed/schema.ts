/** Schemas of the allow list. */
import { Type } from 'typebox'
import { STORED_TEXT } from '#base/stored-text.ts'

const LIMIT_MAX = 100
const CURSOR_LENGTH_MAX = 200
const NOTE_LENGTH_MAX = 500
const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f'
const NOTE = 'Template of the accounting department'

const stringOrNull = (description: string, example: string) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

export const AllowedParams = Type.Object({
  sha256: Type.String({
    pattern: '^[0-9A-Fa-f]{64}$',
    'x-form': 'a SHA-256 in hexadecimal',
    description: 'The SHA-256 of the document.',
    examples: [SHA256],
  }),
})

export const AllowedQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        description: `Documents per response, 1 to ${LIMIT_MAX}. Default: 50.`,
        examples: [20],
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: CURSOR_LENGTH_MAX,
        description: 'The `nextCursor` of the previous response.',
        examples: ['MTc2MzE5OTAwMDAwMC4yNzVh'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const AllowRequest = Type.Object(
  {
    note: Type.Optional(
      Type.String({
        ...STORED_TEXT,
        maxLength: NOTE_LENGTH_MAX,
        description: `Why the document is trusted, for your own use; at most ${NOTE_LENGTH_MAX} characters.`,
        examples: [NOTE],
      }),
    ),
  },
  { title: 'AllowRequest', description: 'An optional note.', additionalProperties: false },
)

export const AllowedDocument = Type.Object(
  {
    sha256: Type.String({ examples: [SHA256] }),
    note: Type.Union([Type.String(), Type.Null()], { examples: [NOTE] }),
    createdAt: Type.String({ format: 'date-time', examples: ['2026-11-15T09:30:00.000Z'] }),
    allowedBy: stringOrNull(
      'The e-mail address of the person or the name of the API key that allowed it last. Null in entries older than this field.',
      'ada@example.com',
    ),
    scanId: stringOrNull(
      'The newest scan that had found a threat in it when it was allowed. Null without one, and in entries older than this field, like the next two.',
      '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203',
    ),
    fileName: stringOrNull('The name of the document in that scan.', 'invoice.docm'),
    threat: stringOrNull('The threat that was found.', 'Docvet.Vba.AutoProgram'),
  },
  { title: 'AllowedDocument', description: 'A document on the allow list.' },
)

export const AllowedList = Type.Object(
  {
    items: Type.Array(AllowedDocument, { description: 'Newest first.' }),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'For the next page; null on the last one.',
      examples: [null],
    }),
  },
  { title: 'AllowedList', description: 'A page of the allow list.' },
)
