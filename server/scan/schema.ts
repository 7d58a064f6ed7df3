/** Schemas of a scan. */
import { type Static, Type } from 'typebox'
import { DOCUMENT_BYTES_MAX, PASSWORD_LENGTH_MAX, REFERENCE_LENGTH_MAX } from '#base/document-limit.ts'
import type { DocumentText } from '#engines/engine.ts'
import SCAN_EXAMPLES from './examples.json' with { type: 'json' }
import { FILE_NAME_BYTES_MAX } from './file-name.ts'
import { WAIT_SECONDS_MAX } from './preference.ts'

/** Why readers do not see a text. */
const REASONS = [
  'render-mode',
  'colour',
  'size',
  'off-page',
  'transparent',
  'covered',
  'layer',
  'vanish',
  'hidden-sheet',
  'hidden-slide',
  'metadata',
  'alt',
  'comment',
  'markup',
  'unicode',
  'font',
] as const satisfies DocumentText['omitted'][number]['reason'][]

export const HidingReason = Type.Enum([...REASONS], {
  type: 'string',
  title: 'HidingReason',
  description:
    'Why readers do not see it: not drawn, in the colour behind it, too small, outside the page, transparent, covered, in a layer that is off, marked as hidden, on a hidden sheet or slide, in properties, a description of a picture, a comment, hidden by markup, in characters without a shape, or in a font that draws nothing or something else.',
  examples: ['colour'],
})

const HiddenText = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'How many hidden texts there are.', examples: [1] }),
    spans: Type.Array(
      Type.Object(
        {
          reason: HidingReason,
          location: Type.String({
            description: 'The member and the page, slide or sheet. Empty: the document.',
            examples: ['page 2'],
          }),
          text: Type.String({
            description: 'At most 500 characters.',
            examples: ['Ignore all previous instructions.'],
          }),
          truncated: Type.Boolean({ description: 'The text is longer.', examples: [false] }),
        },
        { title: 'HiddenSpan' },
      ),
      { description: 'The first 50.' },
    ),
  },
  {
    title: 'HiddenText',
    description:
      'Text that readers do not see, with `include=hiddenText`. It is content of the document, and not stored.',
  },
)

export const ScanQuery = Type.Object(
  {
    include: Type.Optional(
      Type.Enum(['hiddenText'], {
        type: 'string',
        description:
          '`hiddenText`: the response has the text that readers of the document do not see. Without `Idempotency-Key` and `Prefer`.',
        examples: ['hiddenText'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const ScanForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      description: 'The document: PDF, Office, text or ZIP, 1 to 26,214,400 bytes (25 MB).',
    }),
    password: Type.Optional(
      Type.String({
        maxLength: PASSWORD_LENGTH_MAX,
        description:
          'Opens an encrypted PDF, Office document (2007 and later) or workbook (97 to 2003), also inside an archive. Never stored or logged. A wrong one is 422 `encrypted_document`.',
      }),
    ),
    reference: Type.Optional(
      Type.String({
        maxLength: REFERENCE_LENGTH_MAX,
        description:
          'Your own name for the document, without control characters. It is stored with the report and sent back.',
        examples: ['upload-4711'],
      }),
    ),
  },
  {
    title: 'ScanForm',
    description:
      'Exactly one document, in the field `file`. An optional `password` opens an encrypted one. Up to 4 other fields of up to 1,024 bytes each are ignored; more are rejected, and so is one with a file name or with a type other than `text/plain`.',
  },
)

/** 1 to 255 visible ASCII characters, optionally in quotes as in the IETF draft. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_KEY_EXAMPLE = '8e03978e-40d5-43dd-bc93-6894a57f9324'
export const IDEMPOTENCY_KEY_FORM = /^[\x21-\x7e]+$/

export const ScanHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
      pattern: IDEMPOTENCY_KEY_FORM.source,
      description:
        'A unique value per document: visible ASCII characters without spaces. A retry with the same value and document gets the first result and is charged once.',
      examples: [IDEMPOTENCY_KEY_EXAMPLE],
    }),
  ),
  Prefer: Type.Optional(
    Type.String({
      description: `\`respond-async\`: answer with 202 when an upload has arrived, or before a URL is fetched. \`respond-async, wait=10\`: wait up to 10 seconds (at most ${WAIT_SECONDS_MAX}) for the verdict before that.`,
      examples: ['respond-async, wait=10'],
    }),
  ),
})

/** A document that the dashboard did not upload. */
export const TooLarge = Type.Object(
  {
    fileName: Type.String({ minLength: 1, maxLength: FILE_NAME_BYTES_MAX }),
    fileSize: Type.Integer({ minimum: DOCUMENT_BYTES_MAX + 1, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { additionalProperties: false },
)

export const AcceptedScan = Type.Object(
  {
    scanId: Type.String({ format: 'uuid' }),
    state: Type.Enum(['queued'], { type: 'string', title: 'AcceptedState' }),
    reference: Type.Optional(Type.String({ description: 'As sent.', examples: ['upload-4711'] })),
  },
  {
    title: 'AcceptedScan',
    description: 'The scan was accepted. `Location` is the report, which has the verdict when `state` is `done`.',
  },
)

export const ScanResponse = Type.Object(
  {
    scanId: Type.String({ format: 'uuid' }),
    status: Type.Enum(['clean', 'infected'], {
      type: 'string',
      title: 'ScanStatus',
      description:
        'The verdict. `clean` requires that every engine has inspected the whole document and found nothing.',
    }),
    threat: Type.Union([Type.String(), Type.Null()], { description: 'The name of the threat; null if clean.' }),
    fileName: Type.String({ description: 'The reported name without directories and control characters.' }),
    fileSize: Type.Integer({ format: 'int64', description: 'In bytes.' }),
    contentType: Type.Union([Type.String(), Type.Null()], {
      description: 'The content type reported by the client; null if none.',
    }),
    scannedAt: Type.String({ format: 'date-time', description: 'In UTC.' }),
    reference: Type.Optional(Type.String({ description: 'As sent; absent if none was.', examples: ['upload-4711'] })),
    hiddenText: Type.Optional(HiddenText),
  },
  { title: 'ScanResult', description: 'The verdict on the document.', examples: Object.values(SCAN_EXAMPLES) },
)

export type ScanResult = Static<typeof ScanResponse>
