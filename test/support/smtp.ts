/** A real mail server inside the test process that can be down, slow or reject mail, and records what it receives. */

import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { freePort } from '#test/support/service.ts'

interface ReceivedMail {
  from: string
  to: string[]
  /** The raw message with CRLF. */
  raw: string
  secure: boolean
  user: string | undefined
}

/** Applies to the next mails. */
interface Behaviour {
  /** Replies to RCPT with this code, for one address or for all. */
  refuse?: { code: number; address?: string; text?: string }
  /** Replies to DATA with this code after reading the mail. */
  refuseData?: { code: number; text?: string }
  /** Delays the reply to RCPT, or the final reply to DATA. */
  slow?: { at: 'rcpt' | 'data'; ms: number }
  /** Mail that was read is accepted after this. */
  held?: Promise<void>
}

export interface MailServer extends AsyncDisposable {
  port: number
  url: string
  received: ReceivedMail[]
  behaviour: Behaviour
  /** All connections so far. */
  connections(): number
  /** The highest number of concurrent mails. */
  mostAtOnce(): number
  /** How many mails were read to their end, accepted or not. */
  read(): number
  /** All recipients so far, even without a mail. */
  asked: string[]
  start(): Promise<void>
  /** Closes open connections. */
  stop(): Promise<void>
  until(count: number, timeoutMs?: number): Promise<void>
}

interface MailServerOptions {
  /** False: listens only after `start()`. */
  started?: boolean
  auth?: { user: string; pass: string }
  tls?: { key: string; cert: string; from: 'start' | 'starttls' }
}

const refusal = (code: number, text = 'refused by the test') => Object.assign(new Error(text), { responseCode: code })

/** Null if the client disconnected. */
async function readAll(stream: Readable): Promise<string | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of stream) chunks.push(chunk)
  } catch {
    return null
  }
  return Buffer.concat(chunks).toString('utf8')
}

export async function startMailServer({ started = true, auth, tls }: MailServerOptions = {}): Promise<MailServer> {
  const port = await freePort()
  const received: ReceivedMail[] = []
  const asked: string[] = []
  let connections = 0
  let atOnce = 0
  let mostAtOnce = 0
  let read = 0
  let server: SMTPServer | null = null
  const sockets = new Set<{ destroy(): void }>()

  const options: SMTPServerOptions = {
    disabledCommands: [...(auth ? [] : ['AUTH']), ...(tls?.from === 'starttls' ? [] : ['STARTTLS'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    secure: tls?.from === 'start',
    ...(tls && { key: tls.key, cert: tls.cert }),
    onConnect(_session, done) {
      connections++
      done()
    },
    onAuth({ username, password }, _session, done) {
      if (username === auth?.user && password === auth?.pass) done(null, { user: username })
      else done(refusal(535))
    },
    async onRcptTo({ address }, _session, done) {
      asked.push(address)
      const { refuse, slow } = mailServer.behaviour
      if (slow?.at === 'rcpt') await sleep(slow.ms, undefined, { ref: false })
      if (refuse && (refuse.address ?? address) === address) done(refusal(refuse.code, refuse.text))
      else done()
    },
    async onData(stream, session, done) {
      const { refuseData, slow, held } = mailServer.behaviour
      mostAtOnce = Math.max(mostAtOnce, ++atOnce)
      const raw = await readAll(stream)
      if (raw !== null) read++
      await held
      if (slow?.at === 'data') await sleep(slow.ms, undefined, { ref: false })
      atOnce--
      if (raw === null) return
      if (refuseData) return done(refusal(refuseData.code, refuseData.text))
      const { mailFrom, rcptTo } = session.envelope
      received.push({
        from: mailFrom ? mailFrom.address : '',
        to: rcptTo.map(({ address }) => address),
        raw,
        secure: session.secure,
        user: session.user,
      })
      done()
    },
  }

  const start = async () => {
    if (server) return
    server = new SMTPServer(options)
    // Some tests disconnect on purpose, which the server reports as an error.
    server.on('error', () => {})
    server.server.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen(port, '127.0.0.1')
    await once(server.server, 'listening')
  }
  const stop = async () => {
    const closing = server
    if (!closing) return
    server = null
    const closed = new Promise<void>((resolve) => closing.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  const mailServer: MailServer = {
    port,
    url: `smtp${tls?.from === 'start' ? 's' : ''}://${auth ? `${auth.user}:${encodeURIComponent(auth.pass)}@` : ''}127.0.0.1:${port}`,
    received,
    asked,
    behaviour: {},
    connections: () => connections,
    mostAtOnce: () => mostAtOnce,
    read: () => read,
    start,
    stop,
    async until(count, timeoutMs = 10_000) {
      const deadline = Date.now() + timeoutMs
      while (received.length < count) {
        if (Date.now() > deadline) throw new Error(`${received.length} of ${count} mails came in ${timeoutMs} ms`)
        await sleep(10)
      }
    },
    [Symbol.asyncDispose]: stop,
  }
  if (started) await start()
  return mailServer
}

interface ParsedMail {
  /** Names in lower case, folded lines joined. A repeated name is an error. */
  headers: Record<string, string>
  /** Decoded, by media type. */
  parts: Record<string, string>
}

/** A minimal MIME parser, independent of the library that creates the mail. */
export function parseMail(raw: string): ParsedMail {
  const { headers, body } = splitMail(raw)
  const boundary = /^multipart\/alternative;.*boundary="([^"]+)"/s.exec(headers['content-type'] ?? '')?.[1]
  if (!boundary) throw new Error(`not multipart/alternative: ${headers['content-type']}`)
  const [, ...pieces] = body.split(`--${boundary}`)
  if (!pieces.pop()?.startsWith('--')) throw new Error('the last boundary is missing')
  const parts = pieces.map((piece): [string, string] => {
    const part = splitMail(piece.replace(/^\r\n/, ''))
    const [type = ''] = (part.headers['content-type'] ?? '').split(';')
    return [type, decodeBody(part.body.replace(/\r\n$/, ''), part.headers['content-transfer-encoding'])]
  })
  return { headers, parts: Object.fromEntries(parts) }
}

function splitMail(raw: string): { headers: Record<string, string>; body: string } {
  if (/[^\r]\n/.test(raw)) throw new Error('a line ends without CR')
  const end = raw.indexOf('\r\n\r\n')
  const lines = raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!-9;-~]+): (.*)$/.exec(line) ?? []
    if (name === '' || name.toLowerCase() in headers) throw new Error(`not a header, or a second one: ${line}`)
    headers[name.toLowerCase()] = value
  }
  return { headers, body: raw.slice(end + 4) }
}

function decodeBody(body: string, encoding = '7bit'): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n')
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8').replaceAll('\r\n', '\n')
}
