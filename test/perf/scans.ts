/** Scans through the service against raw INSTREAM to the same clamd and against the embedded engine alone. */

import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createLog } from '#base/log.ts'
import { createEmbeddedEngine } from '#engines/embedded/engine.ts'
import type { Engine } from '#engines/engine.ts'
import { createSample } from '#engines/sample.ts'
import type { Measurement } from '#test/perf/report.ts'
import { startClamd } from '#test/support/clamd.ts'
import { ALL_WORKERS, type Service, startService, temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'
import { documents, type Round, residentMb, round, serviceScan, signUp } from './scan-load.ts'

const ROUNDS = 3
const SIZES = [
  ['10 KB', 10_240, 0.6],
  ['100 KB', 102_400, 0.7],
  ['1 MB', 1_048_576, 0.85],
  ['10 MB', 10_485_760, 0.85],
] as const
const PARALLEL = [1, 16]
const PLAN = { scansPerMonth: 1e9, keysPerMonth: 5, scansPerSecond: 1e6, burst: 1e6 }

function rawScan(url: string, document: Buffer): Promise<void> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let reply = ''
    const length = Buffer.alloc(4)
    length.writeUInt32BE(document.length)
    socket.on('data', (data) => (reply += data))
    socket.on('error', reject)
    socket.on('close', () => (reply === 'stream: OK\0' ? resolve() : reject(new Error(`clamd said ${reply}`))))
    socket.cork()
    socket.write('zINSTREAM\0')
    socket.write(length)
    socket.write(document)
    socket.write(Buffer.alloc(4))
    socket.uncork()
  })
}

async function engineScan(engine: Engine, document: Buffer): Promise<void> {
  const { sample, push, end, dispose } = createSample()
  push(document)
  // The worker reports the hash of what it received.
  end(createHash('sha256').update(document).digest('hex'))
  const outcome = await engine.inspect(sample, new AbortController().signal)
  dispose()
  if (outcome.kind !== 'clean') throw new Error(JSON.stringify(outcome))
}

type Scan = (document: Buffer) => Promise<unknown>

/** Alternates rounds of each baseline and of the service, for every size and concurrency. */
async function* compare(engines: string, baselines: Record<string, Scan>, ours: Scan): AsyncGenerator<Measurement> {
  for (const [name, size, atLeast] of SIZES) {
    const next = documents(size)
    for (const parallel of PARALLEL) {
      const taken: { ours: Round; bases: Round[] }[] = []
      for (let i = 0; i < ROUNDS; i++) {
        const bases: Round[] = []
        for (const scan of Object.values(baselines)) bases.push(await round(parallel, () => scan(next())))
        taken.push({ bases, ours: await round(parallel, () => ours(next())) })
      }
      for (const [index, baseline] of Object.keys(baselines).entries()) {
        const pairs = taken.flatMap(({ ours, bases }) => (bases[index] ? [{ ours, base: bases[index] }] : []))
        yield {
          what: `Scans of ${name}, ${parallel} in parallel, ${engines} (${timesOf(pairs.at(-1))})`,
          unit: 'scans/s',
          baseline,
          rounds: pairs.map(({ ours, base }) => ({ ours: ours.perSecond, base: base.perSecond })),
          target: { atLeast },
        }
      }
    }
  }
}

function timesOf(last: { ours: Round; base: Round } | undefined): string {
  const pair = (of: 'p50' | 'p99') => `${of} ${last?.ours[of].toFixed(1)} / ${last?.base[of].toFixed(1)} ms`
  return `${pair('p50')}, ${pair('p99')}, ours / baseline`
}

async function scanner(service: Service): Promise<(document: Buffer) => Promise<void>> {
  const apiKey = await signUp(service.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return (document) => serviceScan(agent, service.port, apiKey, document)
}

async function printMemory(service: Service, scan: (document: Buffer) => Promise<void>): Promise<void> {
  const before = Math.round(residentMb(service.pid))
  const large = documents(24_000_000)
  await Promise.all(Array.from({ length: 16 }, () => scan(large())))
  console.log(`Memory: ${before} MB before, ${Math.round(residentMb(service.pid))} MB after 16 × 24 MB at once\n`)
}

export async function* measureScans(): AsyncGenerator<Measurement> {
  const plans = join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(plans, JSON.stringify({ free: PLAN }))
  const start = (settings: Record<string, string>) =>
    startService({ ...ALL_WORKERS, DOCVET_PLANS_FILE: plans, ...settings }, { discardLog: true })
  const log = createLog({ level: 'silent' })
  const engine = await createEmbeddedEngine({ rulesDir: null, sensitivity: 'standard', log })
  const scanWithWorker: Scan = (document) => engineScan(engine, document)
  if (SERVERS.clamd.available()) {
    await using clamd = await startClamd()
    await using service = await start({ DOCVET_CLAMD_URL: clamd.tcpUrl })
    const scan = await scanner(service)
    const scanWithClamd: Scan = (document) => rawScan(clamd.tcpUrl, document)
    const baselines = {
      'raw INSTREAM to the same clamd': scanWithClamd,
      // The difference is the cost of authentication, quota, record and HTTP.
      'both engines called directly': (document: Buffer) =>
        Promise.all([scanWithClamd(document), scanWithWorker(document)]),
    }
    yield* compare('embedded and clamd', baselines, scan)
    await printMemory(service, scan)
  } else {
    console.log('Skipped scans with clamd: not installed (apt-get install clamav-daemon)\n')
  }
  await using service = await start({})
  yield* compare('embedded', { 'its workers called directly': scanWithWorker }, await scanner(service))
  await engine.close()
}
