/** `npm run topology`: what several replicas promise, tried with real processes on loopback; see docs/scaling.md. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { createKey, revokeKey, signUp, usage, withKey } from '#test/support/client.ts'
import { installServers } from '#test/support/install.ts'
import type { Answer } from '#test/support/raw-http.ts'
import { signalTo, until } from '#test/support/scan-process.ts'
import { scan } from '#test/support/scanning.ts'
import { readArguments } from '../../scripts/arguments.ts'
import { startTopology, type Topology } from './rig.ts'

const SCANS = 2_000
const QUOTA = 1_000
const BURST = 50
const PAUSE_MS = 5_000
const REVOCATIONS = 20
const REVOKED_MS_MAX = 1_000
const LEASES_MS_MAX = 120_000
const GENEROUS = { scansPerMonth: 1_000_000, keysPerMonth: 1_000, scansPerSecond: 100_000, burst: 100_000 }
const PLANS = {
  free: GENEROUS,
  exact: { ...GENEROUS, scansPerMonth: QUOTA },
  limited: { ...GENEROUS, scansPerSecond: 0.001, burst: BURST },
}

readArguments('npm run topology')

const problems: string[] = []
function report(name: string, isRight: boolean, detail: string): void {
  console.log(`${isRight ? 'ok     ' : 'FAILED '} ${name}: ${detail}`)
  if (!isRight) problems.push(name)
}

type Outcome = Answer | { status: 0 }

/** Status 0: no answer. */
const attempt = (port: number, key: string, content: string, headers = {}): Promise<Outcome> =>
  scan(port, key, content, { timeoutMs: 120_000, headers }).catch(() => ({ status: 0 as const }))

function count(statuses: readonly (number | string)[]): string {
  const counts = new Map<number | string, number>()
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts].map(([status, times]) => `${times} × ${status}`).join(', ')
}

function describe(answer: Outcome, expected: string): string {
  if (!('headers' in answer)) return 'no answer'
  const { status, headers } = answer
  if (status === 503 && Number(headers['retry-after']) >= 1) return '503 with Retry-After'
  const isWrong = status === 200 && (answer.json() as { status: string }).status !== expected
  return isWrong ? 'wrong verdict' : String(status)
}

const isOfProxy = (answer: Outcome): boolean =>
  !('json' in answer) || (answer.json() as { code?: string }).code === 'service_unavailable'

async function accountOn(rig: Topology, plan: keyof typeof PLANS) {
  const account = await signUp(rig.port)
  await rig.query('update accounts set plan = $1 where id = $2', [plan, account.accountId])
  return account
}

async function quotaIsExact(rig: Topology): Promise<void> {
  const { apiKey, accountId } = await accountOn(rig, 'exact')
  const ids = new Set<string>()
  const seen: string[] = []
  /** Clients that were told to retry without a verdict and have no Idempotency-Key: their scan may have been charged. */
  let lost = 0
  async function client(_: unknown, index: number): Promise<void> {
    const isIdempotent = index % 2 === 0
    const headers = isIdempotent ? { 'idempotency-key': `quota-${index}` } : {}
    for (;;) {
      const answer = await attempt(rig.port, apiKey, `quota ${index}`, headers)
      seen.push(describe(answer, 'clean'))
      if (answer.status === 200) ids.add(((answer as Answer).json() as { scanId: string }).scanId)
      if (answer.status === 200 || answer.status === 402) return
      if (!isIdempotent && isOfProxy(answer)) lost++
      await sleep(500 + Math.random() * 1_500)
    }
  }
  const books = async () => {
    const [row] = await rig.query<{ used: string; reserved: string; ledger: string }>(
      `select sum(used) as used, sum(reserved) as reserved,
         (select count(*) from usage_ledger join api_keys on api_keys.id = key_id where account_id = $1) as ledger
       from usage_counters join api_keys on api_keys.id = key_id where account_id = $1`,
      [accountId],
    )
    return { used: Number(row?.used), reserved: Number(row?.reserved), ledger: Number(row?.ledger) }
  }
  const scanning = Promise.all(Array.from({ length: SCANS }, client))
  await until(() => ids.size > QUOTA / 10, LEASES_MS_MAX)
  const restarted = rig.restart(0, 'SIGKILL')
  const paused = rig.replicas[1].pid
  signalTo(paused, 'SIGSTOP')
  await sleep(PAUSE_MS)
  signalTo(paused, 'SIGCONT')
  await restarted
  await scanning
  const { used: during } = await books()
  report(
    'verdicts and charges',
    ids.size <= during && during <= ids.size + lost,
    `${ids.size} verdicts, ${during} charges, ${lost} answers lost without an Idempotency-Key`,
  )
  const isRight = (each: string) => ['200', '402', '409', '503 with Retry-After'].includes(each)
  report('answers while replicas fail', seen.every(isRight), count(seen))
  // The killed replica held units, which are released after a minute.
  await until(async () => (await books()).reserved === 0, LEASES_MS_MAX, 1_000)
  for (let status = 0; status !== 402; ) ({ status } = await attempt(rig.port, apiKey, 'rest'))
  const { used, reserved, ledger } = await books()
  report(
    'quota',
    used === QUOTA && ledger === QUOTA && reserved === 0,
    `${used} of ${QUOTA} charged, ${ledger} in the ledger, ${reserved} reserved`,
  )
}

async function revocationIsFast(rig: Topology): Promise<void> {
  const { apiKey } = await accountOn(rig, 'free')
  let slowest = 0
  for (let i = 0; i < REVOCATIONS; i++) {
    const doomed = await createKey(rig.port, apiKey)
    await revokeKey(rig.port, apiKey, doomed.id)
    const revokedAt = performance.now()
    const isRefused = async () =>
      (await Promise.all(rig.ports.map((port) => usage(port, withKey(doomed.apiKey))))).every(
        ({ status }) => status === 401,
      )
    await until(isRefused, 10_000, 5)
    slowest = Math.max(slowest, performance.now() - revokedAt)
  }
  report(
    'revoked keys',
    slowest <= REVOKED_MS_MAX,
    `${REVOCATIONS} keys refused by both replicas, the slowest after ${Math.round(slowest)} ms`,
  )
}

async function rateIsGlobal(rig: Topology): Promise<void> {
  const { apiKey } = await accountOn(rig, 'limited')
  const answers = await Promise.all(
    Array.from({ length: 4 * BURST }, (_, index) => attempt(rig.ports[index % 2] ?? 0, apiKey, `rate ${index}`)),
  )
  const admitted = answers.filter(({ status }) => status !== 429).length
  report('rate limit', admitted === BURST, `${admitted} of ${answers.length} admitted, the burst is ${BURST}`)
}

async function rollingRestartLosesNothing(rig: Topology): Promise<void> {
  const { apiKey } = await accountOn(rig, 'free')
  let isDone = false
  const seen: string[] = []
  const client = async (_: unknown, index: number) => {
    for (let i = 0; !isDone; i++) {
      const expected = i % 2 === 0 ? 'infected' : 'clean'
      const content = expected === 'infected' ? `${EICAR}` : `rolling ${index} ${i}`
      seen.push(describe(await attempt(rig.port, apiKey, content), expected))
    }
  }
  const clients = Promise.all(Array.from({ length: 16 }, client))
  for (const index of [0, 1] as const) {
    await sleep(1_500)
    await rig.restart(index, 'SIGTERM')
  }
  await sleep(1_500)
  isDone = true
  await clients
  const isRight = seen.every((each) => each === '200' || each === '503 with Retry-After')
  report('rolling restart', isRight, count(seen))
}

installServers()
await using rig = await startTopology(PLANS)
await revocationIsFast(rig)
await rateIsGlobal(rig)
await rollingRestartLosesNothing(rig)
await quotaIsExact(rig)
console.log(problems.length === 0 ? 'All promises hold.' : `Failed: ${problems.join(', ')}`)
process.exitCode = problems.length === 0 ? 0 : 1
