/** Listens for connections. `localhost` is both loopback addresses, because clients choose either. */
import { once } from 'node:events'
import net from 'node:net'
import type { Server } from './server.ts'

interface ListenOptions {
  host: string
  port: number
  backlog: number
}

const LOCALHOST = 'localhost'
const LOOPBACKS = ['127.0.0.1', '::1'] as const
/** The machine has no IPv6. */
const MISSING = ['EADDRNOTAVAIL', 'EAFNOSUPPORT']

/** Returns what ends the second listener; the server itself ends the first. */
export async function listen(server: Server, { host, ...rest }: ListenOptions): Promise<() => void> {
  // Fastify would listen on the second address with a server of its own, without our limits and handlers.
  await server.listen({ host: host === LOCALHOST ? LOOPBACKS[0] : host, ...rest })
  if (host !== LOCALHOST) return () => {}
  const second = net.createServer({ allowHalfOpen: true, noDelay: true })
  second.on('connection', (socket) => server.server.emit('connection', socket))
  try {
    second.listen({ host: LOOPBACKS[1], ...rest })
    await once(second, 'listening')
  } catch (error) {
    if (!MISSING.includes((error as { code?: string }).code ?? '')) throw error
  }
  return () => second.close()
}
