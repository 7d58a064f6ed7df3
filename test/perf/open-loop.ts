/** Sends scans at a fixed rate, whether or not earlier ones were answered; started by overload.ts. */
import { connect, type Socket } from 'node:net'
import { documents, docxDocuments, pdfDocuments } from './scan-load.ts'

export interface LoadOptions {
  port: number
  keys: string[]
  /** Of text documents; null for a mix of text of 10 and 100 KB, PDF and docx. */
  bytes: number | null
  perSecond: number
  seconds: number
  /** If all are in use, a request is counted as not sent. */
  connectionsMax: number
}

/** Created before the load, because that takes the client longer than sending. */
const POOL = 200
/** Longer than any answer. One for all connections, because each read is handled at once. */
const READ_BUFFER = Buffer.alloc(65_536)

/** Whole requests, so that sending one takes a single write. */
function pooled(next: () => Buffer, keys: readonly string[]): () => Buffer {
  const pool = Array.from({ length: POOL }, (_, index) => {
    const form = Buffer.concat([PART, next(), END])
    const lines = [
      'POST /api/v1/scan HTTP/1.1',
      'Host: a',
      `X-API-Key: ${keys[index % keys.length]}`,
      'Content-Type: multipart/form-data; boundary=b',
      `Content-Length: ${form.length}`,
    ]
    return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), form])
  })
  let at = 0
  return () => pool[at++ % pool.length] as Buffer
}

let created: (() => Buffer)[] | null = null

function mixOf({ bytes, keys }: LoadOptions): (() => Buffer)[] {
  if (bytes !== null) return [pooled(documents(bytes), keys)]
  const [small, large] = [pooled(documents(10_240), keys), pooled(documents(102_400), keys)]
  return [small, large, pooled(pdfDocuments(), keys), small, large, pooled(docxDocuments(), keys)]
}

export interface LoadResult {
  /** By status, with `Retry-After` for 429 and 503, or by how the connection ended. */
  answers: Record<string, number>
  seconds: number
  p50: number
  p99: number
  clientCpuShare: number
}

const ANSWER_MS_MAX = 30_000
const TICK_MS = 5
const PART = Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n')
const END = Buffer.from('\r\n--b--\r\n')

interface Connection {
  socket: Socket
  text: string
  sentAt: number
  onAnswer: ((name: string, isOver: boolean) => void) | null
}

function answerOf(text: string): { name: string; isOver: boolean } | null {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return null
  const head = text.slice(0, end).toLowerCase()
  const lengthAt = head.indexOf('\r\ncontent-length: ')
  const length = lengthAt < 0 ? 0 : Number.parseInt(head.slice(lengthAt + 18, lengthAt + 28), 10)
  if (text.length < end + 4 + length) return null
  const status = head.slice(9, 12)
  const patienceAt = head.indexOf('\r\nretry-after: ')
  const isPatient = patienceAt >= 0 && Number.parseInt(head.slice(patienceAt + 15, patienceAt + 25), 10) > 0
  const verdict = status === '200' ? (/"status":"(\w+)"/.exec(text)?.[1] ?? '') : ''
  const name = `${status}${verdict && ` ${verdict}`}${isPatient ? ' with Retry-After' : ''}`
  return { name, isOver: head.includes('\r\nconnection: close') }
}

async function offerLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, perSecond, seconds, connectionsMax } = options
  const answers: Record<string, number> = {}
  const times: number[] = []
  const idle: Connection[] = []
  created ??= mixOf(options)
  const mix = created
  const all = new Set<Connection>()
  let waiting = 0
  const count = (name: string): void => {
    answers[name] = (answers[name] ?? 0) + 1
  }

  function newConnection(index: number): Connection {
    // From several addresses, because one cannot use all connections.
    const localAddress = `127.0.0.${2 + (index % 50)}`
    const onread = { buffer: READ_BUFFER, callback: onRead }
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true, onread })
    const connection: Connection = { socket, text: '', sentAt: 0, onAnswer: null }
    all.add(connection)
    let isClosed = false
    const close = (reason: string) => {
      if (isClosed) return
      isClosed = true
      all.delete(connection)
      connection.onAnswer?.(reason, true)
      const at = idle.indexOf(connection)
      if (at >= 0) idle.splice(at, 1)
    }
    function onRead(length: number): boolean {
      connection.text += READ_BUFFER.toString('latin1', 0, length)
      const answer = answerOf(connection.text)
      if (answer === null) return true
      connection.text = ''
      if (answer.isOver) socket.end()
      connection.onAnswer?.(answer.name, answer.isOver)
      return true
    }
    socket.on('error', (error: NodeJS.ErrnoException) => close(error.code ?? error.message))
    socket.on('close', () => close('closed without an answer'))
    return connection
  }

  function send(index: number): void {
    if (idle.length === 0 && all.size >= connectionsMax) {
      count('not sent: all connections in use')
      return
    }
    const connection = idle.pop() ?? newConnection(index)
    const startedAt = performance.now()
    waiting++
    connection.sentAt = startedAt
    connection.onAnswer = (name, isOver) => {
      connection.onAnswer = null
      waiting--
      count(name)
      if (name.startsWith('200')) times.push(performance.now() - startedAt)
      if (!isOver) idle.push(connection)
    }
    connection.socket.write(mix[index % mix.length]?.() ?? '')
  }

  function closeLate(): void {
    const since = performance.now() - ANSWER_MS_MAX
    for (const { socket, sentAt, onAnswer } of all) {
      if (onAnswer && sentAt < since) socket.destroy(new Error('no answer in 30 s'))
    }
  }

  const startedAt = performance.now()
  const cpu = process.cpuUsage()
  const closing = setInterval(closeLate, 1_000)
  let sent = 0
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const elapsed = performance.now() - startedAt
      while (sent < Math.min(elapsed / 1_000, seconds) * perSecond) send(sent++)
      if (elapsed < seconds * 1_000 || waiting > 0) return
      clearInterval(timer)
      clearInterval(closing)
      resolve()
    }, TICK_MS)
  })
  const { user, system } = process.cpuUsage(cpu)
  const elapsedMs = performance.now() - startedAt
  for (const { socket } of idle) socket.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return {
    ...{ answers, seconds: elapsedMs / 1_000, p50: at(0.5), p99: at(0.99) },
    clientCpuShare: (user + system) / 1_000 / elapsedMs,
  }
}

// One process for all loads of a benchmark: a new one would compile the same functions during each of them.
process.on('message', (options) => {
  void offerLoad(options as LoadOptions).then((result) => process.send?.(result))
})
