/** Scans through the service, with clamd and alone, against raw INSTREAM to the same clamd and two small programs. */

import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askClamd } from '#test/perf/raw-clamd.ts'
import { figure, type Measurement, median } from '#test/perf/report.ts'
import { startClamd } from '#test/support/clamd.ts'
import { AS_NPM_START, freePort, type Service, temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'
import { usageOf, warnIfBusy } from './process-tree.ts'
import { documents, docxDocuments, pdfDocuments, postDocument, type Round, round, signUp } from './scan-load.ts'
import { startUnlimited } from './unlimited-service.ts'

const ROUNDS = 3
/** Of small documents, for every contender: V8 compiles a program for the first ten thousand requests. */
const WARM_UP_ROUNDS = 6
const MEMORY_DOCUMENTS = 24
const MEMORY_CLIENTS = 8
const MEMORY_DOCUMENT_BYTES = 25_000_000
const MEMORY_SAMPLE_MS = 500
const MEMORY_BACK_MS = 40_000
const STRACE_SCANS = 200

interface Row {
  name: string
  parallel: number
  next: () => Buffer
  /** Minimum ratios of the service with clamd. */
  toClamd?: number
  toBare?: number
}

const ROWS: Row[] = [
  { name: '10 KB', parallel: 1, next: documents(10_240), toClamd: 0.4, toBare: 0.65 },
  { name: '10 KB', parallel: 16, next: documents(10_240), toClamd: 0.42, toBare: 0.65 },
  { name: '100 KB', parallel: 16, next: documents(102_400), toClamd: 0.72, toBare: 0.85 },
  { name: '1 MB', parallel: 8, next: documents(1_048_576), toClamd: 0.84, toBare: 0.93 },
  { name: '10 MB', parallel: 4, next: documents(10_485_760), toClamd: 0.86, toBare: 0.93 },
  { name: 'a PDF of 20 pages', parallel: 8, next: pdfDocuments() },
  { name: 'a docx of 400 paragraphs', parallel: 8, next: docxDocuments() },
]

const WARM_UP: Row = { name: '10 KB', parallel: 16, next: documents(10_240) }

async function rawScan(url: string, document: Buffer): Promise<void> {
  const reply = await askClamd(url, document)
  if (String(reply) !== 'stream: OK\0') throw new Error(`clamd said ${reply}`)
}

interface Contender {
  /** Its CPU time is measured with that of its descendants. */
  pid: number
  scan: (document: Buffer) => Promise<void>
}

interface Taken extends Round {
  ownCpuMs: number
  childrenCpuMs: number
  /** The most seen. */
  rssMb: number
}

/** CPU time is per scan. */
async function take({ pid, scan }: Contender, { parallel, next }: Row): Promise<Taken> {
  const before = usageOf(pid)
  let rssMb = before.rssMb
  const sampling = setInterval(() => {
    rssMb = Math.max(rssMb, usageOf(pid).rssMb)
  }, MEMORY_SAMPLE_MS)
  const measured = await round(parallel, () => scan(next()))
  clearInterval(sampling)
  const after = usageOf(pid)
  return {
    ...measured,
    ownCpuMs: (after.ownCpuMs - before.ownCpuMs) / measured.count,
    childrenCpuMs: (after.childrenCpuMs - before.childrenCpuMs) / measured.count,
    rssMb,
  }
}

async function measureRow(contenders: Record<string, Contender>, row: Row): Promise<Record<string, Taken[]>> {
  const taken: Record<string, Taken[]> = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]))
  for (let i = 0; i < ROUNDS; i++)
    for (const [name, contender] of Object.entries(contenders)) taken[name]?.push(await take(contender, row))
  return taken
}

const CLAMD = 'raw INSTREAM to the same clamd'
const BARE = 'a bare program (Express, express-fileupload, clamscan)'
const WITH_CLAMD = 'Docvet with clamd'
const ALONE = 'Docvet alone'
const LEAST = 'the least program with the same duties'

function* ratios(row: Row, taken: Record<string, Taken[]>): Generator<Measurement> {
  const pairs = (ours: string, base: string) =>
    (taken[ours] ?? []).map(({ perSecond }, i) => ({ ours: perSecond, base: taken[base]?.[i]?.perSecond ?? 0 }))
  const ratio = (ours: string, base: string, atLeast?: number): Measurement => ({
    what: `Scans of ${row.name}, ${row.parallel} in parallel: ${ours}`,
    unit: 'scans/s',
    baseline: base,
    rounds: pairs(ours, base),
    ...(atLeast !== undefined && { target: { atLeast } }),
  })
  yield ratio(ALONE, LEAST)
  if (taken[WITH_CLAMD]) {
    yield ratio(WITH_CLAMD, CLAMD, row.toClamd)
    yield ratio(WITH_CLAMD, BARE, row.toBare)
    yield ratio(ALONE, CLAMD)
  }
}

function cpuLine(row: Row, taken: Record<string, Taken[]>): string {
  const parts = Object.entries(taken).map(([name, rounds]) => {
    const own = median(rounds.map(({ ownCpuMs }) => ownCpuMs))
    const children = median(rounds.map(({ childrenCpuMs }) => childrenCpuMs))
    const { p50 = 0, p99 = 0 } = rounds.at(-1) ?? {}
    const share = children > 0 ? ` (main ${own.toFixed(2)}, workers ${children.toFixed(2)})` : ''
    const perSecond = figure(median(rounds.map((each) => each.perSecond)))
    return `  ${name}: ${perSecond}/s, CPU ${(own + children).toFixed(2)} ms${share}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`
  })
  return [`${row.name} × ${row.parallel}, per scan`, ...parts, ''].join('\n')
}

async function contender(service: Service): Promise<Contender> {
  const headers = { 'x-api-key': await signUp(service.url) }
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const target = { agent, port: service.port, path: '/api/v1/scan', headers }
  return { pid: service.pid, scan: (document) => postDocument(target, document) }
}

/** `execArgv` are the options of Node. */
async function startPeer(file: string, arg: string, execArgv: string[] = []): Promise<Contender & AsyncDisposable> {
  const port = await freePort()
  const child = fork(new URL(file, import.meta.url), [String(port), arg], { execArgv })
  await once(child, 'message')
  const headers = { 'x-api-key': 'key' }
  const target = { agent: new Agent({ keepAlive: true, maxSockets: 64 }), port, path: '/scan', headers }
  return {
    pid: child.pid ?? 0,
    scan: (document) => postDocument(target, document),
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

function printMemory(when: string, { pid }: Contender): void {
  const { rssMb, pssMb } = usageOf(pid)
  console.log(`Memory ${when}: ${Math.round(rssMb)} MB RSS, ${Math.round(pssMb)} MB PSS`)
}

async function printMemoryAfterLoad(ours: Contender): Promise<void> {
  const next = documents(MEMORY_DOCUMENT_BYTES)
  const client = async () => {
    for (let i = 0; i < MEMORY_DOCUMENTS / MEMORY_CLIENTS; i++) await ours.scan(next())
  }
  await Promise.all(Array.from({ length: MEMORY_CLIENTS }, client))
  printMemory(`right after ${MEMORY_DOCUMENTS} × 25 MB`, ours)
  await sleep(MEMORY_BACK_MS)
  printMemory(`${MEMORY_BACK_MS / 1_000} s later`, ours)
}

/** Calls of the main process, because workers cannot be traced inside their sandbox. */
async function printSystemCalls({ pid, scan }: Contender): Promise<void> {
  if (spawnSync('strace', ['-V']).status !== 0) {
    console.log('System calls were not counted: strace is not installed.')
    return
  }
  const output = join(temporaryFolder('strace'), 'counts')
  const strace = spawn('strace', ['-f', '-c', '-o', output, '-p', String(pid)], { stdio: 'ignore' })
  await sleep(1_000)
  const next = documents(10_240)
  for (let i = 0; i < STRACE_SCANS; i++) await scan(next())
  strace.kill('SIGINT')
  await once(strace, 'exit')
  const lines = spawnSync('sort', ['-k4', '-rn', output], { encoding: 'utf8' }).stdout.split('\n')
  const calls = lines.flatMap((line) => {
    const [, count, name] = /^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+)$/.exec(line) ?? []
    return count && name && name !== 'total' ? [[name, Number(count) / STRACE_SCANS] as const] : []
  })
  const all = calls.reduce((sum, [, count]) => sum + count, 0)
  const most = calls.slice(0, 8).map(([name, count]) => `${name} ${count.toFixed(1)}`)
  console.log(`System calls per scan of 10 KB, one at a time: ${all.toFixed(1)} (${most.join(', ')})\n`)
}

export async function* measureScans(): AsyncGenerator<Measurement> {
  await warnIfBusy()
  await using alone = await startUnlimited()
  await using least = await startPeer('./least-scanner.ts', temporaryFolder('least'), AS_NPM_START.nodeOptions)
  const contenders: Record<string, Contender> = { [ALONE]: await contender(alone), [LEAST]: least }
  await using stack = new AsyncDisposableStack()
  if (SERVERS.clamd.available()) {
    const clamd = stack.use(await startClamd())
    const service = stack.use(await startUnlimited({ DOCVET_CLAMD_URL: clamd.tcpUrl }))
    contenders[CLAMD] = { pid: clamd.pid ?? 0, scan: (document) => rawScan(clamd.tcpUrl, document) }
    contenders[BARE] = stack.use(await startPeer('./bare-scanner.js', new URL(clamd.tcpUrl).port))
    contenders[WITH_CLAMD] = await contender(service)
  } else console.log('Skipped scans with clamd: not installed (apt-get install clamav-daemon)\n')
  const ours = contenders[WITH_CLAMD] ?? contenders[ALONE]
  if (!ours) return
  printMemory('at rest', ours)
  for (const each of Object.values(contenders)) for (let i = 0; i < WARM_UP_ROUNDS; i++) await take(each, WARM_UP)

  let peakMb = 0
  for (const row of ROWS) {
    const taken = await measureRow(contenders, row)
    peakMb = Math.max(peakMb, ...(taken[WITH_CLAMD] ?? taken[ALONE] ?? []).map(({ rssMb }) => rssMb))
    console.log(cpuLine(row, taken))
    yield* ratios(row, taken)
  }
  console.log(`Memory peak in all rounds: ${Math.round(peakMb)} MB RSS`)
  await printMemoryAfterLoad(ours)
  await printSystemCalls(ours)
}
