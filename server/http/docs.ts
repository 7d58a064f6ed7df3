/** The description of the interface, and pages for people who read it. */
import type { Server } from './server.ts'

export function docsRoutes(server: Server, _publicUrl: string): void {
  const open = { credential: 'none' } as const
  server.get('/openapi.json', { config: open, schema: { hide: true } }, () => server.swagger())
}
