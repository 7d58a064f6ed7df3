/** `npm run soak [minutes]`: an hour of mixed requests at a low rate; fails if memory or descriptors grow after the warm-up. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { asPage, GOOD_PASSWORD, signIn, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail, withKey } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { createDice, everyDocument, nextDocument } from '#test/support/scan-documents.ts'
import { FORM_TYPE, type ScanService, startScanService } from '#test/support/scanning.ts'
import { AS_NPM_START } from '#test/support/service.ts'
import { readArguments } from '../../scripts/arguments.ts'
import type { Retained } from './heap-probe.ts'
import { type ProcessUsage, processesOf } from './process-tree.ts'
import { documents, docxDocuments, pdfDocuments } from './scan-load.ts'

const [MINUTES = 60] = readArguments('npm run soak [-- MINUTES]', { max: 1, numbers: 1 }).positionals.map(Number)
/**
 * At four times the rate, so that V8 compiles the hot functions and malloc meets the peaks before the measurement: both
 * depend on the number of requests. The rest of the warm-up is at the normal rate.
 */
const FAST_MINUTES = Math.min(12, MINUTES / 5)
const FAST_FACTOR = 4
const WARM_UP_MINUTES = FAST_MINUTES * 1.25
const PER_SECOND = 12
/** Without requests, until the memory for large documents was returned. */
const PAUSE_MS = 15_000
const SAMPLE_MS = 10_000
const SAMPLES_PER_MINUTE = 60_000 / SAMPLE_MS
/** Of which the lowest value counts. A shorter one may hold the memory of large documents from begin to end. */
const WINDOW_MINUTES = Math.min(5, MINUTES / 8)
/** Per ten minutes. */
const MEMORY_SLOPE_MB_MAX = 1
const DESCRIPTOR_SLOPE_MAX = 1
const ACCOUNTS = 20

const PROBE = new URL('./heap-probe.ts', import.meta.url)

const dice = createDice(1)
const TEXTS = [1_000, 10_240, 102_400, 1_048_576].map((size) => documents(size))
const [largeText, onePdf, oneDocx] = [documents(10_485_760), pdfDocuments(), docxDocuments()]

type Action = (service: ScanService, key: string) => Promise<{ status: number } | undefined>

const statusOf = (port: number, key: string, path: string) => request(port, 'GET', path, { headers: withKey(key) })

/** An upload that ends in the middle. */
async function abort({ port }: ScanService, key: string): Promise<undefined> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  const head = ['POST /api/v1/scan HTTP/1.1', 'Host: a', `X-API-Key: ${key}`, `Content-Type: ${FORM_TYPE}`]
  socket.write([...head, 'Content-Length: 200000', '', 'x'.repeat(dice.whole(0, 100_000))].join('\r\n'))
  await sleep(dice.whole(0, 200))
  socket.destroy()
}

/** With how often each occurs in a hundred requests. */
const ACTIONS: Record<string, [number, Action]> = {
  text: [30, (service, key) => service.scan(key, dice.pick(TEXTS)())],
  'text of 10 MB': [1, (service, key) => service.scan(key, largeText())],
  PDF: [12, (service, key) => service.scan(key, onePdf())],
  docx: [12, (service, key) => service.scan(key, oneDocx())],
  'small, half infected': [20, (service, key) => service.scan(key, nextDocument(dice, randomUUID()).bytes)],
  'same document': [2, (service, key) => service.scan(key, dice.pick(everyDocument('soak')).bytes)],
  idempotent: [4, (service, key) => service.scan(key, 'Hello', { headers: { 'idempotency-key': randomUUID() } })],
  'wrong field': [3, (service, key) => service.scan(key, 'Hello', { name: 'wrong' })],
  'empty file': [1, (service, key) => service.scan(key, '')],
  'unknown key': [2, (service) => service.scan(`${'dv_live_'}${'0'.repeat(38)}`, 'Hello')],
  abort: [2, abort],
  history: [4, ({ port }, key) => statusOf(port, key, '/api/v1/scans?limit=20')],
  usage: [4, ({ port }, key) => statusOf(port, key, '/api/v1/usage')],
  'not found': [1, ({ port }, key) => statusOf(port, key, `/api/v1/${randomUUID()}`)],
  'sign-in and list': [1, signInAndList],
  'sign-up': [1, ({ port }) => request(port, 'POST', '/api/v1/signup', { body: { email: newEmail() } })],
}

let person: Awaited<ReturnType<typeof signUpPerson>> | undefined

async function signInAndList({ port }: ScanService) {
  person ??= await signUpPerson(port)
  const answer = await signIn(port, person.email, dice.next() < 0.9 ? GOOD_PASSWORD : 'wrong password')
  await asPage(port, person.cookie, 'GET', '/api/v1/keys')
  return answer
}

const WHEEL = Object.entries(ACTIONS).flatMap(([name, [share]]) => Array.from({ length: share }, () => name))

interface Sample {
  minute: number
  processes: ProcessUsage[]
}

const isMain = ({ pid }: ProcessUsage, service: ScanService) => pid === service.pid
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

function describe({ minute, processes }: Sample, service: ScanService, answers: Map<string, number>): string {
  const shown = processes
    .filter(({ name, rssMb }) => name.startsWith('node') || rssMb > 20)
    .map((each) => {
      const name = isMain(each, service) ? 'main' : `worker ${each.pid}`
      return `${name} ${each.rssMb.toFixed(1)}/${each.anonymousMb.toFixed(1)} MB ${each.descriptors} fd`
    })
  const statuses = [...answers].toSorted().map(([status, count]) => `${count} × ${status}`)
  return `${minute.toFixed(0).padStart(3)} min  ${shown.join(' | ')} | ${statuses.join(', ')}`
}

/** By least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: number[]) => sum(values) / values.length
  const [x, y] = [mean(points.map(([each]) => each)), mean(points.map(([, each]) => each))]
  const spread = sum(points.map(([each]) => (each - x) ** 2))
  return sum(points.map(([a, b]) => (a - x) * (b - y))) / spread
}

function growth(samples: readonly Sample[], valueIn: (sample: Sample) => number) {
  const points: [number, number][] = []
  const step = Math.round(WINDOW_MINUTES * SAMPLES_PER_MINUTE)
  // The lowest value of each window: garbage that is not collected yet is no leak.
  for (let at = 0; at + step <= samples.length; at += step) {
    const window = samples.slice(at, at + step)
    points.push([window[0]?.minute ?? 0, Math.min(...window.map(valueIn))])
  }
  return { perTenMinutes: slope(points) * 10, first: points[0]?.[1] ?? 0, last: points.at(-1)?.[1] ?? 0 }
}

function report(samples: readonly Sample[], service: ScanService): boolean {
  const warm = samples.filter(({ minute }) => minute >= WARM_UP_MINUTES)
  const of = (field: 'rssMb' | 'anonymousMb' | 'descriptors', main: boolean) => (sample: Sample) =>
    sum(sample.processes.filter((each) => isMain(each, service) === main).map((each) => each[field]))
  const rows: [string, number, (sample: Sample) => number][] = [
    ['RSS of the main process, MB', MEMORY_SLOPE_MB_MAX, of('rssMb', true)],
    ['anonymous memory of the main process, MB', MEMORY_SLOPE_MB_MAX, of('anonymousMb', true)],
    ['anonymous memory of the workers, MB', MEMORY_SLOPE_MB_MAX, of('anonymousMb', false)],
    ['descriptors of the main process', DESCRIPTOR_SLOPE_MAX, of('descriptors', true)],
    ['descriptors of the workers', DESCRIPTOR_SLOPE_MAX, of('descriptors', false)],
  ]
  let isFlat = true
  for (const [name, most, valueIn] of rows) {
    const { perTenMinutes, first, last } = growth(warm, valueIn)
    if (!(perTenMinutes < most)) isFlat = false
    const verdict = perTenMinutes < most ? 'flat' : 'GROWS'
    console.log(
      `${verdict}  ${name}: ${perTenMinutes.toFixed(2)} per 10 minutes, from ${first.toFixed(1)} to ${last.toFixed(1)}`,
    )
  }
  return isFlat
}

await using service = await startScanService(
  { ...AS_NPM_START.env, plan: { scansPerMonth: 1e9 } },
  { nodeOptions: [...AS_NPM_START.nodeOptions, `--import=${PROBE}`], discardLog: true },
)
const keys: string[] = []
while (keys.length < ACCOUNTS) keys.push(await service.newKey())
const answers = new Map<string, number>()
const count = (name: string) => answers.set(name, (answers.get(name) ?? 0) + 1)
const startedAt = performance.now()
const minutes = () => (performance.now() - startedAt) / 60_000
const samples: Sample[] = []
const sampling = setInterval(() => {
  const sample = { minute: minutes(), processes: processesOf(service.pid) }
  samples.push(sample)
  if (samples.length % SAMPLES_PER_MINUTE === 0) console.log(describe(sample, service, answers))
}, SAMPLE_MS)

async function sendUntil(end: number, perSecond: number): Promise<void> {
  while (minutes() < end) {
    const [, action] = ACTIONS[dice.pick(WHEEL)] ?? []
    action?.(service, dice.pick(keys)).then(
      (answer) => answer && count(String(answer.status)),
      (error: NodeJS.ErrnoException) => count(error.code ?? error.message),
    )
    await sleep(dice.next() * (2_000 / perSecond))
  }
}

/** Memory that the main process still uses after garbage collection, without any request. */
async function retained(number: number): Promise<Retained & { minute: number }> {
  await sleep(PAUSE_MS)
  process.kill(service.pid, 'SIGUSR2')
  const line = await service.logged(new RegExp(`^retained ${number} `))
  return { ...(JSON.parse(line.slice(`retained ${number} `.length)) as Retained), minute: minutes() }
}

function reportRetained(first: Awaited<ReturnType<typeof retained>>, last: typeof first): boolean {
  const mb = ({ heapUsed, external }: Retained) => (heapUsed + external) / 1_048_576
  const perTenMinutes = ((mb(last) - mb(first)) / (last.minute - first.minute)) * 10
  const verdict = perTenMinutes < MEMORY_SLOPE_MB_MAX ? 'flat' : 'GROWS'
  const range = `from ${mb(first).toFixed(1)} to ${mb(last).toFixed(1)}`
  console.log(`${verdict}  retained by the main process, MB: ${perTenMinutes.toFixed(2)} per 10 minutes, ${range}`)
  return verdict === 'flat'
}

console.log(`pid ${service.pid}, ${MINUTES} minutes, ${PER_SECOND} requests per second; RSS/anonymous of each process`)
await sendUntil(FAST_MINUTES, FAST_FACTOR * PER_SECOND)
const first = await retained(1)
await sendUntil(MINUTES, PER_SECOND)
clearInterval(sampling)
const isFlat = report(samples, service)
process.exitCode = reportRetained(first, await retained(2)) && isFlat ? 0 : 1
