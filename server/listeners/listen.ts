/** Listens for the connections of all protocols, counts them with those of HTTP, and drains them on shutdown. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import tls from 'node:tls'
import type { Log } from '#base/log.ts'
import { networkTest } from '#base/networks.ts'
import type { Client } from './gateway.ts'
import { resetSocket } from './reset.ts'
import { removeStaleSocket, setOwnership } from './socket-file.ts'
import type { Listener, ProtocolName } from './specification.ts'

/** A connection as its protocol sees it. */
export interface Connection extends Client {
  socket: Socket
  /** A command, request or document is in progress: call it before the first await. */
  setBusy(): void
  /** Nothing is in progress. The connection is closed here if the service shuts down, or if others need it. */
  setIdle(): void
}

/** Serves one connection until it is closed. */
export type Protocol = (connection: Connection) => void

/** Counts connections of all kinds, and closes idle ones when there are too many. */
export interface ConnectionCounter {
  /** How many one address may have. */
  perAddress: number
  /** `refused`: it may be answered, but not served. `closed`: it was closed already, by `close`, which may also be called later. */
  admit(socket: Socket, close: (socket: Socket) => void): 'open' | 'refused' | 'closed'
  setBusy(socket: Socket): void
  setIdle(socket: Socket): void
}

export interface ListenOptions {
  listeners: readonly Listener[]
  protocols: Partial<Record<ProtocolName, Protocol>>
  connections: ConnectionCounter
  addressBlock: (address: string | undefined) => string
  /** The reply of a failed scan, for a client that is sent away before it has asked; null for none. */
  farewell(listener: Listener): Buffer | string | null
  /** One of several processes, for which the supervisor opens the sockets. */
  isShared: boolean
  backlog: number
  log: Log
  /** For tests. */
  drainMs?: number
}

const HANDSHAKE_MS = 10_000
/** As long as requests of HTTP. */
const DRAIN_MS = 40_000
/** Time for a client to use a connection that it has just opened. */
const SILENT_DRAIN_MS = 1_000

/** Created once: an error for each connection would cost more than the rest of its end. */
const GONE = new Error('The client has disconnected')

type Open = Map<Socket, { listener: Listener; isBusy: boolean }>

export type Listening = Awaited<ReturnType<typeof startListeners>>

function createServer({ tls: files }: Listener, onSocket: (socket: Socket) => void): net.Server {
  if (files === null) return net.createServer({ allowHalfOpen: true }, onSocket)
  const [cert, key] = [readFileSync(files.cert), readFileSync(files.key)]
  const server = tls.createServer({ cert, key, allowHalfOpen: true, noDelay: true, handshakeTimeout: HANDSHAKE_MS })
  server.on('secureConnection', onSocket)
  // A failed handshake is the client's problem.
  server.on('tlsClientError', () => {})
  return server
}

async function bind(server: net.Server, { address, url }: Listener, backlog: number): Promise<void> {
  const place = 'path' in address ? { path: address.path } : address
  server.listen({ ...place, backlog })
  await once(server, 'listening').catch((error: Error) => {
    // A new error, because its code would be taken for a problem with the service's own port.
    throw new Error(`the listener ${url} cannot be used: ${error.message}`)
  })
  if ('path' in address) setOwnership(address)
}

export async function startListeners(options: ListenOptions) {
  const { listeners, protocols, connections, addressBlock, log, drainMs = DRAIN_MS } = options
  const open: Open = new Map()
  const counts = new Map<Listener, number>()
  let isClosing = false

  function count(listener: Listener, by: 1 | -1): void {
    counts.set(listener, (counts.get(listener) ?? 0) + by)
  }

  /** Not without a reply: pyclamd and Mattermost's plugin would take that for clean, even if the connection is reset. */
  function sendAway(listener: Listener, socket: Socket): void {
    const reply = options.farewell(listener)
    if (reply === null) resetSocket(socket)
    else socket.end(reply, () => socket.destroy())
  }

  function accept(listener: Listener, isFrom: (address: string) => boolean, socket: Socket): void {
    // Without a listener, an error after the reply would end the process.
    socket.on('error', () => {})
    const { remoteAddress } = socket
    if (!isFrom(remoteAddress ?? '') || isClosing) {
      sendAway(listener, socket)
      return
    }
    const state = connections.admit(socket, (each) => sendAway(listener, each))
    if (state === 'closed') return
    const gone = new AbortController()
    const held = { listener, isBusy: false }
    open.set(socket, held)
    count(listener, 1)
    socket.once('close', () => {
      open.delete(socket)
      count(listener, -1)
      gone.abort(GONE)
    })
    protocols[listener.protocol]?.({
      ...{ socket, listener, gone: gone.signal, isRefused: state === 'refused' },
      address: 'path' in listener.address ? 'unix' : addressBlock(remoteAddress),
      setBusy() {
        held.isBusy = true
        connections.setBusy(socket)
      },
      setIdle() {
        held.isBusy = false
        connections.setIdle(socket)
        if (isClosing) socket.end()
      },
    })
  }

  const servers = new Set<net.Server>()

  async function listenOn(listener: Listener): Promise<void> {
    const isFrom = listener.from === null ? () => true : networkTest(listener.from)
    if ('path' in listener.address && !options.isShared) await removeStaleSocket(listener.address.path)
    const server = createServer(listener, (socket) => accept(listener, isFrom, socket))
    servers.add(server)
    // Before the handshake, which would cost more than the check.
    if (listener.tls) server.on('connection', (socket) => isFrom(socket.remoteAddress ?? '') || socket.destroy())
    await bind(server, listener, options.backlog)
    log.info({ protocol: listener.protocol, listener: listener.url, keyId: listener.keyId }, 'Listener started')
  }

  try {
    for (const listener of listeners) await listenOn(listener)
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }

  function closeIdle(): void {
    for (const [socket, { listener, isBusy }] of open) if (!isBusy) sendAway(listener, socket)
  }

  function resetAll(): void {
    for (const socket of open.keys()) resetSocket(socket)
  }

  return {
    stats: () => listeners.map((listener) => ({ listener, connections: counts.get(listener) ?? 0 })),
    /** Stops accepting, finishes what is in progress, and closes the rest. */
    async close(): Promise<void> {
      isClosing = true
      const closed = [...servers].map((server) => new Promise((resolve) => server.close(resolve)))
      const silent = setTimeout(closeIdle, SILENT_DRAIN_MS)
      const all = setTimeout(resetAll, drainMs)
      await Promise.all(closed)
      clearTimeout(silent)
      clearTimeout(all)
    },
  }
}
