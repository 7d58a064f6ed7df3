/** A client may end its side when its request is whole, and wait for the answer. One that has left looks the same at first. */
import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Of two things sent, the first makes the system of a client that has left refuse, and the second finds that out. */
export const ASK_EVERY_MS = 500

type HttpSocket = Socket & { _httpMessage?: ServerResponse | null }

/** 102 says nothing but that we are at it, which every client of HTTP/1.1 must bear. */
function ask(socket: HttpSocket): void {
  const answer = socket._httpMessage
  if (!answer || answer.headersSent || !socket.writable || answer.req.httpVersionMinor === 0) return
  answer.writeProcessing()
}

export function answerHalfClosed(server: Server): void {
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket: HttpSocket) => {
    socket.once('end', () => {
      const timer = setInterval(ask, ASK_EVERY_MS, socket)
      socket.once('close', () => clearInterval(timer))
      if (socket.destroyed) clearInterval(timer)
    })
  })
}
