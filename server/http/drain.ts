/** Graceful shutdown: finishes requests in progress, within limits that no open connection can extend. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface DrainLimits {
  /** For connections without a request, and for requests whose headers are incomplete. */
  silentDrainMs: number
  /** For requests in progress. */
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
    // Node would close idle connections at once, even with a request in flight. They get the same grace period as
    // silent connections, and a response with `Connection: close`.
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
