/** Is it alive, is it ready, and what do the engines say. */
import { Type } from 'typebox'
import type { Server } from './server.ts'

const RETRY_AFTER_SECONDS = '5'

const UpOrDown = Type.Union([Type.Literal('UP'), Type.Literal('DOWN')])

const EngineHealth = Type.Object({
  name: Type.String({ examples: ['embedded'] }),
  status: UpOrDown,
  version: Type.Union([Type.String(), Type.Null()], { examples: ['1.0.0'] }),
  signatures: Type.Union([Type.String(), Type.Null()], { examples: ['27000'] }),
  signaturesAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the newest of the signatures was made.',
    examples: ['2026-11-01T08:00:00.000Z'],
  }),
  detail: Type.Union([Type.String(), Type.Null()], {
    description:
      'For operators: why it is down, how it is isolated, which rule files are not in use. The log has the whole of it.',
    examples: ['sandbox bwrap+prlimit; 2 of 2 workers ready'],
  }),
})

const Health = Type.Object({
  status: UpOrDown,
  engine: UpOrDown,
  engines: Type.Array(EngineHealth, {
    description: 'Each engine that a `clean` needs. None means that nothing can be scanned.',
  }),
})

const Readiness = Type.Object({ status: UpOrDown, storage: UpOrDown, engine: UpOrDown })
const Liveness = Type.Object({ status: Type.Literal('UP') })

export type EngineHealth = Type.Static<typeof EngineHealth>

export interface HealthOptions {
  pingStorage: () => Promise<void>
  /** The configured engines as they are now. */
  engines: () => EngineHealth[]
}

export function healthRoutes(server: Server, { pingStorage, engines }: HealthOptions): void {
  const tags = ['Health']
  const probe = { credential: 'none', unlimited: true } as const

  const storage = (): Promise<'UP' | 'DOWN'> =>
    pingStorage().then(
      () => 'UP',
      () => 'DOWN',
    )

  const judge = (found: EngineHealth[]): 'UP' | 'DOWN' =>
    found.length > 0 && found.every(({ status }) => status === 'UP') ? 'UP' : 'DOWN'

  server.get(
    '/api/v1/health',
    {
      config: { credential: 'none' },
      schema: {
        tags,
        operationId: 'getHealth',
        summary: 'Whether documents can be scanned now',
        description: 'UP is proven: each engine has found a known test threat within the last minute.',
        response: { 200: Health, 503: Health },
      },
    },
    async (_request, reply) => {
      const found = engines()
      const engine = judge(found)
      const status = engine === 'UP' && (await storage()) === 'UP' ? 'UP' : 'DOWN'
      reply.code(status === 'UP' ? 200 : 503)
      if (status === 'DOWN') reply.header('retry-after', RETRY_AFTER_SECONDS)
      return { status, engine, engines: found } as const
    },
  )

  server.get(
    '/readyz',
    {
      config: probe,
      schema: {
        tags,
        operationId: 'getReadiness',
        summary: 'Whether this process can serve requests',
        response: { 200: Readiness, 503: Readiness },
      },
    },
    async (_request, reply) => {
      const parts = { storage: await storage(), engine: judge(engines()) }
      const status = parts.storage === 'UP' && parts.engine === 'UP' ? 'UP' : 'DOWN'
      reply.code(status === 'UP' ? 200 : 503)
      if (status === 'DOWN') reply.header('retry-after', RETRY_AFTER_SECONDS)
      return { status, ...parts } as const
    },
  )

  server.get(
    '/livez',
    {
      config: probe,
      schema: {
        tags,
        operationId: 'getLiveness',
        summary: 'Whether this process runs',
        response: { 200: Liveness },
      },
    },
    async () => ({ status: 'UP' as const }),
  )
}
