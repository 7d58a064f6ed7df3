/** `npm run soak [minutes]`: an hour of mixed requests at a low rate; fails if memory or descriptors keep growing. */
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { asPage, GOOD_PASSWORD, signIn, signUpPerson } from '#test/support/auth-client.ts'
import { newEmail, withKey } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { createDice, everyDocument, nextDocument } from '#test/support/scan-documents.ts'
import { FORM_TYPE, type ScanService, startScanService } from '#test/support/scanning.ts'
import { AS_NPM_START } from '#test/support/service.ts'
import { type ProcessUsage, processesOf } from './process-tree.ts'
import { documents, docxDocuments, pdfDocuments } from './scan-load.ts'

const MINUTES = Number(process.argv[2] ?? 60)
const WARM_UP_MINUTES = Math.min(15, MINUTES / 4)
const PER_SECOND = 12
const SAMPLE_MS = 10_000
const SAMPLES_PER_MINUTE = 60_000 / SAMPLE_MS
/** Per ten minutes. */
const MEMORY_SLOPE_MB_MAX = 1
const DESCRIPTOR_SLOPE_MAX = 1
const ACCOUNTS = 20

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
      return `${name} ${each.rssMb.toFixed(1)}/${each.pssMb.toFixed(1)} MB ${each.descriptors} fd`
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
  // The lowest value of each minute: garbage that is not collected yet is no leak.
  for (let at = 0; at + SAMPLES_PER_MINUTE <= samples.length; at += SAMPLES_PER_MINUTE) {
    const minute = samples.slice(at, at + SAMPLES_PER_MINUTE)
    points.push([minute[0]?.minute ?? 0, Math.min(...minute.map(valueIn))])
  }
  return { perTenMinutes: slope(points) * 10, first: points[0]?.[1] ?? 0, last: points.at(-1)?.[1] ?? 0 }
}

function report(samples: readonly Sample[], service: ScanService): boolean {
  const warm = samples.filter(({ minute }) => minute >= WARM_UP_MINUTES)
  const of = (field: 'rssMb' | 'pssMb' | 'descriptors', main: boolean) => (sample: Sample) =>
    sum(sample.processes.filter((each) => isMain(each, service) === main).map((each) => each[field]))
  const rows: [string, number, (sample: Sample) => number][] = [
    ['RSS of the main process, MB', MEMORY_SLOPE_MB_MAX, of('rssMb', true)],
    ['PSS of the main process, MB', MEMORY_SLOPE_MB_MAX, of('pssMb', true)],
    ['PSS of the workers, MB', MEMORY_SLOPE_MB_MAX, of('pssMb', false)],
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
  { nodeOptions: AS_NPM_START.nodeOptions, discardLog: true },
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
console.log(`pid ${service.pid}, ${MINUTES} minutes, ${PER_SECOND} requests per second; RSS/PSS of each process`)
while (minutes() < MINUTES) {
  const [, action] = ACTIONS[dice.pick(WHEEL)] ?? []
  action?.(service, dice.pick(keys)).then(
    (answer) => answer && count(String(answer.status)),
    (error: NodeJS.ErrnoException) => count(error.code ?? error.message),
  )
  await sleep(dice.next() * (2_000 / PER_SECOND))
}
clearInterval(sampling)
process.exitCode = report(samples, service) ? 0 : 1
