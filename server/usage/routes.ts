/** GET /api/v1/usage */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { UsageResponse } from './schema.ts'
import type { UsageService } from './usage.ts'

export function usageRoutes(server: Server, usage: UsageService): void {
  server.get(
    '/api/v1/usage',
    {
      config: { credential: 'key or session' },
      schema: {
        tags: ['Usage'],
        operationId: 'getUsage',
        summary: 'Get usage of the current month',
        description: 'With an API key: usage of that key. With a session: usage of all keys of the account.',
        response: { 200: UsageResponse },
      },
    },
    (request) => usage.report(principalOf(request)),
  )
}
