/** The end of a connection without a reply. */
import type { Socket } from 'node:net'

/**
 * Some clients (pyclamd, Mattermost's plugin) take an orderly end for clean, but none that is still sending takes a reset for it.
 * Unix sockets and TLS cannot be reset.
 */
export function resetSocket(socket: Socket): void {
  try {
    socket.resetAndDestroy()
  } catch {
    socket.destroy()
  }
}
