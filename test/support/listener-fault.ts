/** Streams over the clamd port under faults: which were answered with OK, and whether each of them was inspected. */
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import net from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { startClamd } from '#test/support/clamd.ts'
import { chunk, END_OF_STREAM } from '#test/support/clamd-wire.ts'
import { seedListenerKey } from '#test/support/listener-service.ts'
import { descendants, signalTo } from '#test/support/scan-process.ts'
import { plansFile } from '#test/support/scanning.ts'
import { ALL_WORKERS, freePort, type Service, startService, temporaryFolder } from '#test/support/service.ts'

interface RunOptions {
  streams: number
  secondsMax: number
  log?: (text: string) => void
  /** Mean time between two faults. */
  everyMs?: number
}

interface Tally {
  /** To a service that accepted the connection. */
  sent: number
  ok: number
  found: number
  errors: number
  unanswered: number
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

/**
 * What the client reads until the connection is closed; null without a connection. It hangs up in the middle of a document
 * that is cut off.
 */
async function send(port: number, document: Buffer, kind: Kind): Promise<string | null> {
  const socket = net.connect(port, '127.0.0.1')
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  if (!isConnected) return null
  let text = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
  })
  const closed = once(socket, 'close').catch(() => {})
  socket.on('error', () => {})
  const middle = Math.floor(document.length / 2)
  socket.write(Buffer.concat([Buffer.from('zINSTREAM\0'), chunk(document.subarray(0, middle))]))
  if (randomInt(3) === 0) await sleep(randomInt(20))
  if (kind === 'cut off') socket.end()
  else socket.write(Buffer.concat([chunk(document.subarray(middle)), END_OF_STREAM]))
  await closed
  return text
}

/** Why the reply must not have been given; null if it may. */
function wrongReply(kind: Kind, reply: string): string | null {
  if (reply === '') return null
  if (kind === 'cut off') return `a document that was cut off was answered: ${reply}`
  if (reply.startsWith('stream: OK')) return kind === 'clean' ? null : `${kind} was answered with OK`
  if (reply.includes('OK')) return `an error contains OK: ${reply}`
  if (reply.endsWith(' FOUND\0') && kind !== 'infected') return `${kind} was answered with ${reply}`
  return null
}

export async function runStreams({
  streams,
  secondsMax,
  log = () => {},
  everyMs = FAULT_MS,
}: RunOptions): Promise<Tally> {
  const tally: Tally = { sent: 0, ok: 0, found: 0, errors: 0, unanswered: 0, faults: {}, wrong: [] }
  const dataDir = temporaryFolder('listener-fault')
  const { keyId } = await seedListenerKey(dataDir)
  const clamd = await startClamd()
  const port = await freePort()
  const env = {
    ...ALL_WORKERS,
    DOCVET_PLANS_FILE: plansFile(),
    DOCVET_CLAMD_LISTEN: `tcp://127.0.0.1:${port}?key=${keyId}`,
    DOCVET_CLAMD_URL: clamd.url,
  }
  const start = (): Promise<Service> => startService(env, { dataDir, readyTimeoutMs: READY_MS_MAX })
  let service = await start()
  let isOver = false
  const okHashes: string[] = []

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
    service: async () => {
      await service.kill()
      service = await start()
    },
    restart: async () => {
      await service.stop()
      service = await start()
    },
  }
  const WEIGHTED = [...Array<string>(12).fill('worker'), 'clamd', 'clamd', 'service', 'restart']

  async function disturb(): Promise<void> {
    while (!isOver) {
      await sleep(randomInt(everyMs * 2))
      const name = WEIGHTED[randomInt(WEIGHTED.length)] as string
      tally.faults[name] = (tally.faults[name] ?? 0) + 1
      await faults[name]?.().catch((error) => log(`The fault ${name} failed: ${error}`))
    }
  }

  function count(kind: Kind, document: Buffer, reply: string): void {
    const wrong = wrongReply(kind, reply)
    if (wrong !== null) tally.wrong.push(wrong)
    tally.sent++
    if (reply === '') tally.unanswered++
    else if (reply.startsWith('stream: OK')) {
      tally.ok++
      okHashes.push(createHash('sha256').update(document).digest('hex'))
    } else if (reply.endsWith(' FOUND\0')) tally.found++
    else tally.errors++
    if (tally.sent % 1_000 === 0) log(JSON.stringify({ ...tally, wrong: tally.wrong.length }))
  }

  async function client(until: number): Promise<void> {
    while (tally.sent < streams && Date.now() < until) {
      const kind = KINDS[randomInt(KINDS.length)] as Kind
      const document = documentOf(kind)
      const reply = await send(port, document, kind)
      // The service is starting.
      if (reply === null) await sleep(50)
      else count(kind, document, reply)
    }
  }

  const until = Date.now() + secondsMax * 1_000
  const disturbing = disturb()
  await Promise.all(Array.from({ length: CLIENTS }, () => client(until)))
  isOver = true
  await disturbing
  await service.stop()
  await clamd[Symbol.asyncDispose]()

  // Every OK has a record with the reports of both engines: it was inspected completely, and charged.
  using database = new DatabaseSync(`${dataDir}/docvet.sqlite`, { readOnly: true })
  const find = database.prepare("SELECT verdict, engines FROM scans WHERE sha256 = ? AND verdict = 'clean'")
  for (const sha256 of okHashes) {
    const row = find.get(sha256) as { engines: string } | undefined
    const reports = row ? (JSON.parse(row.engines) as { ms: number | null }[]) : []
    if (reports.length !== 2 || reports.some(({ ms }) => ms === null))
      tally.wrong.push(`OK without a record: ${sha256}`)
  }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 })
  return tally
}
