/** GET /api/v1/usage */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { UsageResponse } from './schema.ts'
import type { UsageDesk } from './usage.ts'

export function usageRoutes(server: Server, usage: UsageDesk): void {
  server.get(
    '/api/v1/usage',
    {
      config: { credential: 'key or session' },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsage',
        summary: "This month's scans against the quota",
        description: 'With a key: of that key. With a dashboard session: of all keys of the account together.',
        response: { 200: UsageResponse },
      },
    },
    (request) => usage.report(principalOf(request)),
  )
}
