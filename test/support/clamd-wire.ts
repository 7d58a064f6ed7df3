/** Speaks the clamd protocol byte by byte. */
import { once } from 'node:events'
import net from 'node:net'

export type Target = { host: string; port: number } | { path: string }

/** A chunk of INSTREAM: its length and its bytes. */
export function chunk(bytes: Buffer | string): Buffer {
  const data = Buffer.from(bytes as string)
  const head = Buffer.alloc(4)
  head.writeUInt32BE(data.length)
  return Buffer.concat([head, data])
}

export const END_OF_STREAM = Buffer.alloc(4)

/** INSTREAM with its document in one chunk. */
export const instream = (bytes: Buffer | string, prefix = 'z'): Buffer =>
  Buffer.concat([Buffer.from(prefix === 'z' ? 'zINSTREAM\0' : 'nINSTREAM\n'), chunk(bytes), END_OF_STREAM])

/** Sends everything, and with `end` no more, and returns what the server sends until it closes the connection. */
export async function exchange(
  target: Target,
  sent: Buffer | string,
  { byteByByte = false, end = false } = {},
): Promise<string> {
  const socket = net.connect({ ...target, noDelay: true } as net.TcpNetConnectOpts)
  let text = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
  })
  const closed = once(socket, 'close')
  // Handled where it is awaited, unless the connection fails before.
  closed.catch(() => {})
  await once(socket, 'connect')
  const bytes = Buffer.from(sent as string)
  const pieces = byteByByte ? [...bytes].map((byte) => Buffer.of(byte)) : [bytes]
  for (const piece of pieces) {
    if (!socket.writable) break
    socket.write(piece)
    if (byteByByte) await new Promise(setImmediate)
  }
  if (end) socket.end()
  await closed
  return text
}

/** The reply to one document. */
export const scanOver = (target: Target, bytes: Buffer | string): Promise<string> => exchange(target, instream(bytes))
