/** Closes a connection so that the answer arrives: at once, while the client is still sending, it would be lost to a reset. */
import type { Socket } from 'node:net'

/** Long enough to read an answer; what arrives meanwhile is thrown away. */
const LINGER_MS = 1_000

/** From now on, the end of the answer is only the end of what we say; the connection goes when the client is done too. */
export function lingerAtTheEnd(socket: Socket): void {
  socket.destroySoon = () => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
    socket.end()
  }
}
