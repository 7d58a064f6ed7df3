/** Two replicas with PostgreSQL, Redis, clamd and SMTP, each behind a proxy that can fail, and the faults of one run. */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { startClamd } from '#test/support/clamd.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { request } from '#test/support/raw-http.ts'
import { startRedis } from '#test/support/redis.ts'
import { freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { startMailServer } from '#test/support/smtp.ts'
import { LINK_FAULTS, startLink } from './fault-link.ts'
import { type Dice, MARKER_RULE } from './scan-documents.ts'
import { descendants, signalTo, until } from './scan-process.ts'
import { SPOILINGS, startProxy } from './scan-proxy.ts'

const DEADLINE_MS = 3_000
/** Past the deadline of a scan, and of a statement. */
const FREEZE_MS_MAX = 4_000
const READY_MS_MAX = 90_000
const DATABASE = 'docvet'

export type FaultRig = Awaited<ReturnType<typeof startFaultRig>>

/** `quota` is that of every new account. */
export async function startFaultRig(quota: number) {
  await using stack = new AsyncDisposableStack()
  const folder = temporaryFolder('fault')
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  const [postgres, redis, clamd] = await Promise.all([startPostgres(), startRedis(), startClamd()])
  for (const each of [postgres, redis, clamd]) stack.use(each)
  const mail = stack.use(await startMailServer())
  const portOf = (url: string) => Number(new URL(url).port)
  const links = {
    PostgreSQL: stack.use(await startLink(portOf(postgres.url))),
    Redis: stack.use(await startLink(portOf(redis.url))),
    SMTP: stack.use(await startLink(mail.port)),
  }
  const spoiling: Dice = {
    next: Math.random,
    whole: (from, to) => from + Math.floor(Math.random() * (to - from + 1)),
    pick: (items) => items[Math.floor(Math.random() * items.length)]!,
  }
  const proxies = [
    stack.use(await startProxy(clamd.tcpUrl, spoiling)),
    stack.use(await startProxy(clamd.tcpUrl, spoiling)),
  ]

  const [rules, plans] = [path.join(folder, 'rules'), path.join(folder, 'plans.json')]
  mkdirSync(rules)
  writeFileSync(path.join(rules, 'marker.yar'), MARKER_RULE)
  const free = { scansPerMonth: quota, keysPerMonth: 1_000, scansPerSecond: 100_000, burst: 100_000 }
  writeFileSync(plans, JSON.stringify({ free }))
  const env = {
    DOCVET_DATABASE_URL: `postgres://docvet@127.0.0.1:${links.PostgreSQL.port}/${DATABASE}`,
    DOCVET_REDIS_URL: `redis://127.0.0.1:${links.Redis.port}`,
    DOCVET_SMTP_URL: `smtp://127.0.0.1:${links.SMTP.port}`,
    DOCVET_ENGINES: 'embedded,clamd',
    DOCVET_CLAMD_URL: proxies.map(({ url }) => url).join(','),
    DOCVET_SCAN_DEADLINE_MS: String(DEADLINE_MS),
    ...{ DOCVET_PLANS_FILE: plans, DOCVET_RULES_DIR: rules, DOCVET_LOG_LEVEL: 'warn' },
  }
  const ports = [await freePort(), await freePort()]
  const launch = (port: number) => startService(env, { port, ready: false, dataDir: folder, discardLog: true })
  const replicas: Service[] = []
  for (const port of ports) replicas.push(await launch(port))
  stack.defer(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
  })

  const isReady = async (port: number) =>
    (await request(port, 'GET', '/readyz', { timeoutMs: 5_000 }).catch(() => null))?.status === 200
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

  const freezeMs = (dice: Dice) => (dice.next() < 0.6 ? dice.whole(50, 800) : dice.whole(1_000, FREEZE_MS_MAX))
  async function freeze(server: { freeze(): void; thaw(): void }, dice: Dice): Promise<void> {
    server.freeze()
    await sleep(freezeMs(dice))
    server.thaw()
  }
  async function stopped(pids: readonly number[], dice: Dice): Promise<void> {
    for (const pid of pids) signalTo(pid, 'SIGSTOP')
    await sleep(freezeMs(dice))
    for (const pid of pids) signalTo(pid, 'SIGCONT')
  }
  async function link(name: keyof typeof links, dice: Dice): Promise<string> {
    const fault = dice.pick(LINK_FAULTS)
    links[name].fault = fault
    await sleep(freezeMs(dice))
    links[name].fault = null
    return `${name} ${fault}`
  }
  async function endReplica(dice: Dice, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const index = dice.whole(0, 1)
    const port = ports[index] as number
    await replicas[index]?.stop(signal)
    if (dice.next() < 0.5) await sleep(dice.whole(0, 1_000))
    replicas[index] = await launch(port)
    await until(() => isReady(port), READY_MS_MAX)
  }
  const workersOf = (dice: Dice) => descendants(dice.pick(replicas).pid)

  /** Each resolves when it is repaired. */
  const faults: Record<string, (dice: Dice) => Promise<unknown>> = {
    'replica killed': (dice) => endReplica(dice, 'SIGKILL'),
    'replica restarted': (dice) => endReplica(dice, 'SIGTERM'),
    'replica frozen': (dice) => stopped([dice.pick(replicas).pid], dice),
    'workers killed': async (dice) => {
      for (const pid of workersOf(dice)) signalTo(pid, 'SIGKILL')
    },
    'workers frozen': (dice) => stopped(workersOf(dice), dice),
    'clamd killed': async () => {
      await clamd.kill()
      await clamd.start()
    },
    'clamd frozen': (dice) => freeze(clamd, dice),
    'clamd replies spoiled': async (dice) => {
      const share = dice.next()
      for (const proxy of proxies) proxy.spoil = { how: SPOILINGS, documents: share, canaries: share / 4 }
      await sleep(dice.whole(500, 2_000))
      for (const proxy of proxies) proxy.spoil = null
    },
    'PostgreSQL crashed': async () => {
      await postgres.stop('immediate')
      await postgres.start()
    },
    'PostgreSQL frozen': (dice) => freeze(postgres, dice),
    'PostgreSQL link': (dice) => link('PostgreSQL', dice),
    'Redis killed': async (dice) => {
      await redis.stop()
      await sleep(dice.whole(0, 1_500))
      await redis.start()
    },
    'Redis frozen': (dice) => freeze(redis, dice),
    'Redis link': (dice) => link('Redis', dice),
    'SMTP stopped': async (dice) => {
      await mail.stop()
      await sleep(dice.whole(0, 2_000))
      await mail.start()
    },
    'SMTP refuses': async (dice) => {
      mail.behaviour = { refuse: { code: 451 } }
      await sleep(freezeMs(dice))
      mail.behaviour = {}
    },
    'SMTP slow': async (dice) => {
      mail.behaviour = { slow: { at: dice.pick(['rcpt', 'data']), ms: 3_000 } }
      await sleep(freezeMs(dice))
      mail.behaviour = {}
    },
    'SMTP link': (dice) => link('SMTP', dice),
  }

  return {
    ports,
    faults,
    untilReady,
    isRecovered,
    /** Mails that this address has received. */
    mailTo: (address: string) => mail.received.filter(({ to }) => to.includes(address)).length,
    /** Directly, not through the proxy. */
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
