/** A scripted peer that speaks clamd's protocol, for answers that a real clamd gives only when it is broken. */

import { once } from 'node:events'
import net from 'node:net'
import { type Canary, LARGE_CANARIES, SMALL_CANARIES } from '#engines/clamd/canaries.ts'

/** Sent before the connection is closed; null closes without an answer, `hang` neither answers nor closes. */
export type FakeAnswer = string | Buffer | null | 'hang'

export interface FakeScript {
  /** The answer to VERSION, without its zero. */
  version?: string
  /** For documents that are not canaries. */
  onDocument?: (document: Buffer, socket: net.Socket) => FakeAnswer | Promise<FakeAnswer>
  /** For canaries; undefined: the expected answer. */
  onCanary?: (document: Buffer) => FakeAnswer | undefined
  /** Replaces everything else as soon as a document begins. */
  onBeginning?: (socket: net.Socket) => void
  /** Replaces everything else. */
  onConnection?: (socket: net.Socket) => void
}

export interface FakeClamd extends AsyncDisposable {
  url: string
  /** May be changed while it runs. */
  script: FakeScript
  /** Complete documents that are not canaries. */
  readonly documents: Buffer[]
  /** Lengths of the frames of the last document. */
  readonly frames: number[]
  readonly connections: number
  close(): Promise<void>
}

export async function startFakeClamd(script: FakeScript = {}): Promise<FakeClamd> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer({ allowHalfOpen: true })
  const documents: Buffer[] = []
  let connections = 0
  const fake: FakeClamd = {
    url: '',
    script,
    documents,
    frames: [],
    get connections() {
      return connections
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close').catch(() => {})
    },
    [Symbol.asyncDispose]: () => fake.close(),
  }
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    // The other side may close at any time.
    socket.on('error', () => {})
    if (fake.script.onConnection) fake.script.onConnection(socket)
    else listen(socket, fake)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  fake.url = `tcp://127.0.0.1:${(server.address() as net.AddressInfo).port}`
  return fake
}

function listen(socket: net.Socket, fake: FakeClamd): void {
  let opening: Buffer = Buffer.alloc(0)
  const take = createFrameReader()
  let begun = false
  socket.on('data', (chunk) => {
    let frames = begun ? take(chunk) : null
    if (!begun) {
      opening = Buffer.concat([opening, chunk])
      const end = opening.indexOf(0)
      if (end < 0) return
      if (opening.toString('latin1', 0, end) !== 'zINSTREAM') {
        say(socket, `${fake.script.version ?? 'ClamAV 9.9.9'}\0`)
        return
      }
      begun = true
      fake.script.onBeginning?.(socket)
      frames = take(opening.subarray(end + 1))
    }
    if (!frames || fake.script.onBeginning) return
    fake.frames.splice(0, Number.POSITIVE_INFINITY, ...frames.map((frame) => frame.length))
    void respond(socket, Buffer.concat(frames), fake)
  })
}

/** Takes chunks; null until the frame of length zero has arrived. */
function createFrameReader(): (chunk: Buffer) => Buffer[] | null {
  const frames: Buffer[][] = []
  let head: Buffer = Buffer.alloc(0)
  let missing = 0
  return (chunk) => {
    for (let rest = chunk; rest.length > 0; ) {
      if (missing > 0) {
        const part = rest.subarray(0, missing)
        frames.at(-1)?.push(part)
        missing -= part.length
        rest = rest.subarray(part.length)
        continue
      }
      const part = rest.subarray(0, 4 - head.length)
      head = Buffer.concat([head, part])
      rest = rest.subarray(part.length)
      if (head.length < 4) continue
      missing = head.readUInt32BE(0)
      head = Buffer.alloc(0)
      if (missing === 0) return frames.map((parts) => Buffer.concat(parts))
      frames.push([])
    }
    return null
  }
}

async function respond(socket: net.Socket, document: Buffer, fake: FakeClamd): Promise<void> {
  const canary = canaryAnswer(document)
  if (canary === null) {
    fake.documents.push(document)
    say(socket, (await fake.script.onDocument?.(document, socket)) ?? null)
  } else {
    const own = fake.script.onCanary?.(document)
    say(socket, own === undefined ? canary : own)
  }
}

function say(socket: net.Socket, answer: FakeAnswer): void {
  if (answer === 'hang') return
  if (answer === null) socket.destroy()
  else socket.end(answer)
}

const GOOD_ANSWERS: Record<Canary['must'], string> = {
  found: 'stream: Eicar FOUND\0',
  clean: 'stream: OK\0',
  held: 'stream: Heuristics.Limits.Exceeded.MaxRecursion FOUND\0',
  limited: 'stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0',
}

const CANARIES = [...SMALL_CANARIES, ...LARGE_CANARIES]
let canaryBytes: Map<Canary, Buffer> | null = null

function canaryAnswer(document: Buffer): string | null {
  canaryBytes ??= new Map(CANARIES.map((canary) => [canary, Buffer.concat([...canary.document()])]))
  for (const [canary, bytes] of canaryBytes) if (bytes.equals(document)) return GOOD_ANSWERS[canary.must]
  return null
}
