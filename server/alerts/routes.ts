/** /api/v1/alerts */
import { principalOf } from '#http/identify.ts'
import type { Server } from '#http/server.ts'
import type { Alerts } from './alerts.ts'
import { AlertSettings, ChangeAlertsRequest } from './schema.ts'

export function alertRoutes(server: Server, alerts: Pick<Alerts, 'isOn' | 'change'>): void {
  const config = { credential: 'session', role: 'admin' } as const

  server.get(
    '/api/v1/alerts',
    { config, schema: { operationId: 'getAlerts', response: { 200: AlertSettings } } },
    async (request) => ({ mail: await alerts.isOn(principalOf(request).accountId) }),
  )

  server.put(
    '/api/v1/alerts',
    {
      config: { ...config, problems: ['email_unverified'] },
      schema: { operationId: 'changeAlerts', body: ChangeAlertsRequest, response: { 200: AlertSettings } },
    },
    async (request) => {
      const { mail } = request.body
      await alerts.change(principalOf(request).accountId, mail)
      return { mail }
    },
  )
}
