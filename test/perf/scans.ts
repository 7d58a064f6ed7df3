/** Scans through the whole service against raw INSTREAM to the same clamd, in turns, with contents that are never the same. */

import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Measurement } from '#test/perf/report.ts'
import { startClamd } from '#test/support/clamd.ts'
import { startService, temporaryFolder } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'

const ROUNDS = 3
const ROUND_MS = 2_000
const SIZES = [
  ['10 KB', 10_240, 0.6],
  ['100 KB', 102_400, 0.7],
  ['1 MB', 1_048_576, 0.85],
  ['10 MB', 10_485_760, 0.85],
] as const
const PARALLEL = [1, 16]
const PLAN = { scansPerMonth: 1e9, keysPerMonth: 5, scansPerSecond: 1e6, burst: 1e6 }

/** Text whose first line is new each time, so that no cache of clean files answers. */
function documents(size: number): () => Buffer {
  const line = 'The quick brown fox jumps over the lazy dog, again and again, until the page is full. '
  const text = Buffer.alloc(size, line)
  return () => {
    const copy = Buffer.from(text)
    copy.write(randomBytes(24).toString('hex'))
    return copy
  }
}

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

function serviceScan(agent: Agent, port: number, apiKey: string, document: Buffer): Promise<void> {
  const head = Buffer.from(
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n',
  )
  const tail = Buffer.from('\r\n--b--\r\n')
  return new Promise((resolve, reject) => {
    const headers = {
      'x-api-key': apiKey,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': head.length + document.length + tail.length,
    }
    const sent = request(
      { agent, port, host: '127.0.0.1', method: 'POST', path: '/api/v1/scan', headers },
      (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text) => (body += text))
        response.on('end', () => (body.includes('"status":"clean"') ? resolve() : reject(new Error(body))))
      },
    )
    sent.on('error', reject)
    sent.write(head)
    sent.write(document)
    sent.end(tail)
  })
}

interface Round {
  perSecond: number
  p50: number
  p99: number
}

async function round(parallel: number, once: () => Promise<void>): Promise<Round> {
  const times: number[] = []
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: parallel }, async () => {
      do {
        const start = performance.now()
        await once()
        times.push(performance.now() - start)
      } while (performance.now() - startedAt < ROUND_MS)
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

async function signUp(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(`${url}/api/v1/signup`, {
    method: 'POST',
    headers,
    body: '{"email":"bench@example.com"}',
  })
  return ((await response.json()) as { apiKey: string }).apiKey
}

export async function* measureScans(): AsyncGenerator<Measurement> {
  if (!SERVERS.clamd.available()) {
    console.log('clamd is not installed: scans against it are not measured (apt-get install clamav-daemon)\n')
    return
  }
  const plans = join(temporaryFolder('plans'), 'plans.json')
  writeFileSync(plans, JSON.stringify({ free: PLAN }))
  await using clamd = await startClamd()
  await using service = await startService(
    { DOCVET_CLAMD_URL: clamd.tcpUrl, DOCVET_PLANS_FILE: plans },
    { discardLog: true },
  )
  const apiKey = await signUp(service.url)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  for (const [name, size, atLeast] of SIZES) {
    const next = documents(size)
    for (const parallel of PARALLEL) {
      const rounds = []
      const lines = []
      for (let i = 0; i < ROUNDS; i++) {
        const base = await round(parallel, () => rawScan(clamd.tcpUrl, next()))
        const ours = await round(parallel, () => serviceScan(agent, service.port, apiKey, next()))
        rounds.push({ base: base.perSecond, ours: ours.perSecond })
        lines.push(
          `p50 ${ours.p50.toFixed(1)} / ${base.p50.toFixed(1)} ms, p99 ${ours.p99.toFixed(1)} / ${base.p99.toFixed(1)} ms`,
        )
      }
      const what = `Scans of ${name}, ${parallel} in parallel, embedded and clamd (${lines.at(-1)}, ours / raw)`
      yield { what, unit: 'scans/s', baseline: 'raw INSTREAM to the same clamd', rounds, aim: { atLeast } }
    }
  }
  const idleMb = residentMb(service.pid)
  const large = documents(24_000_000)
  await Promise.all(Array.from({ length: 16 }, () => serviceScan(agent, service.port, apiKey, large())))
  console.log(
    `Memory: ${Math.round(idleMb)} MB before, ${Math.round(residentMb(service.pid))} MB after 16 × 24 MB at once\n`,
  )
  agent.destroy()
}
