/** Schemas of a scan by URL. */
import { Type } from 'typebox'
import { PASSWORD_LENGTH_MAX, REFERENCE_LENGTH_MAX } from '#base/document-limit.ts'
import { URL_LENGTH_MAX } from '#base/outbound-rules.ts'
import { FILE_NAME_BYTES_MAX } from '#scan/file-name.ts'

export const ScanUrlRequest = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: URL_LENGTH_MAX,
      description:
        'Where the document is: https, on the public internet unless the operator allows more, for example a presigned URL of an object store. Fetched once with GET, through at most 3 redirects. Its query is never logged or shown.',
      examples: ['https://files.example.com/invoice.pdf'],
    }),
    fileName: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: FILE_NAME_BYTES_MAX,
        description:
          'The name of the document. Otherwise that of the header `Content-Disposition`, or the last part of the path.',
        examples: ['invoice.pdf'],
      }),
    ),
    password: Type.Optional(
      Type.String({
        maxLength: PASSWORD_LENGTH_MAX,
        description: 'Opens an encrypted document, as in the form of `POST /api/v1/scan`.',
      }),
    ),
    reference: Type.Optional(
      Type.String({
        maxLength: REFERENCE_LENGTH_MAX,
        pattern: '^[^\\p{Cc}\\p{Cs}]*$',
        'x-form': 'text without control characters',
        description: 'Your own name for the document. It is stored with the report and sent back.',
        examples: ['upload-4711'],
      }),
    ),
  },
  { title: 'ScanUrlRequest', description: 'The URL of one document.', additionalProperties: false },
)
