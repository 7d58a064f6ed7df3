/** DOCVET_PROCESSES: two processes on one port and one database. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAdmin } from '#admin/admin.ts'
import { loadConfig } from '#config/config.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { signUp } from '#test/support/client.ts'
import { eventually } from '#test/support/mail.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { scan } from '#test/support/scanning.ts'
import { openPlace, quietLog, usageState } from '#test/support/seed.ts'
import { freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { forEachDatabase } from '#test/support/suite.ts'

/** For a process to start beside other suites. */
const START_MS_MAX = 60_000
const GENEROUS = { scansPerMonth: 100_000, keysPerMonth: 100, scansPerSecond: 10_000, burst: 10_000 }
const EXACT = { scansPerMonth: 40, keysPerMonth: 5, scansPerSecond: 0.001, burst: 60 }

let service: Service
let metricsPort: number
let dataDir: string
const plansFile = () => path.join(dataDir, 'plans.json')
before(async () => {
  dataDir = temporaryFolder('processes')
  writeFileSync(plansFile(), JSON.stringify({ free: GENEROUS, exact: EXACT }))
  metricsPort = await freePort()
  const env = {
    ...{ DOCVET_PROCESSES: '2', DOCVET_EMBEDDED_CHILDREN: '2', DOCVET_PLANS_FILE: plansFile() },
    DOCVET_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
  }
  service = await startService(env, { dataDir })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(dataDir, { recursive: true, force: true })
})

const count = (answers: readonly Answer[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
const metrics = async () => (await request(metricsPort, 'GET', '/metrics')).body
const listening = (): number[] =>
  service
    .stdoutLines()
    .map((line) => JSON.parse(line) as { msg: string; pid: number })
    .filter(({ msg }) => msg === 'Listening')
    .map(({ pid }) => pid)

interface At {
  url: string | null
  dataDir: string
}

/** Of 100 scans at once: 40 are the quota, 60 the burst. */
async function assertExact(port: number, place: At): Promise<void> {
  const { apiKey, email, accountId } = await signUp(port)
  const config = () =>
    loadConfig({
      DOCVET_DATABASE_URL: place.url ?? undefined,
      ...{ DOCVET_DATA_DIR: place.dataDir, DOCVET_PLANS_FILE: plansFile() },
    })
  const admin = { config, startEngines: async () => [], log: quietLog }
  assert.equal((await runAdmin(['accounts', 'set-plan', email, 'exact'], admin)).exitCode, 0)
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, index) => scan(port, apiKey, `a harmless text ${index}`)),
  )
  assert.deepEqual(count(answers), { 200: 40, 402: 20, 429: 40 })

  const database = await openPlace(place)
  const { id } = await database.db
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { used, ledger } = await usageState(database, id)
  await database.close()
  assert.deepEqual([used, ledger], [40, 40])
}

forEachDatabase('rate limit and quota over both processes', (openUrl) => {
  test('are exact', async () => {
    const place = await openUrl()
    // The tests below share the service on SQLite.
    if (place.url === null) await assertExact(service.port, { url: null, dataDir })
    else {
      const env = { DOCVET_PROCESSES: '2', DOCVET_DATABASE_URL: place.url, DOCVET_PLANS_FILE: plansFile() }
      await using replica = await startService(env, { dataDir: place.dataDir })
      await assertExact(replica.port, place)
      assert.deepEqual(await replica.stop(), { code: 0, signal: null })
    }
    await place.release()
  })
})

/** The kernel gives a connection to whichever process accepts it first; one that is stopped accepts none. */
async function scanInEach(pids: readonly number[]): Promise<void> {
  const { apiKey } = await signUp(service.port)
  for (const pid of pids) {
    const others = pids.filter((other) => other !== pid)
    for (const other of others) process.kill(other, 'SIGSTOP')
    try {
      assert.equal((await scan(service.port, apiKey, `a text for ${pid}`)).status, 200)
    } finally {
      for (const other of others) process.kill(other, 'SIGCONT')
    }
  }
}

test('metrics come from one address, with the process as a label', async () => {
  await eventually('both processes are in the log', () => listening().length === 2)
  await scanInEach(listening())
  const text = await metrics()
  for (const process of ['1', '2']) {
    const scans = new RegExp(`^docvet_scans_total\\{process="${process}",result="clean",size="10kb"\\} \\d+$`, 'm')
    assert.match(text, scans)
    assert.match(text, new RegExp(`^docvet_workers_ready\\{process="${process}",engine="embedded"\\} 1$`, 'm'))
  }
  const families = text.match(/^# TYPE (\S+)/gm) ?? []
  assert.equal(families.length, new Set(families).size)
})

test('health counts the workers of all processes', async () => {
  const { engines } = (await request(service.port, 'GET', '/api/v1/health')).json() as { engines: { detail: string }[] }
  assert.match(engines[0]?.detail ?? '', /; 2 of 2 workers ready$/)
})

/** Scans from several clients until `until` is done; every answer must be a verdict. */
async function scanMeanwhile(until: Promise<unknown>): Promise<string[]> {
  const { apiKey } = await signUp(service.port)
  let isDone = false
  const wrong: string[] = []
  const client = async (_: unknown, index: number) => {
    for (let i = 0; !isDone; i++) {
      const content = i % 2 ? `text ${index} ${i}` : `${EICAR}`
      const answer = await scan(service.port, apiKey, content).catch((error: Error) => error)
      const found =
        'status' in answer ? `${answer.status} ${(answer.json() as { status: string }).status}` : answer.message
      if (found !== (i % 2 ? '200 clean' : '200 infected')) wrong.push(found)
    }
  }
  const clients = Array.from({ length: 4 }, client)
  await until.finally(() => {
    isDone = true
  })
  await Promise.all(clients)
  return wrong
}

test('SIGHUP replaces all processes one by one without a failed request', async () => {
  const before = listening()
  process.kill(service.pid, 'SIGHUP')
  assert.deepEqual(await scanMeanwhile(service.logged(/All processes replaced/)), [])
  // Each process writes its log with a delay of its own.
  await eventually('both new processes are in the log', () => new Set(listening()).size === before.length + 2)
})

test('a killed process is replaced; the others serve requests meanwhile', async () => {
  const [victim = 0] = listening().slice(-2)
  process.kill(victim, 'SIGKILL')
  await service.logged(/Process exited; it will be replaced/)
  const missing = await request(service.port, 'GET', '/readyz')
  assert.equal(missing.status, 503)
  assert.match((missing.json() as { detail: string }).detail, /1 of 2 processes are not running/)
  const health = await request(service.port, 'GET', '/api/v1/health')
  const { status, detail } = health.json() as { status: string; detail: string }
  assert.deepEqual([health.status, status], [503, 'DOWN'])
  assert.match(detail, /1 of 2 processes are not running; they are being started/)
  assert.deepEqual(await scanMeanwhile(service.logged(/"msg":"Process replaced"/)), [])
  while ((await request(service.port, 'GET', '/readyz')).status !== 200) await sleep(20)
})

test('no connection hangs when a process is killed while it is busy', async () => {
  const before = new Set(listening())
  const [victim = 0] = listening().slice(-1)
  // A process that is stopped accepts nothing, like one whose thread is busy.
  process.kill(victim, 'SIGSTOP')
  const asked = Array.from({ length: 12 }, () =>
    request(service.port, 'GET', '/livez', { timeoutMs: 20_000 }).then(
      ({ status }) => String(status),
      (error: Error & { code?: string }) => error.code ?? error.message,
    ),
  )
  await sleep(200)
  process.kill(victim, 'SIGKILL')
  const outcomes = await Promise.all(asked)
  assert.ok(outcomes.filter((each) => each === '200').length >= 6, outcomes.join())
  assert.deepEqual(
    outcomes.filter((each) => !['200', 'ECONNRESET', 'EPIPE'].includes(each)),
    [],
    'answered or reset, but never without an end',
  )
  await eventually('the process is replaced', () => listening().some((pid) => !before.has(pid)), START_MS_MAX)
  while ((await request(service.port, 'GET', '/readyz')).status !== 200) await sleep(20)
})

test('a frozen process makes the service not ready', async () => {
  const [frozen = 0] = listening().slice(-1)
  process.kill(frozen, 'SIGSTOP')
  try {
    const ask = () => request(service.port, 'GET', '/readyz', { timeoutMs: 5_000 }).catch(() => null)
    // The other process accepts all connections, unless one was in the hands of the frozen process already.
    const answers = (await Promise.all([ask(), ask()])).filter((answer) => answer !== null)
    assert.ok(answers.some(({ status, body }) => status === 503 && /Process \d: No reply/.test(body)))
  } finally {
    process.kill(frozen, 'SIGCONT')
  }
})

test('SIGTERM stops all processes with exit code 0', async () => {
  const all = listening()
  assert.deepEqual(await service.stop(), { code: 0, signal: null })
  for (const pid of all) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
})

test('a process that cannot start ends the service with exit code 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await using blocked = await startService({ DOCVET_PROCESSES: '2' }, { port, ready: false })
  assert.deepEqual(await blocked.exited, { code: 1, signal: null })
  assert.match(blocked.output(), /port \d+ on 127\.0\.0\.1 is already in use/)
  taken.close()
})
