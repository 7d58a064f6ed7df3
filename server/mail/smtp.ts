/** Mail through a mail server. Connections are kept for the next mail, and cut when a mail takes too long. */
import { connect, type Socket } from 'node:net'
import { createTransport } from 'nodemailer'
import type { SMTPPoolOptions } from 'nodemailer/lib/smtp-pool'
import { composed, RecipientRefused, type Transport } from './transport.ts'

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
/** The longest silence of a server in the middle of a mail. */
const SILENCE_MS = 15_000
/** Shorter than servers wait, so that we are the one who hangs up. */
const IDLE_MS = 20_000
const SMTP_PORT = 587
const SMTPS_PORT = 465

export interface SmtpServer {
  host: string
  port: number
  secure: boolean
  auth?: { user: string; pass: string }
}

/** The address is checked when the configuration is read. Nothing in it but these reaches nodemailer. */
export function parseSmtpUrl(address: string): SmtpServer {
  const { protocol, hostname, port, username, password } = new URL(address)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (secure ? SMTPS_PORT : SMTP_PORT),
    secure,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

/** One connection. nodemailer's pool has several, but cannot tell which of them a stuck mail is on. */
function openLane(server: SmtpServer) {
  let socket: Socket | undefined
  const options: SMTPPoolOptions = {
    ...server,
    maxConnections: 1,
    // Only for a connection that was found closed before the mail began.
    maxRequeues: 1,
    idleTimeout: IDLE_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    // Our own socket: it asks the resolver of the system, hosts file included, and can be cut at any time.
    getSocket: (_options, done) => {
      const opening = connect({ host: server.host, port: server.port })
      socket = opening
      opening.once('error', done)
      opening.setTimeout(CONNECT_MS, () => opening.destroy(new Error('The mail server cannot be reached')))
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
    cut() {
      pool.close({ force: true })
      socket?.destroy()
    },
  }
}

/** What nodemailer tells about the server's answer. */
interface SmtpError extends Error {
  command?: string
  permanent?: boolean
}

function explained(error: unknown): unknown {
  const { command, permanent, message } = error as SmtpError
  return permanent && command === 'RCPT TO' ? new RecipientRefused(message, { cause: error }) : error
}

export function createSmtpTransport(url: string): Transport {
  const server = parseSmtpUrl(url)
  const idle: ReturnType<typeof openLane>[] = []
  const busy = new Set<ReturnType<typeof openLane>>()
  let closed = false

  return {
    async send(mail, signal) {
      signal.throwIfAborted()
      if (closed) throw new Error('The mail transport is closed')
      const message = composed(mail)
      const lane = idle.pop() ?? openLane(server)
      busy.add(lane)
      const late = Promise.withResolvers<never>()
      const abort = () => late.reject(signal.reason)
      signal.addEventListener('abort', abort, { once: true })
      try {
        await Promise.race([lane.send(message), late.promise])
        idle.push(lane)
      } catch (error) {
        // What is left of the mail on this connection must not go through after we have said that it failed.
        lane.cut()
        throw explained(error)
      } finally {
        busy.delete(lane)
        signal.removeEventListener('abort', abort)
        if (closed) lane.cut()
      }
    },
    async close() {
      closed = true
      for (const lane of [...idle, ...busy]) lane.cut()
    },
  }
}
