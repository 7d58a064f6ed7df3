/** Two replicas behind HAProxy, with its documented configuration, with PostgreSQL, Redis and two clamds, all on loopback. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { startClamd } from '#test/support/clamd.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { request } from '#test/support/raw-http.ts'
import { startRedis } from '#test/support/redis.ts'
import { until } from '#test/support/scan-process.ts'
import { freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { startProxy } from '#test/support/tls-proxy.ts'

const READY_MS_MAX = 90_000

interface Plan {
  scansPerMonth: number
  keysPerMonth: number
  scansPerSecond: number
  burst: number
}

export type Topology = Awaited<ReturnType<typeof startTopology>>

export async function startTopology(plans: Record<string, Plan>) {
  await using stack = new AsyncDisposableStack()
  const [postgres, redis, ...clamds] = await Promise.all([
    startPostgres({ connectionsMax: 100 }),
    startRedis(),
    startClamd({ name: 'clamd-1' }),
    startClamd({ name: 'clamd-2' }),
  ])
  for (const each of [postgres, redis, ...clamds]) stack.use(each)
  const dataDir = temporaryFolder('topology')
  const plansFile = path.join(dataDir, 'plans.json')
  writeFileSync(plansFile, JSON.stringify(plans))
  const env = {
    ...{ DOCVET_DATABASE_URL: postgres.url, DOCVET_REDIS_URL: redis.url, DOCVET_ENGINES: 'embedded,clamd' },
    DOCVET_CLAMD_URL: clamds.map(({ tcpUrl }) => tcpUrl).join(','),
    ...{ DOCVET_PLANS_FILE: plansFile, DOCVET_TRUSTED_PROXIES: '127.0.0.1', DOCVET_LOG_LEVEL: 'warn' },
  }
  const ports = [await freePort(), await freePort()] as const
  const launch = (port: number) => startService(env, { port, dataDir, discardLog: true, readyTimeoutMs: READY_MS_MAX })
  const replicas: [Service, Service] = [await launch(ports[0]), await launch(ports[1])]
  stack.defer(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
  })
  const { httpPort: port } = stack.use(await startProxy('haproxy', ports, { plain: true }))
  await until(async () => (await request(port, 'GET', '/readyz').catch(() => null))?.status === 200, READY_MS_MAX)
  const kept = stack.move()
  return {
    /** Of HAProxy. */
    port,
    /** Of the replicas. */
    ports,
    replicas,
    async restart(index: 0 | 1, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
      await replicas[index].stop(signal)
      replicas[index] = await launch(ports[index])
    },
    async query<Row>(text: string, values: unknown[]): Promise<Row[]> {
      const client = new Client({ connectionString: postgres.url })
      await client.connect()
      try {
        return (await client.query(text, values)).rows as Row[]
      } finally {
        await client.end()
      }
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
