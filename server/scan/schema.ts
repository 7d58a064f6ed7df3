/** Public shape of a scan. */
import { type Static, Type } from 'typebox'

export const ScanForm = Type.Object(
  {
    file: Type.String({
      contentMediaType: 'application/octet-stream',
      description: 'The document: PDF, Office, text or ZIP, from 1 to 26,214,400 bytes (25 MB).',
    }),
  },
  { description: 'Exactly one document. Up to 4 other fields of up to 1,024 bytes each are ignored; more is refused.' },
)

/** 1 to 255 visible ASCII characters, perhaps in quotes, as the draft of the header has it. */
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255
export const IDEMPOTENCY_KEY_FORM = /^[\x21-\x7e]+$/

export const ScanHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: IDEMPOTENCY_KEY_LENGTH_MAX,
      pattern: IDEMPOTENCY_KEY_FORM.source,
      description: 'A name for this request, new for each document: visible ASCII characters, without spaces.',
    }),
  ),
})

export const ScanResponse = Type.Object({
  scanId: Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] }),
  status: Type.Union([Type.Literal('clean'), Type.Literal('infected')], {
    description: '`clean` only when every engine looked at the whole document and found nothing.',
  }),
  threat: Type.Union([Type.String(), Type.Null()], {
    description: 'The name of the threat; null when clean.',
    examples: ['Docvet.Test.Eicar'],
  }),
  fileName: Type.String({
    description: 'As reported, without folders and control characters.',
    examples: ['invoice.pdf'],
  }),
  fileSize: Type.Integer({ format: 'int64', description: 'In bytes.', examples: [48213] }),
  contentType: Type.Union([Type.String(), Type.Null()], {
    description: 'As the client reported it; null when it reported none.',
    examples: ['application/pdf'],
  }),
  scannedAt: Type.String({ format: 'date-time', description: 'UTC.', examples: ['2026-11-15T09:30:00.000Z'] }),
})

export type ScanResult = Static<typeof ScanResponse>
