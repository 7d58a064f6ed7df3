/** Schemas of callback endpoints and deliveries. */
import { Type } from 'typebox'
import { URL_LENGTH_MAX } from '#base/outbound-rules.ts'
import { STORED_TEXT } from '#base/stored-text.ts'
import { SCAN_ENDS, SCAN_EVENTS } from './events.ts'

const DESCRIPTION_LENGTH_MAX = 200
const UUID_LENGTH = 36
const ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'
const URL_EXAMPLE = 'https://hooks.example.com/docvet'
const DESCRIPTION = 'Upload service'
const TIME = '2026-11-15T09:30:00.000Z'

const id = (description: string) => Type.String({ format: 'uuid', maxLength: UUID_LENGTH, description, examples: [ID] })

export const EndpointParams = Type.Object({ id: id('The `id` of the endpoint.') })
export const DeliveryParams = Type.Object({ deliveryId: id('The `id` of the delivery.') })

const url = Type.String({
  minLength: 1,
  maxLength: URL_LENGTH_MAX,
  description: 'An https URL on the public internet, unless the operator allows more. Redirects are not followed.',
  examples: [URL_EXAMPLE],
})
const ScanEventName = Type.Enum([...SCAN_EVENTS], { type: 'string', title: 'ScanEvent' })
const events = Type.Array(ScanEventName, {
  minItems: 1,
  maxItems: SCAN_EVENTS.length,
  description:
    '`scan.completed`: the scan has a verdict, or the document was refused. `scan.failed`: nothing is known about the document. `scan.infected`: an alert for every infected document, also of scans that were answered with it. Default: the first two.',
  examples: [[...SCAN_ENDS]],
})
const description = Type.String({
  ...STORED_TEXT,
  maxLength: DESCRIPTION_LENGTH_MAX,
  description: `For your own use; at most ${DESCRIPTION_LENGTH_MAX} characters.`,
  examples: [DESCRIPTION],
})

export const CreateEndpointRequest = Type.Object(
  { url, events: Type.Optional(events), description: Type.Optional(description) },
  { title: 'CreateEndpointRequest', description: 'Where to call.', additionalProperties: false },
)

export const ChangeEndpointRequest = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(events),
    description: Type.Optional(description),
    enabled: Type.Optional(
      Type.Boolean({ description: 'False switches the endpoint off, true on again.', examples: [true] }),
    ),
  },
  { title: 'ChangeEndpointRequest', description: 'Fields that are absent stay.', additionalProperties: false },
)

const time = (text: string) => Type.String({ format: 'date-time', description: text, examples: [TIME] })
const orNull = (type: Type.TSchema, text: string, example: unknown = null) =>
  Type.Union([type, Type.Null()], { description: text, examples: [example] })

const ENDPOINT = {
  id: id('Identifies the endpoint.'),
  url: Type.String({ description: 'Without its query, which is replaced by `?…`.', examples: [URL_EXAMPLE] }),
  events,
  description: orNull(Type.String(), 'For your own use.', DESCRIPTION),
  publicKey: Type.String({
    description: 'Verifies signatures `v1a` (Ed25519).',
    examples: ['whpk_pi4cVzP0VSlvsdHV4wSfFEhwZlJVHhRyLQ5SR0B2sbE='],
  }),
  enabled: Type.Boolean({ description: 'False: nothing is sent.', examples: [true] }),
  disabledBy: orNull(
    Type.Enum(['owner', 'gone', 'failing'], { type: 'string', title: 'EndpointDisabledBy' }),
    'Why it is off. `gone`: it answered 410. `failing`: it had failed for five days.',
  ),
  failingSince: orNull(Type.String({ format: 'date-time' }), 'The first failure since the last delivery.'),
  createdAt: time('When it was created.'),
}

export const Endpoint = Type.Object(ENDPOINT, { title: 'CallbackEndpoint', description: 'A callback endpoint.' })

export const EndpointWithSecret = Type.Object(
  {
    ...ENDPOINT,
    secret: Type.String({
      description: 'Verifies signatures `v1`. Shown only in this response: store it.',
      examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  },
  { title: 'CallbackEndpointWithSecret', description: 'The endpoint with its secret.' },
)

export const EndpointList = Type.Object(
  { items: Type.Array(Endpoint, { description: 'Oldest first, at most 10.' }) },
  { title: 'CallbackEndpointList', description: 'The callback endpoints of the account.' },
)

export const Delivery = Type.Object(
  {
    id: id('The `webhook-id` of every attempt.'),
    event: Type.String({ description: 'The `type` of the body.', examples: ['scan.completed'] }),
    state: Type.Enum(['waiting', 'delivered', 'failed'], {
      type: 'string',
      title: 'DeliveryState',
      description: '`waiting`: it will be attempted, or attempted again.',
      examples: ['delivered'],
    }),
    createdAt: time('When the event happened.'),
    attempts: Type.Integer({ minimum: 0, description: 'So far.', examples: [1] }),
    attemptedAt: orNull(Type.String({ format: 'date-time' }), 'The last attempt.', TIME),
    status: orNull(Type.Integer(), 'The status that the endpoint answered last; null without an answer.', 200),
    durationMs: orNull(Type.Integer({ minimum: 0 }), 'Of the last attempt.', 84),
    error: orNull(Type.String(), 'Why the last attempt failed.'),
    body: Type.String({ description: 'As it is sent.', examples: ['{"type":"scan.completed","timestamp":"…"}'] }),
  },
  { title: 'Delivery', description: 'A callback.' },
)

export const DeliveryList = Type.Object(
  { items: Type.Array(Delivery, { description: 'Newest first: the last 100 of the last 7 days.' }) },
  { title: 'DeliveryList', description: 'The callbacks of an endpoint.' },
)
