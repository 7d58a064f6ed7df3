/** The end of a server: what is under way is finished, and nobody who only holds a connection open can delay it. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface DrainLimits {
  /** For a request whose headers are still on their way, and for connections on which nothing ever came. */
  silentDrainMs: number
  /** For a request that is under way. */
  drainTimeoutMs: number
}

type HttpSocket = Socket & { _httpMessage?: ServerResponse | null }

/** Node closes idle connections too early, silent ones never, and stops checking timeouts. */
export function drainOnClose(server: FastifyInstance, { silentDrainMs, drainTimeoutMs }: DrainLimits): void {
  const open = new Set<HttpSocket>()
  let closing = false

  server.server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })

  function closeSilent(): void {
    for (const socket of open) if (!socket._httpMessage) socket.destroy()
  }

  server.addHook('preClose', (done) => {
    closing = true
    // Node would cut idle connections at once, also one whose next request is on its way to us already. They get the
    // same short time as the silent ones, and an answer with `Connection: close`.
    server.server.closeIdleConnections = () => {}
    setTimeout(closeSilent, silentDrainMs).unref()
    setTimeout(() => server.server.closeAllConnections(), drainTimeoutMs).unref()
    done()
  })

  server.addHook('onSend', (_request, reply, payload, done) => {
    if (closing) reply.header('connection', 'close')
    done(null, payload)
  })
}
