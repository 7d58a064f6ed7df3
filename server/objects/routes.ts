/** POST /api/v1/events */
import { AppError } from '#base/errors.ts'
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { parseEvents } from './events.ts'
import type { createIntake } from './intake.ts'
import { IgnoredEvents, ObjectEvents, QueuedEvents } from './schema.ts'

/** The largest that Event Grid and EventBridge send. */
const EVENTS_BYTES_MAX = 1_048_576
/** Senders that ask before they send events in the schema of CloudEvents. */
const ORIGIN = /^[a-z\d.-]{1,253}$/i

const UNKNOWN =
  'The body is not an event of an object store. Supported are MinIO, records of S3, EventBridge, Event Grid and Pub/Sub.'

export function eventRoutes(server: Server, take: ReturnType<typeof createIntake>): void {
  server.post(
    '/api/v1/events',
    {
      bodyLimit: EVENTS_BYTES_MAX,
      config: {
        credential: 'key or push token',
        scopes: ['scan'],
        rate: 'events',
        acceptsEvents: true,
        bodyOptional: false,
      },
      schema: {
        operationId: 'receiveObjectEvents',
        body: ObjectEvents,
        response: { 200: IgnoredEvents, 202: QueuedEvents },
      },
    },
    async (request, reply) => {
      const parsed = parseEvents(request.body)
      if (parsed === null) throw new AppError('invalid_request', UNKNOWN)
      if (parsed.kind === 'validation') return { validationResponse: parsed.code }
      const taken = await take(parsed.notices, principalOf(request), request.id)
      return reply.code(taken.scanIds.length > 0 ? 202 : 200).send(taken)
    },
  )

  // The handshake of CloudEvents. It allows to send, not to be heard: events without a key are refused.
  server.options('/api/v1/events', { config: { credential: 'none' } }, (request, reply) => {
    const { 'webhook-request-origin': origin } = request.headers
    const isOrigin = typeof origin === 'string' && ORIGIN.test(origin)
    return reply
      .headers({
        allow: 'OPTIONS, POST',
        ...(isOrigin && { 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' }),
      })
      .code(204)
      .send()
  })
}
