/** A TCP proxy whose connections can be delayed, slowed, silenced and reset. */
import { once } from 'node:events'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const LINK_FAULTS = ['latency', 'slow', 'silent', 'reset', 'refused'] as const
type LinkFault = (typeof LINK_FAULTS)[number]

const LATENCY_MS = 150
const SLOW_BYTES = 512
const SLOW_MS = 5

interface FaultLink extends AsyncDisposable {
  port: number
  /** Null repairs it. Connections that were silent are closed then: TCP would have lost their data. */
  fault: LinkFault | null
}

/** Called before a chunk is passed on; `connection` is the same for both directions. */
type Watch = (chunk: Buffer, from: 'client' | 'target', connection: object) => Promise<void> | void

export async function startLink(targetPort: number, watch: Watch = () => {}): Promise<FaultLink> {
  const sockets = new Set<net.Socket>()
  const silenced = new Set<net.Socket>()
  let fault: LinkFault | null = null

  async function forward(chunk: Buffer, to: net.Socket): Promise<void> {
    if (fault === 'latency') await sleep(LATENCY_MS)
    if (fault !== 'slow') return void to.write(chunk)
    for (let at = 0; at < chunk.length && !to.destroyed; at += SLOW_BYTES) {
      to.write(chunk.subarray(at, at + SLOW_BYTES))
      await sleep(SLOW_MS)
    }
  }

  function pipe(from: net.Socket, to: net.Socket, seen: (chunk: Buffer) => Promise<void> | void): void {
    let queue = Promise.resolve()
    sockets.add(from)
    // Either side may be killed at any time.
    from
      .on('error', () => {})
      .on('close', () => {
        sockets.delete(from)
        silenced.delete(from)
        void queue.then(() => to.destroy())
      })
    from.on('data', (chunk) => {
      if (fault === 'silent') return void silenced.add(from)
      queue = queue.then(async () => {
        await seen(chunk)
        await forward(chunk, to)
      })
    })
  }

  const server = net.createServer((client) => {
    if (fault === 'refused') return void client.resetAndDestroy()
    const target = net.connect(targetPort, '127.0.0.1')
    pipe(client, target, (chunk) => watch(chunk, 'client', client))
    pipe(target, client, (chunk) => watch(chunk, 'target', client))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as net.AddressInfo).port,
    get fault() {
      return fault
    },
    set fault(wanted) {
      fault = wanted
      if (wanted === 'reset' || wanted === 'refused') for (const socket of sockets) socket.resetAndDestroy()
      if (wanted !== 'silent') for (const socket of silenced) socket.destroy()
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
