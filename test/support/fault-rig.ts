/** Two replicas whose servers can fail, and the faults of one run. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { request } from '#test/support/raw-http.ts'
import { freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { createFaults } from './fault-list.ts'
import { startFaultServers } from './fault-servers.ts'
import { MARKER_RULE } from './scan-documents.ts'
import { signalTo, until } from './scan-process.ts'

const DEADLINE_MS = 3_000
const READY_MS_MAX = 90_000
const MOVED_CLOCK = path.join(import.meta.dirname, 'processes/moved-clock.ts')

export type FaultRig = Awaited<ReturnType<typeof startFaultRig>>
export type Replicas = Awaited<ReturnType<typeof startReplicas>>

const isReady = async (port: number) =>
  (await request(port, 'GET', '/readyz', { timeoutMs: 5_000 }).catch(() => null))?.status === 200

async function startReplicas(env: Record<string, string>, folder: string) {
  const ports = [await freePort(), await freePort()]
  const clocks = ports.map((port) => path.join(folder, `clock-${port}`))
  const launch = (index: number) => {
    writeFileSync(clocks[index] ?? '', '0')
    return startService(
      { ...env, CLOCK_FILE: clocks[index] },
      {
        ...{ port: ports[index] as number, ready: false, dataDir: folder, discardLog: true },
        nodeOptions: ['--import', MOVED_CLOCK],
      },
    )
  }
  const replicas: Service[] = []
  for (const index of ports.keys()) replicas.push(await launch(index))
  const pid = (index: number) => replicas[index]?.pid ?? 0
  return {
    ports,
    pid,
    /** Ends one, and starts it again after `pauseMs`. */
    async end(index: number, signal: 'SIGKILL' | 'SIGTERM', pauseMs: number): Promise<void> {
      await replicas[index]?.stop(signal)
      await sleep(pauseMs)
      replicas[index] = await launch(index)
      await until(() => isReady(ports[index] ?? 0), READY_MS_MAX)
    },
    moveClock(index: number, offsetMs: number): void {
      writeFileSync(clocks[index] ?? '', String(offsetMs))
      signalTo(pid(index), 'SIGUSR2')
    },
    async [Symbol.asyncDispose]() {
      for (const replica of replicas) await replica[Symbol.asyncDispose]()
    },
  }
}

/** `quota` is that of every new account. */
export async function startFaultRig(quota: number) {
  await using stack = new AsyncDisposableStack()
  const folder = temporaryFolder('fault')
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const servers = stack.use(await startFaultServers())
  const [rules, plans] = [path.join(folder, 'rules'), path.join(folder, 'plans.json')]
  mkdirSync(rules)
  writeFileSync(path.join(rules, 'marker.yar'), MARKER_RULE)
  const free = { scansPerMonth: quota, keysPerMonth: 1_000, scansPerSecond: 100_000, burst: 100_000 }
  writeFileSync(plans, JSON.stringify({ free, starter: free, pro: free, business: free }))
  const settings = {
    DOCVET_SCAN_DEADLINE_MS: String(DEADLINE_MS),
    ...{ DOCVET_PLANS_FILE: plans, DOCVET_RULES_DIR: rules, DOCVET_LOG_LEVEL: 'warn' },
  }
  const replicas = stack.use(await startReplicas({ ...servers.env, ...settings }, folder))
  const { ports } = replicas

  /** False if they are not ready in time. */
  async function isRecovered(ms: number): Promise<boolean> {
    return (await until(async () => (await Promise.all(ports.map(isReady))).every(Boolean), ms)) !== null
  }
  async function untilReady(): Promise<void> {
    for (const port of ports)
      assert.ok((await until(() => isReady(port), READY_MS_MAX)) !== null, `${port} is not ready`)
  }
  await untilReady()
  const kept = stack.move()
  const { mail, marketplace, databaseUrl } = servers
  return {
    ports,
    marketplace,
    faults: createFaults(servers, replicas),
    untilReady,
    isRecovered,
    /** Mails that this address has received. */
    mailTo: (address: string) => mail.received.filter(({ to }) => to.includes(address)).length,
    async query<Row>(text: string, values: unknown[]): Promise<Row[]> {
      const client = new Client({ connectionString: databaseUrl })
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
