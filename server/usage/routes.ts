/** /api/v1/usage */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import { MonthParams, MonthUsage, UsageResponse } from './schema.ts'
import type { UsageService } from './usage.ts'

export function usageRoutes(server: Server, usage: UsageService): void {
  const config = { credential: 'key or session', scopes: ['scan', 'read'], role: 'viewer' } as const

  server.get(
    '/api/v1/usage',
    { config, schema: { operationId: 'getUsage', response: { 200: UsageResponse } } },
    (request) => usage.report(principalOf(request)),
  )

  server.get(
    '/api/v1/usage/:period',
    {
      config,
      schema: { operationId: 'getMonthUsage', params: MonthParams, response: { 200: MonthUsage } },
    },
    (request) => usage.month(principalOf(request), request.params.period),
  )
}
