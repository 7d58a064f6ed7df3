/** GET /api/v1/events */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Events } from './events.ts'
import { EventLines, EventsQuery } from './schema.ts'

const LINES = 'application/x-ndjson'

export function eventListRoutes(server: Server, events: Events, publicUrl: string): void {
  server.get(
    '/api/v1/events',
    {
      config: { credential: 'key or session', scopes: ['read'], role: 'viewer', mediaType: LINES },
      schema: { operationId: 'listEvents', querystring: EventsQuery, response: { 200: EventLines } },
      preValidation(request, _reply, done) {
        const query = request.query as Record<string, unknown>
        // Query values are text. Others than whole numbers are left to the schema.
        if (typeof query.limit === 'string' && /^\d{1,9}$/.test(query.limit)) query.limit = Number(query.limit)
        done()
      },
      serializerCompiler: () => (text) => text as string,
    },
    async (request, reply) => {
      const { cursor: _before, from: _from, ...same } = request.query
      const { lines, nextCursor } = await events.list(principalOf(request).accountId, request.query)
      const given = Object.entries({ ...same, cursor: nextCursor }).map(([name, value]) => `${name}=${value}`)
      reply.type(LINES).header('link', `<${publicUrl}/api/v1/events?${given.join('&')}>; rel="next"`)
      return lines
    },
  )
}
