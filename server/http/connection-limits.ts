/** Shares the connections among clients: a limit per address, idle connections closed first, and a reserve. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError } from '#base/errors.ts'
import type { Log } from '#base/log.ts'
import { networkTest } from '#base/networks.ts'
import { addressBlock } from './address.ts'
import type { HttpSocket } from './connections.ts'

/** The share of connections after which idle ones are closed. The rest is for addresses with few connections. */
const CROWDED_SHARE = 0.9
export const FEW_CONNECTIONS = 4
/** The share of one address, unless it is configured. */
const ADDRESS_SHARE = 1 / 8
/** The share of the open files of the process; the others are for workers, databases and engines. */
const OPEN_FILES_SHARE = 3 / 4
/** A new connection has this time to begin its request before it can be closed for another. */
export const SILENT_GRACE_MS = 1_000
/** Connections above the limit of their address that get a response; any more are closed without one. */
export const REFUSED_MAX = 64
const RETRY_AFTER_SECONDS = 5
const LOG_EVERY_MS = 60_000

export interface ConnectionOptions {
  connectionsMax: number
  /** Null for a share of all connections. */
  connectionsPerAddress: number | null
  trustedProxies: readonly string[]
  log: Log
}

/** Connections without a request in progress, longest idle first. */
interface Idle {
  /** After a response. */
  kept: Set<Socket>
  /** Before the first request. */
  silent: Set<Socket>
}

interface Client {
  block: string
  max: number
  isTrusted: boolean
  open: number
  idle: Idle
}

type Close = (socket: Socket) => void

interface Connection {
  client: Client
  /** If it is closed for another. */
  close: Close
  idleSince: number
  /** Bytes received when it became idle; more belong to the next request. */
  bytesRead: number
}

function* inOrder(...sets: Set<Socket>[]): Generator<Socket> {
  for (const set of sets) yield* set
}

const newIdle = (): Idle => ({ kept: new Set(), silent: new Set() })

/** Infinity where the system has no such limit. */
function openFilesMax(): number {
  // The report would otherwise look up host names.
  const report = Object.assign(process.report, { excludeNetwork: true })
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}

const connectionsWithin = (openFiles: number, configured: number): number =>
  Math.max(1, Math.min(configured, Math.floor(openFiles * OPEN_FILES_SHARE)))

/** Logs at most once a minute, without addresses, which are never logged. */
function refusalLog(log: Log, now: () => number) {
  let refused = 0
  let loggedAt = Number.NEGATIVE_INFINITY
  return (open: number) => {
    refused++
    if (now() - loggedAt < LOG_EVERY_MS) return
    log.warn({ refused, open }, 'Connections refused')
    loggedAt = now()
    refused = 0
  }
}

export function limitConnections(
  server: Pick<Server, 'maxConnections' | 'on' | 'prependListener'>,
  options: ConnectionOptions,
  { openFiles = openFilesMax(), now = () => performance.now() } = {},
) {
  const { log } = options
  const max = connectionsWithin(openFiles, options.connectionsMax)
  if (max < options.connectionsMax) {
    log.warn({ connections: max, openFiles }, 'Fewer connections than configured: the limit on open files is too low')
  }
  const crowdedAt = Math.floor(max * CROWDED_SHARE)
  const perAddress = options.connectionsPerAddress ?? Math.max(1, Math.floor(max * ADDRESS_SHARE))
  const isProxy = networkTest(options.trustedProxies)
  const logRefusal = refusalLog(log, now)
  const clients = new Map<string, Client>()
  const open = new Map<Socket, Connection>()
  const idle = newIdle()
  const refused = new Set<Socket>()

  function clientOf(address = ''): Client {
    const isTrusted = isProxy(address)
    const block = isTrusted ? `proxy ${address}` : addressBlock(address)
    const known = clients.get(block)
    if (known) return known
    const max = isTrusted ? Number.POSITIVE_INFINITY : perAddress
    return { block, max, isTrusted, open: 0, idle: newIdle() }
  }

  function setIdle(socket: Socket, connection: Connection, kind: keyof Idle): void {
    Object.assign(connection, { idleSince: now(), bytesRead: socket.bytesRead })
    idle[kind].add(socket)
    connection.client.idle[kind].add(socket)
  }

  function setBusy(socket: Socket, { client }: Connection): void {
    for (const each of [idle, client.idle]) {
      each.kept.delete(socket)
      each.silent.delete(socket)
    }
  }

  function forget(socket: Socket): void {
    const connection = open.get(socket)
    if (!connection) return
    open.delete(socket)
    setBusy(socket, connection)
    connection.client.open--
    if (connection.client.open === 0) clients.delete(connection.client.block)
  }

  /** False when none can be closed. */
  function closeOldest({ kept, silent }: Idle): boolean {
    const silentUntil = now() - SILENT_GRACE_MS
    for (const socket of inOrder(kept, silent)) {
      const connection = open.get(socket) as Connection
      if (socket.bytesRead > connection.bytesRead) {
        setBusy(socket, connection)
        continue
      }
      if (silent.has(socket) && connection.idleSince > silentUntil) return false
      forget(socket)
      connection.close(socket)
      return true
    }
    return false
  }

  function hasRoom({ open: held, isTrusted }: Client): boolean {
    if (open.size < crowdedAt || closeOldest(idle)) return true
    return open.size < max && (isTrusted || held < FEW_CONNECTIONS)
  }

  function admit(socket: Socket, close: Close): 'open' | 'refused' | 'closed' {
    const client = clientOf(socket.remoteAddress)
    const isWithinShare = client.open < client.max || closeOldest(client.idle)
    if (isWithinShare && hasRoom(client)) {
      const connection = { client, close, idleSince: 0, bytesRead: 0 }
      clients.set(client.block, client)
      client.open++
      open.set(socket, connection)
      socket.once('close', () => forget(socket))
      setIdle(socket, connection, 'silent')
      return 'open'
    }
    logRefusal(open.size)
    if (isWithinShare || refused.size >= REFUSED_MAX) {
      close(socket)
      return 'closed'
    }
    refused.add(socket)
    socket.once('close', () => refused.delete(socket))
    return 'refused'
  }

  function onRequest({ socket }: { socket: HttpSocket }, response: ServerResponse): void {
    if (refused.has(socket)) response.setHeader('connection', 'close')
    begin(socket)
    response.once('close', () => {
      // `_httpMessage` is the response to the next request, if requests are pipelined.
      if (!socket._httpMessage) end(socket)
    })
  }

  function begin(socket: Socket): void {
    const connection = open.get(socket)
    if (connection) setBusy(socket, connection)
  }

  function end(socket: Socket): void {
    const connection = open.get(socket)
    if (!connection) return
    setIdle(socket, connection, 'kept')
    if (open.size > crowdedAt) closeOldest(idle)
  }

  // The decision is made above; this only bounds what may wait for it.
  server.maxConnections = max + REFUSED_MAX
  server.on('connection', (socket) => void admit(socket, (each) => each.destroy()))
  server.prependListener('request', onRequest)

  return {
    /**
     * Counts a connection of another protocol, until it is closed. `refused`: it may be answered, but not served. `closed`:
     * it was closed already, by `close`.
     */
    admit,
    /** How many one address may have. */
    perAddress,
    /** A request of a connection that was admitted has begun. */
    setBusy: begin,
    /** Its last request has ended. */
    setIdle: end,
    /** Throws for a request on a connection above the limit of its address. */
    check(socket: Socket): void {
      if (!refused.has(socket)) return
      const detail = `Your address has too many open connections; the limit is ${perAddress}. Reuse connections, or retry in ${RETRY_AFTER_SECONDS} s.`
      throw new AppError('rate_limited', detail, {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        headers: {
          'ratelimit-policy': `"connections";q=${perAddress};qu="concurrent-requests"`,
          ratelimit: `"connections";r=0;t=${RETRY_AFTER_SECONDS}`,
        },
      })
    },
  }
}
