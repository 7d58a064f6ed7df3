/** Callbacks to one healthy receiver while many accounts flood receivers that are slow, dead, endless or hostile. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from '#test/perf/report.ts'
import { withKey } from '#test/support/client.ts'
import { startPostgres } from '#test/support/postgres.ts'
import { request } from '#test/support/raw-http.ts'
import { type ScanService, startScanService } from '#test/support/scanning.ts'
import { AS_NPM_START } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'
import { type Flood, type Receivers, receiversOf } from './callback-flood.ts'

const ACCOUNTS = 60
const DOCUMENTS = 20
const SEND_EVERY_MS = 500
/** From the first document of the healthy account on. */
const MEASURED_MS_MAX = 90_000
/** Until the flood has filled all queues. */
const FLOODED_MS = 10_000
const RETRY_MS = 100

async function createEndpoint(service: ScanService, key: string, url: string): Promise<void> {
  const answer = await request(service.port, 'POST', '/api/v1/webhooks', { headers: withKey(key), body: { url } })
  if (answer.status !== 201) throw new Error(answer.body)
}

async function startReceiver() {
  const arrivedAt = new Map<string, number>()
  const server = createServer(async (incoming, response) => {
    const { data } = JSON.parse(Buffer.concat(await Array.fromAsync(incoming)).toString())
    arrivedAt.set(data.scanId, performance.now())
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { arrivedAt, server, port: (server.address() as AddressInfo).port }
}

/** Milliseconds from 202 to callback, in ascending order; fewer than `DOCUMENTS` if some did not arrive. */
async function send(service: ScanService, key: string, arrivedAt: ReadonlyMap<string, number>) {
  const acceptedAt = new Map<string, number>()
  const untilMs = performance.now() + MEASURED_MS_MAX
  async function sendOne(n: number): Promise<void> {
    await sleep(n * SEND_EVERY_MS)
    for (; performance.now() < untilMs; await sleep(RETRY_MS)) {
      const answer = await service.scan(key, `Document ${n}`, { headers: { prefer: 'respond-async' } })
      // At capacity.
      if (answer.status === 503) continue
      if (answer.status !== 202) throw new Error(answer.body)
      acceptedAt.set((answer.json() as { scanId: string }).scanId, performance.now())
      return
    }
  }
  await Promise.all(Array.from({ length: DOCUMENTS }, (_, n) => sendOne(n)))
  const arrived = () => [...acceptedAt.keys()].filter((scanId) => arrivedAt.has(scanId))
  while (arrived().length < DOCUMENTS && performance.now() < untilMs) await sleep(50)
  // A callback may be faster than the answer.
  return arrived()
    .map((id) => Math.max(0, (arrivedAt.get(id) ?? 0) - (acceptedAt.get(id) ?? 0)))
    .sort((one, other) => one - other)
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

async function* measure(name: string, url: string | null): AsyncGenerator<Measurement> {
  const healthy = await startReceiver()
  const flood = fork(new URL('./callback-flood.ts', import.meta.url))
  try {
    const [receivers] = (await once(flood, 'message')) as [Receivers]
    const ports = [healthy.port, receivers.http, receivers.tcp]
    await using service = await startScanService(
      {
        ...{ DOCVET_DATABASE_URL: url ?? undefined, DOCVET_ADDRESS_RATE_PER_MINUTE: '1000000', ...AS_NPM_START.env },
        DOCVET_OUTBOUND_ALLOW: ports.map((port) => `127.0.0.1:${port}`).join(),
        DOCVET_LOG_LEVEL: 'error',
      },
      { discardLog: true, nodeOptions: AS_NPM_START.nodeOptions },
    )
    const key = await service.newKey()
    await createEndpoint(service, key, `http://127.0.0.1:${healthy.port}/`)
    const alone = await send(service, key, healthy.arrivedAt)
    const keys = await Promise.all(Array.from({ length: ACCOUNTS }, () => service.newKey()))
    for (const each of keys)
      for (const receiver of receiversOf(receivers)) await createEndpoint(service, each, receiver)
    flood.send({ port: service.port, keys } satisfies Flood)
    await sleep(FLOODED_MS)
    const flooded = await send(service, key, healthy.arrivedAt)
    flood.send('counts')
    const [{ accepted, refused }] = await once(flood, 'message')
    const [median, p99] = [0.5, 0.99].map((share) => `${(at(flooded, share) / 1_000).toFixed(2)} s`)
    console.log(
      `  ${name}: ${flooded.length} of ${DOCUMENTS} delivered, from 202 to callback median ${median}, p99 ${p99}`,
    )
    console.log(
      `  the flood: ${accepted} scans accepted, ${refused} refused; load of the machine ${loadavg()[0]?.toFixed(1)}`,
    )
    const where = `beside ${ACCOUNTS} accounts that flood, ${name}`
    yield {
      ...{ what: `Callbacks delivered ${where}`, unit: 'callbacks', baseline: 'without them' },
      ...{ rounds: [{ base: alone.length, ours: flooded.length }], target: { atLeast: 1 } },
    }
    yield {
      ...{ what: `Median from 202 to callback ${where}`, unit: 'ms', baseline: 'without them' },
      rounds: [{ base: at(alone, 0.5), ours: at(flooded, 0.5) }],
    }
  } finally {
    flood.kill('SIGKILL')
    healthy.server.closeAllConnections()
    healthy.server.close()
  }
}

export async function* measureCallbacks(): AsyncGenerator<Measurement> {
  yield* measure('SQLite', null)
  if (SERVERS.postgres.available()) {
    await using server = await startPostgres({ durable: true })
    yield* measure('PostgreSQL', await server.createDatabase())
  } else console.log('Skipped callbacks on PostgreSQL: not installed (apt-get install postgresql)\n')
}
