/** The real service with both engines, clamd behind two proxies, and a client that records every scan. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type ClamdServer, startClamd } from '#test/support/clamd.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { ALL_WORKERS, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { type Dice, type FaultDocument, FORM_END, FORM_TYPE, formHead, MARKER_RULE } from './scan-documents.ts'
import { descendants, isAlive, until } from './scan-process.ts'
import { type ClamdProxy, startProxy } from './scan-proxy.ts'

/** Longer than any deadline plus its grace. */
const ANSWER_TIMEOUT_MS = 60_000
const PLAN = { scansPerMonth: 1_000_000, keysPerMonth: 5, scansPerSecond: 100_000, burst: 100_000 }
const DATA_FILES = /^(?:docvet\.sqlite(?:-wal|-shm|-lock)?|receipt-key\.pem|uploads)$/

/** The result of one scan. `unknown`: the connection broke before the response. */
export interface Done {
  kind: string
  infected: boolean
  sha256: string
  outcome: 'ok' | 'refused' | 'unknown'
  status: number
  ms: number
  /** The verdict of a 200, the code of a rejection, or the error of the client. */
  said: string
  scanId: string | null
  retryAfter: string | null
}

export interface ScanService extends AsyncDisposable {
  service: Service
  key: string
  scan(document: FaultDocument): Promise<Done>
  health(): Promise<{ status: string; body: string }>
  database<T>(read: (db: DatabaseSync) => T): T
  /** Files that should not exist. */
  litter(): string[]
  /** Stops it by SIGTERM; no process and no file may be left. */
  stop(): Promise<void>
}

export async function startScanService(env: Record<string, string>): Promise<ScanService> {
  const folder = temporaryFolder('fault')
  const [tmp, rules, plans] = ['tmp', 'rules', 'plans.json'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(tmp)
  mkdirSync(rules)
  writeFileSync(path.join(rules, 'marker.yar'), MARKER_RULE)
  writeFileSync(plans, JSON.stringify({ free: PLAN }))
  const service = await startService(
    { ...ALL_WORKERS, DOCVET_PLANS_FILE: plans, DOCVET_RULES_DIR: rules, TMPDIR: tmp, ...env },
    { readyTimeoutMs: 60_000 },
  )
  const { port, pid, dataDir } = service
  const signUp = await request(port, 'POST', '/api/v1/signup', { body: { email: 'faults@example.com' } })
  assert.equal(signUp.status, 201, signUp.body)
  const { apiKey: key } = signUp.json() as { apiKey: string }

  const self: ScanService = {
    service,
    key,
    scan: (document) => scan(port, key, document),
    async health() {
      const answer = await request(port, 'GET', '/api/v1/health')
      return { status: (answer.json() as { status: string }).status, body: answer.body }
    },
    database(read) {
      const db = new DatabaseSync(path.join(dataDir, 'docvet.sqlite'), { readOnly: true })
      try {
        return read(db)
      } finally {
        db.close()
      }
    },
    litter: () => [...readdirSync(tmp), ...readdirSync(dataDir).filter((name) => !DATA_FILES.test(name))],
    async stop() {
      const workers = descendants(pid)
      assert.ok(workers.length > 0, 'the embedded engine has no workers')
      const { code } = await service.stop()
      assert.equal(code, 0, service.output().slice(-4_000))
      assert.deepEqual(workers.filter(isAlive), [], 'workers are left')
      assert.deepEqual(self.litter(), [])
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return self
}

export async function scan(
  port: number,
  key: string,
  { kind, infected, bytes }: FaultDocument,
  more: Record<string, string> = {},
): Promise<Done> {
  const started = performance.now()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const body = Buffer.concat([formHead(), bytes, FORM_END])
  const headers = { 'x-api-key': key, 'content-type': FORM_TYPE, 'content-length': String(body.length), ...more }
  const about = { kind, infected, sha256 }
  let answer: Answer
  try {
    answer = await request(port, 'POST', '/api/v1/scan', { headers, body, timeoutMs: ANSWER_TIMEOUT_MS })
  } catch (error) {
    const ms = performance.now() - started
    return { ...about, outcome: 'unknown', status: 0, ms, said: String(error), scanId: null, retryAfter: null }
  }
  const ms = performance.now() - started
  const { status } = answer
  const retryAfter = answer.headers['retry-after'] ?? null
  const { scanId = null, ...said } = answer.json() as { scanId?: string; status: string | number; code?: string }
  if (status === 200) return { ...about, outcome: 'ok', status, ms, said: String(said.status), scanId, retryAfter }
  return { ...about, outcome: 'refused', status, ms, said: said.code ?? '', scanId, retryAfter }
}

export interface ScanRig extends AsyncDisposable {
  clamd: ClamdServer
  proxies: readonly ClamdProxy[]
  scans: ScanService
  untilReady(timeoutMs?: number): Promise<number>
}

/** All proxies lead to the same clamd, so that one can be spoiled while another is used. */
export async function startScanRig(dice: Dice, options: { deadlineMs: number; proxies: number }): Promise<ScanRig> {
  await using stack = new AsyncDisposableStack()
  const clamd = stack.use(await startClamd())
  const proxies: ClamdProxy[] = []
  for (let i = 0; i < options.proxies; i++) proxies.push(stack.use(await startProxy(clamd.tcpUrl, dice)))
  const scans = stack.use(
    await startScanService({
      DOCVET_ENGINES: 'embedded,clamd',
      DOCVET_CLAMD_URL: proxies.map(({ url }) => url).join(',') || clamd.tcpUrl,
      DOCVET_SCAN_DEADLINE_MS: String(options.deadlineMs),
      DOCVET_LOG_LEVEL: 'warn',
    }),
  )
  const kept = stack.move()
  return {
    clamd,
    proxies,
    scans,
    async untilReady(timeoutMs = 60_000) {
      const took = await until(async () => (await scans.health()).status === 'UP', timeoutMs)
      assert.ok(took !== null, `not UP within ${timeoutMs} ms: ${(await scans.health()).body}`)
      return took
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
