/** Serves clients that half-close after sending, and detects those that disconnected, which look the same at first. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The first probe to a disconnected client provokes a reset; the second one fails on it. */
export const PROBE_INTERVAL_MS = 500

type HttpSocket = Socket & { _httpMessage?: ServerResponse | null }

/** Sends `102 Processing`, which every HTTP/1.1 client must accept and ignore. */
function probe(socket: HttpSocket): void {
  const response = socket._httpMessage
  if (!response || response.headersSent || !socket.writable || response.req.httpVersionMinor === 0) return
  response.writeProcessing()
}

export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket: HttpSocket) => {
    socket.once('end', () => {
      const timer = setInterval(probe, PROBE_INTERVAL_MS, socket)
      socket.once('close', () => clearInterval(timer))
      if (socket.destroyed) clearInterval(timer)
    })
  })
}
