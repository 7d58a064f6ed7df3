/** Clients of the listeners that send one document each, and what they make of the answer. */
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import net from 'node:net'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { chunk, END_OF_STREAM } from '#test/support/clamd-wire.ts'
import { chunked, reqmod, respmod } from '#test/support/icap-wire.ts'
import { PYTHON } from '#test/support/suite.ts'

/** `uninspected`: refused because it cannot be inspected. `none`: the connection ended without an answer. */
export type AnswerKind = 'ok' | 'infected' | 'uninspected' | 'error' | 'none'
export interface Answer {
  kind: AnswerKind
  text: string
}

/** Null without a connection. */
type Client = (port: number, document: Buffer, isCutOff: boolean) => Promise<Answer | null>

const load = createRequire(import.meta.url)

interface Conversation {
  write(bytes: Buffer | string): void
  /** Resolves with what has arrived when it matches, or when the connection ends. */
  until(pattern: RegExp): Promise<string>
  end(): void
}

async function converse(port: number, talk: (peer: Conversation) => Promise<string>): Promise<string | null> {
  const socket = net.connect(port, '127.0.0.1')
  const isConnected = await once(socket, 'connect').then(
    () => true,
    () => false,
  )
  if (!isConnected) return null
  let text = ''
  let isClosed = false
  let onChange = (): void => {}
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
    onChange()
  })
  socket
    .on('error', () => {})
    .once('close', () => {
      isClosed = true
      onChange()
    })
  const said = await talk({
    write: (bytes) => void socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
    end: () => void socket.end(),
    async until(pattern) {
      while (!isClosed && !pattern.test(text)) {
        const { promise, resolve } = Promise.withResolvers<void>()
        onChange = resolve
        await promise
      }
      return text
    },
  })
  socket.destroy()
  return said
}

const pause = async (): Promise<void> => {
  if (randomInt(3) === 0) await sleep(randomInt(20))
}

/** Some libraries neither resolve nor reject when the connection is reset. */
const LIBRARY_MS = 5_000

const NEVER = /(?!)/

function readClamd(text: string): Answer {
  if (text === '') return { kind: 'none', text }
  if (text.startsWith('stream: OK')) return { kind: 'ok', text }
  return { kind: text.endsWith(' FOUND\0') ? 'infected' : 'error', text }
}

const overClamd: Client = async (port, document, isCutOff) => {
  const middle = Math.floor(document.length / 2)
  const text = await converse(port, async ({ write, end, until }) => {
    write(Buffer.concat([Buffer.from('zINSTREAM\0'), chunk(document.subarray(0, middle))]))
    await pause()
    if (isCutOff) end()
    else write(Buffer.concat([chunk(document.subarray(middle)), END_OF_STREAM]))
    return until(NEVER)
  })
  return text === null ? null : readClamd(text)
}

/** An unmodified message counts from its first byte on, because clients may pass it on from there. */
function readIcap(text: string): Answer {
  const answer = text.replace(/^ICAP\/1\.0 100 Continue\r\n\r\n/, '')
  const [, status] = /^ICAP\/1\.0 (\d{3}) /.exec(answer) ?? []
  if (status === undefined) return { kind: 'none', text: answer }
  if (status === '204') return { kind: 'ok', text: answer }
  if (status !== '200') return { kind: 'error', text: answer }
  const [, type] = /^X-Infection-Found: Type=(\d);/m.exec(answer) ?? []
  if (type === undefined) return { kind: 'ok', text: answer }
  return { kind: type === '0' ? 'infected' : 'uninspected', text: answer }
}

const overIcap: Client = async (port, document, isCutOff) => {
  const isPreview = randomInt(2) === 0
  const split = isPreview ? Math.min(1_024, Math.floor(document.length / 2)) : Math.floor(document.length / 2)
  const preview = isPreview ? [`Preview: ${split}`] : []
  const fields = ['Connection: close', ...preview, ...(randomInt(2) === 0 ? ['Allow: 204'] : [])]
  const head = randomInt(2) === 0 ? respmod({ fields }) : reqmod({ fields })
  const [first, rest] = [chunked(document.subarray(0, split)), chunked(document.subarray(split))]
  const text = await converse(port, async ({ write, end, until }) => {
    // Without a preview the first chunk is followed by the others.
    write(head + (isPreview ? first : first.slice(0, -'0\r\n\r\n'.length)))
    if (isPreview) await until(/^ICAP\/1\.0 \d{3} .*\r\n\r\n/s)
    else await pause()
    if (isCutOff) end()
    else write(rest)
    return until(NEVER)
  })
  return text === null ? null : readIcap(text)
}

interface ClamScan {
  init(options: object): Promise<ClamScan>
  scanStream(stream: Readable): Promise<{ isInfected: boolean | null }>
}

const clamscan = async (port: number, document: Buffer): Promise<AnswerKind> => {
  const clamdscan = { host: '127.0.0.1', port, timeout: LIBRARY_MS, localFallback: false, multiscan: false }
  const options = { preference: 'clamdscan', clamscan: { active: false }, clamdscan }
  const scanner = await new (load('clamscan') as new () => ClamScan)().init(options)
  const { isInfected } = await scanner.scanStream(Readable.from([document]))
  if (isInfected === null) return 'error'
  return isInfected ? 'infected' : 'ok'
}

interface Clamdjs {
  createScanner(host: string, port: number): { scanBuffer(bytes: Buffer, timeout: number): Promise<string> }
  isCleanReply(reply: string): boolean
}

const clamdjs = async (port: number, document: Buffer): Promise<AnswerKind> => {
  const { createScanner, isCleanReply } = load('clamdjs') as Clamdjs
  const reply = await createScanner('127.0.0.1', port).scanBuffer(document, LIBRARY_MS)
  if (isCleanReply(reply)) return 'ok'
  return reply.includes('FOUND') ? 'infected' : 'error'
}

type ClamavDone = (error: Error | undefined, source: Readable, threat?: string) => void
interface ClamavJs {
  createScanner(port: number, host: string): { scan(source: Readable, done: ClamavDone): void }
}

const clamavJs = (port: number, document: Buffer): Promise<AnswerKind> =>
  new Promise((resolve) => {
    const scanner = (load('clamav.js') as ClamavJs).createScanner(port, '127.0.0.1')
    scanner.scan(Readable.from([document]), (error, _source, threat) => {
      if (error) resolve('error')
      else resolve(threat === undefined ? 'ok' : 'infected')
    })
  })

/** One line with the port and the document in Base64 for each scan. */
const PYTHON_LOOP = `
import sys, base64, pyclamd
for line in sys.stdin:
    port, document = line.split()
    try:
        daemon = pyclamd.ClamdNetworkSocket(host='127.0.0.1', port=int(port), timeout=60)
        found = daemon.scan_stream(base64.b64decode(document))
        print('ok' if found is None else 'infected' if found['stream'][0] == 'FOUND' else 'error', flush=True)
    except Exception:
        print('error', flush=True)
`

/** One process for all scans, one after the other. */
function startPyclamd() {
  const python = spawn(PYTHON, ['-W', 'ignore', '-c', PYTHON_LOOP], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: python.stdout })[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  async function ask(port: number, document: Buffer): Promise<AnswerKind> {
    python.stdin.write(`${port} ${document.toString('base64')}\n`)
    return (await lines.next()).value as AnswerKind
  }
  return {
    scan(port: number, document: Buffer): Promise<AnswerKind> {
      const asked = last.then(() => ask(port, document))
      last = asked
      return asked
    },
    close: () => python.kill(),
  }
}

/** A library reports a missing connection like every other error. It cannot hang up in the middle. */
const library =
  (scan: (port: number, document: Buffer) => Promise<AnswerKind>): Client =>
  async (port, document, isCutOff) => {
    if (isCutOff) return overClamd(port, document, isCutOff)
    const late = new AbortController()
    const answered = scan(port, document).catch((): AnswerKind => 'error')
    const nothing = sleep(LIBRARY_MS, 'none' as const, { signal: late.signal }).catch(() => 'none' as const)
    const kind = await Promise.race([answered, nothing])
    late.abort()
    return { kind, text: '' }
  }

export function startClients() {
  const pyclamd = startPyclamd()
  return {
    clients: {
      clamd: overClamd,
      icap: overIcap,
      clamscan: library(clamscan),
      clamdjs: library(clamdjs),
      'clamav.js': library(clamavJs),
      pyclamd: library(pyclamd.scan),
    } satisfies Record<string, Client>,
    close: pyclamd.close,
  }
}

export type ClientName = keyof ReturnType<typeof startClients>['clients']
