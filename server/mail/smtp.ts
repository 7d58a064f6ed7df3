/** Sends mail through a mail server over reusable connections, which are closed when a mail takes too long. */
import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import { untilAborted } from '#base/abort.ts'
import { composed, RecipientRefused, type Transport } from './transport.ts'

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
/** The longest silence of a server during a mail. */
const SILENCE_MS = 15_000
/** Shorter than the timeout of servers, so that a reused connection is still open. */
const IDLE_MS = 20_000
const SMTP_PORT = 587
const SMTPS_PORT = 465

interface SmtpServer {
  host: string
  port: number
  secure: boolean
  auth?: { user: string; pass: string }
}

/** The configuration has validated the URL. Only these parts reach nodemailer. */
export function parseSmtpUrl(smtpUrl: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? SMTPS_PORT : SMTP_PORT),
    secure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

/** A pool of one connection: a larger pool cannot tell which connection a stuck mail uses. */
function openConnection(server: SmtpServer) {
  let socket: Socket | undefined
  const options: SMTPPoolOptions = {
    ...server,
    maxConnections: 1,
    // Applies only to a connection that was closed before the mail began.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    // An own socket uses the system resolver, including the hosts file, and can be destroyed at any time.
    getSocket: (_options, done) => {
      const opening = connect({ host: server.host, port: server.port })
      socket = opening
      opening.once('error', done)
      opening.setTimeout(CONNECT_MS, () => opening.destroy(new Error('The mail server is unreachable')))
      opening.once('connect', () => {
        opening.setTimeout(0)
        opening.off('error', done)
        done(null, { connection: opening })
      })
    },
  }
  const pool = createTransport({ ...options, pool: true })
  return {
    send: (mail: ReturnType<typeof composed>) => pool.sendMail(mail),
    destroy() {
      pool.close({ force: true })
      socket?.destroy()
    },
  }
}

/** The fields that nodemailer adds for the server's reply. */
interface SmtpError extends Error {
  command?: string
  permanent?: boolean
}

function classified(error: unknown): unknown {
  const { command, permanent, message } = error as SmtpError
  return permanent && command === 'RCPT TO' ? new RecipientRefused(message, { cause: error }) : error
}

type Connection = ReturnType<typeof openConnection>

export function createSmtpTransport(url: string): Transport {
  const server = parseSmtpUrl(url)
  const idle: Connection[] = []
  const busy = new Set<Connection>()
  let closed = false

  return {
    async send(mail, signal) {
      signal.throwIfAborted()
      if (closed) throw new Error('The mail transport is closed')
      const message = composed(mail)
      const connection = idle.pop() ?? openConnection(server)
      busy.add(connection)
      try {
        await untilAborted(signal, connection.send(message))
        idle.push(connection)
      } catch (error) {
        // The rest of the mail must not go out after the attempt was reported as failed.
        connection.destroy()
        throw classified(error)
      } finally {
        busy.delete(connection)
        if (closed) connection.destroy()
      }
    },
    async close() {
      closed = true
      for (const connection of [...idle, ...busy]) connection.destroy()
    },
  }
}
