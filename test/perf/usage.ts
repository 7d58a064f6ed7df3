/** GET /api/v1/usage with a key against a bare Fastify route with the same response; also memory and start-up. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import autocannon from 'autocannon'
import type { Measurement } from '#test/perf/report.ts'
import { ALL_WORKERS, freePort, startService, temporaryFolder } from '#test/support/service.ts'
import { residentMb } from './scan-load.ts'

const ROUNDS = 7
const SECONDS = 3
const CONNECTIONS = 50
const STARTS = 5

async function startBare(headers: Record<string, string>, body: string) {
  const port = await freePort()
  const child = fork(new URL('./bare.ts', import.meta.url), [JSON.stringify({ port, headers, body })])
  await once(child, 'message')
  return { child, url: `http://127.0.0.1:${port}/api/v1/usage` }
}

const load = async (url: string, apiKey: string): Promise<number> => {
  const result = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: SECONDS,
    headers: { 'x-api-key': apiKey },
  })
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed at ${url}`)
  return result.requests.total / result.duration
}

/** Sent by Node itself. */
const RUNTIME_HEADERS = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

export async function measureUsage(): Promise<Measurement[]> {
  await using service = await startService(
    { ...ALL_WORKERS, DOCVET_KEY_RATE_PER_MINUTE: '1000000' },
    { discardLog: true },
  )
  const signup = await fetch(`${service.url}/api/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'bench@example.com' }),
  })
  const { apiKey } = (await signup.json()) as { apiKey: string }
  const url = `${service.url}/api/v1/usage`
  const sample = await fetch(url, { headers: { 'x-api-key': apiKey } })
  const headers = Object.fromEntries([...sample.headers].filter(([name]) => !RUNTIME_HEADERS.has(name)))
  const bare = await startBare(headers, await sample.text())

  await load(bare.url, apiKey)
  await load(url, apiKey)
  const rounds = []
  for (let i = 0; i < ROUNDS; i++) rounds.push({ base: await load(bare.url, apiKey), ours: await load(url, apiKey) })
  const memory = { ours: residentMb(service.pid), base: residentMb(bare.child.pid ?? 0) }
  bare.child.kill()

  const baseline = 'a bare Fastify route that sends the same bytes'
  return [
    {
      what: `GET /api/v1/usage with a key, ${CONNECTIONS} connections, SQLite`,
      unit: 'requests/s',
      baseline,
      rounds,
      target: { atLeast: 0.5 },
    },
    { what: 'Resident memory after that load', unit: 'MB', baseline, rounds: [memory] },
  ]
}

async function timeToReady(start: () => Promise<{ stop(): Promise<unknown> }>): Promise<number> {
  const startedAt = performance.now()
  const started = await start()
  const ms = performance.now() - startedAt
  await started.stop()
  return ms
}

const stopChild = (child: ChildProcess) => async () => {
  child.kill()
  await once(child, 'exit')
}

export async function measureStart(): Promise<Measurement[]> {
  const dataDir = temporaryFolder('data')
  const ours = () => timeToReady(() => startService(ALL_WORKERS, { dataDir }))
  const base = () =>
    timeToReady(async () => {
      const { child } = await startBare({}, '{}')
      return { stop: stopChild(child) }
    })
  await ours()
  const rounds = []
  for (let i = 0; i < STARTS; i++) rounds.push({ base: await base(), ours: await ours() })
  return [
    {
      what: 'Second start until ready (SQLite)',
      unit: 'ms',
      baseline: 'a bare Fastify server until it listens',
      rounds,
    },
  ]
}
