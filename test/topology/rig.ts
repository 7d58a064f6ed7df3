/** Two replicas behind HAProxy, with PostgreSQL, Redis and two clamds, all on loopback. */
import { spawn } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Client } from 'pg'
import { startClamd } from '#test/support/clamd.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { request } from '#test/support/raw-http.ts'
import { startRedis } from '#test/support/redis.ts'
import { until } from '#test/support/scan-process.ts'
import { serverProcess } from '#test/support/server-process.ts'
import { freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { findHaproxy } from '#test/support/suite.ts'

const READY_MS_MAX = 90_000

interface Plan {
  scansPerMonth: number
  keysPerMonth: number
  scansPerSecond: number
  burst: number
}

const DEPLOY = path.join(import.meta.dirname, '../../deploy')

/** The documented configuration, which is tried thereby, with addresses on loopback. */
function configuration(port: number, replicas: readonly number[]): string {
  let index = 0
  return readFileSync(path.join(DEPLOY, 'haproxy.cfg'), 'utf8')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replaceAll(/(?<=^ {2}server replica\d )\S+/gm, () => `127.0.0.1:${replicas[index++]}`)
}

async function startProxy(ports: readonly number[]) {
  const haproxy = findHaproxy()
  if (!haproxy) throw new Error('HAProxy is not installed: apt-get install haproxy')
  const port = await freePort()
  const folder = temporaryFolder('haproxy')
  const file = path.join(folder, 'haproxy.cfg')
  writeFileSync(file, configuration(port, ports))
  copyFileSync(path.join(DEPLOY, 'haproxy-503.http'), path.join(folder, 'haproxy-503.http'))
  const server = serverProcess({
    ...{ name: 'HAProxy', folder, readyMsMax: 10_000, stopMsMax: 5_000, lastSignal: 'SIGTERM' },
    launch: (log) => spawn(haproxy, ['-db', '-f', file], { stdio: ['ignore', log, log] }),
    answers: async () => (await request(port, 'GET', '/livez', { timeoutMs: 2_000 }).catch(() => null)) !== null,
  })
  await server.start()
  return { port, [Symbol.asyncDispose]: server.close }
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
  const { port } = stack.use(await startProxy(ports))
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
