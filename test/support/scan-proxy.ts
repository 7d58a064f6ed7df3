/** A proxy between the service and clamd that corrupts replies and cuts or delays connections on demand. */
import { once } from 'node:events'
import net from 'node:net'
import { type Dice, DOCUMENT } from './scan-documents.ts'

/** None of them produces exactly `stream: OK` with an orderly end for another reply: that would be a faulty clamd. */
export const SPOILINGS = [
  'cut before the answer',
  'reset',
  'cut in the document',
  'half an answer',
  'no zero',
  'two answers',
  'two different answers',
  'other prefix',
  'numbered',
  'garbage',
  'flipped bit',
  'endless',
  'not closed',
  'slow',
  'late',
] as const
type Spoiling = (typeof SPOILINGS)[number]

interface Spoil {
  /** One of these per spoiled connection. */
  how: readonly Spoiling[]
  /** Share of the connections with a document. */
  documents: number
  /** Share of the others, the canary checks. Spoiling these makes the service reject all scans. */
  canaries: number
}

export interface ClamdProxy extends AsyncDisposable {
  url: string
  /** Null: nothing is spoiled. */
  spoil: Spoil | null
  readonly spoiled: number
  close(): Promise<void>
}

const OK = 'stream: OK\0'
const LATE_MS = 4_000
const ENDLESS = Buffer.alloc(64 * 1024, 'stream: OK ')

export async function startProxy(target: string, dice: Dice): Promise<ClamdProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<net.Socket>()
  const server = net.createServer({ allowHalfOpen: true })
  let spoiled = 0
  const keep = (socket: net.Socket) => {
    sockets.add(socket)
    // Either side may be killed at any time.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const proxy: ClamdProxy = {
    url: '',
    spoil: null,
    get spoiled() {
      return spoiled
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  }

  server.on('connection', (client) => {
    keep(client)
    const clamd = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    keep(clamd)
    client.on('close', () => clamd.destroy())
    // As a real clamd that is not there or dies: without a word.
    clamd.on('error', () => reset(client))
    let how: Spoiling | null = null
    client.once('data', (beginning) => {
      how = choose(proxy.spoil, beginning, dice)
      if (how !== null) spoiled++
      if (how === 'cut in the document') client.destroy()
      else clamd.write(beginning)
      client.pipe(clamd)
    })
    const parts: Buffer[] = []
    clamd.on('data', (part) => parts.push(part))
    clamd.on('end', () => answer(client, Buffer.concat(parts), how, dice))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `tcp://127.0.0.1:${(server.address() as net.AddressInfo).port}`
  return proxy
}

/**
 * A socket that is being ended must not be reset: Node mistakes libuv's error for a close, never closes the socket, and
 * loops endlessly at process exit.
 */
function reset(socket: net.Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

function choose(spoil: Spoil | null, beginning: Buffer, dice: Dice): Spoiling | null {
  if (spoil === null) return null
  const share = DOCUMENT.test(beginning.toString('latin1')) ? spoil.documents : spoil.canaries
  return dice.next() < share ? dice.pick(spoil.how) : null
}

function answer(client: net.Socket, truth: Buffer, how: Spoiling | null, dice: Dice): void {
  if (client.destroyed) return
  const later = (ms: number) => setTimeout(() => client.end(truth), ms)
  const ways: Record<Exclude<Spoiling, 'cut in the document'>, () => unknown> = {
    'cut before the answer': () => client.destroy(),
    reset: () => reset(client),
    'half an answer': () => client.end(OK.slice(0, dice.whole(1, OK.length - 1))),
    'no zero': () => client.end(OK.slice(0, -1)),
    'two answers': () => client.end(OK + OK),
    'two different answers': () => client.end(Buffer.concat([Buffer.from(OK), truth])),
    'other prefix': () => client.end(`instream(local): OK\0`),
    numbered: () => client.end(`1: ${OK}`),
    garbage: () => client.end(Buffer.from(Array.from({ length: dice.whole(1, 200) }, () => dice.whole(0, 255)))),
    'flipped bit': () => client.end(flipped(truth, dice)),
    endless: () => client.end(ENDLESS),
    'not closed': () => client.write(OK),
    slow: () => later(dice.whole(50, 1_000)),
    late: () => later(LATE_MS),
  }
  if (how === null || how === 'cut in the document') client.end(truth)
  else ways[how]()
}

/** An empty reply stays empty. */
function flipped(bytes: Buffer, dice: Dice): Buffer {
  const copy = Buffer.from(bytes)
  const at = dice.whole(0, copy.length - 1)
  if (copy.length > 0) copy[at] = copy[at]! ^ (1 << dice.whole(0, 7))
  return copy
}
