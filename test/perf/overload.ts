/** `npm run overload [KB|mix [processes]]`: five times as many scans as the service can do, of a mix or of texts of one size. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type ScanService, startScanService } from '#test/support/scanning.ts'
import { AS_NPM_START } from '#test/support/service.ts'
import { readArguments, refuse } from '../../scripts/arguments.ts'
import type { LoadOptions, LoadResult } from './open-loop.ts'
import { usageOf } from './process-tree.ts'

const USAGE = 'npm run overload [-- KB|mix [PROCESSES]]'
const [SIZE = 'mix', PROCESSES = '1'] = readArguments(USAGE, { max: 2 }).positionals
if (![SIZE === 'mix' ? '1' : SIZE, PROCESSES].every((each) => Number(each) > 0))
  refuse(`'${SIZE} ${PROCESSES}' is not a size and a number`, USAGE)
const BYTES = SIZE === 'mix' ? null : Number(SIZE) * 1_024
const FACTOR = 5
const SECONDS = 12
const RATED_SECONDS = 6
const ROUNDS = 3
const ACCOUNTS = 49
const CONNECTIONS_MAX = 1_000
/** Raised until the service does not keep up. */
const PROBE_SECONDS = 4
const PROBE_GROWTH = 1.3
const GOODPUT_SHARE_MIN = 0.8
const RECOVERY_MS_MAX = 10_000
const MEMORY_MB_MAX = 1_024
const ALLOWED = ['200 clean', '429 with Retry-After', '503 with Retry-After']

const goodput = ({ answers, seconds }: LoadResult) => (answers['200 clean'] ?? 0) / seconds

const client = fork(new URL('./open-loop.ts', import.meta.url))

async function load(options: LoadOptions): Promise<LoadResult> {
  client.send(options)
  const [result] = await once(client, 'message')
  return result as LoadResult
}

function show(name: string, result: LoadResult): void {
  const { answers, p50, p99, clientCpuShare } = result
  const counts = Object.entries(answers).map(([answer, count]) => `${count} × ${answer}`)
  const figures = [
    `${goodput(result).toFixed(0)} verdicts/s`,
    `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    `client ${(100 * clientCpuShare).toFixed(0)} % of a core`,
  ]
  console.log(`${name}: ${figures.join('; ')}\n  ${counts.join(', ')}`)
}

async function bestGoodput(offer: (perSecond: number, seconds: number) => Promise<LoadResult>): Promise<number> {
  let best = 0
  for (let perSecond = 40; ; perSecond = Math.round(perSecond * PROBE_GROWTH)) {
    const result = await offer(perSecond, PROBE_SECONDS)
    show(`${perSecond} offered`, result)
    best = Math.max(best, goodput(result))
    if (goodput(result) < perSecond * 0.7) return best
  }
}

async function recoveryMs(service: ScanService, key: string): Promise<number> {
  const startedAt = performance.now()
  for (let streak = 0; streak < 10; ) {
    const { status } = await service.scan(key, `recovered ${performance.now()}`)
    streak = status === 200 ? streak + 1 : 0
    if (performance.now() - startedAt > 6 * RECOVERY_MS_MAX) return Number.POSITIVE_INFINITY
  }
  return performance.now() - startedAt
}

await using service = await startScanService(
  { ...AS_NPM_START.env, DOCVET_PROCESSES: PROCESSES, plan: { scansPerMonth: 1e9 } },
  { nodeOptions: AS_NPM_START.nodeOptions, discardLog: true },
)
const keys: string[] = []
while (keys.length < ACCOUNTS) keys.push(await service.newKey())
const offer = (perSecond: number, seconds: number) =>
  load({ port: service.port, keys, bytes: BYTES, perSecond, seconds, connectionsMax: CONNECTIONS_MAX })
await offer(40, 4)
const best = await bestGoodput(offer)
let peakMb = 0
const sampling = setInterval(() => {
  peakMb = Math.max(peakMb, usageOf(service.pid).rssMb)
}, 500)
const cpuMs = () => {
  const { ownCpuMs, childrenCpuMs } = usageOf(service.pid)
  return ownCpuMs + childrenCpuMs
}
const rated: LoadResult[] = []
const overloaded: (LoadResult & { cpuMs: number })[] = []
// Alternating, so that other load on the machine affects both.
for (let round = 0; round < ROUNDS; round++) {
  rated.push(await offer(best, RATED_SECONDS))
  const before = cpuMs()
  const result = await offer(FACTOR * best, SECONDS)
  overloaded.push({ ...result, cpuMs: cpuMs() - before })
  show(`${best.toFixed(0)} offered`, rated.at(-1) as LoadResult)
  show(`${(FACTOR * best).toFixed(0)} offered`, result)
}
clearInterval(sampling)
client.disconnect()
const recovered = await recoveryMs(service, keys[0] ?? '')
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const share = sum(overloaded.map(goodput)) / sum(rated.map(goodput))
const answers = [...new Set(overloaded.flatMap((each) => Object.keys(each.answers)))]
const answered = sum(overloaded.flatMap((each) => Object.values(each.answers)))
console.log(
  `CPU time of the service: ${(sum(overloaded.map((each) => each.cpuMs)) / answered).toFixed(2)} ms per answer`,
)

const checks: [string, boolean, string][] = [
  ['answers', answers.every((answer) => ALLOWED.includes(answer)), answers.join(', ')],
  ['goodput', share >= GOODPUT_SHARE_MIN, `${(100 * share).toFixed(0)} % of that at the best rate`],
  ['recovery', recovered <= RECOVERY_MS_MAX, `ten scans in a row after ${(recovered / 1_000).toFixed(1)} s`],
  ['memory', peakMb <= MEMORY_MB_MAX, `${peakMb.toFixed(0)} MB at most, of all processes`],
]
for (const [name, holds, detail] of checks) console.log(`${holds ? 'ok    ' : 'FAILED'} ${name}: ${detail}`)
process.exitCode = checks.every(([, holds]) => holds) ? 0 : 1
