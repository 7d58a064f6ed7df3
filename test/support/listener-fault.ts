/** Documents over the listeners under faults: which were taken for clean, and whether each of them was inspected. */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { startClamd } from '#test/support/clamd.ts'
import { type Answer, type AnswerKind, type ClientName, startClients } from '#test/support/listener-clients.ts'
import { seedListenerKey } from '#test/support/listener-service.ts'
import { descendants, signalTo } from '#test/support/scan-process.ts'
import { plansFile } from '#test/support/scanning.ts'
import { ALL_WORKERS, freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'

interface RunOptions {
  documents: number
  secondsMax: number
  log?: (text: string) => void
  /** Mean time between two faults. */
  everyMs?: number
  /** How often the service itself is ended, which takes longest. */
  endsMax?: number
}

interface Tally {
  /** By client, to a service that accepted the connection. */
  sent: Record<string, number>
  answers: Record<AnswerKind, number>
  faults: Record<string, number>
  /** Replies that must not have been given. */
  wrong: string[]
}

type Kind = 'clean' | 'infected' | 'encrypted' | 'cut off'
const KINDS: readonly Kind[] = ['clean', 'clean', 'infected', 'encrypted', 'cut off']
const CLIENTS = 12
const READY_MS_MAX = 180_000
const FAULT_MS = 700
const FILLER = 'All work and no play makes a dull document. '
const SECRET = { name: 'a.txt', data: 'Good morning', local: { flags: 1 }, central: { flags: 1 } }

/** Unique, so that its row in the database is its own. */
function documentOf(kind: Kind): Buffer {
  const id = randomBytes(16).toString('hex')
  const filler = FILLER.repeat(randomInt(1, 400))
  if (kind === 'infected') return Buffer.concat([Buffer.from(EICAR), Buffer.from(`\n${id} ${filler}`)])
  if (kind === 'encrypted') return writeZip([{ ...SECRET, name: `${id}.txt` }])
  return Buffer.from(`${id} ${filler}`)
}

/** Why the answer must not have been given; null if it may. */
function wrongAnswer(kind: Kind, { kind: answer, text }: Answer): string | null {
  if (answer === 'none') return null
  if (kind === 'cut off') return `a document that was cut off was answered: ${answer} ${text}`
  if (answer === 'error') return /^stream: .*OK/.test(text) ? `an error contains OK: ${text}` : null
  // Over clamd, by default, what cannot be inspected is an error.
  const expected: Record<Exclude<Kind, 'cut off'>, AnswerKind> = {
    clean: 'ok',
    infected: 'infected',
    encrypted: 'uninspected',
  }
  return answer === expected[kind] ? null : `${kind} was answered: ${answer} ${text}`
}

/** Its page says so: nothing can be answered while the service is down. */
const SILENCE_IS_CLEAN: readonly ClientName[] = ['pyclamd']

/** Mostly the protocols themselves, where a client cannot make an error of it. */
const MIX: readonly ClientName[] = [
  ...Array<ClientName>(8).fill('clamd'),
  ...Array<ClientName>(8).fill('icap'),
  ...(['clamscan', 'clamdjs', 'clamav.js', 'pyclamd'] as const),
]

export async function runDocuments({
  documents,
  secondsMax,
  log = () => {},
  everyMs = FAULT_MS,
  endsMax = Number.POSITIVE_INFINITY,
}: RunOptions): Promise<Tally> {
  const answers = { ok: 0, infected: 0, uninspected: 0, error: 0, none: 0 }
  const tally: Tally = { sent: {}, answers, faults: {}, wrong: [] }
  const { clients, close } = startClients()
  let sent = 0
  const dataDir = temporaryFolder('listener-fault')
  const { keyId } = await seedListenerKey(dataDir)
  const clamd = await startClamd()
  const [clamdPort, icapPort] = [await freePort(), await freePort()]
  const env = {
    ...ALL_WORKERS,
    DOCVET_PLANS_FILE: plansFile(),
    DOCVET_CLAMD_LISTEN: `tcp://127.0.0.1:${clamdPort}?key=${keyId}`,
    DOCVET_ICAP_LISTEN: `tcp://127.0.0.1:${icapPort}?key=${keyId}`,
    DOCVET_CLAMD_URL: clamd.url,
  }
  const start = (): Promise<Service> => startService(env, { dataDir, readyTimeoutMs: READY_MS_MAX })
  let service = await start()
  /** Starts and ends of the service. */
  let turns = 0
  let isOver = false
  const okHashes: { sha256: string; name: ClientName }[] = []

  async function again(end: () => Promise<unknown>): Promise<void> {
    turns++
    try {
      await end()
      service = await start()
    } finally {
      turns++
    }
  }

  const faults: Record<string, () => Promise<void>> = {
    worker: async () => {
      const pids = descendants(service.pid)
      const pid = pids[randomInt(Math.max(1, pids.length))]
      if (pid !== undefined) signalTo(pid, 'SIGKILL')
    },
    clamd: async () => {
      await clamd.kill()
      await sleep(randomInt(1_000))
      await clamd.start()
    },
    service: () => again(() => service.kill()),
    restart: () => again(() => service.stop()),
  }
  const WEIGHTED = [...Array<string>(12).fill('worker'), 'clamd', 'clamd', 'service', 'restart']

  async function disturb(): Promise<void> {
    while (!isOver) {
      await sleep(randomInt(everyMs * 2))
      const chosen = WEIGHTED[randomInt(WEIGHTED.length)] as string
      const isEnd = chosen === 'service' || chosen === 'restart'
      const name = isEnd && turns >= 2 * endsMax ? 'worker' : chosen
      tally.faults[name] = (tally.faults[name] ?? 0) + 1
      await faults[name]?.().catch((error) => log(`The fault ${name} failed: ${error}`))
    }
  }

  function count(name: ClientName, kind: Kind, document: Buffer, answer: Answer): void {
    const wrong = wrongAnswer(kind, answer)
    if (wrong !== null) tally.wrong.push(`${name}: ${wrong}`)
    tally.sent[name] = (tally.sent[name] ?? 0) + 1
    tally.answers[answer.kind]++
    if (answer.kind === 'ok') okHashes.push({ name, sha256: createHash('sha256').update(document).digest('hex') })
    if (++sent % 1_000 === 0) log(JSON.stringify({ ...tally, wrong: tally.wrong.length }))
  }

  async function client(until: number): Promise<void> {
    while (sent < documents && Date.now() < until) {
      const kind = KINDS[randomInt(KINDS.length)] as Kind
      const name = MIX[randomInt(MIX.length)] as ClientName
      const document = documentOf(kind)
      const begun = turns
      const answer = await clients[name](name === 'icap' ? icapPort : clamdPort, document, kind === 'cut off')
      // A library has the same error for a service that is starting.
      const isDown = name !== 'clamd' && name !== 'icap' && (turns !== begun || turns % 2 === 1)
      const isCounted = !isDown || (answer?.kind === 'ok' && !SILENCE_IS_CLEAN.includes(name))
      if (answer === null || !isCounted) await sleep(50)
      else count(name, kind, document, answer)
    }
  }

  const until = Date.now() + secondsMax * 1_000
  const disturbing = disturb()
  await Promise.all(Array.from({ length: CLIENTS }, () => client(until)))
  isOver = true
  await disturbing
  await service.stop()
  await clamd[Symbol.asyncDispose]()
  close()

  // A document taken for clean has a record with the reports of both engines: it was inspected completely, and charged.
  using database = new DatabaseSync(`${dataDir}/docvet.sqlite`, { readOnly: true })
  const find = database.prepare("SELECT verdict, engines FROM scans WHERE sha256 = ? AND verdict = 'clean'")
  for (const { name, sha256 } of okHashes) {
    const row = find.get(sha256) as { engines: string } | undefined
    const reports = row ? (JSON.parse(row.engines) as { ms: number | null }[]) : []
    if (reports.length !== 2 || reports.some(({ ms }) => ms === null))
      tally.wrong.push(`${name}: clean without a record: ${sha256}`)
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  return tally
}
