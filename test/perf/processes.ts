/** Scans with two processes on one port against one process, and the CPU time of each part. */
import { Agent } from 'node:http'
import { type Measurement, median } from '#test/perf/report.ts'
import { plansFile } from '#test/support/scanning.ts'
import { ALL_WORKERS, AS_NPM_START, type Service, startService } from '#test/support/service.ts'
import { processesOf } from './process-tree.ts'
import { documents, postDocument, type Round, round, signUp } from './scan-load.ts'

const ROUNDS = 5
const ROWS = [
  { name: '10 KB', parallel: 16, next: documents(10_240), atLeast: 0.8 },
  { name: '100 KB', parallel: 16, next: documents(102_400), atLeast: 1 },
  { name: '1 MB', parallel: 8, next: documents(1_048_576), atLeast: 1 },
]

/** CPU time by part of the service. */
type Parts = Record<'supervisor' | 'server processes' | 'workers', number>

function partsOf({ pid }: Service, processes: number): Parts {
  const parts: Parts = { supervisor: 0, 'server processes': 0, workers: 0 }
  for (const each of processesOf(pid)) {
    const isServer = processes === 1 ? each.pid === pid : each.parent === pid
    const part = isServer ? 'server processes' : each.pid === pid ? 'supervisor' : 'workers'
    parts[part] += each.cpuMs
  }
  return parts
}

interface Contender {
  processes: number
  service: Service
  scan: (document: Buffer) => Promise<void>
}

async function contender(service: Service, processes: number): Promise<Contender> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const headers = { 'x-api-key': await signUp(service.url) }
  const target = { agent, port: service.port, path: '/api/v1/scan', headers }
  return { processes, service, scan: (document) => postDocument(target, document) }
}

type Taken = Round & { parts: Parts }

async function take({ processes, service, scan }: Contender, row: (typeof ROWS)[number]): Promise<Taken> {
  const before = partsOf(service, processes)
  const measured = await round(row.parallel, () => scan(row.next()))
  const after = partsOf(service, processes)
  const parts = Object.fromEntries(
    Object.entries(after).map(([name, ms]) => [name, (ms - before[name as keyof Parts]) / measured.count]),
  ) as Parts
  return { ...measured, parts }
}

function describe(processes: number, taken: readonly Taken[]): string {
  const names = Object.keys(taken[0]?.parts ?? {}) as (keyof Parts)[]
  const shares = names.map((name) => [name, median(taken.map(({ parts }) => parts[name]))] as const)
  const all = shares.reduce((sum, [, ms]) => sum + ms, 0)
  const perSecond = median(taken.map((each) => each.perSecond))
  const texts = shares.map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
  return `  ${processes} process${processes > 1 ? 'es' : ''}: ${perSecond.toFixed(0)}/s, CPU ${all.toFixed(2)} ms (${texts.join(', ')})`
}

export async function* measureProcesses(): AsyncGenerator<Measurement> {
  const plans = plansFile({ scansPerMonth: 1e9, scansPerSecond: 1e6, burst: 1e6 })
  const start = (processes: number) =>
    startService(
      { ...ALL_WORKERS, ...AS_NPM_START.env, DOCVET_PLANS_FILE: plans, DOCVET_PROCESSES: String(processes) },
      { nodeOptions: AS_NPM_START.nodeOptions, discardLog: true },
    )
  await using one = await start(1)
  await using two = await start(2)
  const contenders = [await contender(one, 1), await contender(two, 2)] as const
  for (const row of ROWS) {
    const taken: [Taken[], Taken[]] = [[], []]
    for (const each of contenders) await take(each, row)
    for (let i = 0; i < ROUNDS; i++) {
      for (const [index, each] of contenders.entries()) taken[index]?.push(await take(each, row))
    }
    console.log(`${row.name} × ${row.parallel}, CPU time per scan\n${describe(1, taken[0])}\n${describe(2, taken[1])}`)
    yield {
      what: `Scans of ${row.name}, ${row.parallel} in parallel: two processes`,
      unit: 'scans/s',
      baseline: 'one process',
      rounds: taken[1].map(({ perSecond }, i) => ({ ours: perSecond, base: taken[0][i]?.perSecond ?? 0 })),
      target: { atLeast: row.atLeast },
    }
  }
}
