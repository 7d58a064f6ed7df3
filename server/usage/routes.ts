/** GET /api/v1/usage */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { UsageResponse } from './schema.ts'
import type { UsageService } from './usage.ts'

export function usageRoutes(server: Server, usage: UsageService): void {
  server.get(
    '/api/v1/usage',
    { config: { credential: 'key or session' }, schema: { operationId: 'getUsage', response: { 200: UsageResponse } } },
    (request) => usage.report(principalOf(request)),
  )
}
