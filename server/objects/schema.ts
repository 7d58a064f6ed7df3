/** Schemas of events from object stores. */
import { Type } from 'typebox'

export const ObjectEvents = Type.Unsafe<unknown>({
  title: 'ObjectEvents',
  description:
    'One or more events as the store sends them: of MinIO, records of S3, EventBridge, Event Grid in both schemas, or Pub/Sub.',
  anyOf: [
    { type: 'object', additionalProperties: true },
    { type: 'array', items: { type: 'object', additionalProperties: true } },
  ],
  examples: [
    {
      Records: [
        {
          eventName: 'ObjectCreated:Put',
          s3: {
            bucket: { name: 'uploads' },
            object: { key: 'invoice.pdf', size: 4711, eTag: 'd41d8cd98f00b204e9800998ecf8427e' },
          },
        },
      ],
    },
  ],
})

const Ignored = Type.Object(
  {
    reason: Type.String({ examples: ['not a creation'] }),
    bucket: Type.Union([Type.String(), Type.Null()], { examples: ['uploads'] }),
    key: Type.Union([Type.String(), Type.Null()], { examples: ['invoice.pdf'] }),
  },
  { title: 'IgnoredEvent', additionalProperties: false },
)

const fields = {
  scanIds: Type.Array(Type.String({ format: 'uuid' }), {
    description:
      'The scans of the objects, in the order of their events. Ask for them with `GET /api/v1/scans/{scanId}`.',
  }),
  ignored: Type.Array(Ignored, { description: 'Events that caused no scan, and why.' }),
}

export const QueuedEvents = Type.Object(fields, {
  title: 'QueuedEvents',
  description: 'The objects are queued. Each becomes a report, and gets its tag.',
  additionalProperties: false,
})

export const IgnoredEvents = Type.Object(
  {
    scanIds: Type.Optional(fields.scanIds),
    ignored: Type.Optional(fields.ignored),
    validationResponse: Type.Optional(Type.String({ description: 'The code of an Event Grid subscription.' })),
  },
  {
    title: 'IgnoredEvents',
    description: 'None of the events caused a scan, or the request was a handshake of Event Grid.',
    additionalProperties: false,
  },
)
