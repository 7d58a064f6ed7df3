/** Delays closing a connection whose client is still sending, because a reset would discard the response. */
import type { Socket } from 'node:net'

const LINGER_MS = 1_000

export function lingerBeforeClose(socket: Socket): void {
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.end()
  }
}
